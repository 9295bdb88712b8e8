"""``tree``: the derivation of a text as a drawing, to show and to download."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..drawing import drawn
from ..fields import Fields

if TYPE_CHECKING:
    from ...grammar.derive.svg import Form

LONGEST = 5_000


def answer(fields: Fields) -> dict[str, Any]:
    """A text and a rule in; ``drawing`` for a page of its own colours, ``svg`` to stand alone out.

    ``form`` is "tree", with the text as its leaves, or "icicle", with bars below the text.
    """
    from ...grammar.derive.svg import to_svg
    from ...grammars import explain

    grammar = fields.grammar()
    text = fields.text("text", most=LONGEST)
    icicle = fields.choice("form", ("tree", "icicle"), "tree") == "icicle"
    found = explain(text, fields.rule(grammar), grammar)
    form: Form = "icicle" if icicle else "tree"
    picture = to_svg(found, form, styled=False)
    return {"ok": found.ok, "drawing": drawn(picture), "svg": to_svg(found, form)}
