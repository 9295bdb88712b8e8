"""A railroad diagram as SVG: every rail and every box with an id.

Owns the drawing. Imports the layout. Invariant: every shape carries the id of its element as
``data-node``, a style sheet styles it only by classes, and all text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ...grammar.model import Rule
from ...text.columns import cut
from .track import Box, Diagram, Rail

# For renderers that read no style sheet, or not all of it: black lines without fill.
_INK = "#1f2328"
_PLAIN = (
    f'fill="none" stroke="{_INK}" stroke-width="2" font-family="monospace" font-size="13"'
    ' text-anchor="middle"'
)

# All of these are even, so that a rail two pixels wide covers whole pixels: rails that share a
# stretch then look like one.
_CELL = 8.0  # a little more than a character of the widest of these fonts at 13 px: 0.602 em
_BOX = 26.0
_TURN = 10.0
_MARGIN = 6.0
_ARROW = 5.0
_ROWS = {"box": 36.0, "words": 20.0, "rail": 16.0, "": 12.0}
_BASELINE = 4.5  # below the middle of the letters
_MAX_WORDS = 1_000
PREFIX = "node-"
"""The prefix of the ids of a drawing."""


def draw_svg(diagram: Diagram, rule: Rule, links: bool, style: str) -> str:
    """The diagram as one ``svg`` element. Cost: linear in the size of the drawing."""
    middle = _rows(diagram)
    bottom, below = middle[diagram.bottom]
    height = bottom + below / 2 + _MARGIN
    width = diagram.width * _CELL + 2 * _MARGIN
    name = _escaped(rule.name)
    words = f"{rule.name}: {rule.gloss}" if rule.gloss else rule.name
    if rule.section:
        words += f" (section {rule.section})"
    # The children of an image are hidden from screen readers: what links must not be one.
    role = "group" if links else "img"
    out = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="railroad" role="{role}"'
            f' aria-label="{_escaped("Railroad diagram of " + words)}" data-rule="{name}"'
            f' width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" {_PLAIN}>'
        ),
        f"<title>{_escaped(words)}</title>",
        f"<desc>{_escaped(cut(rule.text, _MAX_WORDS))}</desc>",
    ]
    if style:
        out.append(f"<style>{style}</style>")
    y = {row: center for row, (center, _) in middle.items()}
    out.append(_end(_MARGIN, y[0], -1))
    out.append(_end(_MARGIN + diagram.width * _CELL, y[diagram.exit], 1))
    out += (_rail(r, y) for r in diagram.rails)
    out += (_box(b, y[b.row], links) for b in diagram.boxes)
    return "\n".join([*out, "</svg>"])


def _rows(diagram: Diagram) -> dict[int, tuple[float, float]]:
    """The middle and the height of each row: as high as its highest piece."""
    kinds = dict.fromkeys(range(diagram.top, diagram.bottom + 1), "")
    for rail in diagram.rails:
        for (_, row0), (_, row1) in pairwise(rail.points):
            if row0 == row1:
                kinds[row0] = kinds[row0] or "rail"
    for box in diagram.boxes:
        kind = "words" if box.style == "count" else "box"
        kinds[box.row] = max(kinds[box.row], kind, key=_ROWS.__getitem__)
    found: dict[int, tuple[float, float]] = {}
    top = _MARGIN
    for row, kind in kinds.items():
        height = _ROWS[kind]
        found[row] = top + height / 2, height
        top += height
    return found


def _end(x: float, y: float, side: int) -> str:
    """The double bar at either end."""
    other = x - side * 5
    return f'<path class="rail" d="M{x:g} {y - 9:g}v18M{other:g} {y - 9:g}v18"/>'


def _rail(rail: Rail, y: dict[int, float]) -> str:
    points = [(_MARGIN + x * _CELL / 2, y[row]) for x, row in rail.points]
    attributes = f'id="{_escaped(PREFIX + rail.place)}" data-node="{_escaped(rail.node)}"'
    path = f'd="{" ".join(_path(points))}"/>'
    if rail.arrow is None:
        return f'<path class="rail" {attributes} {path}'
    x, at = _MARGIN + rail.arrow[0] * _CELL / 2, y[rail.arrow[1]]
    arrow = f"M{x - _ARROW:g} {at:g}l{2 * _ARROW:g} {-_ARROW:g}v{2 * _ARROW:g}z"
    inner = f'<path class="rail" {path}<path class="arrow" fill="{_INK}" d="{arrow}"/>'
    return f'<g class="rail" {attributes}>{inner}</g>'


def _path(points: list[tuple[float, float]]) -> Iterator[str]:
    """The rail, with its corners rounded as far as there is room."""
    yield f"M{points[0][0]:g} {points[0][1]:g}"
    last = len(points) - 1
    for i in range(1, last):
        before, here, after = points[i - 1], points[i], points[i + 1]
        room = min(
            _TURN,
            _length(before, here) / (1 if i == 1 else 2),
            _length(here, after) / (1 if i + 1 == last else 2),
        )
        (x0, y0), (x1, y1) = _towards(here, before, room), _towards(here, after, room)
        yield f"L{x0:g} {y0:g}Q{here[0]:g} {here[1]:g} {x1:g} {y1:g}"
    yield f"L{points[-1][0]:g} {points[-1][1]:g}"


def _length(a: tuple[float, float], b: tuple[float, float]) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])  # rails are level or upright


def _towards(
    start: tuple[float, float], end: tuple[float, float], far: float
) -> tuple[float, float]:
    share = far / (_length(start, end) or 1)
    x, y = (start[i] + (end[i] - start[i]) * share for i in (0, 1))
    return round(x, 2), round(y, 2)


def _box(box: Box, center: float, links: bool) -> str:
    left, width = _MARGIN + box.column * _CELL, box.width * _CELL
    base = center + _BASELINE
    node = box.piece.node + ":again" * (box.style == "count")
    place = box.piece.node + ":count" * (box.style == "count")
    head = f'<g class="{box.style}" id="{_escaped(PREFIX + place)}" data-node="{_escaped(node)}">'
    title = f"<title>{_escaped(box.piece.title)}</title>" if box.piece.title else ""
    label = _escaped(box.label)
    if box.style == "count":
        arrow = f"M{left:g} {center:g}l{2 * _ARROW:g} {-_ARROW:g}v{2 * _ARROW:g}z"
        words = _escaped(box.label[1:].strip())
        x = left + 2 * _ARROW + (width - 2 * _ARROW) / 2
        return f'{head}<path class="arrow" fill="{_INK}" d="{arrow}"/>{_text(x, base, words)}</g>'
    round_ = 4 if box.style in {"rule", "group"} else _BOX / 2
    shape = _rect(left, center - _BOX / 2, width, _BOX, round_)
    shape += _text(left + width / 2, base, label)
    if links and box.piece.rule:
        shape = f'<a href="#rule-{_escaped(box.piece.rule)}">{title}{shape}</a>'
        title = ""
    return f"{head}{title}{shape}</g>"


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{_INK}" stroke="none">{words}</text>'


def _rect(x: float, y: float, width: float, height: float, round_: float) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_:g}"/>'


def _escaped(text: str) -> str:
    """Text for XML; what XML cannot hold does not occur in visible text, nor a tab in an id."""
    from html import escape

    from ...text.drawing import visible

    return escape("\n".join(visible(line) for line in text.split("\n")))
