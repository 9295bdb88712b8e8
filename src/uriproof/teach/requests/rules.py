"""``rules``: the rules of a grammar, in its order."""

from __future__ import annotations

from typing import Any

from ..fields import Fields


def answer(fields: Fields) -> dict[str, Any]:
    """``grammar`` or ``abnf`` in; its name, its start rule and its rules out."""
    grammar = fields.grammar()
    model = grammar.compiled.model
    return {
        "grammar": grammar.name,
        "start": grammar.start,
        "rules": [
            {
                "name": name,
                "abnf": rule.text,
                "section": rule.section,
                "gloss": rule.gloss,
                "grammar": rule.grammar,
                "component": model.components.get(name),
            }
            for name, rule in model.rules.items()
        ],
    }
