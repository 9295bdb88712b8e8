r"""reStructuredText: hyperlink targets, embedded URIs, images, raw HTML, and URLs in text.

Owns where reStructuredText holds references (reStructuredText Markup Specification, Hyperlink
Targets, Hyperlink References, Directives). Imports ``find._inside`` and ``find._markup``.
Invariant: unescaped white space is not part of a reference, as in docutils, so that one can extend
over lines; but within a line of a URL it is kept, and so reported, for docutils makes another
address without it. A backslash escapes nothing in literal text.

>>> text = "`a <http://a/b\\_c>`_\n\n.. _d: http://e/\n   f\n"
>>> [(found.text, found.start, found.end) for found in find(text, "a.rst")]
[('http://a/b_c', 4, 17), ('http://e/f', 29, 43)]
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import Part, found_in, line_end, prose_in, undone, unfilled
from ._markup import SCHEME, Anchored

SUFFIXES = (".rst", ".rest", ".rst.txt", ".rst.inc", ".rst.j2", ".rst_t")
NAMES: tuple[str, ...] = ()
ANCHORS = ("://", ">`", ".. _", "__ ", "image::", "figure::", ":target:", ".. raw::")
PROFILES = (
    Profile(
        "iri",
        "targets, references and text",
        "no specification demands URIs; URLs go into HTML as they are",
    ),
)
COMMENTS = {"rst": Comment("..", above=True)}

_NAME = r"(?:`[^`\n]{1,300}+`|(?![_\s])(?:\\[^\n]|[^:`\\\n]|:(?![ \t\r\n]))++)"
_MARK = lazy(
    rf"^(?P<indent>[ \t]*+)(?:(?P<target>\.\.[ \t]+_{_NAME}(?<!:):|\.\.[ \t]+__:|__)"
    r"(?:[ \t]+|[ \t]*(?=\r?\n))"
    r"|(?P<image>\.\.[ \t]+(?:\|[^|\n]{1,200}\|[ \t]+)?(?:image|figure)::)"
    r"(?:[ \t]+|[ \t]*(?=\r?\n))"
    r"|(?P<option>:(?:target|url):)[ \t]+"
    r"|(?P<raw>\.\.[ \t]+raw::[ \t]+html[ \t]*\r?\n))"
    r"|(?<=[\s`])(?<!``)<(?P<embedded>(?:\\.|[^<>`\\]){1,4000}+)>(?P<end>`_{0,2}+)(?!`)",
    re.MULTILINE,
)
_LINE = lazy(r"[^\n]*\n?")
# The form of a reference to another target, not a URI: a simple name or a phrase, then "_".
_ALIAS = lazy(r"`[^`]*+`_\Z|\w++(?:[-.+:]\w++)*+(?<=\w_)\Z")
_PARAGRAPH = lazy(r"(?!\w+:)(?:[^\s/#\\]+[ \t]+){3}")  # words in a line
_URL = lazy(r"https?://[^\s/]+/")
_MAIL = lazy(r"[^\s@:/]+@[^\s@:/]+\Z")

# White space that is escaped is a space, other is nothing; what else is escaped is itself.
_ESCAPE = lazy(r"\\(.)|\s+", re.DOTALL)
_SPACE = lazy(r"\s+")
_OF_URL = lazy(r"\\(.)|(?<![ \t])[ \t]*+\r?\n\s*+", re.DOTALL)
# In text, escaped white space is removed; text between double backticks is unchanged.
_TEXT_ESCAPE = lazy(r"``[^\n]*?``|\\(?:\s|(.))")
_LITERAL = lazy(
    r"^(?P<indent>[ \t]*+)(?![ \t])(?:\.\.[ \t]+(?:code|code-block|sourcecode|parsed-literal|"
    r"literalinclude|highlight|raw|prompt|ipython|testcode|doctest)::[^\n]*|[^\n]*::[ \t\r]*)\n",
    re.MULTILINE,
)


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a reStructuredText document, in text order. Cost: O(n)."""
    document = _Document(text)
    at = 0
    while (match := _MARK.search(text, at)) is not None:
        kind = match.lastgroup
        if kind == "end":
            start, end = match.span("embedded")
            if match["end"] == "`" and not SCHEME.match(text, start, end):
                end = match.end("embedded")
                yield from document.prose(at, end)
                at = end
                continue
            yield from document.prose(at, match.start())
            yield from _embedded(text, start, end)
            at = match.end()
            continue
        start = match.end()
        if match["target"] == "__" and document.literal(match.start()):
            yield from document.prose(at, start)
            at = start
            continue
        yield from document.prose(at, match.start())
        indent = len(match["indent"])
        if kind == "raw":
            at = _block_end(text, start, indent)
            yield from found_in(Part(text[start:at], start, at), "raw.html", "raw HTML")
            continue
        at = _argument_end(text, start, indent, kind != "target")
        if kind == "image":
            yield from _reference(text, start, at, _SPACE, "image")
        elif kind == "target":
            yield from _reference(text, start, at, _ESCAPE, "hyperlink target")
        else:
            yield from _reference(text, start, at, _ESCAPE, match["option"])
    yield from document.prose(at, len(text))


