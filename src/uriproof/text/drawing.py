r"""A text drawn for people: every character visible, carets under exactly the blamed ones.

Owns the one visible form of any text and the drawing with carets that reports and grammar errors
show. Imports ``columns``. Invariant: a caret is in the terminal column of the character that it
marks.

The visible form is for people: a backslash is not doubled, so that ``\n`` can be one character or
two. The carets tell them apart, and the exact text is in ``Report.text``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from .columns import ELLIPSIS, cells, command_signs

WIDTH = 100
"""Columns of a drawing, by default."""

_MOST_ROWS = 3
_CONTEXT = 12  # code points shown on either side of a blamed place, if there are many places
_ENDS = 16  # code points shown of each end of a long blamed run, and of the start of the text

_CONTROL_NAMES = {
    "\0": "NULL",
    "\a": "BELL",
    "\b": "BACKSPACE",
    "\t": "TAB",
    "\n": "LINE FEED",
    "\v": "VERTICAL TAB",
    "\f": "FORM FEED",
    "\r": "CARRIAGE RETURN",
    "\x1b": "ESCAPE",
    "\x7f": "DELETE",
    "\x85": "NEXT LINE",
}
_CATEGORY_NAMES = {
    "Cc": "control character",
    "Cn": "unassigned",
    "Co": "private use",
    "Cs": "lone surrogate",
}


def visible(text: str) -> str:
    r"""The text with an escape for every character without a glyph, and for one of the logging
    commands of a CI system.

    Errors: none; lone surrogates and control characters are data. Cost: O(n).

    >>> print(visible("a\n\x00\u202eb\ud800 c"))
    a\n\x00\u202eb\ud800 c
    """
    if text.isascii() and text.isprintable() and not command_signs(text):
        return text
    return "".join(shown for shown, _ in cells(text))


def short(text: str, most: int) -> str:
    """The visible text, cut after this many code points.

    >>> short("abc", 2)
    'ab…'
    """
    return visible(text) if len(text) <= most else visible(text[:most]) + ELLIPSIS


@lru_cache(256)
def named(char: str) -> str:
    r"""One character as its code point and its Unicode name.

    >>> named("["), named("\n"), named("\ud800")
    ('U+005B LEFT SQUARE BRACKET', 'U+000A LINE FEED', 'U+D800 lone surrogate')
    """
    import unicodedata

    name = unicodedata.name(char, "") or _CONTROL_NAMES.get(char, "")
    name = name or _CATEGORY_NAMES.get(unicodedata.category(char), "")
    return f"U+{ord(char):04X} {name}".rstrip()


def draw(text: str, spans: Iterable[tuple[int, int]], width: int = WIDTH) -> list[str]:
    """The text, and below it carets under exactly the spans.

    ``spans`` are half-open ranges of code points, sorted and disjoint. ``^`` marks a character;
    ``+`` marks a span of no width: something is missing before the character above it. A text wider
    than ``width`` columns is cut to its start and the blamed places, with an ellipsis for each
    omission, in at most three rows and a line that counts the rest.

    Errors: none. Cost: O(n + spans); omitted text is never looked at.

    >>> print("\\n".join(draw("http://a b/?[1]", [(8, 9), (12, 13), (14, 15)])))
    http://a b/?[1]
            ^   ^ ^
    >>> print("\\n".join(draw("http://[::1", [(11, 11)])))
    http://[::1
               +
    """
    lines: list[str] = []
    for line, marks, extra in rows(text, spans, width):
        lines += line, *filter(None, (marks, extra))
    return lines


def rows(
    text: str, spans: Iterable[tuple[int, int]], width: int = WIDTH
) -> list[tuple[str, str, str]]:
    """As ``draw``, one triple a row: the text, its marks, and what does not fit among them.

    The third is empty unless a ``+`` and a ``^`` share a column, or places are left out.

    >>> rows("a b", [(1, 1), (1, 2)])
    [('a b', ' ^', ' +')]
    """
    blamed = list(spans)
    room = max(width, _ENDS) - 2  # there can be an ellipsis at either end
    laid = list(islice(_lay_out(text, _windows(text, blamed, room), room), _MOST_ROWS + 1))
    left_out = 0
    if len(laid) > _MOST_ROWS:
        del laid[_MOST_ROWS:]
        last = laid[-1][-1].end
        left_out = len(blamed) - bisect_left(blamed, (last, last))
    result = [_mark(text, row, blamed) for row in laid]
    if left_out:
        line, marks, extra = result[-1]
        more = f"{ELLIPSIS} and {left_out:,} more"
        result[-1] = line, marks, f"{extra}\n{more}" if extra else more
    return result


class _Cell(NamedTuple):
    """The form of the code points ``[start, end)``: several pieces only if some are omitted."""

    start: int
    end: int
    shown: str
    column: int
    taken: int


def _windows(text: str, blamed: list[tuple[int, int]], room: int) -> Iterator[tuple[int, int]]:
    """The ranges of code points to show: the start of the text, and round the blamed places."""
    if len(text) <= room:
        yield 0, len(text)
        return
    # Two ellipses a place, and a few columns to spare for wide characters.
    context = max(_CONTEXT, (room - _ENDS) // (2 * len(blamed) or 1) - 2)
    start, end = 0, _ENDS if blamed else room
    for low, high in blamed:
        ends = [(low, high)]
        if high - low > 2 * _ENDS:
            ends = [(low, low + _ENDS), (high - _ENDS, high)]
        for first, last in ends:
            left = max(0, first - (context if first == low else 0))
            right = min(len(text), last + (context if last == high else 0))
            if left > end + 1:  # an ellipsis saves nothing over one character
                yield start, end
                start = left
            elif end - start > room:  # continue in a window that touches this one
                yield start, end
                start = end
            end = max(end, right)
    yield start, len(text) if end + 1 >= len(text) else end


def _lay_out(text: str, windows: Iterable[tuple[int, int]], room: int) -> Iterator[list[_Cell]]:
    """The windows as rows of at most ``room`` columns and an ellipsis at either end."""
    row: list[_Cell] = []
    column = before = 0
    for start, end in windows:
        shown_cells = list(cells(text[start:end]))
        if start > before:
            taken = sum(width for _, width in shown_cells)
            if row and column + 1 + taken > room >= taken:
                yield [*row, _Cell(before, start, ELLIPSIS, column, 1)]
                row, column = [], 0
            row.append(_Cell(before, start, ELLIPSIS, column, 1))
            column += 1
        for offset, (shown, width) in enumerate(shown_cells, start):
            if width and column + width > room:
                yield [*row, _Cell(offset, offset, ELLIPSIS, column, 1)]
                row, column = [_Cell(offset, offset, ELLIPSIS, 0, 1)], 1
            if not width:  # a combining character stands, and is marked, with its base
                base = row[-1]
                row.append(_Cell(offset, offset + 1, shown, base.column, base.taken))
            else:
                row.append(_Cell(offset, offset + 1, shown, column, width))
            column += width
        before = end
    if before < len(text):
        row.append(_Cell(before, len(text), ELLIPSIS, column, 1))
    yield row or [_Cell(0, 0, "", 0, 1)]


def _mark(text: str, row: list[_Cell], blamed: list[tuple[int, int]]) -> tuple[str, str, str]:
    """One row as text, carets, and pluses if they find no room among the carets."""
    carets: set[int] = set()
    pluses: set[int] = set()
    for cell in row:
        at = max(bisect_left(blamed, (cell.start, cell.start)) - 1, 0)
        while at < len(blamed) and blamed[at][0] < max(cell.end, cell.start + 1):
            start, end = blamed[at]
            if start == end == cell.start < cell.end:
                pluses.add(cell.column)
            elif start < cell.end and cell.start < end:
                carets.update(range(cell.column, cell.column + cell.taken))
            at += 1
    last = row[-1]
    if last.end == len(text) and blamed and blamed[-1] == (len(text), len(text)):
        pluses.add(last.column + (last.taken if last.end else 0))
    line = "".join(cell.shown for cell in row)
    if carets & pluses:
        return line, _line({"^": carets}), _line({"+": pluses})
    return line, _line({"^": carets, "+": pluses}), ""


def _line(marks: dict[str, set[int]]) -> str:
    """Marks in their columns, as one line."""
    where = {column: mark for mark, columns in marks.items() for column in columns}
    return "".join(where.get(column, " ") for column in range(max(where, default=-1) + 1))
