"""``steps``: a text read one character at a time, with what could stand at each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...api import Grammar
from ..fields import Fields, Refused

LONGEST = 100_000
WINDOW = 200
"""Offsets of one answer, at the most."""


def answer(fields: Fields) -> dict[str, Any]:
    """A text, a rule and a window ``from``, ``to`` in; the alternatives at each offset out.

    ``steps`` has one entry for each offset of the window, as far as the text is viable: the
    alternatives alive before that character, and what becomes of each.
    """
    grammar = fields.grammar()
    rule = fields.rule(grammar)
    text = fields.text("text", most=LONGEST)
    start = fields.number("from", 0, most=len(text))
    end = fields.number("to", min(start + WINDOW, len(text)), least=start, most=len(text))
    if end - start > WINDOW:
        raise Refused("invalid-request", f"from {start} to {end} is more than {WINDOW} characters")
    return {
        "grammar": grammar.name,
        "rule": rule,
        "text": text[start:end],
        "length": len(text),
        "from": start,
        "to": end,
        **_traced(grammar, rule, text, start, end),
    }


def _traced(grammar: Grammar, rule: str, text: str, start: int, end: int) -> dict[str, Any]:
    trace = grammar.compiled.trace(rule)
    automaton = trace.automaton
    rows, classes = automaton.rows, automaton.alphabet.encode(text)
    states = [0]
    for class_ in classes:
        state = rows[states[-1]][class_]
        if state < 0:
            break
        states.append(state)
    viable = len(states) - 1

    def alternatives(at: int) -> Iterator[dict[str, Any]]:
        class_ = classes[at] if at < len(text) else None
        for item in trace.items[states[at]]:
            fate = "open" if class_ is None else "taken" if class_ in item.classes else "failed"
            yield {"path": list(item.path), "word": item.word, "fate": fate}

    return {
        "ok": viable == len(text) and states[-1] in automaton.accepting,
        "viable": viable,
        "steps": [
            {
                "offset": at,
                "character": text[at] if at < len(text) else None,
                "accepts": states[at] in automaton.accepting,
                "alternatives": list(alternatives(at)),
            }
            for at in range(start, min(end, viable) + 1)
        ],
    }
