"""Patterns of attacks on software that reads URIs: rules that run on request.

Owns nothing but its modules, one a theme, and their helpers. Imports nothing. Invariant: each rule
names an attack of its pattern, and how many of many real URLs it reports.
"""
