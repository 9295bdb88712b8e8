"""Percent-encoding: encode, decode, clean, display, form data.

Owns percent-encoding and the forms of hosts. Imports ``validate``, which says what is wrong, and
what is below it; knows nothing of ``uri``. Invariant: which characters may stand where comes from
the grammars.
"""
