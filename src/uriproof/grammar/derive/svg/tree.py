"""A derivation as a tree: boxes centered over their children, and the text as leaves.

Owns that layout, and the colors and words of its parts. Imports the outline and the palette.
Invariant: no two boxes overlap, the leaves are in the order of the text, and all text is escaped
and visible.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from ....text.columns import ELLIPSIS, width
from ....text.drawing import visible
from ....text.palette import COLORS, component_class, variable
from .outline import Box, outline

if TYPE_CHECKING:
    from ..explain import Derivation

LETTER = 9.6
"""A character of the text at 16 px."""
MARGIN = 14.0
LEAF = 40
"""Columns of a leaf; a longer one is cut in its middle."""
EMPTY = "ε"
SPACE = "␣"
AUTHORITY = "c-authority"
BLAME = "c-blame"
"""The class of an error, and of what is missing, which are in no component."""
FILL = 'fill="currentColor" fill-opacity=".07" stroke="currentColor"'
_CELL = 8.0
"""A character of a name at 13 px, in the widest of the fonts: 0.602 em, and a little room."""
_LINE = 17.0
_PAD = 9.0
_GAP = 12.0
_DROP = 26.0
"""From the bottom of a box to the top of those below."""
_TURN = 7.0
_EDGE = 'stroke="currentColor" stroke-width="1.5"'


class Tree:
    """Boxes centered over their children; leaves in one line at the bottom."""

    width: float = 0.0
    height: float = 0.0

    def __init__(self, found: Derivation, styled: bool) -> None:
        self.found = found
        self.top = outline(found)
        self._styled = styled

    def color(self, name: str) -> str:
        """A color for renderers that read no style sheet, or the page's own."""
        if self._styled:
            return COLORS[name][0]
        return f"var({variable(name)})"

    def group(self, kind: str, component: str, start: int, end: int) -> str:
        """The start of a group of a component's color, with the offsets that it is about."""
        name = component.removeprefix("c-")
        color = f' color="{self.color(name)}"' if component else ""
        place = f'data-start="{start}" data-end="{end}"'
        return f'<g class="{f"{kind} {component}".rstrip()}" {place}{color}>'

    def title(self, names: list[str]) -> str:
        """The facts about the rules of a box."""
        lines = []
        for name in names:
            rule = self.found.rules.get(name)
            words = [f" (section {rule.section})"] if rule and rule.section else [""]
            words += [f": {rule.gloss}"] if rule and rule.gloss else []
            lines.append(seen(name) + "".join(words))
        return f"<title>{escape('; '.join(lines))}</title>"

    def leaf_words(self, start: int, end: int, more: int = 0) -> str:
        if more:
            return f"{ELLIPSIS}{more:,} more{ELLIPSIS}"
        text = self.found.text[start:end]
        if not text:
            return EMPTY
        shown = seen(text[: 4 * LEAF])
        if len(text) <= 4 * LEAF and width(shown) <= LEAF:
            return shown
        half = LEAF // 2 - 1
        return seen(text[:half]) + ELLIPSIS + seen(text[-half:])

    def wave(self, x: float, y: float, wide: float) -> str:
        count = max(int(wide // 6), 2)
        return (
            f'<path d="M{x:g} {y:g}{"q1.5 -3 3 0t3 0" + "t3 0t3 0" * (count - 1)}"'
            ' stroke="currentColor" stroke-width="1.6"/>'
        )

    def body(self) -> Iterator[str]:
        self._centres: dict[int, float] = {}
        self._ys: dict[int, float] = {}
        self._deepest = 0.0
        self._down(self.top, MARGIN)
        base = self._deepest + _DROP
        wide = self._spread(self.top, MARGIN)
        self.width = wide + 2 * MARGIN
        self.height = base + 40 + MARGIN
        edges: list[str] = []
        boxes: list[str] = []
        waiting: list[tuple[Box, str]] = [(self.top, "")]
        while waiting:
            box, around = waiting.pop()
            component = BLAME if box.fault else component_of(box.names, around)
            boxes.append(self._box(box, component, base))
            for child in self._below(box):
                edges.append(self._edge(box, child, base))
                waiting.append((child, component))
        yield f'<g opacity=".45">{"".join(edges)}</g>'  # as one, or crossings would be darker
        yield from boxes

    def _below(self, box: Box) -> list[Box]:
        """The children of a box; for one without any, the leaf of its text."""
        if not box.is_leaf and not box.children:
            leaf = Box([], box.start, box.end, box.whole, closed=box.closed, fault=box.fault)
            box.children.append(leaf)
        return box.children

    def _high(self, box: Box) -> float:
        return len(box.names) * _LINE + 10

    def _down(self, box: Box, y: float) -> None:
        """The top of each box, and of the lowest one its bottom."""
        waiting = [(box, y)]
        while waiting:
            one, top = waiting.pop()
            if one.is_leaf:
                continue
            self._ys[id(one)] = top
            bottom = top + self._high(one)
            self._deepest = max(self._deepest, bottom)
            waiting += ((child, bottom + _DROP) for child in self._below(one))

    def _wide(self, box: Box) -> float:
        if box.is_leaf:
            return width(self.leaf_words(box.start, box.end, box.more)) * LETTER + 10
        return max(width(seen(name)) for name in box.names) * _CELL + 2 * _PAD

    def _spread(self, box: Box, x: float) -> float:
        """Centre each box over its children, from ``x`` on; returns the width. Cost: O(boxes)."""
        wide: dict[int, float] = {}
        order = [box]
        for one in order:
            order += one.children
        for one in reversed(order):
            inner = sum(wide[id(c)] for c in one.children) + _GAP * max(len(one.children) - 1, 0)
            wide[id(one)] = max(self._wide(one), inner)
        waiting = [(box, x)]
        while waiting:
            one, left = waiting.pop()
            inner = sum(wide[id(c)] for c in one.children) + _GAP * max(len(one.children) - 1, 0)
            self._centres[id(one)] = left + wide[id(one)] / 2
            left += (wide[id(one)] - inner) / 2
            for child in one.children:
                waiting.append((child, left))
                left += wide[id(child)] + _GAP
        for one in reversed(order):  # over the middle between the first and the last
            if one.children:
                ends = [self._centres[id(c)] for c in (one.children[0], one.children[-1])]
                middle, half = sum(ends) / 2, self._wide(one) / 2
                room = wide[id(one)]
                start = self._centres[id(one)] - room / 2
                self._centres[id(one)] = min(max(middle, start + half), start + room - half)
        return wide[id(box)]

    def _edge(self, box: Box, child: Box, base: float) -> str:
        x0, x1 = self._centres[id(box)], self._centres[id(child)]
        y0 = self._ys[id(box)] + self._high(box)
        y1 = base if child.is_leaf else self._ys[id(child)]
        bus = y0 + _DROP / 2
        kind = ' stroke-dasharray="1.5 4" stroke-linecap="round"' if child.is_leaf else ""
        turn = min(_TURN, abs(x1 - x0) / 2)
        side = 1 if x1 > x0 else -1
        if abs(x1 - x0) < 1:
            path = f"M{x0:g} {y0:g}V{y1:g}"
        else:
            path = (
                f"M{x0:g} {y0:g}V{bus - turn:g}Q{x0:g} {bus:g} {x0 + side * turn:g} {bus:g}"
                f"H{x1 - side * turn:g}Q{x1:g} {bus:g} {x1:g} {bus + turn:g}V{y1:g}"
            )
        if child.closed and child.is_leaf:
            return self._roof(x0, y0, child, base)
        return f'<path class="edge" d="{path}" {_EDGE}{kind}/>'

    def _roof(self, x: float, y: float, leaf: Box, base: float) -> str:
        """The sign of linguists for a subtree that is not drawn."""
        half = self._wide(leaf) / 2
        at = self._centres[id(leaf)]
        return (
            f'<path class="edge" d="M{x:g} {y:g}L{at - half:g} {base:g}H{at + half:g}Z"'
            f' {_EDGE} stroke-linejoin="round"/>'
        )

    def _box(self, box: Box, component: str, base: float) -> str:
        if box.is_leaf:
            return self._leaf(box, component, base)
        x, y = self._centres[id(box)], self._ys[id(box)]
        wide, high = self._wide(box), self._high(box)
        dashed = "" if box.whole else ' stroke-dasharray="5 3"'
        out = [
            self.group("box", component, box.start, box.end),
            self.title(box.names),
            (
                f'<rect x="{x - wide / 2:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="7"'
                f' {FILL} stroke-width="1.5"{dashed}/>'
            ),
        ]
        for number, name in enumerate(box.names):
            at = y + 5 + _LINE * (number + 0.5) + 4.5
            out.append(
                f'<text x="{x:g}" y="{at:g}" font-size="13" text-anchor="middle"'
                f' fill="currentColor">{escape(seen(name))}</text>'
            )
        return "".join([*out, "</g>"])

    def _leaf(self, box: Box, component: str, base: float) -> str:
        x = self._centres[id(box)]
        words = self.leaf_words(box.start, box.end, box.more)
        empty = box.start == box.end
        weight = "normal" if empty or box.more else "bold"
        wide = self._wide(box) - 6
        kind = "leaf note" if empty or box.more else "leaf"
        line = (
            f'<path d="M{x - wide / 2:g} {base + 25:g}h{wide:g}" stroke="currentColor"'
            ' stroke-width="2"/>'
        )
        if box.fault:
            line = self.wave(x - wide / 2, base + 25, wide)
        return (
            self.group(kind, component, box.start, box.end)
            + f'<text x="{x:g}" y="{base + 18:g}" font-size="16" font-weight="{weight}"'
            f' text-anchor="middle" fill="currentColor" xml:space="preserve">{escape(words)}</text>'
            + ("" if empty or box.more else line)
            + f'<text class="note" x="{x:g}" y="{base + 38:g}" font-size="9.5"'
            f' text-anchor="middle" fill="currentColor" opacity=".75">{box.start}</text></g>'
        )


def seen(text: str) -> str:
    """A text in its visible form; spaces, which would be lost in a drawing, as open boxes."""
    return visible(text).replace(" ", SPACE)


def component_of(names: list[str], around: str) -> str:
    """The component's class: of the innermost rule named after one, or that around the box."""
    for name in names:
        if around in ("", AUTHORITY):  # which has components of its own
            around = component_class(name) or around
    return around
