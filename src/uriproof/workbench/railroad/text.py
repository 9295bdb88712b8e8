"""A railroad diagram in characters: box-drawing ones, or ASCII.

Owns the characters of rails. Imports the layout. Invariant: what two rails share of a cell is the
union of their directions, so that joints come out of the rails by themselves.
"""

from __future__ import annotations

from itertools import pairwise

from .track import Diagram

_NORTH, _EAST, _SOUTH, _WEST = 1, 2, 4, 8

_GLYPHS = {
    _EAST: "─",
    _WEST: "─",
    _EAST | _WEST: "─",
    _NORTH: "│",
    _SOUTH: "│",
    _NORTH | _SOUTH: "│",
    _SOUTH | _EAST: "╭",
    _SOUTH | _WEST: "╮",
    _NORTH | _EAST: "╰",
    _NORTH | _WEST: "╯",
    _NORTH | _SOUTH | _EAST: "├",
    _NORTH | _SOUTH | _WEST: "┤",
    _EAST | _WEST | _SOUTH: "┬",
    _EAST | _WEST | _NORTH: "┴",
    _NORTH | _EAST | _SOUTH | _WEST: "┼",
}
_ENDS = "├", "┤"


def draw_text(diagram: Diagram, ascii_only: bool = False) -> list[str]:
    """The diagram's lines, without blanks at their ends. Cost: linear in the drawing."""
    lines = diagram.bottom - diagram.top + 1
    bits = [[0] * diagram.width for _ in range(lines)]
    for rail in diagram.rails:
        _draw(bits, diagram.top, rail.points)
    cells = [[_glyph(bit, ascii_only) for bit in line] for line in bits]
    for rail in diagram.rails:
        if rail.arrow:
            x, row = rail.arrow
            cells[row - diagram.top][x // 2] = "<" if ascii_only else "◀"
    for box in diagram.boxes:
        line_ = cells[box.row - diagram.top]
        shown = box.label if box.style == "count" else f" {box.label} "
        line_[box.column : box.column + box.width] = _spread(shown, box.width)
    first, last = cells[-diagram.top], cells[diagram.exit - diagram.top]
    first[0], last[-1] = ("|", "|") if ascii_only else _ENDS
    return ["".join(line).rstrip() for line in cells]


def _draw(bits: list[list[int]], top: int, points: tuple[tuple[int, int], ...]) -> None:
    """Add the directions of one rail to the cells that it runs through."""
    for (x0, row0), (x1, row1) in pairwise(points):
        if row0 == row1:
            line = bits[row0 - top]
            for half in range(min(x0, x1), max(x0, x1)):
                line[half // 2] |= _EAST if half % 2 else _WEST
        else:
            for row in range(min(row0, row1), max(row0, row1)):
                bits[row - top][x0 // 2] |= _SOUTH
                bits[row + 1 - top][x0 // 2] |= _NORTH


def _glyph(bit: int, ascii_only: bool) -> str:
    if not bit:
        return " "
    glyph = _GLYPHS[bit]
    if not ascii_only:
        return glyph
    return glyph if glyph == " " else {"─": "-", "│": "|"}.get(glyph, "+")


def _spread(text: str, width: int) -> list[str]:
    """A text as one piece per cell; a character of two cells leaves the next one empty."""
    from ...text.columns import width as columns

    if text.isascii():
        return list(text.ljust(width))
    cells: list[str] = []
    for char in text:
        taken = columns(char)
        if not taken and cells:
            cells[-1] += char
            continue
        cells += [char, *[""] * (taken - 1)]
    return cells + [" "] * (width - len(cells))
