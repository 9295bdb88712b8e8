"""JSON that every reader takes for the same value.

Owns the reading of JSON from requests. Imports ``json``, late. Invariant: what is read can be
written again as JSON in UTF-8.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

__all__ = ["read_json"]


def read_json(text: str | bytes) -> Any:
    r"""The value of a JSON text that is also I-JSON.

    NaN, numbers beyond double precision, a name that occurs twice in an object and half a surrogate
    pair are errors: programs disagree about them, so that one that validates would see another
    value than one that uses it.

    Errors: ValueError; RecursionError. Cost: O(n). Spec: RFC 8259; RFC 7493 §2.

    >>> read_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> read_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ValueError: a name occurs twice
    """
    import json

    found = json.loads(text, parse_constant=_finite, parse_float=_finite, object_pairs_hook=_unique)
    if (b"\\u" if isinstance(text, bytes) else "\\u") in text:  # type: ignore[operator]
        json.dumps(found, ensure_ascii=False).encode()
    return found


def _finite(text: str) -> float:
    if isfinite(number := float(text)):
        return number
    raise ValueError("a number is too large")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(found := dict(pairs)) == len(pairs):
        return found
    raise ValueError("a name occurs twice")
