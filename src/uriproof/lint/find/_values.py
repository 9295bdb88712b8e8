"""Values of data formats: a text between delimiters that is one URL, or prose.

Owns that decision for keyed values, fields and items. Imports ``find._prose``, ``find._holes`` and
``find._inside``. Invariant: what is found has the places of the part that it is found in.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...text.patterns import lazy
from ..found import Found
from ._holes import Spans, holes
from ._inside import Part, moved, whole
from ._prose import candidates, read_one, scheme_start, spaced, urls

__all__ = ["prose", "value"]

_BLANKS = " \t\r\n"
_WORD = lazy(r"[\w.%/~-]+")
_SEPARATORS = (",", ";")
_LONGEST = 20_000  # of a value that is looked at as one URL


def value(
    part: Part, escape: str = "plain", why: str = "value", *, remarks: bool = False
) -> Iterator[Found]:
    """The URLs of a value: itself, if it begins with one and goes on as one; else those in it.

    ``remarks`` says that a word after a URL is no part of it, unless it goes on as a URL does.
    Cost: O(n).

    >>> [found.text for found in value(Part("http://a/b|c", 0, 12))]
    ['http://a/b|c']
    >>> [found.text for found in value(Part("http://a/ is down", 0, 17))]
    ['http://a/']
    """
    if "://" not in part.text:
        return
    inner = part.stripped(_BLANKS)
    if inner.text.endswith(_SEPARATORS):  # of a list that goes on in the next line
        inner = inner.cut(0, len(inner.text) - 1)
    spans = _as_one(inner.text, remarks)
    if spans is not None:
        yield whole(inner, "URI", spans, escape, why)
    else:
        yield from prose(part, escape)


def prose(part: Part, escape: str = "plain") -> Iterator[Found]:
    """The URLs in the prose of a part."""
    for found in urls(part.text):
        one = moved(found, part)
        yield one._replace(escape=escape) if escape != "plain" else one


def _as_one(text: str, remarks: bool) -> Spans | None:
    """The holes of a value that is one URL, whatever is wrong in it; None if it is none."""
    at = text.find("://")
    if len(text) > _LONGEST or scheme_start(text, at, 0) != 0 or text.find("://", at + 3) >= 0:
        return None
    one = read_one(text, 0, at, len(text))
    if not isinstance(one, Found):
        return None
    if one.end == len(text):
        return one.holes
    if text.startswith('"\\', one.end):  # a piece of a text, with the escape of a line's end
        return None
    spans = holes(text)
    filled = list(text)
    for start, end in spans:  # what fills a hole may have spaces of its own
        filled[start:end] = "x" * (end - start)
    words = "".join(filled).split()
    if len(words) == 1:
        return spans if all(isinstance(c, Found) for c in candidates(text)) else None
    if any(char in text for char in "\t\r\n"):
        return None
    path = words[0].partition("://")[2].partition("/")[2]
    pair = len(words) == 2 and path != "" and _WORD.fullmatch(words[1]) is not None  # noqa: PLR2004
    return spans if (pair and not remarks) or spaced("".join(filled)) else None
