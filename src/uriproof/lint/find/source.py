r"""Source code of any language: URLs in comments and in strings.

Owns the effect of a string literal on a URL. Imports ``find._languages``, ``find._prose`` and
``find._inside``. Invariant: only the lines with a "://" are looked at, so that nothing is read
twice; if an expression continues a URL, only the text before it is judged.

>>> text = 's = "http://a/\\u00e9\\n" + x  # see http://b/c.\n'
>>> [(found.text, found.start, found.end) for found in find(text, "a.py")]
[('http://a/é', 5, 20), ('http://b/c', 35, 45)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import Part, character, lines_with, moved, undone, value
from ._languages import COMMENT_MARKS, LANGUAGES, Language, language
from ._prose import read_one, scheme_start, unescaped, urls

SUFFIXES = tuple(suffix for one in LANGUAGES for suffix in one.suffixes.split())
NAMES = tuple(name for one in LANGUAGES for name in one.names.split())
ANCHORS = ("://",)
PROFILES = (
    Profile(
        "iri", "strings and comments", "no specification demands URIs of a string or a comment"
    ),
)
COMMENTS = {ending: Comment(opener, closer) for ending, opener, closer in COMMENT_MARKS}

_LONGEST = 4_000  # of a line, as far as it is read for its quotes, from each URL: minified code

_QUOTES = "\"'`"  # of strings in some language; in the others, they are around a URL all the same
_CLOSE = {q: lazy(rf"(?:[^{q}\\\n]|\\.){{0,{_LONGEST}}}+{q}") for q in _QUOTES}
_PREFIX = lazy(r"(?<![\w])([A-Za-z@$]{1,3})#{0,3}\Z|@\Z")
# Escapes in strings of most languages (C11 §6.4.4.4, ECMAScript §12.9.4, Python §2.4.1).
_C = lazy(
    r"(?P<octets>\\(?:x[c-fC-F][0-9A-Fa-f]|3[0-7]{2})(?:\\(?:x[89abAB][0-9A-Fa-f]|2[0-7]{2})){1,3})"
    r"|\\u(?P<high>[dD][89abAB][0-9A-Fa-f]{2})\\u(?P<low>[dD][c-fC-F][0-9A-Fa-f]{2})"
    r"|\\(?:x(?P<x>[0-9A-Fa-f]{2})|u(?P<u>[0-9A-Fa-f]{4})|u\{(?P<b>[0-9A-Fa-f]{1,6})\}"
    r"|U(?P<l>[0-9A-Fa-f]{8})|(?P<o>[0-7]{1,3})|(?P<newline>\r?\n)|(?P<c>.))"
)
_C_MEANS = dict(zip("ntrabfve", "\n\t\r\a\b\f\v\x1b", strict=True))
# Also a character by two circumflexes, and the percent sign of a comment, which ends the line; one
# before anything else is of an address (The TeXbook, chapters 7 and 8).
_TEX = lazy(r"\\(?P<c>[_%#&~$])|\\[-/]|\^\^(?P<control>[@-_])|%(?=\s|\Z)")
# What a break at the end of a line and the like say, and characters of its own (Texinfo, Special
# Insertions and Line Breaks).
_TEXINFO = lazy(r"@(?P<c>[@{}\\&#])|@[-/:*]")
_ROFF = lazy(r"\\(?:(?P<dash>-)|(?P<none>[&:/,^|%])|\((?P<two>hy|dq|aq|ti|ha|rs)|(?P<c>e))")
_ROFF_MEANS = {"hy": "-", "dq": '"', "aq": "'", "ti": "~", "ha": "^", "rs": "\\"}


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a program, in text order. Cost: O(n)."""
    code = language(name)
    if code.escapes in _OF_LINES:
        yield from _by_line(text, code.escapes)
    else:
        yield from _in_code(text, code)


def _in_code(text: str, code: Language) -> Iterator[Found]:
    strings = _Strings(text)
    floor = 0
    at = text.find("://")
    while at >= 0:
        first = scheme_start(text, at, floor)
        one = read_one(text, first, at, len(text))
        floor = max(one.end, at + 3)
        before = text[first - 1 : first]
        is_escaped = text[first - 2 : first - 1] == "\\"  # a quote in a string
        if before and before in _QUOTES and first < at and not is_escaped:
            # The string begins with the URL; it is one, or its end has to be found.
            known = one if isinstance(one, Found) else None
            found, last = _string(text, first, known, strings, code)
            floor = max(floor, last)
            yield from found
        elif isinstance(one, Found):
            yield unescaped(text, one)
        at = text.find("://", floor)


