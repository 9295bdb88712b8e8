"""Railroad diagrams of rules: SVG for a page, characters for a terminal, one layout for both.

Owns the two public drawings. Imports the model and its own modules. Invariant: an element has the
same id in every drawing: the rule's name and the positions, from 0, that lead to it
(``host.0.1``). A rail has the id of the element that it leads to; one out of an element that with
``:out``, and a repetition's that with ``:skip`` (no round at all) or ``:again`` (one more round).
"""

from __future__ import annotations

from pathlib import Path

from ...grammar.model import Model
from .plan import plan

WIDTH = 120
"""Columns of a diagram in SVG by default; a column is 8 pixels there."""

NARROWEST = 24
"""Columns that a diagram can need even if fewer are available."""


def to_railroad_svg(
    model: Model,
    rule: str,
    *,
    width: int = WIDTH,
    links: bool = True,
    styled: bool = True,
) -> str:
    """The railroad diagram of a rule as one SVG element, self-contained or for a page.

    Each box and rail has an ``id`` (``node-`` and its place, unique within the diagram) and, as
    ``data-node``, the id of its element. References link to ``#rule-NAME`` unless ``links`` is
    false. ``styled`` false leaves the style sheet (``style``) to the page.

    Errors: KeyError for a rule in another spelling than its own. Cost: bounded; for a rule that is
    too large, a box says how much is not shown. Spec: RFC 5234 §3, the meaning of the elements; RFC
    3986 §3.2.2, the first alternative that fits is meant: it is on the straight line.

    >>> from uriproof.grammar.registry import load
    >>> svg = to_railroad_svg(load("rfc3986").model, "host")
    >>> 'data-node="host.2"' in svg, '<a href="#rule-reg-name">' in svg
    (True, True)
    """
    from .svg import draw_svg
    from .track import lay_out

    diagram = lay_out(plan(model, rule), max(width, NARROWEST))
    return draw_svg(diagram, model.rules[rule], links, style() if styled else "")


def style() -> str:
    """The style sheet of the diagrams, for a page that holds many; light and dark."""
    # It sets no size of the drawing: CairoSVG takes a height of ``auto`` for none at all.
    return Path(__file__).with_name("diagram.css").read_text(encoding="utf-8")


def to_railroad_text(
    model: Model, rule: str, width: int = 80, *, ascii_only: bool = False
) -> list[str]:
    """The railroad diagram of a rule as lines of at most ``width`` columns (at least 24).

    A letter ``i`` after a quoted text says that case is ignored. Parts that are too wide continue
    below, and parts nested too deeply for the width are a box with their ABNF.

    Errors and cost: as ``to_railroad_svg``.

    >>> from uriproof.grammar.registry import load
    >>> print("\\n".join(to_railroad_text(load("rfc3986").model, "host")))
    ├───┬─ IP-literal ──┬───┤
        ├─ IPv4address ─┤
        ╰─ reg-name ────╯
    """
    from .text import draw_text
    from .track import lay_out

    arrow = "<" if ascii_only else "◀"
    diagram = lay_out(plan(model, rule, ascii_only), max(width, NARROWEST), arrow)
    return draw_text(diagram, ascii_only)
