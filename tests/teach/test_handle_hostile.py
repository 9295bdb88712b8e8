"""Any JSON value gets an answer, of bounded work and size; nothing is raised."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uriproof.grammar.registry import compile_abnf
from uriproof.grammar.work import TooMuchWork, at_most, spend
from uriproof.teach import handle
from uriproof.teach.handle import REQUESTS

pytestmark = pytest.mark.prove

KEYS = ("text", "rule", "grammar", "abnf", "a", "b", "abnf_a", "from", "to", "width", "seed")

words = st.sampled_from(["rfc3986", "URI", "<script>", "\ud800", "\x00", "re:(", "rfc3986:", ":"])
texts = words | st.text(st.characters(codec=None), max_size=20)
scalars = texts | st.none() | st.booleans() | st.integers() | st.floats()
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def answered(request: Any) -> dict[str, Any]:
    """The answer, which must be JSON of ASCII, and at most as large as the docs say."""
    answer = handle(request)
    words = json.dumps(answer)
    assert words.isascii()
    assert len(words) <= 4_000_000
    return answer


@given(values)
def test_any_value_is_answered(value: Any) -> None:
    assert "error" in answered(value)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.sampled_from(sorted(REQUESTS)),
    st.dictionaries(st.sampled_from([*KEYS, "nonsense", ""]), scalars | values, max_size=4),
)
def test_any_fields_are_answered(do: str, fields: dict[str, Any]) -> None:
    assert answered({**fields, "do": do})["do"] == do


def test_a_value_nested_deeply_is_answered() -> None:
    deep: Any = []
    for _ in range(50_000):
        deep = [deep]
    assert handle({"do": "check", "text": deep})["error"]["code"] == "invalid-request"
    assert handle(deep)["error"]["code"] == "invalid-request"


TEXTS = {
    "100 kB": "http://h/" + "a" * 99_991,
    "all blamed": "http://h/" + "a b" * 6_000,
    "percent signs": "%" * 20_000,
    "lone surrogates": "http://h/\ud800\udfff" * 5,
    "controls": "\x00\n\r\u202e\ufeff",
    "colons": ":" * 2_000,
    "brackets": "http://[" + "[" * 1_900,
}


@pytest.mark.parametrize("key", TEXTS)
@pytest.mark.parametrize("do", ["check", "explain", "steps"])
def test_a_hostile_text_is_answered(key: str, do: str) -> None:
    answer = answered({"do": do, "text": TEXTS[key]})
    if do == "check":
        assert answer["report"]["text"] == TEXTS[key]
    elif len(TEXTS[key]) <= 2_000:
        assert "error" not in answer
    else:
        assert answer["error"]["code"] == "too-long"


GRAMMARS = {
    "5,000 rules": "\n".join(f'r{i} = "a" / r{i + 1}' for i in range(5_000)) + '\nr5000 = "a"\n',
    "exponential": "s = *(%x61/%x62) %x61 " + "20(%x61/%x62)",
    "left recursion": 's = s "a" / "b"',
    "mutual left recursion": 'a = b "x" / "1"\nb = a "y" / "2"',
    "without an end": "s = s",
    "a cycle of nothing": 's = t\nt = s / "a"',
    "very ambiguous": 's = s s / "a"',
    "nested": "s = " + "( " * 150 + '"x"' + ' / "y" )' * 150,
    "2,000 brackets": "s = " + "(" * 2_000 + '"a"' + ")" * 2_000,
    "a long repetition": 's = 100000"a"',
    "repetitions of repetitions": 's = 1000(1000(1000"a"))',
    "counted loops": 's = 0*9999( 1*9999"a" )',
    "loops in a row": 's = 300(*"a") "b"',
    "faults": "= \n" * 10_000,
    "a long literal": f's = "{"x" * 30_000}"',
    "every character": "s = *%x0-10FFFF",
    "undefined": 's = t\nu = "a"',
}

# What is hard for a request beyond reading a grammar, which tests/test_hostile_grammars.py tries.
HARD: dict[str, tuple[str, ...]] = {
    "check": ("5,000 rules", "exponential", "without an end", "nested", "loops in a row"),
    "explain": ("left recursion", "mutual left recursion", "very ambiguous", "a cycle of nothing"),
    "steps": ("counted loops", "loops in a row", "repetitions of repetitions", "every character"),
    "railroad": ("nested", "2,000 brackets", "5,000 rules", "a long literal", "a long repetition"),
    "sample": ("without an end", "exponential", "counted loops", "very ambiguous"),
    "compare": ("exponential", "a long repetition", "counted loops", "left recursion"),
    "grammar": ("faults", "5,000 rules", "very ambiguous", "undefined"),
    "rules": ("faults", "5,000 rules", "undefined"),
}


@pytest.mark.parametrize(("do", "key"), [(do, key) for do, keys in HARD.items() for key in keys])
def test_a_hostile_grammar_is_answered(do: str, key: str) -> None:
    fields = {"text": "ab" * 20, "a": "s", "b": "re:a*"}
    for more in ({}, {"kind": "near-miss"}, {"least": 400}) if do == "sample" else ({},):
        answered({"do": do, "abnf": GRAMMARS[key], **fields, **more})


CHAIN = "s = *r0\n" + "\n".join(f"r{i} = r{i + 1}" for i in range(800)) + '\nr800 = "a"\n'
LONG = '"' + "b" * 900 + '" '
WIDE = f's = *t\nt = "a" [ {LONG * 20}] / "c"\n'


@pytest.mark.parametrize("do", ["explain", "tree", "steps", "check", "railroad"])
@pytest.mark.parametrize("abnf", [WIDE, CHAIN])
def test_no_answer_is_larger_than_can_be_sent(do: str, abnf: str) -> None:
    """A few characters of text may have many nodes, and a node may have long words."""
    error = answered({"do": do, "abnf": abnf, "text": "a" * 400}).get("error", {})
    assert error.get("code") in (None, "too-large")


def test_work_is_counted_and_stops() -> None:
    spend(10**12)  # nobody waits
    with at_most(100):
        spend(60)
        with pytest.raises(TooMuchWork):
            spend(60)
    error = handle({"do": "steps", "abnf": 's = 0*9999( 1*9999"a" )', "text": "a"})["error"]
    assert error["code"] == "too-large"
    assert "smaller grammar" in error["message"]


def test_what_was_too_much_for_one_request_is_not_so_for_another_caller() -> None:
    """Nothing is remembered of work that was given up."""
    own = compile_abnf('s = 500"a" "b"')
    with at_most(500), pytest.raises(TooMuchWork):
        own.automaton("s")
    assert own.automaton("s").accepts("a" * 500 + "b")


def test_every_request_has_an_answer() -> None:
    for do in REQUESTS:
        assert answered({"do": do})["do"] == do
