"""``check``: what is wrong with a text, what to do about it, and what is doubtful in it."""

from __future__ import annotations

from typing import Any

from ...advice import GROUPS, rules
from ..beginner import beginner
from ..fields import GENERIC, Fields, Refused

LONGEST = 100_000
LONGEST_UNTRACED = 5_000
"""Of a rule without a finite automaton, whose texts take longer to read."""

VIOLATIONS = 500
"""Violations that are explained; the rest are counted."""


def answer(fields: Fields) -> dict[str, Any]:
    """A text, and the rule that it is held to, in; its report out.

    ``scheme_rules`` and ``query`` are those of ``uriproof.check``. The report has asterisks for a
    password, as many as it has characters; its fixes are those of the text itself.
    """
    grammar = fields.grammar()
    rule = fields.rule(grammar)
    traced = grammar.compiled.traceable(rule)
    text = fields.text("text", most=LONGEST if traced else LONGEST_UNTRACED)
    scheme_rules, query = fields.flag("scheme_rules"), fields.text("query", "") or None
    if scheme_rules and grammar.name != GENERIC:
        words = f"scheme_rules are rules of URIs: they need the grammar {GENERIC}"
        raise Refused("invalid-request", words)
    checked = grammar.check_many(
        [text], rule, query=query, scheme_rules=scheme_rules, max_violations=VIOLATIONS
    )
    report = next(checked)
    made = report.to_dict()
    masked = report.masked()
    for record, shown, own in zip(
        made["violations"], masked.violations, report.violations, strict=True
    ):
        record["beginner"] = beginner(shown, masked)
        record["fix"] = own.fix and own.fix._asdict()
    for record in made["advice"]:
        record.update(_about(record["code"]))
    return {"report": {**made, "fixed": report.fixed}}


def _about(code: str) -> dict[str, str]:
    """The title of an advice rule, and its reason."""
    known = {rule.code: rule for group in GROUPS for rule in rules(group)}
    return {"title": known[code].title, "why": known[code].why}
