"""``rule``: all that is known of one rule."""

from __future__ import annotations

from typing import Any

from ..fields import Fields


def answer(fields: Fields) -> dict[str, Any]:
    """A rule in; its ABNF, words, neighbours, FIRST and FOLLOW sets, lengths and examples out."""
    from ...workbench.describe import describe

    grammar = fields.grammar()
    compiled, rule = grammar.compiled, fields.rule(grammar)
    made = describe(compiled, rule).to_dict()
    abnf = made.pop("text")
    return {
        "rule": {
            **made,
            "abnf": abnf,
            "cited": compiled.model.citation(compiled.rule(rule)),
            "regular": compiled.regular(rule),
        }
    }
