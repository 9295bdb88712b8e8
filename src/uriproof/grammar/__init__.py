"""Grammars: ABNF in; expressions, automata, traces and lark grammars out.

Owns all that is known about a grammar before any text is looked at. Imports ``report`` and
``drawing`` at most. Invariant: nothing in here knows a rule of any
specification by name, but the name of an escape sequence, where no header says another.
"""
