"""``grammar``: a grammar as text to edit, and what is wrong or doubtful in it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..fields import Fields, fault_record

if TYPE_CHECKING:
    from ...grammar.model import Model
    from ...workbench.abnf.lint import Remark

OWN = "own.abnf"


def answer(fields: Fields) -> dict[str, Any]:
    """One's own ``abnf``, or the name of a bundled ``grammar``, in; its text and rules out.

    ``faults`` make rules unusable, ``diagnostics`` are doubtful. A text of which no rule can be
    used has the error ``invalid-grammar``.
    """
    from ...grammar import registry
    from ...workbench.abnf.lint import lint_abnf

    grammar = fields.grammar()
    compiled = grammar.compiled
    model = compiled.model
    own = fields.value("abnf") is not None
    text = fields.text("abnf") if own else _text(model)
    faults, remarks = lint_abnf(
        text,
        name=model.name,
        file=OWN,
        resolve=lambda name: registry.load(name).model,
    )
    return {
        "grammar": grammar.name,
        "abnf": text,
        "start": model.meant or model.starts[0],
        "rules": [
            {
                "name": name,
                "line": rule.line if rule.grammar == model.name else None,
                "grammar": rule.grammar,
                "regular": compiled.regular(name),
            }
            for name, rule in model.rules.items()
        ],
        "unusable": list(model.unusable),
        "faults": [fault_record(fault) for fault in faults],
        "diagnostics": [_record(remark) for remark in remarks],
    }


def _record(remark: Remark) -> dict[str, Any]:
    return {
        "line": remark.line,
        "column": remark.column,
        "length": remark.length,
        "code": remark.code,
        "message": remark.message,
        "witness": remark.witness,
    }


def _text(model: Model) -> str:
    """A bundled grammar as a text by itself: its own rules, the rest by its imports."""
    others = dict.fromkeys(rule.grammar for rule in model.rules.values())
    header = [f"; imports: {' '.join([model.name, *(n for n in others if n != model.name)])}"]
    header.append(f"; starts: {' '.join(model.starts)}")
    if model.split:
        header.append(f"; split: {model.split}")
    own = [rule for rule in model.rules.values() if rule.grammar == model.name]
    blocks = groupby(own, key=lambda rule: rule.section)
    rules = ("\n".join(rule.text for rule in block) for _, block in blocks)
    return "\n".join(header) + "\n\n" + "\n\n".join(rules) + "\n"