def _string(
    text: str, first: int, one: Found | None, strings: _Strings, code: Language
) -> tuple[list[Found], int]:
    """The URLs of a string that begins with one, and the end of what was read."""
    quote = text[first - 1]
    plain = [] if one is None else [unescaped(text, one)]
    last = strings.close(quote, first)
    if last < 0 or text.startswith(quote * 3, first - 3):
        return plain, first
    region = text[first:last]
    if not region.partition("://")[2].strip("/"):  # a prefix, and "http:////" to replace
        return [], first
    if one is not None and one.end == last:
        # A program can make a page of its strings: whether "&amp;" is decoded cannot be known.
        return [unescaped(text, one, is_markup=True)], last
    if "\\" in region and not _raw(text, first - 1) and code.escapes:
        part = undone(text, first, last, _C, _c_meaning)
    else:
        part = Part(region, first, last)
    # What a program does with a string is not known: it can be a part of a longer URL, a pattern,
    # or what a test expects to be refused.
    return [found._replace(linked=False) for found in value(part, why="string")], last


def _raw(text: str, quote: int) -> bool:
    """Whether a string has no escapes, by the text before its quote."""
    match = _PREFIX.search(text, max(quote - 6, 0), quote)
    return text[quote] == "`" or (match is not None and any(c in "rR@" for c in match[0]))


def _c_meaning(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    raw = match[kind]
    if kind == "octets":  # of one character in UTF-8
        digits = (one[1:] if one[0] == "x" else f"{int(one, 8):x}" for one in raw.split("\\")[1:])
        char = bytes.fromhex("".join(digits)).decode("utf-8", "replace")
        return char if len(char) == 1 else raw
    if kind == "o":
        return chr(int(raw, 8))
    if kind == "newline":
        return ""
    if kind == "c" and not (raw.isalnum() or raw in ".("):
        return raw  # else it is an expression's
    return character(match, _C_MEANS)


class _Strings:
    """The ends of the strings of a text, asked of offsets in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._unclosed: dict[str, int] = {}  # the offset up to which there is no such quote

    def close(self, quote: str, first: int) -> int:
        """The quote that closes a string; -1 if there is none in the line."""
        if first < self._unclosed.get(quote, 0):
            return -1
        match = _CLOSE[quote].match(self._text, first)
        if match is None:
            line = self._text.find("\n", first, first + _LONGEST)
            self._unclosed[quote] = first + _LONGEST if line < 0 else line
            return -1
        return match.end() - 1


def _tex_meaning(match: re.Match[str]) -> str:
    control = match["control"]
    return chr(ord(control) ^ 64) if control else match["c"] or ""


def _texinfo_meaning(match: re.Match[str]) -> str:
    return match["c"] or ""


def _roff_meaning(match: re.Match[str]) -> str:
    if match["two"]:
        return _ROFF_MEANS[match["two"]]
    return "-" if match["dash"] else "\\" if match["c"] else ""


def _by_line(text: str, escapes: str) -> Iterator[Found]:
    """URLs in lines whose escapes have a meaning everywhere (TeX, Texinfo, roff)."""
    pattern, meaning = _OF_LINES[escapes]
    for first, last in lines_with(text):
        part = undone(text, first, last, pattern, meaning)
        for found in urls(part.text):
            one = moved(found, part)
            if escapes == "tex" and _PARAMETER.search(one.text):
                spans = {*one.holes, *(match.span() for match in _PARAMETER.finditer(one.text))}
                one = one._replace(holes=tuple(sorted(spans)))
            yield one


_OF_LINES = {
    "tex": (_TEX, _tex_meaning),
    "texinfo": (_TEXINFO, _texinfo_meaning),
    "roff": (_ROFF, _roff_meaning),
}
# The parameter of a macro, which TeX fills in (The TeXbook, chapter 20); "#" in an address is "\#".
_PARAMETER = lazy(r"#[1-9](?!\w)")


def _in_tex(text: str) -> str:
    """In TeX, the percent sign that begins a comment (The TeXbook, chapter 7)."""
    for char in "%#&_":
        text = text.replace(char, f"\\{char}")
    return text


ESCAPES = {"tex": _in_tex}
