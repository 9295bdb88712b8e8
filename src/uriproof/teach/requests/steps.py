"""``steps``: a text read one character at a time, with what could stand at each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..fields import Fields, Refused

if TYPE_CHECKING:
    from ...grammar.derive.steps import Step

LONGEST = 2_000
WINDOW = 100
"""Characters of one answer, at the most."""


def answer(fields: Fields) -> dict[str, Any]:
    """A text, a rule and a window ``from``, ``to`` in; the alternatives at each offset out.

    ``steps`` has one entry for each offset of the window, both ends included, as far as the text
    is viable: the alternatives alive before that character, what becomes of each with it, and the
    productions that fail there.
    """
    from ...grammar.derive.steps import steps

    grammar = fields.grammar()
    rule = fields.rule(grammar)
    text = fields.text("text", most=LONGEST)
    start = fields.number("from", 0, most=len(text))
    end = fields.number("to", min(start + WINDOW, len(text)), least=start, most=len(text))
    if end - start > WINDOW:
        words = f"from {start:,} to {end:,} is more than {WINDOW} characters"
        raise Refused("invalid-request", words)
    found = steps(grammar.compiled, rule, text, start, end)
    return {
        "grammar": grammar.name,
        "rule": rule,
        "length": len(text),
        "from": start,
        "to": end,
        "ok": found.ok,
        "viable": found.viable,
        "steps": [_record(step, text) for step in found.steps],
    }


def _record(step: Step, text: str) -> dict[str, Any]:
    return {
        "offset": step.offset,
        "character": text[step.offset : step.offset + 1] or None,
        "accepted": step.accepted,
        "alternatives": [
            {"path": list(one.path), "word": one.word, "inside": one.inside, "fate": one.fate}
            for one in step.alternatives
        ],
        "more": step.more,
        "failed": [{"path": list(one.path), "start": one.start} for one in step.failed],
    }
