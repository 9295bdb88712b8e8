r"""Texts inside texts: a part of a file, decoded, and what another format finds in it.

Owns the map from decoded text back to the file, and whether a value between delimiters is one URL
or prose. Imports ``lint.found``, ``find._prose`` and the choice of a finder. Invariant: every code
point found in a decoded part has the offset in the file of the text that it was decoded from.

>>> import re
>>> part = undone(r"a\/b", 0, 4, re.compile(r"\\(.)"), lambda match: match[1])
>>> part.text, part.places
('a/b', (0, 1, 3, 4))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import merge
from typing import NamedTuple

from ...grammar.expressions import ESCAPE
from ...mistakes.placeholders import Spans, filled, holes
from ...text.patterns import lazy
from ..found import Found
from ._prose import candidates, read_one, scheme_start, spaced, urls


class Part(NamedTuple):
    """A part of a file as its format decodes it; ``places`` as of ``Found``: empty if the raw part
    is the text itself, from ``start`` on."""

    text: str
    start: int
    end: int
    places: tuple[int, ...] = ()

    def offset(self, at: int) -> int:
        """The offset in the file of a code point of the text; ``len(text)`` gives the end."""
        return self.places[at] if self.places else self.start + at

    def cut(self, first: int, last: int) -> Part:
        """The part between two offsets of its text."""
        places = self.places[first : last + 1]
        start, end = self.offset(first), self.offset(last)
        if places and places == tuple(range(start, end + 1)):
            places = ()  # an escape is longer than its character: there is none here
        return Part(self.text[first:last], start, end, places)

    def stripped(self, chars: str) -> Part:
        """The part without some characters at its ends."""
        first = len(self.text) - len(self.text.lstrip(chars))
        last = len(self.text.rstrip(chars))
        return self if (first, last) == (0, len(self.text)) else self.cut(first, max(first, last))


def line_end(text: str, at: int) -> int:
    """The end of the line of an offset."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


URL = lazy("://")
_LINE = lazy(r"[^\n]*+")


def marked(text: str, marks: Iterable[re.Pattern[str]]) -> Iterator[int]:
    """Where marks are that do not go on over lines, in order. Cost: O(n)."""
    return merge(*([match.start() for match in mark.finditer(text)] for mark in marks))


def lines_with(
    text: str, marks: Iterable[re.Pattern[str]] = (URL,), line: re.Pattern[str] = _LINE
) -> Iterator[tuple[int, int]]:
    """The spans of the lines that hold a mark, in order; an expression reads a line from its start,
    with the lines that it goes on over. Cost: O(n), and that of the expressions."""
    at = 0
    for mark in marked(text, marks):
        if mark >= at:
            start = text.rfind("\n", at, mark) + 1
            match = line.match(text, start)
            at = line_end(text, match.end() if match else start)
            yield start, at


