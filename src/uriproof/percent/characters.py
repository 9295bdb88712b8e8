"""The characters of the grammar, and the percent-encoded octets that stand for them.

Owns the way from a rule to a set of characters, and that between an octet and its escape. Imports
the grammars. Invariant: no set is written down; each is what the rule's matcher says of every
ASCII character.
"""

from __future__ import annotations

from functools import cache, lru_cache

from ..grammar import registry

__all__ = ["ASCII", "GRAMMAR", "characters", "escapes", "octet", "percent_encoded"]

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


@cache
def escapes() -> tuple[str, ...]:
    """All octets percent-encoded, in upper case (RFC 3986 §2.1, §6.2.2.1)."""
    return tuple(f"%{octet:02X}" for octet in range(256))


def percent_encoded(text: str, encoding: str = "utf-8") -> str:
    """All of a text. Errors: UnicodeError, for what has no octets in the encoding.

    >>> percent_encoded("é/"), percent_encoded("é", "latin-1")
    ('%C3%A9%2F', '%E9')
    """
    table = escapes()
    return "".join([table[octet] for octet in text.encode(encoding)])
