"""Percent-encoding: encode, decode, clean, display, form data.

Owns percent-encoding and the forms of hosts. Imports ``validate`` and the layers below it; knows
nothing of ``uri``. Invariant: the grammars decide which characters are allowed where.
"""
