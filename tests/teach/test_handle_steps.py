"""The stepper: what is alive before each character, and what fails there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from tables import beside
from tiers import FEW_GRAMMARS, quick
from walked import texts

from uriproof import Grammar
from uriproof.grammar import registry
from uriproof.grammar.derive.steps import Step, steps
from uriproof.grammar.machine.automaton import DEAD
from uriproof.teach import handle

pytestmark = pytest.mark.prove


def stepped(text: str, rule: str = "URI-reference", grammar: str = "rfc3986") -> tuple[Step, ...]:
    return steps(registry.load(grammar), rule, text, 0, len(text)).steps


def failing(text: str, rule: str) -> list[tuple[int, str, int]]:
    """Offsets at which productions fail of which something was read, and where they began."""
    found = [(s.offset, f.path[-1], f.start) for s in stepped(text, rule) for f in s.failed]
    return [(offset, name, start) for offset, name, start in found if start < offset]


@pytest.mark.parametrize(("rule", "text", "expected"), beside(__file__, "failing"))
def test_where_a_production_fails(rule: str, text: str, expected: list[list[Any]]) -> None:
    assert failing(text, rule) == [tuple(one) for one in expected]


def named(elements: Iterable[Any]) -> set[tuple[tuple[str, ...], str]]:
    return {(one.path, one.word) for one in elements}


@pytest.mark.parametrize("name", quick(registry.names(), among=FEW_GRAMMARS))
def test_the_alternatives_are_those_of_the_trace(name: str) -> None:
    """Two ways to know them: a stack of readings, and an automaton that remembers paths."""
    grammar = Grammar.load(name)
    compiled = grammar.compiled
    compared = 0
    for rule in filter(compiled.regular, compiled.model.starts):
        trace = compiled.trace(rule)
        for text in texts(compiled, rule, 12, seed=3):
            state = 0
            classes = trace.automaton.alphabet.encode(text)
            found = steps(compiled, rule, text, 0, len(text))
            for step in found.steps:
                items = trace.items[state]
                assert named(step.alternatives) == named(items)
                assert step.accepted == (state in trace.automaton.accepting)
                compared += 1
                if step.offset == len(text):
                    assert {a.fate for a in step.alternatives} <= {"open"}
                    break
                class_ = classes[step.offset]
                taken = (a for a in step.alternatives if a.fate == "taken")
                assert named(taken) == named(i for i in items if class_ in i.classes)
                state = trace.automaton.rows[state][class_]
            assert (state == DEAD) == (found.viable < len(text))
            assert found.ok == grammar[rule].is_valid(text)
    assert compared or not any(map(compiled.regular, compiled.model.starts))


@pytest.mark.parametrize("text", ["[1,{}]", '{"a":[true]}', "[[[", "[1,}", ""])
def test_a_rule_that_is_not_regular_is_stepped_through_too(text: str) -> None:
    grammar = Grammar.load("rfc8259")
    found = steps(grammar.compiled, "JSON-text", text, 0, len(text))
    assert found.ok == grammar.rule().is_valid(text)
    assert len(found.steps) == found.viable + 1
    for step in found.steps[:-1]:
        assert "taken" in {a.fate for a in step.alternatives}
    assert {a.fate for a in found.steps[-1].alternatives} == {
        "open" if found.viable == len(text) else "failed"
    }


def test_a_window_shows_what_the_whole_shows() -> None:
    text = "http://user@h:80/a/b?c=d#e f"
    whole = stepped(text)
    for start in range(len(text)):
        window = steps(registry.load("rfc3986"), "URI-reference", text, start, start + 3).steps
        assert window == whole[start : start + 4]


def test_the_request_is_bounded() -> None:
    long = "http://h/" + "a" * 500
    answer: dict[str, Any] = handle({"do": "steps", "text": long, "from": 300})
    assert (answer["from"], answer["to"], answer["viable"]) == (300, 400, len(long))
    assert [s["offset"] for s in answer["steps"]] == list(range(300, 401))
    wide = handle({"do": "steps", "text": long, "from": 0, "to": 101})
    assert wide["error"]["message"] == "from 0 to 101 is more than 100 characters"
    assert handle({"do": "steps", "text": "a" * 2_001})["error"]["code"] == "too-long"


def test_left_recursion_and_rules_that_read_nothing() -> None:
    own = registry.compile_abnf('s = s "a" / t "b"\nt = *"c" / ""\n')
    found = steps(own, "s", "ccbaa", 0, 5)
    assert found.ok
    assert [{a.word for a in s.alternatives if a.fate == "taken"} for s in found.steps] == [
        {'"c"'},
        {'"c"'},
        {'"b"'},
        {'"a"'},
        {'"a"'},
        set(),
    ]
