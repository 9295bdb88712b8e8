"""``tree``: the derivation of a text as a drawing, to show and to download."""

from __future__ import annotations

from typing import Any

from ..drawing import drawn
from ..fields import Fields, Refused

LONGEST = 5_000


def answer(fields: Fields) -> dict[str, Any]:
    """A text and a rule in; ``drawing`` for a page of its own colours, ``svg`` to stand alone out.

    ``form`` is "tree", with the text as its leaves, or "icicle", with bars below the text.
    """
    from ...grammar.derive.to_svg import to_svg
    from ...workbench.api import explain

    grammar = fields.grammar()
    text = fields.text("text")
    form = fields.choice("form", ("tree", "icicle"), "tree")
    if len(text) > LONGEST:
        words = f"text has {len(text):,} characters; at most {LONGEST:,} are drawn"
        raise Refused("too-long", words)
    found = explain(text, fields.rule(grammar), grammar)
    picture = to_svg(found, "icicle" if form == "icicle" else "tree", styled=False)
    svg = to_svg(found, "icicle" if form == "icicle" else "tree")
    return {"ok": found.ok, "drawing": drawn(picture), "svg": svg}