def _indent(line: str) -> int:
    """The columns before the first character; -1 of a blank line."""
    stripped = line.lstrip(" \t")
    return len(line) - len(stripped) if stripped.strip() else -1


def _argument_end(text: str, at: int, indent: int, fields: bool) -> int:
    """The end of a construct: a line that is blank or not indented; if ``fields``, an option."""
    end = line_end(text, at)
    while end < len(text):
        after = line_end(text, end + 1)
        line = text[end + 1 : after]
        if _indent(line) <= indent or (fields and line.lstrip().startswith(":")):
            break
        end = after
    return end


def _block_end(text: str, at: int, indent: int) -> int:
    """The end of an indented block: a line that is not blank and not indented more."""
    end = at
    while end < len(text):
        after = min(line_end(text, end) + 1, len(text))
        if -1 < _indent(text[end:after]) <= indent:
            break
        end = after
    return end


def _escaped(match: re.Match[str]) -> str:
    escaped = match[1]
    return "" if escaped is None else " " if escaped.isspace() else escaped


def _nothing(match: re.Match[str]) -> str:
    return ""


def _reference(
    text: str, start: int, end: int, escapes: re.Pattern[str], why: str
) -> Iterator[Found]:
    """A part that is a reference, unless it names another target or is all template."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start == end or _ALIAS.match(" ".join(text[start:end].split())):
        return
    if why == "hyperlink target" and _PARAGRAPH.match(text, start, end):
        return  # a target before text that is indented, and no URI for people
    known = _OF_URL if escapes is _ESCAPE and _URL.match(text, start, end) else escapes
    part = undone(text, start, end, known, _nothing if escapes is _SPACE else _escaped)
    part = part.stripped(" ")  # which a backslash at the end of a line leaves
    if not _MAIL.match(part.text):
        yield from unfilled(part, "rst", "plain" if escapes is _SPACE else "rst", why)


def _embedded(text: str, start: int, end: int) -> Iterator[Found]:
    """An embedded URI; what ends with "_" names a target, unless it is a URI by its looks."""
    raw = text[start:end]
    if "|" in raw and "\n" in raw:  # it continues on the next line of a table's cell
        return
    if not raw.endswith("_") or raw.endswith("\\_") or "://" in raw:
        yield from _reference(text, start, end, _ESCAPE, "embedded URI")


class _Document(Anchored):
    """One document; its literal text is looked for when a backslash makes a difference."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._blocks: list[tuple[int, int]] | None = None

    def prose(self, start: int, end: int) -> Iterator[Found]:
        """URLs in text; the calls go forward."""
        if not self.anchored(start, end):
            return
        text = self._text
        if self._escaping(start, end):
            part = undone(text, start, end, _TEXT_ESCAPE, self._meaning)
        else:
            part = Part(text[start:end], start, end)
        yield from prose_in(part, "text", "rst" if part.places else "")

    def _escaping(self, start: int, end: int) -> bool:
        """Whether a backslash is in a possible URL."""
        text = self._text
        at = self._next
        while 0 <= at < end:
            slash = text.find("\\", at, end)
            if slash < 0:
                return False
            at = text.rfind("://", at, slash + 1) if slash > at + 2 else at
            if _SPACE.search(text, at, slash) is None:
                return True
            at = text.find("://", slash, end)
        return False

    def _meaning(self, match: re.Match[str]) -> str:
        raw = match[0]
        return raw if raw[0] == "`" or self.literal(match.start()) else match[1] or ""

    def literal(self, at: int) -> bool:
        """Whether an offset is in a literal block. Cost: O(log n) once the blocks are known."""
        if self._blocks is None:
            self._blocks = []
            end = 0
            for match in _LITERAL.finditer(self._text):
                if match.start() >= end:
                    end = _block_end(self._text, match.end(), len(match["indent"]))
                    self._blocks.append((match.end(), end))
        index = bisect_right(self._blocks, (at, len(self._text))) - 1
        return index >= 0 and at < self._blocks[index][1]


def _written(text: str) -> str:
    """In text and in a target (reStructuredText, Escaping Mechanism): white space there is lost
    unless it is escaped, and a backslash takes the meaning of what follows."""
    for char in "\\<>`_*| ":
        text = text.replace(char, f"\\{char}")
    return text


ESCAPES = {"rst": _written}
