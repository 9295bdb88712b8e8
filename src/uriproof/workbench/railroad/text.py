"""A railroad diagram in characters: box-drawing ones, or ASCII.

Owns the characters of rails. Imports the layout. Invariant: what two rails share of a cell is the
union of their directions, so that joints come out of the rails by themselves; the heavier of two
rails is seen. What is lit is drawn heavy, and a lit box is between two heavy joints: no colour is
needed to see it.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
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


_LIT_ENDS = "┣", "┫"
_HEAVY = 4  # the bits of heavy directions are so much further left
_SIDES = {
    "UP": _NORTH,
    "RIGHT": _EAST,
    "DOWN": _SOUTH,
    "LEFT": _WEST,
    "VERTICAL": _NORTH | _SOUTH,
    "HORIZONTAL": _EAST | _WEST,
}


def draw_text(diagram: Diagram, ascii_only: bool = False, lit: Collection[str] = ()) -> list[str]:
    """The diagram's lines, without blanks at their ends; ``lit`` are the ids of what is heavy.

    Cost: linear in what is drawn.
    """
    lines = diagram.bottom - diagram.top + 1
    bits = [[0] * diagram.width for _ in range(lines)]
    for rail in diagram.rails:
        _draw(bits, diagram.top, rail.points, _HEAVY if rail.node in lit else 0)
    cells = [[_glyph(bit, ascii_only) for bit in line] for line in bits]
    for rail in diagram.rails:
        if rail.arrow:
            x, row = rail.arrow
            cells[row - diagram.top][x // 2] = "<" if ascii_only else "◀"
    for box in diagram.boxes:
        line_ = cells[box.row - diagram.top]
        shown = box.label if box.style in {"count", "frame"} else f" {box.label} "
        line_[box.column : box.column + box.width] = _spread(shown, box.width)
        if box.piece.node in lit and box.style not in {"count", "frame"} and not ascii_only:
            line_[box.column], line_[box.column + box.width - 1] = _LIT_ENDS[::-1]
    first, last = cells[-diagram.top], cells[diagram.exit - diagram.top]
    ends = _LIT_ENDS if diagram.rails and diagram.rails[0].node in lit else _ENDS
    first[0], last[-1] = ("|", "|") if ascii_only else ends
    return ["".join(line).rstrip() for line in cells]


def _draw(bits: list[list[int]], top: int, points: tuple[tuple[int, int], ...], shift: int) -> None:
    """Add the directions of one rail to the cells that it runs through."""
    for (x0, row0), (x1, row1) in pairwise(points):
        if row0 == row1:
            line = bits[row0 - top]
            for half in range(min(x0, x1), max(x0, x1)):
                line[half // 2] |= (_EAST if half % 2 else _WEST) << shift
        else:
            for row in range(min(row0, row1), max(row0, row1)):
                bits[row - top][x0 // 2] |= _SOUTH << shift
                bits[row + 1 - top][x0 // 2] |= _NORTH << shift


@cache
def _heavy() -> dict[int, str]:
    """The characters with heavy lines, by their directions: as Unicode names them."""
    import unicodedata

    found = {}
    for char in map(chr, range(0x2500, 0x2580)):
        words = unicodedata.name(char).removeprefix("BOX DRAWINGS ").split()
        if "HEAVY" not in words or not set(words) <= {*_SIDES, "LIGHT", "HEAVY", "AND"}:
            continue
        bits, only = 0, len({"LIGHT", "HEAVY"} & set(words)) == 1
        for clause in " ".join(words).split(" AND "):
            heavy = only or "HEAVY" in clause.split()
            for word in clause.split():
                bits |= _SIDES.get(word, 0) << (_HEAVY if heavy else 0)
        found[bits] = char
    return found


def _glyph(bit: int, ascii_only: bool) -> str:
    if not bit:
        return " "
    heavy = bit >> _HEAVY
    light = bit & ~(heavy | heavy << _HEAVY)  # a heavy line covers a light one
    bit = light | heavy
    if heavy and not ascii_only:
        # Half a line is drawn whole, as light ones are.
        sides = light | heavy << _HEAVY
        whole = {_EAST: _WEST, _WEST: _EAST, _NORTH: _SOUTH, _SOUTH: _NORTH}.get(bit, 0)
        return _heavy()[sides | whole << _HEAVY]
    glyph = _GLYPHS[bit]
    if not ascii_only:
        return glyph
    return glyph if glyph == " " else {"─": "-", "│": "|"}.get(glyph, "+")


def _spread(text: str, width: int) -> list[str]:
    """A text as one piece per cell; what is two cells wide leaves the next one empty."""
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
