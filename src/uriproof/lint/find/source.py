r"""Source code of any language: URLs in comments and in strings.

Owns the effect of a string literal on a URL. Imports ``find._languages``, ``find._prose`` and
``find._inside``. Invariant: only the lines with a "://" are looked at, so that nothing is read
twice; if an expression continues a URL, only the text before it is judged.

>>> text = 's = "http://a/\\u00e9?\\n" + x  # see http://b/c.\n'
>>> [(found.text, found.start, found.end) for found in find(text, "a.py")]
[('http://a/é', 5, 20), ('http://b/c', 36, 46)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ...grammar.expressions import AUTHORITY, ESCAPE
from ...mistakes.placeholders import Spans, holes, own
from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import Part, begins, character, documented, lines_with, moved, undone, whole
from ._languages import COMMENT_MARKS, LANGUAGES, Language, dialect, language
from ._prose import read_one, scheme_start, spaced, unescaped, urls

SUFFIXES = tuple(dict.fromkeys(s for one in LANGUAGES.values() for s in one.suffixes.split()))
NAMES = tuple(dict.fromkeys(n for one in LANGUAGES.values() for n in one.names.split()))
ANCHORS = ("://",)
PROFILES = (
    Profile(
        "iri", "strings and comments", "no specification demands URIs of a string or a comment"
    ),
)
COMMENTS = {ending: Comment(opener, closer) for ending, opener, closer in COMMENT_MARKS}

_LONGEST = 4_000  # of a line, as far as it is read for its quotes, from each URL: minified code

_CLOSE = {q: lazy(rf"(?:[^{q}\\\n]|\\.){{0,{_LONGEST}}}+{q}") for q in "\"'`"}
_PREFIX = lazy(r"(?<![\w])([A-Za-z@$]{1,3})#{0,3}\Z|@\Z")
_ATTRIBUTE = lazy(r"(?:\b(?:href|src|action|poster|cite)\s?=\s?\{?)\Z")
_GOES_ON = lazy(
    r"[ \t]*(?:\\?\r?\n[ \t]*)?(?:\+|\.(?!\w)|\.\.|&|<>|\|\||~|_[ \t]*\n"
    r"|[A-Za-z]{0,2}[\"'])|[ \t]*\w+\("
)

# A bracket in a string without an opener in it; one that a template or a list would have does not.
_UNBALANCED = lazy(r"[^\s\\\"'`<>{}\[\]$%|()*+,;]+[\]}][^\s\\\"'`<>{}\[\]$%|()*+,;]+")

# Backslashes before words, which expressions do not have; names of PHP in documentation.
_PLAIN = rf"(?:[^\s\\\"'`<>{{}}$%|()*+,;^\[\]]|{ESCAPE})"
_NAMES = rf"(?:\\(?:[A-Za-z]{{2}}|@){_PLAIN}*)+"
_BACKSLASHED = lazy(rf"{_PLAIN}+{_NAMES}")
_DOCUMENTED = lazy(rf"{_NAMES}+")
_COMMENTED = ("*", "//", "#", "/*")

# A raw string of Go with a backslash in it that is not an expression's.
_RAW = lazy(
    r"[^\s\\:]+://[^\s\\(){}*+?^|\[\]]+(?:\\[abcefghijklmnopqrtuvxyz][^\s\\(){}*+?^|\[\]]*)+"
)

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

_SWIFT, _QT = lazy(own("swift")), lazy(own("qt"))


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a program, in text order. Cost: O(n)."""
    code = language(name)
    if code.escapes in _OF_LINES:
        yield from _by_line(text, code.escapes)
    elif code.interpolates == "qt" and (not code.escapes or ".arg(" in text):
        for found in _in_code(text, code):
            more = "%" in found.text and _QT.search(found.text)
            yield found._replace(holes=holes(found.text, "qt")) if more else found
    else:
        spoken = dialect(name)
        for found in _in_code(text, code):
            yield documented(text, found, spoken)


def _in_code(text: str, code: Language) -> Iterator[Found]:
    quotes, escapes, end = code.quotes, code.escapes, len(text)
    strings = _Strings(text, code)
    floor = undocumented = 0
    at = text.find("://")
    while at >= 0:
        first = scheme_start(text, at, floor)
        one = read_one(text, first, at, end)
        floor = max(one.end, at + 3)
        before = text[first - 1 : first]
        after = text[one.end : one.end + 1]
        if before and before in quotes and first < at:
            # The string begins with the URL; it is one, or its end has to be found.
            known = one if isinstance(one, Found) else None
            found, floor = _string(text, first, known, floor, strings)
            yield from found
        elif after == "\\" and escapes and first < at and (quote := strings.quote(first)) >= 0:
            found, floor = _rest(text, first, floor, quote, strings)
            yield from found
        elif isinstance(one, Found):
            known_not = after != "\\" or one.end < undocumented
            more = None if known_not else _DOCUMENTED.match(text, one.end)
            if more is not None:
                undocumented = more.end()
                ends = text[undocumented : undocumented + 1].isspace()
                if ends and begins(text, first, _COMMENTED):
                    floor = undocumented
                    one = one._replace(end=floor, text=text[first:floor])
            yield one
        at = text.find("://", floor)


