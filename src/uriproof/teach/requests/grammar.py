"""``grammar``: a grammar as text to edit, and what is wrong or doubtful in it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..fields import Fields, fault_record, read

if TYPE_CHECKING:
    from ...grammar.errors import Fault
    from ...workbench.abnf.lint import Remark

FILE = "own.abnf"


def answer(fields: Fields) -> dict[str, Any]:
    """One's own ``abnf``, or the name of a bundled ``grammar``, in; its text and rules out.

    ``faults`` make rules unusable, ``diagnostics`` are doubtful; with ``lint`` false neither is
    looked for, which takes most of the time. A text of which no rule can be used has the error
    ``invalid-grammar``.
    """
    from ...workbench.abnf.write import to_abnf

    grammar = fields.grammar()
    lint = fields.flag("lint", True)
    own = fields.value("abnf") is not None
    text = fields.text("abnf") if own else to_abnf(grammar.compiled.model)
    model = read(text).compiled.model  # its lines are those of this text
    faults, remarks = _linted(text) if lint else ((), ())
    return {
        "grammar": grammar.name,
        "abnf": text,
        "start": model.meant or model.starts[0],
        "rules": [
            {
                "name": name,
                "line": rule.line if rule.grammar == model.name else None,
                "grammar": grammar.name if rule.grammar == model.name else rule.grammar,
                "regular": grammar.compiled.regular(name),
            }
            for name, rule in model.rules.items()
        ],
        "unusable": list(model.unusable),
        "faults": [fault_record(fault) for fault in faults],
        "diagnostics": [_record(remark) for remark in remarks],
    }


@lru_cache(maxsize=8)
def _linted(text: str) -> tuple[tuple[Fault, ...], tuple[Remark, ...]]:
    from ...grammar import registry
    from ...workbench.abnf.lint import lint_abnf

    model = read(text).compiled.model
    return lint_abnf(
        text, name=model.name, file=FILE, resolve=lambda name: registry.load(name).model
    )


def _record(remark: Remark) -> dict[str, Any]:
    return {
        "line": remark.line,
        "column": remark.column,
        "length": remark.length,
        "code": remark.code,
        "message": remark.message,
        "witness": remark.witness,
    }
