r"""CSS and languages compiled to it: ``url()``, ``@import``, image sets, comments.

Owns which texts of a style sheet are references (CSS Values 4 §4.5, CSS Cascade 5 §2). Imports
``find._inside`` and ``mistakes.placeholders``. Invariant: the text between the parentheses or the
quotes is the URL, escapes decoded (CSS Syntax 3 §4.3.7); what a preprocessor fills in are holes.

>>> [(f.text, f.start, f.end) for f in find(r"a { b: url( 'a\20 b.png' ) }", "a.css")]
[('a b.png', 13, 23)]
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import Part, line_end, prose_between, prose_in, undone, unfilled

SUFFIXES = (".css", ".scss", ".sass", ".less", ".pcss", ".postcss", ".styl", ".qss", ".tcss")
NAMES: tuple[str, ...] = ()
ANCHORS = ("url(", "@import", "@namespace", "image-set(", "://")
PROFILES = (
    Profile(
        "iri",
        "`url()`, `@import` and text",
        "CSS Values 4 §4.5, which takes the URL strings of the URL Standard §4.3",
    ),
)
COMMENTS = {"css": Comment("/*", " */"), **dict.fromkeys(("less", "sass", "scss"), Comment("//"))}

# An unclosed string ends with its line, so that it is looked at only once.
_STRING = r"\"(?:[^\"\\\n\r\f]++|\\(?s:\r\n|.))*+\"?+|'(?:[^'\\\n\r\f]++|\\(?s:\r\n|.))*+'?+"
_FILLED = r"\#\{[^{}]{0,300}+\}|@\{[^{}]{0,100}+\}|\{\{[^{}]{0,200}+\}\}|\$\{[^{}]{0,200}+\}"

_MARK = lazy(
    r"(?P<comment>/\*)"
    rf"|(?P<url>(?i:\burl)\(\s*+(?:(?P<quoted>{_STRING})(?P<more>[^)]{{0,500}}+)"
    rf"|(?P<bare>(?![\"'])(?:{_FILLED}|[^()\\\n\r\f]|\\[^\n\r\f])*+)))\s*+\)"
    rf"|@(?i:import|namespace)\b(?P<before>[^;{{}}\"'()]{{0,200}}+)(?P<imported>{_STRING})"
    r"|(?P<set>(?i:\bimage-set)\()"
    rf"|(?P<string>{_STRING})"
    r"|(?P<line>(?<![:\w/*])//)"
)
_SET_ITEM = lazy(rf"(?P<item>{_STRING})|(?P<url>(?i:url)\()|(?P<call>\w\()|(?P<end>\))")

# CSS Syntax 3 §4.3.7, and §4.3.5 for a newline in a string.
_ESCAPE = lazy(r"\\(?:([0-9A-Fa-f]{1,6}+)(?:\r\n|[ \t\n\r\f])?+|(\r\n|[\n\r\f])|(.))")
_OWN = ":/"  # begins the names of resources in Qt
# What they import by a string without scheme and host is a file of theirs (Sass, @import).
_PREPROCESSED = (".scss", ".sass", ".less", ".styl")
_OPEN = lazy(r"\\[0-9A-Fa-f]{0,6}\Z")  # an escape that white space after it belongs to
_WHITE = " \t\n\r\f"
# The beginnings of computed values (Sass, Less, Stylus), or of a function's.
_COMPUTED = lazy(r"\$[A-Za-z_-]|@[A-Za-z]|~|--|[\w-]+\(|[%&]")
_COMMENTED = (*_PREPROCESSED, ".pcss", ".postcss")

_NO_CHARS = lazy(r"[\0\ud800-\udfff]")  # characters that an escape cannot stand for (§4.3.7)


def _meaning(match: re.Match[str]) -> str:
    if match[1]:
        char = chr(min(int(match[1], 16), sys.maxunicode))
        return "\ufffd" if int(match[1], 16) > sys.maxunicode or _NO_CHARS.match(char) else char
    return match[3] or ""


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a style sheet, in text order. Cost: O(n)."""
    lines = name.lower().endswith(_COMMENTED)
    at = 0
    while (match := _MARK.search(text, at)) is not None:
        kind = match.lastgroup
        at = match.end()
        if kind == "comment":
            end = text.find("*/", at)
            end = len(text) if end < 0 else end
            yield from prose_between(text, at, end, "comment")
            at = min(end + 2, len(text))
        elif kind == "line":
            if lines:
                end = line_end(text, at)
                yield from prose_between(text, at, end, "comment")
                at = end
        elif kind == "url":
            yield from _url(text, match)
        elif kind == "imported":
            imported = _string(text, *match.span("imported"))
            if "//" in imported.text or not name.lower().endswith(_PREPROCESSED):
                yield from _reference(imported, "@import")
        elif kind == "set":
            for start, end in _items(text, at):
                yield from _reference(_string(text, start, end), "image-set()")
                at = end
        else:
            start, end = match.span("string")
            if text.find("://", start, end) >= 0:
                yield from prose_in(_string(text, start, end), "string")


def _url(text: str, match: re.Match[str]) -> Iterator[Found]:
    """The contents of ``url()``: a string, which modifiers can follow, or the URL itself."""
    if match["quoted"] is not None:
        start, end = match.span("quoted")
        after = match["more"].strip()
        if after[:1] not in {"+", "~", ".", "&"}:  # else the string is only its beginning
            yield from _reference(_string(text, start, end), "url()")
        return
    start, end = match.span("bare")
    if not _COMPUTED.match(text, start, end) and text.find(" + ", start, end) < 0:
        yield from _reference(_value(text, start, end), "url()")


def _items(text: str, at: int) -> Iterator[tuple[int, int]]:
    """The strings of an image set, up to its end; a URL in ``url()`` ends the looking."""
    while (match := _SET_ITEM.search(text, at, at + 2_000)) is not None:
        if match.lastgroup != "item":
            return
        yield match.span()
        at = match.end()


def _value(text: str, start: int, end: int) -> Part:
    """A part with its escapes undone, without the white space at its ends."""
    while start < end and text[start] in _WHITE:
        start += 1
    while start < end and text[end - 1] in _WHITE and not _OPEN.search(text, end - 8, end - 1):
        end -= 1
    return undone(text, start, end, _ESCAPE, _meaning)


def _string(text: str, start: int, end: int) -> Part:
    """The text between the quotes; the one at the end can be missing."""
    last = end - 1
    slashes = last - len(text[start:last].rstrip("\\")) - start
    closed = last > start and text[last] == text[start] and slashes % 2 == 0
    return _value(text, start + 1, last if closed else end)


def _reference(part: Part, why: str) -> Iterator[Found]:
    if not part.text.startswith(_OWN):
        yield from unfilled(part, "markup", "css", why)


def _escaped(text: str) -> str:
    """In a string or in ``url()`` without quotes (CSS Syntax 3 §4.3.7)."""
    for char in "\\\"'() \t":
        text = text.replace(char, f"\\{char}")
    return text.replace("\n", "\\a ").replace("\r", "\\d ").replace("\f", "\\c ")


ESCAPES = {"css": _escaped}
