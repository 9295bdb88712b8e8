"""The conformance suite: its shape, its answers, and the proof that no transition is left out.

Owns the checks of ``conformance/suite``. Reads the files as another program would, and asks the
automata, and the matcher of the ``abnf`` package, which has no code in common with them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import uriproof
from uriproof.grammar import registry
from uriproof.grammar.machine.automaton import Automaton

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from conformance import suite  # noqa: E402 -- after the path is set

pytestmark = pytest.mark.prove

GRAMMARS = ("rfc3986", "rfc3987", "rfc6874")
MOST_OCTETS = 2_000_000
TOPICS = suite.topics()
CASES = [case for cases in TOPICS.values() for case in cases]


def productions(grammar: str) -> dict[str, list[dict[str, Any]]]:
    text = (suite.SUITE / "transitions" / f"{grammar}.json").read_text("utf-8")
    return {found["name"]: found["states"] for found in json.loads(text)["productions"]}


def test_the_suite_is_small_and_every_file_has_the_shape_of_the_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((suite.SUITE / "schema.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    texts = [
        path.read_bytes() for path in suite.SUITE.rglob("*.json") if path.name != "schema.json"
    ]
    assert [e.message for text in texts for e in validator.iter_errors(json.loads(text))] == []
    assert sum(map(len, texts)) < MOST_OCTETS


def test_every_text_is_in_one_topic_and_every_name_is_unique() -> None:
    for key in ("name", "text"):
        values = [case[key] for case in CASES if not case["name"].startswith("characters/")]
        assert len(set(values)) == len(values)


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_every_transition_of_every_production_is_there(grammar: str) -> None:
    compiled = registry.load(grammar)
    found = productions(grammar)
    assert set(found) == set(compiled.model.rules)
    for rule, states in found.items():
        automaton = compiled.automaton(rule)
        assert _covered(automaton, states) == _all_moves(automaton), rule


def _all_moves(automaton: Automaton) -> set[tuple[int, tuple[int, ...]]]:
    """Each state with each column of the table: classes that every state treats alike are one."""
    columns = set(zip(*automaton.rows, strict=True))
    return {(state, column) for state in range(len(automaton.rows)) for column in columns}


def _covered(
    automaton: Automaton, states: list[dict[str, Any]]
) -> set[tuple[int, tuple[int, ...]]]:
    """The moves that the texts make; each text has the verdict of the automaton."""
    columns = list(zip(*automaton.rows, strict=True))
    covered = set()
    for found in states:
        state = 0
        for class_ in automaton.alphabet.encode(found["prefix"]):
            state = automaton.rows[state][class_]
        assert found["ends"] == (state in automaton.accepting)
        follows = [(char, char + rest, True) for char, rest in found["goes"]]
        follows += [(char, char, False) for _, chars in found["stops"] for char in chars]
        for char, rest, valid in follows:
            assert automaton.accepts(found["prefix"] + rest) == valid
            covered.add((state, columns[automaton.alphabet.of(char)]))
    return covered


def test_the_offsets_of_transitions_are_those_of_the_first_violation() -> None:
    for state in productions("rfc3986")["URI-reference"][::7]:
        for offset, chars in state["stops"]:
            text = state["prefix"] + chars[0]
            assert uriproof.check(text, "URI-reference").violations[0].start == offset


def test_a_normal_form_is_its_own_and_blame_lies_in_the_text() -> None:
    for case in CASES:
        if "normal" in case:
            assert uriproof.normalize(case["normal"], "path-segment") == case["normal"]
        for rows in case["blame"].values():
            assert all(0 <= start <= end <= len(case["text"]) for start, end, *_ in rows)
