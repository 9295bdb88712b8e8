"""Percent-encoding: encode, decode, clean, display, form data, normalise, resolve, build.

Owns what is done to URIs, where ``validate`` owns what is said of them. Imports ``report`` and
``grammar``. Invariant: which characters may stand where is asked of the grammars.
"""