def _string(
    text: str, first: int, one: Found | None, floor: int, strings: _Strings
) -> tuple[list[Found], int]:
    """The URLs of a string that begins with one, and the offset to continue at."""
    code = strings.code
    quote = text[first - 1]
    plain = [] if one is None else [one]
    last = strings.close(quote, first)
    if last < 0 or text.startswith(quote * 3, first - 3):
        return plain, floor
    if not text[first:last].partition("://")[2].strip("/"):  # a prefix, and "http:////" to replace
        return [], floor
    if _ATTRIBUTE.search(text, max(first - 12, 0), first - 1) and quote != "`":
        region = text[first:last]
        if "\\" not in region and len(region.split()) <= 4:  # noqa: PLR2004
            return [_string_of(text, first, last, "attribute")], last
    if one is not None and one.end == last:
        # A program can make a page of its strings: whether "&amp;" is decoded cannot be known.
        return ([] if _open(one, text, last) else [unescaped(text, one, is_markup=True)]), floor
    raw = _raw(text, first - 1)
    region = text[first:last]
    if quote == "`" and "$" not in region and _RAW.fullmatch(region):
        return [_string_of(text, first, last, "raw string")], last
    if "\\" in region and not raw and code.escapes:
        return _decoded(text, first, last, code), max(last, floor)
    patterns = (_UNBALANCED, _BACKSLASHED) if raw else (_UNBALANCED,)
    is_one = any(pattern.fullmatch(region) for pattern in patterns)
    if is_one or (" " in region and not raw and spaced(region)):
        return [_string_of(text, first, last, "string")], last
    return plain, floor


def _string_of(text: str, first: int, last: int, why: str) -> Found:
    part = Part(text[first:last], first, last).stripped(" \t")
    # HTML in a string of a program ends with the string: "href='" + url + "'".
    of = "markup" if why == "attribute" else "text"
    return _of_program(part, holes(part.text, of), why)


def _of_program(part: Part, spans: Spans, why: str) -> Found:
    """A string that is one URL. What a program does with it is not known: it can be a part of a
    longer one, a pattern, or what a test expects to be refused."""
    return whole(part, "URI", spans, "plain", why)._replace(linked=False)


def _raw(text: str, quote: int) -> bool:
    """Whether a string has no escapes, by the text before its quote."""
    match = _PREFIX.search(text, max(quote - 6, 0), quote)
    return text[quote] == "`" or (match is not None and any(c in "rR@" for c in match[0]))


def _open(one: Found, text: str, last: int) -> bool:
    """Whether an expression continues the URL in a place that could make it right: in an unfinished
    authority, or in an escape; or if the URL ends before its host: it is a prefix."""
    url = one.text
    authority = AUTHORITY.match(url, url.index("://") + 3)
    unfinished = authority is not None and authority.end() == len(url)
    if unfinished and url.endswith(("/", "@")):
        return True
    risky = (unfinished and ("[" in url or ":" in url[url.index("://") + 3 :])) or "%" in url[-2:]
    return risky and _GOES_ON.match(text, last + 1) is not None


def _rest(
    text: str, first: int, floor: int, quote: int, strings: _Strings
) -> tuple[list[Found], int]:
    """The URLs from an offset to the end of the string that it is in."""
    last = strings.close(text[quote], first)
    if last < 0 or _raw(text, quote):
        one = next(urls(text, first, floor), None)
        return ([] if one is None else [one]), floor
    return _decoded(text, first, last, strings.code), max(last, floor)


def _decoded(text: str, first: int, last: int, code: Language) -> list[Found]:
    """The URLs in a part of a string, its escapes undone."""
    more = _SWIFT if code.interpolates == "swift" else None
    part = undone(text, first, last, _C, _c_meaning)
    masked = part.text
    has_spaces = " " in masked and "\n" not in masked and spaced(masked)
    is_start = text[first - 1] in code.quotes and text[first - 2 : first - 1] != "\\"
    if is_start and (has_spaces or _BACKSLASHED.fullmatch(masked)):
        return [_of_program(part, holes(masked), "string")]
    if more is not None:
        # Interpolations are holes: braces stand for them, as many as characters.
        masked = more.sub(lambda m: "{" + "x" * (len(m[0]) - 2) + "}", masked)
    found: list[Found] = []
    for one in urls(masked):
        # The characters that the braces stand for; for an entity, its first character.
        real = one._replace(text="".join(part.text[one.offset(at)] for at in range(len(one.text))))
        found.append(moved(real, part))
    return found


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
    """The strings of a text, asked of offsets in order; a line is read once for all of them."""

    def __init__(self, text: str, code: Language) -> None:
        self.code = code
        self._text = text
        self._at = self._end = 0  # the last offset, and what quotes it, or begins a comment there
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

    def quote(self, at: int) -> int:
        """The quote that opens the string around an offset in its line; -1 if there is none."""
        text, quotes = self._text, self.code.quotes
        floor = max(self._at, at - _LONGEST)
        line = text.rfind("\n", floor, at) + 1
        within = self._end < self._at and not line and floor == self._at
        start = line or floor
        if within and text[self._end] in quotes:
            close = _CLOSE[text[self._end]].match(text, start, at)
            within = close is None
            start = close.end() if close else start
        self._at = at
        if not within:
            match = _outside(quotes, self.code.line).match(text, start, at)
            self._end = match.end() if match else start
        return self._end if self._end < at and text[self._end] in quotes else -1


@cache
def _outside(quotes: str, comments: tuple[str, ...]) -> re.Pattern[str]:
    """The text before the string or the comment that a line is inside of."""
    strings = "|".join(rf"{q}(?:[^{q}\\\n]|\\.)*+{q}" for q in quotes)
    marks = "|".join(re.escape(mark) for mark in comments) or r"(?!)"
    return re.compile(rf"(?:{strings}|(?!{marks})[^{quotes}\\\n]|\\.)*+")


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
