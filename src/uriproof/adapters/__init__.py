"""Adapters: one file per framework, each framework an extra of its own.

Owns nothing. May import the public face and what is below it; an adapter imports no other one.
Invariant: importing an adapter imports its framework alone, and importing uriproof imports no
adapter.
"""
