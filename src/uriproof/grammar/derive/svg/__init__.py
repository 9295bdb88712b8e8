"""A derivation as SVG: a tree with the text as its leaves.

Owns the drawing as a whole. Imports the outline and the palette. Invariant: a drawing is
self-contained, loads nothing, is of bounded size, and says everything in words; all text is
escaped.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ....text.columns import cut
from ....text.drawing import short
from ....text.palette import COLORS, COMPONENTS, Rule, style_sheet
from .outline import Box
from .tree import Tree

if TYPE_CHECKING:
    from ..explain import Derivation

__all__ = ["to_svg"]

_WORDS = 900
_FONT = 'font-family="DejaVu Sans Mono, ui-monospace, Menlo, Consolas, monospace"'


def to_svg(found: Derivation, *, styled: bool = True) -> str:
    """A derivation as one SVG element, self-contained or for a page.

    The rules are boxes, and the text is leaves in one line below. Components have their colors and
    classes (``c-host``), errors and what is missing ``c-blame``. Without ``styled`` the colors are
    the page's: ``--ink``, ``--blame``, ``--c-host``. Cost: O(nodes).

    >>> from uriproof.grammar.registry import load
    >>> from uriproof.grammar.derive.broken import explain
    >>> svg = to_svg(explain(load("rfc3986"), "host", "a.b"))
    >>> svg.startswith("<svg"), 'role="img"' in svg, "reg-name" in svg
    (True, True, True)
    """
    drawing = Tree(found, styled)
    body = list(drawing.body())
    wide, high = drawing.width, drawing.height
    text = escape(short(found.text, 60))
    state = "" if found.ok else ", which is not valid"
    title = f"Derivation of {text} as {escape(found.rule)}{state}"
    lines = [f"<title>{title}</title>"]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="derivation tree" role="img"'
        f' aria-label="{title}" width="{wide:g}" height="{high:g}"'
        f' viewBox="0 0 {wide:g} {high:g}" color="{drawing.color("ink")}" fill="none" {_FONT}>'
    )
    words = escape(cut(_spoken(drawing.top, found.text), _WORDS))
    lines.append(f"<desc>{words}</desc>")
    if styled:
        sheet = style_sheet(_rules(), "svg.derivation")
        # On paper of its own: colors for dark pages could not be read on a light one.
        paper = (
            f'<rect class="paper" width="100%" height="100%" rx="8" fill="{COLORS["paper"][0]}"/>'
        )
        lines += [f"<style>{sheet}</style>", paper]
    return "\n".join([head, *lines, *body, "</svg>"])


def _rules() -> list[Rule]:
    """The rules of the style sheet of a self-contained drawing."""
    rules = [("", "color:$ink"), (".paper", "fill:$paper"), (".c-blame", "color:$blame")]
    return rules + [(f".c-{name}", f"color:${name}") for name in COMPONENTS]


def _spoken(box: Box, text: str) -> str:
    """The tree in words: each rule with its parts."""
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
