r"""Blocks of Markdown: where inline code must end, and which lines are indented code.

Owns that much of CommonMark 0.31 §4 and §5. Imports ``text.patterns``. Invariant: every
line is looked at once, and what is looked for from a place ends at a bound.
"""

from __future__ import annotations

from ...text.patterns import lazy

__all__ = ["Lines", "block_end"]

_LONGEST = 4_000  # of a paragraph that inline code is looked for in, once for each backtick

# What ends a paragraph: a blank line, a list item, a heading or its underline, a quote, a fence,
# a row of a table, an element of blocks.
_BLOCKS = (
    r"\n[ \t>]{0,40}+(?:\r?\n|(?:[-*+]|[0-9]{1,9}[.)])[ \t]|\#{1,6}[ \t]"
    r"|[=-]{2,}[ \t]*\r?(?:\n|\Z)|`{3}|~{3}|\||(?:-{3,}|\*{3,}|_{3,})[ \t]*\r?(?:\n|\Z)"
    r"|</?(?i:div|p|table|tr|td|th|ul|ol|li|details|summary|center|h[1-6]|hr|pre|blockquote)\b)"
)
_ENDS = lazy(_BLOCKS)
_ENDS_OR_QUOTE = lazy(rf"{_BLOCKS}|\n[ ]{{0,3}}>")
_IN_QUOTE = lazy(r"[ \t]*>")
_ROW = lazy(r"[ \t>]{0,40}+\||[ \t>]{0,40}+[^\n|]{0,200}+[ \t]\|[ \t][^\n]*\|")
_HEADING = lazy(r"[ \t>]{0,40}+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?\#{1,6}[ \t]")

_ITEM = lazy(r"([-*+]|[0-9]{1,9}[.)])([ \t]+|\Z)")
_CODE = 4  # columns that code is indented


def block_end(text: str, start: int, at: int) -> int:
    """Where the block of inlines ends that holds two offsets of a line; not past a bound."""
    line = text.rfind("\n", max(start - _LONGEST, 0), start) + 1
    bound = min(len(text), at + _LONGEST)
    last = text.find("\n", at, bound)
    last = bound if last < 0 else last
    if _HEADING.match(text, line) or _ROW.match(text, line, last):
        return last
    ends = (_ENDS if _IN_QUOTE.match(text, line) else _ENDS_OR_QUOTE).search(text, at, bound)
    return ends.start() if ends else bound


class Lines:
    """The lines of a document, read forward: is one indented code (§4.4)?"""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._at = at  # where the first line begins that was not read
        self._last = at, False  # the last line that was, and whether it is code
        self._blank = True
        self._items: list[int] = []  # the columns at which the text of list items begins

    def code(self, at: int) -> bool:
        """Whether an offset is in a line of indented code; the calls go forward."""
        while self._at <= at and self._at < len(self._text):
            self._read()
        start, code = self._last
        return code and start <= at

    def skip(self, at: int) -> None:
        """Go on behind an offset, where fenced code ends."""
        if at > self._at:
            end = self._text.find("\n", at)
            self._at = len(self._text) if end < 0 else end + 1
            self._blank = True
            self._last = self._at, False

    def _read(self) -> None:
        start = self._at
        end = self._text.find("\n", start)
        end = len(self._text) if end < 0 else end
        self._at = end + 1
        line = self._text[start:end].expandtabs(_CODE)
        body = line.lstrip()
        if not body:
            self._blank = True
            self._last = start, self._last[1]
            return
        indent = len(line) - len(body)
        while self._items and indent < self._items[-1] and self._blank:
            self._items.pop()
        base = self._items[-1] if self._items else 0
        if indent >= base + _CODE and (self._blank or self._last[1]):
            self._blank = False
            self._last = start, True
            return
        self._last = start, False
        self._blank = False
        item = _ITEM.match(body)
        if item is not None:
            while self._items and indent < self._items[-1]:
                self._items.pop()
            gap = len(item[2])
            self._items.append(indent + len(item[1]) + (gap if 1 <= gap <= _CODE else 1))
