"""``railroad``: the railroad diagram of a rule, as data to build elements of."""

from __future__ import annotations

from typing import Any

from ..drawing import drawn
from ..fields import Fields

DEEPEST = 8
WIDEST = 1_000


def answer(fields: Fields) -> dict[str, Any]:
    """A rule, how many levels of references to draw in place, and how wide, in; a drawing out."""
    from ...workbench.railroad import NARROWEST, WIDTH, to_railroad_svg

    grammar = fields.grammar()
    rule = fields.rule(grammar)
    depth = fields.number("depth", 0, most=DEEPEST)
    width = fields.number("width", WIDTH, least=NARROWEST, most=WIDEST)
    model = grammar.compiled.model
    svg = to_railroad_svg(model, rule, depth, width=width, styled=False)
    return {"rule": rule, "abnf": model.rules[rule].text, "drawing": drawn(svg)}
