"""The places of everything in a railroad diagram: one layout on a grid, for every drawing.

Owns the geometry. Imports the plan. Invariant: rails join end to end, no two boxes share a cell,
and no rail runs through a box.

The grid has rows and half columns: an even ``x`` is the edge of a cell, an odd one its middle, so
that a rail that turns does so in the middle of a cell. The diagram is entered at x 0, row 0, and
is read from left to right; rails back have an arrow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from ...text.columns import cut
from ...text.columns import width as columns
from .plan import Piece

NARROWEST = 16
"""Columns in which something made of several elements is drawn; in fewer it is one box."""

_SIDE = 3  # cells at either side of a bypassed piece: a rail, the turn, a rail
_GAP = 2  # cells of rail between two boxes
_LEAST_LOOP = 5  # cells of a rail back, so that its arrow is apart
_ENDS = 3  # cells of each end of the diagram
_OUT = ":out"


@dataclass(frozen=True, slots=True)
class Box:
    """A box: ``width`` cells from cell ``column`` on."""

    piece: Piece
    row: int
    column: int
    width: int
    label: str
    style: str


@dataclass(frozen=True, slots=True)
class Rail:
    """A rail through ``points`` (x in half columns, row); ``arrow`` is the place of an arrow.

    ``node`` says what leads over it: the id of the element after it, or that with ``:out`` for the
    one before it, ``:again`` for one more round, ``:skip`` for none. ``place`` is the rail's own
    id.
    """

    node: str
    place: str
    points: tuple[tuple[int, int], ...]
    arrow: tuple[int, int] | None = None


@dataclass(slots=True)
class Diagram:
    """Boxes and rails on a grid of ``width`` cells, rows ``top`` to ``bottom``; row 0 enters.

    ``exit`` is the row in which the diagram ends.
    """

    width: int
    top: int
    bottom: int
    exit: int
    boxes: list[Box] = field(default_factory=list)
    rails: list[Rail] = field(default_factory=list)

    def rail(
        self,
        piece: Piece,
        part: str,
        *points: tuple[int, int],
        suffix: str = "",
        arrow: tuple[int, int] | None = None,
    ) -> None:
        """One more rail of a piece; it has no bends but those that its points make."""
        self.rails.append(
            Rail(piece.node + suffix, f"{piece.node}:{part}", tuple(_straight(points)), arrow)
        )


def _straight(points: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, int]]:
    """The points without those that the rail passes straight on."""
    for i, point in enumerate(points):
        if 0 < i < len(points) - 1:
            (x0, y0), (x1, y1) = points[i - 1], points[i + 1]
            if x0 == point[0] == x1 or y0 == point[1] == y1:
                continue
        if i == 0 or point != points[i - 1]:
            yield point


def lay_out(piece: Piece, room: int, arrow: str = "◀") -> Diagram:
    """The diagram of a plan, in at most ``room`` cells if that is at least ``NARROWEST`` + 6.

    A row that is too wide continues below. Cost: linear in the plan.
    """
    track = _Layout(arrow).track(piece, room - 2 * _ENDS)
    diagram = Diagram(track.width + 2 * _ENDS, track.top, track.bottom, track.exit)
    end = 2 * (track.width + _ENDS)
    diagram.rail(piece, "start", (0, 0), (2 * _ENDS, 0))
    diagram.rail(piece, "end", (end, track.exit), (end + 2 * _ENDS, track.exit), suffix=_OUT)
    track.place(diagram, _ENDS, 0)
    return diagram


class _Track:
    """Something laid out, to be placed: rows ``top`` <= 0 to ``bottom``; it leaves in ``exit``."""

    width: int
    top = 0
    bottom = 0
    exit = 0
    boxed = False

    def __init__(self, piece: Piece) -> None:
        self.piece = piece

    def place(self, to: Diagram, column: int, row: int) -> None:
        """Add what there is to a diagram, entered in this row at the left of this column."""
        raise NotImplementedError


class _Layout:
    def __init__(self, arrow: str) -> None:
        self.arrow = arrow
        self.ellipsis = "…" if arrow == "◀" else "..."
        self._free: dict[int, _Track] = {}

    def track(self, piece: Piece, room: int) -> _Track:
        """A piece in so many cells, or in as few as it can be laid out in."""
        free = self.free(piece)
        if free.width <= room or piece.kind == "rail":
            return free
        if piece.kind == "box":
            return _Label(piece, cut(piece.label, max(room - 2, 1), self.ellipsis))
        if room < NARROWEST:
            return _Label(piece, cut(_words(piece), max(room - 2, 1), self.ellipsis), "group")
        room -= 2 * _SIDE
        if piece.kind == "row":
            return self._lines(piece, room)
        label = cut(times(piece), max(room - 3, 1), self.ellipsis)
        return self._made(piece, [self.track(i, room) for i in piece.items], label)

    def free(self, piece: Piece) -> _Track:
        """A piece with as much room as it likes. Cost: remembered."""
        found = self._free.get(id(piece))
        if found is None:
            found = self._made(piece, [self.free(i) for i in piece.items], times(piece))
            self._free[id(piece)] = found
        return found

    def _made(self, piece: Piece, items: list[_Track], label: str) -> _Track:
        match piece.kind:
            case "box":
                return _Label(piece, piece.label)
            case "rail":
                return _Empty(piece)
            case "row":
                return _Row(piece, items)
            case "stack":
                return _Stack(piece, items)
            case "loop":
                return _Loop(piece, items[0], label and f"{self.arrow} {label} ")

    def _lines(self, piece: Piece, room: int) -> _Track:
        lines: list[list[_Track]] = [[]]
        for item in piece.items:
            track = self.track(item, room)
            if lines[-1] and _row_width([*lines[-1], track]) > room:
                lines.append([])
            lines[-1].append(track)
        if len(lines) == 1:
            return _Row(piece, lines[0])
        return _Lines(piece, [_Row(piece, line) for line in lines])


def times(piece: Piece) -> str:
    """The number of rounds of a loop, in words; empty if its rails show it."""
    least, most = piece.least, piece.most
    if most is None:
        return f"{least:,} times or more" if least > 1 else ""
    if most == 1:
        return ""
    if least == most:
        return f"{most:,} times"
    return f"{least:,} to {most:,} times" if least > 1 else f"at most {most:,} times"


def _words(piece: Piece) -> str:
    """The contents of a group, as far as a short label can tell."""
    found: list[str] = []
    stack = [piece]
    while stack and len(found) < NARROWEST:
        top = stack.pop()
        if top.kind == "box":
            found.append(top.label)
        stack.extend(reversed(top.items))
    return f"( {' '.join(found)} )"


def _gap(left_boxed: bool, right_boxed: bool) -> int:
    return _GAP if left_boxed and right_boxed else 0


def _row_width(items: list[_Track]) -> int:
    gaps = (_gap(a.boxed, b.boxed) for a, b in pairwise(items))
    return sum(i.width for i in items) + sum(gaps)


class _Label(_Track):
    """A box with words in it."""

    boxed = True

    def __init__(self, piece: Piece, label: str, style: str = "") -> None:
        super().__init__(piece)
        self.label = label
        self.style = style or piece.role
        self.width = columns(label) + 2

    def place(self, to: Diagram, column: int, row: int) -> None:
        to.boxes.append(Box(self.piece, row, column, self.width, self.label, self.style))


class _Empty(_Track):
    """Nothing but rail: an element that reads nothing."""

    width = _GAP

    def place(self, to: Diagram, column: int, row: int) -> None:
        to.rail(self.piece, "through", (2 * column, row), (2 * (column + self.width), row))


class _Row(_Track):
    """Items one after the other, each entered in the row that the one before is left in."""

    def __init__(self, piece: Piece, items: list[_Track]) -> None:
        super().__init__(piece)
        self.items = items
        self.width = _row_width(items)
        row = 0
        for item in items:
            self.top = min(self.top, row + item.top)
            self.bottom = max(self.bottom, row + item.bottom)
            row += item.exit
        self.exit = row

    def place(self, to: Diagram, column: int, row: int) -> None:
        before: _Track | None = None
        for item in self.items:
            if gap := _gap(before is not None and before.boxed, item.boxed):
                to.rail(item.piece, "before", (2 * column, row), (2 * (column + gap), row))
                column += gap
            item.place(to, column, row)
            column += item.width
            row += item.exit
            before = item


class _Lines(_Track):
    """A row in several lines, each joined to the next by a rail that goes back between them."""

    def __init__(self, piece: Piece, lines: list[_Row]) -> None:
        super().__init__(piece)
        self.lines = lines
        self.inner = max(line.width for line in lines)
        self.width = self.inner + 2 * _SIDE
        self.top = lines[0].top
        self.rows: list[int] = []
        row = 0
        for line in lines:
            if self.rows:
                row = self.bottom + 2 - line.top  # a row for the rail back
            self.rows.append(row)
            self.bottom = row + line.bottom
        self.exit = self.rows[-1] + lines[-1].exit

    def place(self, to: Diagram, column: int, row: int) -> None:
        x, piece = 2 * column, self.piece
        left, first, right = x + _SIDE, x + 2 * _SIDE, x + 2 * (_SIDE + self.inner) + _SIDE
        to.rail(piece, "first", (x, row), (first, row))
        for i, line in enumerate(self.lines):
            at = row + self.rows[i]
            line.place(to, column + _SIDE, at)
            end, left_in = first + 2 * line.width, at + line.exit
            if i + 1 == len(self.lines):
                out = x + 2 * self.width, left_in
                to.rail(piece, "last", (end, left_in), out, suffix=_OUT)
                break
            after = row + self.rows[i + 1]
            back = at + line.bottom + 1
            bends = (right, left_in), (right, back), (left, back), (left, after), (first, after)
            arrow = ((left + right) // 2 | 1, back)
            following = self.lines[i + 1].items[0].piece
            to.rail(following, "next", (end, left_in), *bends, arrow=arrow)


class _Stack(_Track):
    """Alternatives one below the other, the first on the straight line."""

    def __init__(self, piece: Piece, items: list[_Track]) -> None:
        super().__init__(piece)
        self.items = items
        self.inner = max(i.width for i in items)
        self.width = self.inner + 2 * _SIDE
        self.top = items[0].top
        self.rows = [0]
        self.bottom = items[0].bottom
        for item in items[1:]:
            self.rows.append(self.bottom + 1 - item.top)
            self.bottom = self.rows[-1] + item.bottom

    def place(self, to: Diagram, column: int, row: int) -> None:
        x = 2 * column
        end = x + 2 * self.width
        for at, item in zip(self.rows, self.items, strict=True):
            start = x + 2 * _SIDE
            stop = start + 2 * item.width
            out = row + at + item.exit
            bends = (x, row), (x + _SIDE, row), (x + _SIDE, row + at), (start, row + at)
            to.rail(item.piece, "in", *bends)
            item.place(to, column + _SIDE, row + at)
            bends = (stop, out), (end - _SIDE, out), (end - _SIDE, row), (end, row)
            to.rail(item.piece, "out", *bends, suffix=_OUT)


class _Loop(_Track):
    """A repetition: a rail above to skip it, if allowed, and one below to come back."""

    def __init__(self, piece: Piece, item: _Track, label: str) -> None:
        super().__init__(piece)
        self.item = item
        self.label = label
        self.skips = piece.least == 0
        self.again = piece.most != 1
        least = columns(label) if label else _LEAST_LOOP if self.again else 1
        self.inner = max(item.width, least)
        self.width = self.inner + 2 * _SIDE
        self.exit = item.exit
        self.top = item.top - self.skips
        self.bottom = item.bottom + self.again

    def place(self, to: Diagram, column: int, row: int) -> None:
        x, piece, item = 2 * column, self.piece, self.item
        end, out = x + 2 * self.width, row + self.exit
        start = x + 2 * (_SIDE + (self.inner - item.width) // 2)
        stop = start + 2 * item.width
        to.rail(item.piece, "in", (x, row), (start, row))
        item.place(to, start // 2, row)
        to.rail(item.piece, "out", (stop, out), (end, out), suffix=_OUT)
        left, right = x + _SIDE, end - _SIDE
        if self.skips:
            above = row + self.top
            bends = (x, row), (left, row), (left, above), (right, above), (right, out), (end, out)
            to.rail(piece, "skip", *bends, suffix=":skip")
        if not self.again:
            return
        below = row + self.bottom
        ahead = (x + 2 * _SIDE, row)
        behind = (end - 2 * _SIDE, out)
        if not self.label:
            round_ = behind, (right, out), (right, below), (left, below), (left, row), ahead
            arrow = ((left + right) // 2 | 1, below)
            to.rail(piece, "again", *round_, suffix=":again", arrow=arrow)
            return
        width = columns(self.label)
        at = column + _SIDE + (self.inner - width) // 2
        to.boxes.append(Box(piece, below, at, width, self.label, "count"))
        half = behind, (right, out), (right, below), (2 * (at + width), below)
        to.rail(piece, "again", *half, suffix=":again")
        to.rail(piece, "back", (2 * at, below), (left, below), (left, row), ahead, suffix=":again")
