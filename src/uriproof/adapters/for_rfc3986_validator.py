"""The interface of the package ``rfc3986-validator``.

Owns the translation of its names. Imports the public face. Invariant: the verdicts are the
grammar's.
"""

from __future__ import annotations

from ..rule import is_valid

__all__ = ["validate_rfc3986"]

_RULES = {"URI": "URI", "URI_reference": "URI-reference"}


def validate_rfc3986(url: str, rule: str = "URI") -> bool:
    """True if the rule, ``URI`` or ``URI_reference``, accepts the text.

    Errors: ValueError for another rule; TypeError. Cost: O(n).

    >>> validate_rfc3986("http://a/"), validate_rfc3986("../a b", rule="URI_reference")
    (True, False)
    """
    if rule not in _RULES:
        raise ValueError(f"rule must be URI or URI_reference, not {rule!r}")
    return is_valid(url, _RULES[rule])
