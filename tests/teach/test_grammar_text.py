"""The text that an editor starts from is the grammar that it is of."""

from __future__ import annotations

from typing import Any

import pytest
from tiers import FEW_GRAMMARS, quick

from uriproof.grammar.model import Model
from uriproof.grammar.registry import names
from uriproof.rule import Grammar
from uriproof.teach import handle

pytestmark = pytest.mark.prove


def known(model: Model) -> dict[str, Any]:
    """All that a model holds but the places of its rules."""
    kept = model._asdict()
    for key in ("name", "cites", "unusable", "meant"):
        del kept[key]
    kept["rules"] = {
        (
            rule._replace(grammar="", file="", line=0, section=""),
            rule.section.strip("-"),
            model.citation(rule),
            None if rule.grammar == model.name else rule.grammar,
        )
        for rule in model.rules.values()
    }
    kept["own"] = [name for name, rule in model.rules.items() if rule.grammar == model.name]
    return kept


@pytest.mark.parametrize("name", quick(names(), among=FEW_GRAMMARS))
def test_the_text_to_edit_gives_the_same_grammar(name: str) -> None:
    answer = handle({"do": "grammar", "grammar": name, "lint": False})
    model = Grammar.from_abnf(answer["abnf"]).compiled.model
    bundled = Grammar.load(name).compiled.model
    assert not model.unusable
    assert known(model) == known(bundled)
    assert answer["diagnostics"] == answer["faults"] == []
    lines = answer["abnf"].split("\n")
    for rule in answer["rules"]:
        assert rule["line"] is None or lines[rule["line"] - 1].startswith(rule["name"])
        assert rule["grammar"] == bundled.rules[rule["name"]].grammar