def undone(
    text: str,
    start: int,
    end: int,
    escapes: re.Pattern[str],
    meaning: Callable[[re.Match[str]], str],
) -> Part:
    """A part of a text with its escapes decoded; an escape without a meaning is left out.

    Cost: O(end - start), and that of the pattern.
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
        if means != match[0]:  # else it is not an escape
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


def character(match: re.Match[str], means: Mapping[str, str]) -> str:
    """What an escape in a string means: that of its group ``c`` in a table, nothing for ``gap``, a
    character by its two surrogates for ``low`` and ``high``, by its hexadecimal number for all
    other groups; the escape itself if it means nothing."""
    kind = match.lastgroup or ""
    raw = match[kind]
    if kind == "c":
        return means.get(raw, match[0])
    if kind == "gap":
        return ""
    if kind == "low":
        return bytes.fromhex(match["high"] + raw).decode("utf-16-be")
    point = int(raw, 16)
    return chr(point) if point < _LAST and point not in _SURROGATES else match[0]


_LAST, _SURROGATES = 0x110000, range(0xD800, 0xE000)


def _kept(raw: str, means: str) -> int:
    """The number of literal characters at the end of an escape: "&notit;" is "¬it;"."""
    kept = 0
    while len(means) > kept + 2 and raw[-kept - 1] == means[-kept - 1]:
        kept += 1
    return kept


def moved(found: Found, part: Part) -> Found:
    """The findings in the text of a part, as findings in the file."""
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
    """The findings of the finder for a file name in a part; ``why`` goes before its reasons."""
    from . import finder

    own = finder(name)
    kind = own.PROFILES[0].kind
    for one in _moved(own.find(part.text, name), part, why, escape):
        yield one._replace(profile=kind) if one.profile is None else one


def prose_between(text: str, start: int, end: int, why: str) -> Iterator[Found]:
    """URLs between two offsets of a text that is prose there, with nothing to decode."""
    if text.find("://", start, end) >= 0:
        yield from prose_in(Part(text[start:end], start, end), why)


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


def unfilled(
    part: Part, of: str, escape: str, why: str, rule: str = "URI-reference"
) -> Iterator[Found]:
    """A part that is one URL, unless it is empty, or all of it is to be filled in by what a format
    (see ``placeholders.holes``) writes; of a URI, all after its scheme."""
    spans = holes(part.text, of)
    before, mark, _ = part.text.partition("://")
    after = len(before + mark) if mark and rule == "URI" else 0
    if sum(end - start for start, end in spans if start >= after) < len(part.text) - after:
        yield whole(part, rule, spans, escape, why)


_BLANKS = " \t\r\n"
_WORD = lazy(r"[\w.%/~-]+")
OCTET = rf"{ESCAPE}(?![.0-9ds])"
"""An escape that is not the beginning of a hole: ``%20s`` and ``%20.1f`` are of a program."""
# Nearly all values that are URLs: nothing in them is a hole, a pattern or punctuation of a text.
_USUAL = lazy(
    rf"https?://\w[-.\w]*+(?::[0-9]++)?+(?:[/?#](?:[-\w.~/?#!&=]|:(?!//)|{OCTET})*+)?+",
    re.ASCII,
)
_SEPARATORS = (",", ";")
_LONGEST = 20_000  # of a value that is looked at as one URL, and again as prose; a text is longer


def value(
    part: Part, escape: str = "plain", why: str = "value", *, remarks: bool = False
) -> Iterator[Found]:
    """The URLs of a value: itself, if it begins with one and continues as one; else those in it.

    ``remarks`` says that a word after a URL is not part of it, unless it continues as a URL does.
    Cost: O(n).

    >>> [found.text for found in value(Part("http://a/b|c", 0, 12))]
    ['http://a/b|c']
    >>> [found.text for found in value(Part("http://a/ is down", 0, 17))]
    ['http://a/']
    """
    if "://" not in part.text:
        return
    if len(part.text) <= _LONGEST and _USUAL.fullmatch(part.text):
        yield whole(part, "URI", (), escape, why)
        return
    inner = part.stripped(_BLANKS)
    if inner.text.endswith(_SEPARATORS):  # of a list that continues on the next line
        inner = inner.cut(0, len(inner.text) - 1)
    spans = _as_one(inner.text, remarks)
    if spans is not None:
        yield whole(inner, "URI", spans, escape, why)
    else:
        yield from prose_in(part, escape=escape)


def _as_one(text: str, remarks: bool) -> Spans | None:
    """The holes of a value that is one URL, right or wrong; None if it is not one."""
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
    plain = filled(text, spans)  # the filling of a hole can have its own spaces
    words = plain.split()
    if len(words) == 1:
        return spans if all(isinstance(c, Found) for c in candidates(text)) else None
    if any(char in text for char in "\t\r\n"):
        return None
    path = words[0].partition("://")[2].partition("/")[2]
    pair = len(words) == 2 and path != "" and _WORD.fullmatch(words[1]) is not None  # noqa: PLR2004
    return spans if (pair and not remarks) or spaced(plain) else None
