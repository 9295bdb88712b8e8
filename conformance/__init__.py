"""A conformance suite for parsers of URIs, and what parsers in many languages make of it.

Owns ``suite/`` (the files that an author of a parser takes), ``parsers/`` (one adapter for each
parser that was asked) and ``python -m conformance``, which asks a program, or all of them. Imports
uriproof, which nothing in it depends on. Invariant: what is called wrong differs from the automaton
of the rule, with which ``uriproof.is_valid`` agrees on the same text in the same run.
"""
