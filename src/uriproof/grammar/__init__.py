"""Grammars: ABNF in; expressions, automata, traces and lark grammars out.

Owns everything that is known about a grammar before any text is read. Imports only ``report`` and
``drawing``. Invariant: nothing in here knows a rule of any
specification by name, except the name of an escape sequence, if no header gives another.
"""
