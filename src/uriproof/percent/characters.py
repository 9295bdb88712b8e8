"""The characters of the grammar, and the octets that percent-encoding stands for.

Owns the way from a rule to a set of characters, and that from an escape to its octet. Imports
the grammars. Invariant: no set is written down; each is what the rule's matcher says of every
ASCII character.
"""

from __future__ import annotations

from functools import cache, lru_cache

from ..grammar import registry

GRAMMAR = "rfc3986"

ASCII = tuple(map(chr, range(128)))
"""All characters that a URI can hold, and those ASCII characters that it cannot."""


@cache
def characters(rule: str, grammar: str = GRAMMAR) -> frozenset[str]:
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


@lru_cache(1024)  # 484 texts are escapes; the cache is bounded for those that are not
def octet(escape: str) -> int | None:
    """The octet that a ``pct-encoded`` stands for; None for any other text (RFC 3986 §2.1).

    >>> octet("%2f"), octet("%zz"), octet("%2")
    (47, None, None)
    """
    if registry.load(GRAMMAR).accepts("pct-encoded", escape):
        return int(escape[1:], 16)
    return None
