"""``tables``: what the page walks to give the verdict while a text is typed."""

from __future__ import annotations

from typing import Any

from ...grammar.errors import GrammarLimit
from ..fields import Fields
from ..tables import tables


def answer(fields: Fields) -> dict[str, Any]:
    """``grammar`` or ``abnf``, and ``rule`` in; the tables out, or why there are none."""
    grammar = fields.grammar()
    rule = fields.rule(grammar)
    try:
        return tables(grammar.compiled, rule)
    except GrammarLimit as error:
        return {"grammar": grammar.name, "rule": rule, "walkable": False, "why": str(error)}
