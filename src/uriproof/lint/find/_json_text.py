r"""Strings of JSON: where they are, what they mean, and which of them are URLs.

Owns the strings of JSON (RFC 8259 §7), of its dialects with comments too. Imports
``find._values``. Invariant: only strings that hold a "://" are decoded, each once; what stands
outside of a string is read as prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..found import Found
from ._holes import holes
from ._inside import Part, undone, whole
from ._prose import read_one, scheme_start
from ._values import prose, value

__all__ = ["ANCHORS", "CLOSE", "decoded", "strings"]

ANCHORS = ("://", r":\/\/")

CLOSE = re.compile(r'(?:[^"\\\n]|\\.)*+"')
_BEFORE = 400  # code points in which it is looked for what a quote opens, and under which key
_KEY = re.compile(r'"([^"\\\n]{1,80})"\s{0,80}:\s{0,80}\Z')
# Keys whose value is a URL, by how the last word in them is spelled.
_URL_KEY = re.compile(
    r"(?:.*[_.:@$/-])?(?:ur[il]|href|src|homepage|website|permalink|endpoint)|[$@]id|\$schema"
    r"|\$ref|.*(?:Ur[il]|UR[IL]|Href|Src|HomePage)|UR[IL]",
    re.DOTALL,
)
_WORDS = 6  # a text of more is a sentence, whatever its key is
_LONG = 20_000  # of a string that is decoded as a whole
_REACH = 4_000  # of a URL in a longer one

_ESCAPE = re.compile(
    r"\\(?:u(?P<high>[dD][89abAB][0-9A-Fa-f]{2})\\u(?P<low>[dD][c-fC-F][0-9A-Fa-f]{2})"
    r'|u(?P<u>[0-9A-Fa-f]{4})|(?P<c>["\\/bfnrt]))'
)
_MEANS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_SURROGATES = range(0xD800, 0xE000)


def strings(text: str, start: int = 0, end: int | None = None) -> Iterator[Found]:
    """The URLs in the strings of a JSON text, and in its comments. Cost: O(n)."""
    limit = len(text) if end is None else end
    anchors = _Anchors(text, limit)
    floor, inside = start, (0, 0)  # where to go on, and the long string that this is in
    while (at := anchors.after(floor)) < limit:
        if at < inside[1]:
            first, last = _near(text, max(inside[0], floor), at, inside[1])
            yield from prose(decoded(text, first, last), "json")
            floor = max(last, at + 3)
            continue
        first = _opening(text, floor, at)
        close = CLOSE.match(text, first, limit) if first else None
        if close is None or close.end() <= at:
            one = read_one(text, scheme_start(text, at, floor), at, limit)
            if isinstance(one, Found):
                yield one
            floor = max(one.end, at + 3)
            continue
        last = close.end() - 1
        if last - first > _LONG:
            inside = (first, last)
            continue
        part = decoded(text, first, last)
        if _keyed(text, first, part.text):
            inner = part.stripped(" \t\r\n")
            yield whole(inner, "URI", holes(inner.text), "json", "string under a key for URLs")
        else:
            yield from value(part, "json", "string")
        floor = last + 1


def decoded(text: str, start: int, end: int) -> Part:
    """What stands between the quotes of a string, its escapes undone. Cost: O(end - start)."""
    return undone(text, start, end, _ESCAPE, _meaning)


class _Anchors:
    """Where the colons stand that two slashes follow, escaped or not; asked for in text order."""

    def __init__(self, text: str, end: int) -> None:
        self.text, self.end = text, end
        self.next = dict.fromkeys(ANCHORS, -1)

    def after(self, start: int) -> int:
        """The first from an offset on; the end if there is none. Cost: O(1) beside the way."""
        for spelling, known in self.next.items():
            if known < start:
                at = self.text.find(spelling, start, self.end)
                self.next[spelling] = self.end if at < 0 else at
        return min(self.next.values())


def _opening(text: str, floor: int, at: int) -> int:
    """Where the string begins that an offset is in; 0 if it is in none."""
    quote = text.rfind('"', floor, at)
    while quote >= 0:
        slashes = quote
        while slashes > floor and text[slashes - 1] == "\\":
            slashes -= 1
        if (quote - slashes) % 2 == 0:
            before = text[max(quote - _BEFORE, 0) : quote]
            bare = before.rstrip()
            opens = not bare or bare[-1] in ":,[{(=" or "\n" in before[len(bare) :]
            return quote + 1 if opens else 0
        quote = text.rfind('"', floor, slashes)
    return 0


def _keyed(text: str, first: int, url: str) -> bool:
    """Whether a string is one URL, with whatever spaces in it, because its key says so."""
    url = url.strip(" \t\r\n")
    if not any(char in url for char in " \t") or "\n" in url or len(url.split()) > _WORDS:
        return False
    at = url.find("://")
    if scheme_start(url, at, 0) != 0 or url.find("://", at + 3) >= 0:
        return False
    key = _KEY.search(text, max(first - _BEFORE, 0), first - 1)
    return (
        key is not None
        and _URL_KEY.fullmatch(key[1]) is not None
        and isinstance(read_one(url, 0, at, len(url)), Found)
    )


def _near(text: str, first: int, at: int, last: int) -> tuple[int, int]:
    """The words around an offset in a long string; no escape has a space in it."""
    begin = text.rfind(" ", max(first, at - _REACH), at) + 1
    end = text.find(" ", at, min(last, at + _REACH))
    return begin or scheme_start(text, at, first), end if end >= 0 else min(last, at + _REACH)


def _meaning(match: re.Match[str]) -> str:
    if match["high"]:
        high, low = int(match["high"], 16), int(match["low"], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    if match["c"]:
        return _MEANS.get(match["c"], match["c"])
    point = int(match["u"], 16)
    return match[0] if point in _SURROGATES else chr(point)
