"""Adapters: one file per framework, each framework an extra of its own.

Owns nothing. May import the public face and what is below it. Invariant: importing an adapter
imports its framework, and importing uriproof imports no adapter.
"""
