"""The interface of the package ``rfc3987``, as far as jsonschema and others use it.

Owns the translation of its names. Imports the public face alone. Invariant: a rule
accepts exactly what the RFC's rule of that name accepts.
"""

from __future__ import annotations

from functools import cache

from ..grammar.errors import UnknownRule
from ..report import InvalidURI
from ..rule import Rule, check_bounded

__all__ = ["match", "parse"]

_COMPONENTS = ("scheme", "authority", "path", "query", "fragment")
_IN_AUTHORITY = ("userinfo", "host", "port")


def match(string: str, rule: str = "IRI_reference") -> object | None:
    """Something true if the rule accepts the string, else None.

    ``rule`` is a production of RFC 3986 or RFC 3987, written with ``_`` for ``-``. Errors:
    UnknownRule, TypeError. Cost: O(n).

    >>> match("%C7", "pct_encoded") is not None, match("%C7X", "pct_encoded")
    (True, None)
    """
    return True if _rule(rule).is_valid(string) else None


def parse(string: str, rule: str = "IRI_reference") -> dict[str, str | None]:
    """The components by name; None for those that are not there.

    Errors: InvalidURI, a ValueError with the report; UnknownRule, TypeError. Cost: O(n).

    >>> parse("http://me@é:80/a#b")["authority"]
    'me@é:80'
    """
    held = _rule(rule)
    if not held.is_valid(string):
        raise InvalidURI(check_bounded(held, string))
    has = held.check(string).components
    found = {name: has[name].text if name in has else None for name in _COMPONENTS}
    if inside := [has[name] for name in _IN_AUTHORITY if name in has]:
        found["authority"] = string[inside[0].start : inside[-1].end]
    return found


@cache
def _rule(name: str) -> Rule:
    """The rule of URIs or of IRIs. Errors: UnknownRule, TypeError."""
    try:
        return Rule(name)
    except UnknownRule:
        return Rule(name, grammar="rfc3987")
