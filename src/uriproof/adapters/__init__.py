"""Adapters: one file for each framework, each framework an extra of its own.

Owns nothing. May import the public face and the layers below it; an adapter imports no other one;
that of Django loads that of REST framework by its name, if the framework is installed in Django.
Invariant: importing an adapter imports only its framework, and importing uriproof imports no
adapter.
"""
