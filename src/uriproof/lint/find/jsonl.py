r"""JSON Lines: URLs in the strings of JSON texts, one a line.

Owns nothing but the choice. Imports ``find._json_text``. Invariant: a string ends in its line, so
that a line that is broken spoils no other.

>>> [found.text for found in find('{"a": "http://a/|"}\n{"b\n["http://b"]\n', "a.jsonl")]
['http://a/|', 'http://b']
"""

from __future__ import annotations

from collections.abc import Iterator

from ..found import Found
from ._json_text import ANCHORS, strings

__all__ = ["ANCHORS", "NAMES", "SUFFIXES", "find"]

SUFFIXES = (".jsonl", ".ndjson", ".geojsonl", ".geojsons", ".ldjson")
NAMES = ()


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of JSON Lines, in text order. Cost: O(n)."""
    yield from strings(text)
