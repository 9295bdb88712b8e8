r"""Texts inside texts: a part of a file, decoded, and what another format finds in it.

Owns the map from decoded text back to the file. Imports ``lint.found``, ``find._prose`` and the
choice of a finder.
Invariant: of whatever is found in a decoded part, every code point has the offset in the file
where what it was decoded from begins.

>>> import re
>>> part = undone(r"a\/b", 0, 4, re.compile(r"\\(.)"), lambda match: match[1])
>>> part.text, part.places
('a/b', (0, 1, 3, 4))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..found import Found
from ._prose import urls

__all__ = ["Part", "found_in", "moved", "prose_in", "undone", "whole"]

Spans = tuple[tuple[int, int], ...]


class Part(NamedTuple):
    """A part of a file as its format decodes it; ``places`` as of ``Found``: empty where the raw
    part is the text itself, from ``start`` on."""

    text: str
    start: int
    end: int
    places: tuple[int, ...] = ()

    def offset(self, at: int) -> int:
        """Where in the file a code point of the text begins; ``len(text)`` gives the end."""
        return self.places[at] if self.places else self.start + at

    def cut(self, first: int, last: int) -> Part:
        """The part between two offsets of its text."""
        places = self.places[first : last + 1]
        start, end = self.offset(first), self.offset(last)
        if places and places == tuple(range(start, end + 1)):
            places = ()  # an escape is longer than what it stands for: there is none here
        return Part(self.text[first:last], start, end, places)

    def stripped(self, chars: str) -> Part:
        """The part without some characters at its ends."""
        first = len(self.text) - len(self.text.lstrip(chars))
        last = len(self.text.rstrip(chars))
        return self if (first, last) == (0, len(self.text)) else self.cut(first, max(first, last))


def undone(
    text: str,
    start: int,
    end: int,
    escapes: re.Pattern[str],
    meaning: Callable[[re.Match[str]], str],
) -> Part:
    """A part of a text with its escapes undone; an escape that means nothing is left out.

    Cost: O(end - start), and what the pattern costs.
    """
    match = escapes.search(text, start, end)
    if match is None:
        return Part(text[start:end], start, end)
    pieces: list[str] = []
    places: list[int] = []
    at = start
    while match is not None:
        first, last = match.span()
        means = meaning(match)
        if means != match[0]:  # else it is no escape, after all
            kept = _kept(match[0], means)
            pieces += text[at:first], means
            places += range(at, first)
            places += [first] * (len(means) - kept)
            places += range(last - kept, last)
            at = last
        match = escapes.search(text, max(last, first + 1), end)
    if not pieces:
        return Part(text[start:end], start, end)
    pieces.append(text[at:end])
    places += range(at, end + 1)
    return Part("".join(pieces), start, end, tuple(places))


def _kept(raw: str, means: str) -> int:
    """How many characters at the end of an escape stand for themselves: "&notit;" is "¬it;"."""
    kept = 0
    while len(means) > kept + 2 and raw[-kept - 1] == means[-kept - 1]:
        kept += 1
    return kept


def moved(found: Found, part: Part) -> Found:
    """What was found in the text of a part, as found in the file."""
    places = part.places
    if not places:
        by = part.start
        return found._replace(
            start=found.start + by,
            end=found.end + by,
            places=tuple(place + by for place in found.places),
        )
    if found.places:
        there = tuple(places[place] for place in found.places)
    else:
        there = places[found.start : found.end + 1]
    start, end = places[found.start], places[found.end]
    if end - start == len(found.text) and there == tuple(range(start, end + 1)):
        there = ()
    return found._replace(start=start, end=end, places=there)


def found_in(part: Part, name: str, why: str = "", escape: str = "") -> Iterator[Found]:
    """What the finder for files of a name finds in a part; ``why`` goes before its reasons."""
    from . import finder

    own = finder(name)
    kind = own.PROFILES[0].kind
    for one in _moved(own.find(part.text, name), part, why, escape):
        yield one._replace(profile=kind) if one.profile is None else one


def prose_in(part: Part, why: str = "", escape: str = "") -> Iterator[Found]:
    """URLs in a part that is prose; ``why`` goes before the reasons."""
    return _moved(urls(part.text), part, why, escape) if "://" in part.text else iter(())


def _moved(found: Iterator[Found], part: Part, why: str, escape: str) -> Iterator[Found]:
    for each in found:
        one = moved(each, part)
        reason = f"{why}, {one.why}" if why and one.why else why or one.why
        written = escape if escape and one.escape == "plain" else one.escape
        yield one._replace(why=reason, escape=written)


def whole(part: Part, rule: str, holes: Spans, escape: str, why: str) -> Found:
    """A part that is one URL, between delimiters."""
    return Found(part.start, part.end, part.text, rule, True, part.places, holes, escape, why)
