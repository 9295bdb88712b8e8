r"""Plain text, and every file whose format is not known: URLs in prose.

Owns nothing but the choice. Imports ``find._prose``. Invariant: nothing in the text is taken for
markup or for an escape.

>>> [found.text for found in find("**http://a/**, http://b... and http://", "")]
['http://a/', 'http://b']
"""

from __future__ import annotations

from collections.abc import Iterator

from ..found import Found
from ._prose import urls

__all__ = ["ANCHORS", "NAMES", "SUFFIXES", "find"]

SUFFIXES = (".txt", ".text", ".log", ".po", ".pot", ".diff", ".patch")
NAMES = ("README", "LICENSE", "LICENCE", "COPYING", "AUTHORS", "NEWS", "CHANGES", "ChangeLog")
ANCHORS = ("://",)


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a text, in text order. Cost: O(n)."""
    return urls(text)
