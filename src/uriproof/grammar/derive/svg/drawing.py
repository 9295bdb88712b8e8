"""The parts of a drawing: sizes, colors, and words of a derivation.

Owns these. Imports the outline and the palette. Invariant: all text is escaped and visible.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from ....text.columns import ELLIPSIS, width
from ....text.drawing import visible
from ....text.palette import COLORS, component_class, variable
from .outline import outline

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


class Drawing:
    """What a drawing is made of: the outline, words of each rule, colors."""

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
        raise NotImplementedError


def seen(text: str) -> str:
    """A text in its visible form; spaces, which would be lost in a drawing, as open boxes."""
    return visible(text).replace(" ", SPACE)


def component_of(names: list[str], around: str) -> str:
    """The component's class: of the innermost rule named after one, or that around the box."""
    for name in names:
        if around in ("", AUTHORITY):  # which has components of its own
            around = component_class(name) or around
    return around
