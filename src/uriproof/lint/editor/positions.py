r"""Positions in a text as editors count them.

Owns the way between an editor's positions and offsets (Language Server Protocol 3.17, Text
Documents). Imports ``lint.files.source``. Invariant: an offset goes to a position and back
unchanged,
unless it lies within a CRLF; a position beyond a line's end is its end.

>>> text = Positions("a\U0001f600b\n", "utf-16")
>>> text.position(2), text.offset(0, 3), text.offset(0, 99)
((0, 3), 2, 3)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from itertools import accumulate

from ..files.source import Lines

__all__ = ["ENCODINGS", "Positions"]

_TWO_BYTES, _THREE_BYTES, _ASTRAL = 0x80, 0x800, 0x10000


def _utf8(char: str) -> int:
    code = ord(char)
    return 1 + (code >= _TWO_BYTES) + (code >= _THREE_BYTES) + (code >= _ASTRAL)


def _utf16(char: str) -> int:
    return 1 + (ord(char) >= _ASTRAL)


ENCODINGS: dict[str, Callable[[str], int]] = {
    "utf-8": _utf8,
    "utf-16": _utf16,
    "utf-32": lambda char: 1,
}
"""How many units each character counts, by the name of what is counted."""


class Positions:
    """A text, and where in it an editor means; lines and columns count from 0."""

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text
        self._units = ENCODINGS.get(encoding, _utf16)
        self.lines = Lines(text)
        self._line: tuple[int, list[int]] = 0, []

    def offset(self, line: int, column: int) -> int:
        """The offset of a position. Cost: as of ``position``."""
        if line >= len(self.lines):
            return len(self.text)
        start, end = self.lines.span(line + 1)
        if self.text.isascii():
            return min(start + column, end)
        return min(start + bisect_left(self._columns(line + 1), column), end)

    def position(self, offset: int) -> tuple[int, int]:
        """The position of an offset. Cost: O(length of the line), once while it is one line."""
        line = self.lines.place(offset)[0]
        start, end = self.lines.span(line)
        at = min(offset, end) - start
        return line - 1, at if self.text.isascii() else self._columns(line)[at]

    def _columns(self, line: int) -> list[int]:
        """The column of each character of a line, and of its end; kept of the line asked last."""
        if self._line[0] != line:
            start, end = self.lines.span(line)
            self._line = line, [0, *accumulate(map(self._units, self.text[start:end]))]
        return self._line[1]

    def changed(self, start: tuple[int, int], end: tuple[int, int], text: str) -> str:
        """The text with what is between two positions replaced."""
        return self.text[: self.offset(*start)] + text + self.text[self.offset(*end) :]
