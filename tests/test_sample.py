"""Samples and misses: accepted or refused as they say, in the lengths asked for, by seed.

Owns the tests of ``workbench/samples.py`` and ``uriproof grammar sample``.
Imports the package. Invariant: whether a text is valid is asked of the grammar, not of the
automaton that it was drawn from.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest
from commands import Run
from hypothesis import given
from tables import rows

import uriproof
from uriproof import Grammar
from uriproof.adapters.for_hypothesis import near_misses
from uriproof.grammar import registry
from uriproof.grammar.errors import GrammarLimit
from uriproof.grammar.machine.first_sets import Facts
from uriproof.grammar.machine.sample import SPREAD, samples
from uriproof.grammar.model import RuleRef
from uriproof.grammars import sample
from uriproof.workbench import samples as misses_module
from uriproof.workbench.describe import facts
from uriproof.workbench.read_pattern import read_pattern
from uriproof.workbench.samples import Miss, Way, derived, drawn, misses

pytestmark = pytest.mark.prove

RFC3986 = registry.load("rfc3986")
NESTED = 'nested = "(" nested ")" / "[" [ nested *( "," nested ) ] "]" / 1*DIGIT'
OWN = Grammar.from_abnf(NESTED)


def some(count: int, rule: str = "URI", **options: Any) -> list[str]:
    return list(itertools.islice(samples(RFC3986.automaton(rule), **options), count))


def missed(count: int, rule: str = "URI", **options: Any) -> list[Miss]:
    return list(itertools.islice(misses(RFC3986, rule, **options), count))


@pytest.mark.parametrize("readable", [True, False])
@pytest.mark.parametrize("rule", ["URI", "URI-reference", "IPv6address", "pct-encoded", "host"])
def test_samples_are_accepted(rule: str, readable: bool) -> None:
    for text in some(300, rule, readable=readable):
        assert uriproof.is_valid(text, rule)


@pytest.mark.parametrize("draw", [some, missed])
def test_a_seed_gives_the_same_texts(draw: Callable[..., list[object]]) -> None:
    first = draw(50, seed=1)
    assert draw(50, seed=1) == first
    assert draw(50, seed=2) != first


@pytest.mark.parametrize("readable", [True, False])
def test_lengths_are_drawn_evenly_from_those_that_there_are(readable: bool) -> None:
    pairs = Grammar.from_abnf("pairs = *( 2DIGIT )").automaton()
    drawn = itertools.islice(samples(pairs, least=3, most=9, readable=readable), 3000)
    found = Counter(map(len, drawn))
    assert set(found) == {4, 6, 8}
    assert min(found.values()) > 800


def test_without_bounds_they_are_the_shortest_and_a_spread_longer() -> None:
    lengths = {len(text) for text in some(2000)}
    assert lengths == set(range(2, 2 + SPREAD + 1))


def test_each_text_of_a_length_is_equally_likely_where_all_characters_are() -> None:
    """Chi-squared, 5 degrees of freedom: 30 is past one in fifty thousand."""
    automaton = read_pattern("[a-c][xy]|a\U0001f600{0}")
    texts = [a + b for a in "abc" for b in "xy"]
    drawn = itertools.islice(samples(automaton, readable=False, least=2, most=2), 6000)
    found = Counter(drawn)
    assert set(found) == set(texts)
    assert sum((n - 1000) ** 2 / 1000 for n in found.values()) < 30


def test_readable_means_letters_where_the_class_has_any() -> None:
    drawn = "".join(itertools.islice(samples(read_pattern("(?s).{5}")), 200))
    assert drawn.isascii()
    assert drawn.isprintable()
    assert sum(c.isalnum() for c in drawn) > len(drawn) / 2
    ideographs = next(samples(read_pattern("[\\x00-\\x1f\u4e00-\u4fff]{5}")))
    assert ideographs.isalpha()
    assert next(samples(read_pattern("[\\x00\\ud800]"))) == "\x00"


@pytest.mark.parametrize("readable", [True, False])
def test_languages_that_are_small(readable: bool) -> None:
    one = read_pattern("only")
    assert set(itertools.islice(samples(one, readable=readable), 9)) == {"only"}
    empty_text = read_pattern("")
    assert next(samples(empty_text, readable=readable)) == ""
    with pytest.raises(ValueError, match="no text at all"):
        samples(read_pattern(r"[^\s\S]"), readable=readable)
    with pytest.raises(ValueError, match=r"from 5 to 9 characters; the shortest has 4"):
        samples(one, least=5, most=9, readable=readable)
    with pytest.raises(ValueError, match=r"from 0 to 1 characters; the shortest has 2"):
        some(1, least=0, most=1)


@pytest.mark.parametrize("readable", [True, False])
def test_long_texts_up_to_a_bound(readable: bool) -> None:
    assert next(samples(read_pattern("a{900}"), readable=readable)) == "a" * 900
    with pytest.raises(GrammarLimit, match="numbers"):
        some(1, least=100_000, most=100_000, readable=readable)


# Misses


def assert_made(text: str, edit: Mapping[str, Any]) -> None:
    """The text is what the edit makes of the accepted one."""
    of, at, removed = edit["of"], edit["offset"], edit["removed"]
    assert of[at:].startswith(removed)
    assert text == of[:at] + edit["inserted"] + of[at + len(removed) :]


@pytest.mark.parametrize("readable", [True, False])
@pytest.mark.parametrize("rule", ["URI", "absolute-URI", "IPv6address", "query", "port", "nested"])
def test_misses_are_refused_and_say_what_was_done(rule: str, readable: bool) -> None:
    grammar = OWN.compiled if rule == "nested" else RFC3986
    for miss in itertools.islice(misses(grammar, rule, readable=readable), 200):
        assert not grammar.accepts(rule, miss.text)
        assert grammar.accepts(rule, miss.edit.of)
        assert_made(miss.text, asdict(miss.edit))


@pytest.mark.parametrize("way", get_args(Way))
def test_each_way_to_miss(way: Way) -> None:
    for miss in missed(100, ways=(way,)):
        assert miss.edit.way == way
        if way == "missing":
            assert (len(miss.edit.removed), miss.edit.inserted) == (1, "")
        if way == "illegal":
            assert len(miss.edit.inserted) == 1
        if way == "bad-escape":
            assert "%" in miss.text


def test_misses_by_length_and_within_a_span() -> None:
    assert {len(m.edit.of) for m in missed(200, least=7, most=8)} == {7, 8}
    for miss in missed(50, within=lambda text: (0, text.index(":"))):
        assert miss.edit.offset <= miss.edit.of.index(":")


def test_where_nothing_can_be_missed_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(misses_module, "EDITS", 100)
    all_texts = registry.compile_abnf("all = *%x0-10FFFF")
    with pytest.raises(ValueError, match="no near miss of all was found in 100 edits"):
        next(misses(all_texts, "all"))
    with pytest.raises(ValueError, match="has no escape sequences to break"):
        next(misses(all_texts, "all", ways=("bad-escape",)))


# The command


@pytest.fixture
def run(run: Run) -> Run:
    return partial(run, "grammar", "sample")


def test_lines_of_text(run: Run) -> None:
    result = run("URI", "-n", "20", "--seed", "7", "--length", "5-9")
    texts = result.lines
    assert (result.code, len(texts)) == (0, 20)
    assert run("URI", "-n", "20", "--seed", "7", "--length", "5-9").out == result.out
    for text in texts:
        assert uriproof.is_valid(text)
        assert 5 <= len(text) <= 9
    assert len(run("URI").lines) == 10


def test_json_and_json_lines_are_the_same(run: Run) -> None:
    lines = run("rfc3986:host", "--format", "jsonl", "-n", "3").lines
    records = json.loads(run("rfc3986:host", "--format", "json", "-n", "3").out)
    assert [json.loads(line) for line in lines] == records
    for record in records:
        facts = {"valid": True, "rule": "host", "grammar": "rfc3986"}
        assert record == {"text": record["text"], **facts}


@pytest.mark.parametrize(
    "what",
    rows("sample", "what-is-broken-is-the-first-violation"),
)
def test_what_is_broken_is_the_first_violation(run: Run, what: str) -> None:
    rule = {"ipv4address": "IPv4address", "extra": "absolute-URI"}.get(what, "URI")
    result = run(rule, "--break", what, "-n", "6", "--format", "jsonl")
    assert result.code == 0
    for line in result.lines:
        record = json.loads(line)
        assert record["valid"] is False
        report = uriproof.check(record["text"], rule)
        assert [
            {"start": v.start, "end": v.end, "component": v.component}
            | {"production": v.production, "kind": v.kind}
            for v in report.violations
        ] == record["violations"]
        first = record["violations"][0]
        named = {first["component"], first["production"].lower(), first["kind"]}
        assert what.lower() in named
        assert_made(record["text"], record["edit"])


def test_cover(run: Run) -> None:
    texts = run("scheme", "--cover").lines
    assert "!" not in "".join(texts)
    assert len(texts) == len(set(texts)) > 3
    assert all(uriproof.is_valid(text, "scheme") for text in texts)
    assert run("scheme", "--cover", "-n", "2").lines == texts[:2]


def test_ones_own_grammar_with_a_recursive_rule(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "own.abnf"
    file.write_text(NESTED)
    texts = run(f"{file}:nested").lines
    assert len(texts) == 10
    assert all(OWN.rule().are_valid(texts))
    lines = run("nested", "-g", str(file), "--break", "missing", "--format", "jsonl").lines
    records = [json.loads(line) for line in lines]
    assert [record["violations"][0]["kind"] for record in records] == ["missing"] * 10


def test_what_a_line_cannot_hold_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "own.abnf"
    file.write_text("half = %xD800-DFFF\n")
    for rule, why in (
        ("rfc5234:CRLF", r"sample 1, \r\n, has a line break; use --format jsonl"),
        (f"{file}:half", "has a lone surrogate, which UTF-8 cannot hold; use --format jsonl"),
    ):
        result = run(rule)
        assert (result.code, result.out) == (2, "")
        assert why in result.err
        assert len(json.loads(run(rule, "--format", "json", "-n", "1").out)) == 1


@pytest.mark.parametrize(
    ("abnf", "number"),
    [
        ('r = "a"', 2),
        ("r = 2DIGIT", 100),
        ('r = [ %s"a" ] [ %s"b" / %s"c" ] ; a, b, c, ab, ac and the empty text', 6),
        ('r = s s / %s"a"\ns = [ s ] s / ""', 2),
    ],
)
@pytest.mark.parametrize("readable", [True, False])
def test_samples_of_a_finite_language_end(abnf: str, number: int, readable: bool) -> None:
    grammar = Grammar.from_abnf(abnf)
    texts = list(sample("r", grammar, readable=readable))
    assert len(texts) == len(set(texts)) == number
    assert all(grammar.rule().is_valid(text) for text in texts)


def test_a_finite_language_that_is_too_large_to_be_listed() -> None:
    grammar = Grammar.from_abnf("r = %x4E00-9FFF\ns = r r r")
    assert len(set(sample("r", grammar, readable=False))) == 0x9FFF - 0x4DFF
    assert len(set(itertools.islice(sample("s", grammar), 500))) == 500
    row = Grammar.from_abnf("r = " + " ".join(['["a"]'] * 2_000))
    assert list(sample("r", row))  # each draw is dear, and few are new


def test_recursive_rules_have_samples() -> None:
    def some(count: int, **options: Any) -> list[str]:
        return list(itertools.islice(drawn(OWN.compiled, "nested", **options), count))

    texts = some(200, seed=5)
    assert texts == some(200, seed=5)
    assert texts != some(200, seed=6)
    assert all(OWN.rule().are_valid(texts))
    assert max(map(len, texts)) <= 1 + SPREAD
    assert len(set(texts)) > 100
    assert {"(", "[", ","} < set("".join(texts))
    assert {len(text) for text in some(20, least=10, most=12)} <= {10, 11, 12}


@pytest.mark.parametrize(
    "abnf",
    [
        'a = a / "x"',
        'a = a a / ""',
        'a = b "y" / "z"\nb = a / [ a ]',
        "a = *( *( [ a ] ) )",
        'a = 3a "x" / "y"',
        'a = "(" a / b\nb = *b "b"',
    ],
)
@pytest.mark.parametrize("readable", [True, False])
def test_drawing_ends(abnf: str, readable: bool) -> None:
    compiled = registry.compile_abnf(abnf)
    for text in itertools.islice(derived(facts(compiled), "a", most=9, readable=readable), 100):
        assert len(text) <= 9
        assert compiled.accepts("a", text)


def test_what_derives_nothing_is_named() -> None:
    model = registry.compile_abnf('a = "x"').model
    endless = model._replace(
        rules={**model.rules, "e": model.rules["a"]._replace(element=RuleRef("e"))}
    )
    with pytest.raises(GrammarLimit, match="rule e never ends"):
        derived(Facts(endless), "e")
    with pytest.raises(ValueError, match="the shortest has 3"):
        derived(facts(registry.compile_abnf('n = "(" n ")" / "xyz"')), "n", most=2)


@given(near_misses("nested", OWN, max_length=20))
def test_hypothesis_draws_from_recursive_rules(probe: Any) -> None:
    assert OWN.rule().is_valid(probe.text) is probe.valid
