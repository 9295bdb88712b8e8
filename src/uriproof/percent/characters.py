"""The character sets of the grammar: which characters a rule accepts, each by itself.

Owns the way from a rule to a set of characters. Imports the grammars. Invariant: no set is
written down; each is what the rule's matcher says of every ASCII character.
"""

from __future__ import annotations

from functools import cache

from ..grammar import registry

ASCII = tuple(map(chr, range(128)))
"""All characters that a URI can hold, and those ASCII characters that it cannot."""


@cache
def characters(rule: str, grammar: str = "rfc3986") -> frozenset[str]:
    """The ASCII characters that a rule accepts as a whole text.

    For a set of characters (unreserved, sub-delims) these are its members; for a loop (segment,
    query, userinfo, reg-name) those that may stand bare in it. A percent sign never may.

    Errors: UnknownRule, UnknownGrammar. Cost: 128 matches, once. Spec: RFC 3986 Appendix A.

    >>> sorted(characters("gen-delims"))
    ['#', '/', ':', '?', '@', '[', ']']
    >>> sorted(characters("query") - characters("segment"))
    ['/', '?']
    """
    compiled = registry.load(grammar)
    match = compiled.matcher(compiled.rule_name(rule))
    return frozenset(char for char in ASCII if match(char))
