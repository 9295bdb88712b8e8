r"""The common parts of HTML and XML: character references, tags, attributes.

Owns their expressions. Imports ``find._inside`` and ``mistakes.placeholders``. Invariant: an
expression here takes time linear in its text; quotes within a template's own brackets do not end an
attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...grammar.expressions import SCHEME as _SCHEME
from ...mistakes.placeholders import TEMPLATES
from ...text.patterns import lazy
from ._inside import Part, undone

_STATEMENT = 600  # the longest that is looked for, from each tag; ``TEMPLATES`` takes no more


def names(listed: str) -> frozenset[str]:
    """The names in a text, between white space."""
    return frozenset(listed.split())


def in_statement(text: str, at: int) -> bool:
    """Whether a tag begins in a statement of a template, so that a program writes it."""
    for opener, closer in (("{%", "%}"), ("{{", "}}")):
        start = text.rfind(opener, max(at - _STATEMENT, 0), at)
        if start >= 0 and text.find(closer, start, at) < 0:
            return text.find(closer, at, at + _STATEMENT) >= 0
    return False


def after(text: str, closer: str, at: int) -> int:
    """The end of a closed construct, with its closer; the end of the text if nothing closes it."""
    end = text.find(closer, at)
    return len(text) if end < 0 else end + len(closer)


class Anchored:
    """A text, and the place of its next "://", so that most of the text is never looked at."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next = text.find("://")

    def anchored(self, start: int, end: int) -> bool:
        """Whether there is a "://" between two offsets; the calls go forward."""
        if 0 <= self._next < start:
            self._next = self._text.find("://", start)
        return 0 <= self._next < end

    def runs(self, tags: re.Pattern[str], start: int, end: int) -> list[tuple[int, int]]:
        """The spans with a "://" between the tags between two offsets; the calls go forward."""
        if not self.anchored(start, end):
            return []
        between = [tag.span() for tag in tags.finditer(self._text, start, end)]
        starts = (start, *(last for _, last in between))
        ends = (*(first for first, _ in between), end)
        spans = zip(starts, ends, strict=True)
        return [span for span in spans if self._text.find("://", *span) >= 0]


# A value in quotes, ignoring quotes within template brackets, or without quotes.
_DOUBLE = rf'"(?:[^"{{<$#@*]++|{TEMPLATES}|[{{<$#@*])*+"'
_SINGLE = rf"'(?:[^'{{<$#@*]++|{TEMPLATES}|[{{<$#@*])*+'"
_BARE = (
    rf"(?:{TEMPLATES}|\{{(?:[^{{}}<>]|\{{[^{{}}<>]{{0,100}}+\}}){{0,200}}+\}}"
    r"|[^\s>\"'`=<{]|[{=])++"
)

_LONGEST_NAME = 200  # looked for from each character of it; frameworks put expressions there
_LAST_NAME = lazy(r"[^\s\"'<>/={}]++=\Z")
_QUOTES = ('"', "'")

# HTML Standard §13.1.2.3; one group for each way of quoting. A name is bounded, for it is looked
# for from each of its characters.
_ATTRIBUTE = lazy(
    rf"{TEMPLATES}|(?P<name>[^\s\"'<>/={{}}]{{1,{_LONGEST_NAME}}}+)\s*+=\s*+(?:(?P<double>{_DOUBLE})|(?P<single>{_SINGLE})|(?P<bare>{_BARE}))"
)

TAG_REST = rf"(?:[^\"'<>={{]++|=\s*+(?:{_DOUBLE}|{_SINGLE})?+|{TEMPLATES}|[{{\"'])*+"
"""The text after a tag's name, to before its ">"."""

SCHEME = lazy(rf"{_SCHEME}://")

_REFERENCE = lazy(r"&(?:#[0-9]{1,9}+;?|#[xX][0-9a-fA-F]{1,8}+;?|[A-Za-z][A-Za-z0-9]{1,32}+;?)")
_ATTRIBUTE_REFERENCE = lazy(
    r"&(?:#[0-9]{1,9}+;?|#[xX][0-9a-fA-F]{1,8}+;?|[A-Za-z][A-Za-z0-9]{1,32}+(?:;|(?!=)))"
)
_XML_REFERENCE = lazy(r"&(?:#[0-9]{1,9}+|#x[0-9a-fA-F]{1,8}+|[A-Za-z_][-.\w]{0,60}+);")
_XML_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def _meaning(match: re.Match[str]) -> str:
    """HTML Standard §13.2.5.72: of a name without its semicolon, the longest that is known."""
    from html import unescape

    return unescape(match[0])


def _attribute_meaning(match: re.Match[str]) -> str:
    """HTML Standard §13.2.5.73: in an attribute, a name without its semicolon is a reference only
    if no letter, digit or equals sign follows."""
    raw = match[0]
    if raw[1] != "#" and raw[-1] != ";":
        from html.entities import html5

        return html5.get(raw[1:], raw)
    return _meaning(match)


def _xml_meaning(match: re.Match[str]) -> str:
    """XML 1.0 §4.1; an entity that a DTD declares is left as it is."""
    raw = match[0]
    if raw[1] == "#":
        return _meaning(match)
    return _XML_NAMED.get(raw[1:-1], raw)


def attribute_value(text: str, start: int, end: int) -> Part:
    """An attribute's value, as HTML decodes it, without the white space at its ends."""
    return undone(text, start, end, _ATTRIBUTE_REFERENCE, _attribute_meaning)


def character_data(text: str, start: int, end: int) -> Part:
    """Text between tags, as HTML decodes it."""
    return undone(text, start, end, _REFERENCE, _meaning)


def xml_value(text: str, start: int, end: int) -> Part:
    """Text or an attribute's value, as XML decodes it."""
    return undone(text, start, end, _XML_REFERENCE, _xml_meaning)


def lone_url(text: str) -> bool:
    """Whether a text is one URL by its looks: it starts with a scheme, and has no white space."""
    return SCHEME.match(text) is not None and len(text.split(None, 1)) == 1


def attributes(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The name in lower case and the span of the value of each attribute that has one."""
    at = start
    while (match := _ATTRIBUTE.search(text, at, end)) is not None:
        kind = match.lastgroup
        at = match.end()
        if kind is None:  # a template's statement between attributes
            continue
        first, last = match.span(kind)
        if kind == "bare" and text.startswith(_QUOTES, last, end):
            # No such value is without quotes; perhaps the text before the quote is a name.
            name = _LAST_NAME.search(text, max(first, last - _LONGEST_NAME), last)
            at = name.start() if name else last
            continue
        quoted = kind != "bare"
        yield match["name"].lower(), first + quoted, last - quoted
