"""The interfaces of the packages ``rfc3987`` and ``rfc3986-validator``, as far as others use them.

Owns the translation of their names, none of which is in both packages: one module replaces either.
Imports only the public face. Invariant: a rule accepts exactly the texts of the RFC's rule of that
name.
"""

from __future__ import annotations

from functools import cache

from ..grammar.errors import UnknownRule
from ..report import InvalidURI
from ..rule import Rule, check_bounded, is_valid

__all__ = ["match", "parse", "validate_rfc3986"]

_COMPONENTS = ("scheme", "authority", "path", "query", "fragment")
_IN_AUTHORITY = ("userinfo", "host", "port")
_OF_THE_VALIDATOR = {"URI": "URI", "URI_reference": "URI-reference"}


def match(string: str, rule: str = "IRI_reference") -> object | None:
    """``rfc3987.match``: something true if the rule accepts the string, else None.

    ``rule`` is a production of RFC 3986 or RFC 3987, written with ``_`` for ``-``. Errors:
    UnknownRule, TypeError. Cost: O(n).

    >>> match("%C7", "pct_encoded") is not None, match("%C7X", "pct_encoded")
    (True, None)
    """
    return True if _rule(rule).is_valid(string) else None


def parse(string: str, rule: str = "IRI_reference") -> dict[str, str | None]:
    """``rfc3987.parse``: the components by name; None for those that are not there.

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


def validate_rfc3986(url: str, rule: str = "URI") -> bool:
    """``rfc3986_validator.validate_rfc3986``: true if the rule accepts the text.

    ``rule`` is ``URI`` or ``URI_reference``. Errors: ValueError for another; TypeError. Cost: O(n).

    >>> validate_rfc3986("http://a/"), validate_rfc3986("../a b", rule="URI_reference")
    (True, False)
    """
    if rule not in _OF_THE_VALIDATOR:
        raise ValueError(f"rule must be URI or URI_reference, not {rule!r}")
    return is_valid(url, _OF_THE_VALIDATOR[rule])


@cache
def _rule(name: str) -> Rule:
    """The rule of URIs or of IRIs. Errors: UnknownRule, TypeError."""
    try:
        return Rule(name)
    except UnknownRule:
        return Rule(name, grammar="rfc3987")
