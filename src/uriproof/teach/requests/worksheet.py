"""``worksheet``: questions about rules, and their key, as data."""

from __future__ import annotations

from typing import Any

from ..fields import Fields, Refused


def answer(fields: Fields) -> dict[str, Any]:
    """``rules``, ``count``, ``seed`` and ``level`` in; the sheet out, the same for the same.

    ``rules`` is a list of names; without any, the grammar's start rule is asked about.
    """
    from ..worksheet import COUNT, GREATEST, MOST, worksheet

    grammar = fields.grammar()
    rules = fields.value("rules") or []
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise Refused("invalid-request", "rules must be a list of names")
    count = fields.number("count", COUNT, least=1, most=MOST)
    seed = fields.number("seed", 1, most=GREATEST)
    level = fields.choice("level", ("beginner", "rfc"), "beginner")
    try:
        sheet = worksheet(
            grammar, rules, count=count, seed=seed, level="rfc" if level == "rfc" else "beginner"
        )
    except ValueError as error:
        raise Refused("invalid-request", str(error)) from error
    return sheet.to_dict()
