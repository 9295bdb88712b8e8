"""Values of data formats: a text between delimiters that is one URL, or prose.

Owns that decision for keyed values, fields and items. Imports ``find._prose``, ``find._holes`` and
``find._inside``. Invariant: what is found has the places of the part that it is found in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..found import Found
from ._holes import holes
from ._inside import Part, moved, whole
from ._prose import candidates, read_one, scheme_start, spaced, urls

__all__ = ["prose", "value"]

_BLANKS = " \t\r\n"
_WORD = re.compile(r"[\w.%/~-]+")
_LONGEST = 20_000  # of a value that is looked at as one URL


def value(part: Part, escape: str = "plain", why: str = "value") -> Iterator[Found]:
    """The URLs of a value: itself, if it begins with one and goes on as one; else those in it.

    Cost: O(n).

    >>> [found.text for found in value(Part("http://a/b|c", 0, 12))]
    ['http://a/b|c']
    >>> [found.text for found in value(Part("http://a/ is down", 0, 17))]
    ['http://a/']
    """
    if "://" not in part.text:
        return
    inner = part.stripped(_BLANKS)
    if _is_one(inner.text):
        yield whole(inner, "URI", holes(inner.text), escape, why)
    else:
        yield from prose(part, escape)


def prose(part: Part, escape: str = "plain") -> Iterator[Found]:
    """The URLs in the prose of a part."""
    for found in urls(part.text):
        one = moved(found, part)
        yield replace(one, escape=escape) if escape != "plain" else one


def _is_one(text: str) -> bool:
    """Whether a value is one URL, whatever is wrong in it."""
    at = text.find("://")
    if len(text) > _LONGEST or scheme_start(text, at, 0) != 0 or text.find("://", at + 3) >= 0:
        return False
    one = read_one(text, 0, at, len(text))
    if not isinstance(one, Found):
        return False
    if one.end == len(text):
        return True
    filled = list(text)
    for start, end in holes(text):  # what fills a hole may have spaces of its own
        filled[start:end] = "x" * (end - start)
    words = "".join(filled).split()
    if len(words) == 1:
        return all(isinstance(c, Found) for c in candidates(text))
    path = words[0].partition("://")[2].partition("/")[2]
    pair = len(words) == 2 and path != "" and _WORD.fullmatch(words[1]) is not None  # noqa: PLR2004
    return pair or spaced("".join(filled))
