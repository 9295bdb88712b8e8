"""A derivation as SVG: a tree with the text as its leaves, or an icicle below the text.

Owns the two drawings. Imports the outline and the palette. Invariant: a drawing stands alone,
loads nothing, is of bounded size, and says all that it shows in words, too; all text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Literal

from ...text.columns import ELLIPSIS, columns, cut, width
from ...text.drawing import short, visible
from ...text.palette import COLOURS, COMPONENTS, Rule, component_class, style_sheet
from .outline import Box, outline

if TYPE_CHECKING:
    from .explain import Derivation

__all__ = ["Form", "to_svg", "tree_rules"]

Form = Literal["tree", "icicle"]

_CELL = 8.0
"""A character of a name at 13 px, in the widest of the fonts: 0.602 em, and a little room."""
_LETTER = 9.6
"""A character of the text at 16 px."""
_LINE = 17.0
_PAD = 9.0
_GAP = 12.0
_DROP = 26.0
"""From the bottom of a box to the top of those below."""
_TURN = 7.0
_MARGIN = 14.0
_LEAF = 40
"""Columns of a leaf; what is longer is cut in its middle."""
_BAR = 22.0
_WORDS = 900
_EMPTY = "ε"
_SPACE = "␣"
_AUTHORITY = "c-authority"
_EDGE = 'stroke="currentColor" stroke-width="1.5"'
_FILL = 'fill="currentColor" fill-opacity=".07" stroke="currentColor"'

_FONT = 'font-family="DejaVu Sans Mono, ui-monospace, Menlo, Consolas, monospace"'


def tree_rules() -> list[Rule]:
    """The rules of the style sheet, for whoever makes one for several drawings."""
    rules = [("", "color:$ink"), (".paper", "fill:$paper"), (".rest", "color:$blame")]
    return rules + [(f".c-{name}", f"color:${name}") for name in COMPONENTS]


def to_svg(
    found: Derivation, form: Form = "tree", *, styled: bool = True, notebook: bool = False
) -> str:
    """A derivation as one SVG element, to stand alone or within a page.

    ``tree`` has the rules as boxes and the text as leaves in one line below; ``icicle`` has each
    rule as a bar, as wide as what it derives, under the text. Components have their colours and
    classes (``c-host``). Without ``styled`` the colours are the page's: ``--ink``, ``--blame``,
    ``--c-host``; ``notebook`` is for themes of notebooks, too. Cost: O(nodes).

    >>> from uriproof.grammar.registry import load
    >>> from uriproof.grammar.derive.explain import explain
    >>> svg = to_svg(explain(load("rfc3986"), "host", "a.b"))
    >>> svg.startswith("<svg"), 'role="img"' in svg, "reg-name" in svg
    (True, True, True)
    """
    drawing = (_Tree if form == "tree" else _Icicle)(found, styled)
    body = list(drawing.body())
    wide, high = drawing.width, drawing.height
    text = escape(short(found.text, 60))
    state = "" if found.ok else ", which is not valid"
    title = f"Derivation of {text} as {escape(found.rule)}{state}"
    lines = [f"<title>{title}</title>"]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="derivation {form}" role="img"'
        f' aria-label="{title}" width="{wide:g}" height="{high:g}"'
        f' viewBox="0 0 {wide:g} {high:g}" color="{drawing.colour("ink")}" fill="none" {_FONT}>'
    )
    words = escape(cut(_spoken(drawing.top, found.text), _WORDS))
    lines.append(f"<desc>{words}</desc>")
    if styled:
        sheet = style_sheet(tree_rules(), "svg.derivation", notebook=notebook)
        # On paper of its own: colours for dark pages could not be read on a light one.
        paper = (
            f'<rect class="paper" width="100%" height="100%" rx="8" fill="{COLOURS["paper"][0]}"/>'
        )
        lines += [f"<style>{sheet}</style>", paper]
    return "\n".join([head, *lines, *body, "</svg>"])


def _spoken(box: Box, text: str) -> str:
    """The tree in words: each rule with what it consists of."""
    lines: list[str] = []
    waiting = [box]
    while waiting and sum(map(len, lines)) <= _WORDS:
        one = waiting.pop(0)
        if one.is_leaf:
            continue
        inner = [c.names[0] if c.names else f'"{short(text[c.start : c.end], 30)}"'
                 for c in one.children]  # fmt: skip
        made = ", ".join(inner) or (f'"{short(text[one.start : one.end], 30)}"')
        if one.start == one.end:
            made = "nothing"
        lines.append(f"{' is '.join(one.names)}: {made}.")
        waiting += one.children
    return " ".join(lines)


class _Drawing:
    """What both drawings have: the outline, words of each rule, the text that was not read."""

    width = 0.0
    height = 0.0

    def __init__(self, found: Derivation, styled: bool) -> None:
        self.found = found
        self.top = outline(found)
        self._styled = styled

    def colour(self, name: str) -> str:
        """A colour for renderers that read no style sheet, or the page's own."""
        if self._styled:
            return COLOURS[name][0]
        return f"var(--c-{name})" if name in COMPONENTS else f"var(--{name})"

    def group(self, kind: str, component: str) -> str:
        """The start of a group of a component's colour."""
        name = component.removeprefix("c-")
        colour = f' color="{self.colour(name)}"' if component else ""
        return f'<g class="{f"{kind} {component}".rstrip()}"{colour}>'

    def title(self, names: list[str]) -> str:
        """What is known of the rules of a box."""
        lines = []
        for name in names:
            rule = self.found.rules.get(name)
            words = [f" (section {rule.section})"] if rule and rule.section else [""]
            words += [f": {rule.gloss}"] if rule and rule.gloss else []
            lines.append(_shown(name) + "".join(words))
        return f"<title>{escape('; '.join(lines))}</title>"

    def leaf_words(self, start: int, end: int, more: int = 0) -> str:
        if more:
            return f"{ELLIPSIS}{more:,} more{ELLIPSIS}"
        text = self.found.text[start:end]
        if not text:
            return _EMPTY
        shown = _shown(text[: 4 * _LEAF])
        if len(text) <= 4 * _LEAF and width(shown) <= _LEAF:
            return shown
        half = _LEAF // 2 - 1
        return _shown(text[:half]) + ELLIPSIS + _shown(text[-half:])

    def rest(self) -> str:
        """What was not read, and why."""
        found = self.found
        return "" if found.ok else _shown(found.text[found.viable : found.viable + _LEAF])

    def wave(self, x: float, y: float, wide: float) -> str:
        count = max(int(wide // 6), 2)
        return (
            f'<path d="M{x:g} {y:g}{"q1.5 -3 3 0t3 0" + "t3 0t3 0" * (count - 1)}"'
            ' stroke="currentColor" stroke-width="1.6"/>'
        )

    def body(self) -> Iterator[str]:
        raise NotImplementedError


def _shown(text: str) -> str:
    """A text in its visible form; spaces, which would be lost in a drawing, as open boxes."""
    return visible(text).replace(" ", _SPACE)


def _class(names: list[str], around: str) -> str:
    """The component's class: of the innermost rule named after one, or that around the box."""
    for name in names:
        if around in ("", _AUTHORITY):  # which has components of its own
            around = component_class(name) or around
    return around


class _Tree(_Drawing):
    """Boxes centred over what is below them; leaves in one line at the bottom."""

    def body(self) -> Iterator[str]:
        self._centres: dict[int, float] = {}
        self._ys: dict[int, float] = {}
        self._deepest = 0.0
        self._down(self.top, _MARGIN)
        base = self._deepest + _DROP
        wide = self._spread(self.top, _MARGIN)
        self.width = wide + 2 * _MARGIN
        self.height = base + 40 + _MARGIN
        edges: list[str] = []
        boxes: list[str] = []
        waiting: list[tuple[Box, str]] = [(self.top, "")]
        while waiting:
            box, around = waiting.pop()
            component = _class(box.names, around)
            boxes.append(self._box(box, component, base))
            for child in self._below(box):
                edges.append(self._edge(box, child, base))
                waiting.append((child, component))
        yield f'<g opacity=".45">{"".join(edges)}</g>'  # as one, or crossings would be darker
        yield from boxes
        if not self.found.ok:
            yield from self._unread(base)

    def _below(self, box: Box) -> list[Box]:
        """The children of a box; for one without any, the leaf that stands for its text."""
        if not box.is_leaf and not box.children:
            box.children.append(Box([], box.start, box.end, box.whole, closed=box.closed))
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
            return width(self.leaf_words(box.start, box.end, box.more)) * _LETTER + 10
        return max(width(_shown(name)) for name in box.names) * _CELL + 2 * _PAD

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
            self.group("box", component),
            self.title(box.names),
            (
                f'<rect x="{x - wide / 2:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="7"'
                f' {_FILL} stroke-width="1.5"{dashed}/>'
            ),
        ]
        for number, name in enumerate(box.names):
            at = y + 5 + _LINE * (number + 0.5) + 4.5
            out.append(
                f'<text x="{x:g}" y="{at:g}" font-size="13" text-anchor="middle"'
                f' fill="currentColor">{escape(_shown(name))}</text>'
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
        return (
            self.group(kind, component)
            + f'<text x="{x:g}" y="{base + 18:g}" font-size="16" font-weight="{weight}"'
            f' text-anchor="middle" fill="currentColor" xml:space="preserve">{escape(words)}</text>'
            + ("" if empty or box.more else line)
            + f'<text class="note" x="{x:g}" y="{base + 38:g}" font-size="9.5"'
            f' text-anchor="middle" fill="currentColor" opacity=".75">{box.start}</text></g>'
        )

    def _unread(self, base: float) -> Iterator[str]:
        """The text that nothing derives, after the leaves, with a wave below and words."""
        found, rest = self.found, self.rest()
        x = self.width - _MARGIN + _GAP
        more = found.viable + _LEAF < len(found.text)
        shown = (rest + ELLIPSIS * more) or ELLIPSIS
        wide = width(shown) * _LETTER
        words = f"not read, from {found.viable}" if rest else "more must follow"
        room = max(wide, width(words) * 6.2)
        yield (
            f'<g class="rest" color="{self.colour("blame")}"><text x="{x:g}" y="{base + 18:g}"'
            f' font-size="16" font-weight="bold" fill="currentColor" xml:space="preserve">'
            f"{escape(shown)}</text>{self.wave(x, base + 25, wide)}"
            f'<text x="{x:g}" y="{base + 40:g}" font-size="10" fill="currentColor">'
            f"{words}</text></g>"
        )
        self.width = x + room + _MARGIN


class _Icicle(_Drawing):
    """The text in one line, and below each character the bars of the rules that derive it."""

    def body(self) -> Iterator[str]:
        found = self.found
        text = found.text[:_MOST_TEXT]
        self._columns = [c * _LETTER * 1.25 for c in columns(text)]
        self._end = len(text)
        self.width = self._columns[-1] + 2 * _MARGIN
        rows = 0
        out: list[str] = []
        waiting: list[tuple[Box, int, str]] = [(self.top, 0, "")]
        while waiting:
            box, row, around = waiting.pop()
            component = around
            for name in box.names:
                component = _class([name], component)
                out.append(self._bar(name, box, row, component))
                row += 1
            rows = max(rows, row)
            waiting += ((child, row, component) for child in box.children if not child.is_leaf)
        top = _MARGIN + 30
        self.height = top + rows * _BAR + _MARGIN
        yield from self._text(text)
        yield from out

    def _text(self, text: str) -> Iterator[str]:
        owners = self._owners()
        read = self.found.viable
        for offset, char in enumerate(text):
            component = owners.get(offset, "")
            shown = _shown(char)
            x = _MARGIN + (self._columns[offset] + self._columns[offset + 1]) / 2
            head = self.group("leaf", component) if offset < read else (
                f'<g class="rest" color="{self.colour("blame")}">')  # fmt: skip
            yield (
                f'{head}<text x="{x:g}" y="{_MARGIN + 16:g}" font-size="16" font-weight="bold"'
                f' text-anchor="middle" fill="currentColor" xml:space="preserve">{escape(shown)}'
                "</text></g>"
            )
        if not self.found.ok:
            x = _MARGIN + self._columns[min(read, self._end)]
            wide = max(self._columns[-1] - self._columns[min(read, self._end)], 12)
            yield (
                f'<g class="rest" color="{self.colour("blame")}">'
                f"{self.wave(x, _MARGIN + 24, wide)}</g>"
            )
            self.width = max(self.width, x + wide + _MARGIN)
        if len(self.found.text) > self._end:
            yield (
                f'<text class="note" x="{self.width - _MARGIN:g}" y="{_MARGIN + 16:g}"'
                f' font-size="16" fill="currentColor">{ELLIPSIS}</text>'
            )
            self.width += _MARGIN

    def _owners(self) -> dict[int, str]:
        """The component of each character."""
        owners: dict[int, str] = {}
        waiting: list[tuple[Box, str]] = [(self.top, "")]
        while waiting:
            box, around = waiting.pop()
            component = _class(box.names, around)
            if component:
                owners.update(dict.fromkeys(range(box.start, min(box.end, self._end)), component))
            waiting += ((child, component) for child in box.children)
        return owners

    def _bar(self, name: str, box: Box, row: int, component: str) -> str:
        start, end = (self._columns[min(at, self._end)] for at in (box.start, box.end))
        wide = max(end - start - 2, 3)
        x, y = _MARGIN + start + 1, _MARGIN + 30 + row * _BAR
        room = int((wide - 6) / 7.0)
        shown = _shown(name)
        label = shown if width(shown) <= room else cut(shown, room) if room >= 3 else ""  # noqa: PLR2004
        dashed = "" if box.whole else ' stroke-dasharray="5 3"'
        words = (
            f'<text x="{x + wide / 2:g}" y="{y + 14.5:g}" font-size="11.5" text-anchor="middle"'
            f' fill="currentColor">{escape(label)}</text>'
        )
        return (
            f"{self.group('box', component)}{self.title([name])}"
            f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{_BAR - 2:g}" rx="4"'
            f' {_FILL} stroke-width="1.2"{dashed}/>'
            f"{words if label else ''}</g>"
        )


_MOST_TEXT = 240
"""Characters that an icicle has room for."""
