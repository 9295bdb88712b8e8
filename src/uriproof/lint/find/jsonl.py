r"""JSON Lines: a value of JSON a line, each by itself.

Owns the names of such files. Imports ``find.json``. Invariant: a line that is broken harms no
other.

>>> [found.text for found in find('{"url": "http://a/\n{"url": "http://b c/"}\n', "a.jsonl")]
['http://a/', 'http://b c/']
"""

from __future__ import annotations

from collections.abc import Iterator

from ..found import Found, Profile
from .json import strings

SUFFIXES = (".jsonl", ".ndjson", ".jsonlines", ".ldjson", ".geojsonl", ".geojsons", ".json-seq")
NAMES: tuple[str, ...] = ()
ANCHORS = ("://", ":\\/\\/", ":\\u002")
PROFILES = (Profile("iri", "strings", "RFC 8259 §7, line by line"),)


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of lines of JSON, in text order. Cost: O(n)."""
    return strings(text, name)
