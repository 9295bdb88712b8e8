"""``check``: what is wrong with a text, what to do about it, and what is doubtful in it."""

from __future__ import annotations

from typing import Any

from ...advice import GROUPS, rules
from ..fields import GENERIC, Fields, Refused

LONGEST = 100_000
LONGEST_UNTRACED = 5_000
"""Of a rule without a finite automaton, whose texts take longer to read."""

VIOLATIONS = 500
"""Violations that are explained; the rest are counted."""


def answer(fields: Fields) -> dict[str, Any]:
    """A text, and the rule that it is held to, in; its report out.

    ``scheme_rules`` and ``query`` are those of ``uriproof.check``.
    """
    grammar = fields.grammar()
    rule = fields.rule(grammar)
    traced = grammar.compiled.traceable(rule)
    text = fields.text("text", most=LONGEST if traced else LONGEST_UNTRACED)
    scheme_rules, query = fields.flag("scheme_rules"), fields.text("query", "") or None
    if scheme_rules and grammar.name != GENERIC:
        words = f"scheme rules are rules of URIs; take them with the grammar {GENERIC}"
        raise Refused("invalid-request", words)
    checked = grammar.check_many(
        [text], rule, query=query, scheme_rules=scheme_rules, max_violations=VIOLATIONS
    )
    report = next(checked)
    made = report.to_dict()
    known = {one.CODE: one for group in GROUPS for one in rules(group)} if report.advice else {}
    for advice in made["advice"]:
        about = known[advice["code"]]
        advice["title"], advice["why"] = about.TITLE, about.WHY
    return {"report": made}
