"""The page's tables, and their walk in JavaScript: the same answers as the engine's, text by text.

Owns the differential test in Node, and the promises about the tables. Imports the package.
Invariant: what is expected comes from the engine; a machine without Node skips, and says so.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import build_tables
import pytest
import walked

from uriproof import Grammar
from uriproof.grammar import registry
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.errors import GrammarLimit
from uriproof.teach import handle
from uriproof.teach.tables import tables

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "src" / "uriproof" / "teach" / "page"
SCRIPTS = [PAGE / "walk.js", *sorted((PAGE / "walk").glob("*.js"))]

in_node = pytest.mark.skipif(walked.NODE_MISSING is not None, reason=str(walked.NODE_MISSING))

REFERENCES = ("URI", "URI-reference", "absolute-URI", "relative-ref")
# Own grammars: lists, escapes, dates, what stands between delimiters, names that JavaScript's
# objects have already.
OWN = {
    "list": 'list = item *( "," item )\nitem = "foo" / "bar"\n',
    "date": 'date = 4DIGIT "-" 2DIGIT "-" 2DIGIT [ "T" 2DIGIT ":" 2DIGIT ]\n',
    "escapes": 'text = *( ALPHA / escape )\nescape = "%" 2HEXDIG\n',
    "constructor": 'constructor = toString "=" *valueOf\ntoString = 1*ALPHA\nvalueOf = "a" / "1"\n',
    "ambiguous": 'both = one / other\none = *( "a" / "b" )\nother = 1*"a" [ "c" ]\n',
    "astral": "word = 1*( %x1F600-1F64F / %xD800 / %xE9 )\n",
    "nothing": 'empty = ""\n',
    "far": 'mark = "<" 3*5( "ab" / "-" ) ">" / %s"Exact" / %d13.10\n',
}


def own() -> Iterator[Compiled]:
    for name, text in OWN.items():
        yield Grammar.from_abnf(text, name=name).compiled


def cases(grammar: Compiled, count: int) -> Iterator[tuple[Compiled, str, list[str]]]:
    """For each rule of a grammar that has tables, so many texts."""
    for rule in grammar.model.rules:
        try:
            made = walked.texts(grammar, rule, count)
            tables(grammar, rule)
        except GrammarLimit:
            continue
        yield grammar, rule, made


def real(count: int, seed: int) -> list[str]:
    """URLs met in the wild, edited, and strings that are meant to confuse."""
    chance = random.Random(seed)  # noqa: S311 -- the same texts each time
    known = [*walked.urls()] or ["http://user@[::1]:80/a/b?c=d#e", "urn:a:b", "//h:1/p", "a/b:c"]
    edited = [walked.mutated(chance.choice(known), chance) for _ in range(count)]
    return [walked.whole(text) for text in [*known[: count // 4], *edited, *walked.attacks()]]


@in_node
def test_walk_says_what_check_says() -> None:
    rfc3986 = registry.load("rfc3986")
    chosen = [(rfc3986, rule, real(150, 1)) for rule in REFERENCES]
    chosen += cases(rfc3986, 40)
    chosen += cases(registry.load("key-value"), 40)
    for grammar in own():
        chosen += cases(grammar, 60)
    assert sum(len(texts) for *_, texts in chosen) > 2_500
    assert walked.differing(chosen) == []


@in_node
@pytest.mark.prove
@pytest.mark.parametrize("seed", range(4))
def test_walk_says_what_check_says_of_many(seed: int) -> None:
    rfc3986 = registry.load("rfc3986")
    chosen = [(rfc3986, rule, real(2_000, seed)) for rule in REFERENCES]
    chosen += [(g, r, walked.texts(g, r, 300, seed)) for g, r, _ in cases(rfc3986, 4)]
    for name in ("rfc3987", "rfc2396", "key-value"):
        grammar = registry.load(name)
        chosen += [
            (grammar, r, walked.texts(grammar, r, 120, seed)) for _, r, _ in cases(grammar, 4)
        ]
    assert sum(len(texts) for *_, texts in chosen) > 25_000
    assert walked.differing(chosen) == []


@in_node
@pytest.mark.prove
@pytest.mark.parametrize("name", [n for n in registry.names() if not n.endswith("-split")])
def test_walk_says_what_check_says_in_every_grammar(name: str) -> None:
    """But in those that divide texts, whose rules accept whatever is typed."""
    assert walked.differing([*cases(registry.load(name), 60)]) == []


def told(grammar: Compiled, rule: str, text: str) -> Any:
    ((answer,),) = walked.walked([(grammar, rule, [text])], whole=True)
    return answer


def short(characters: list[Any]) -> list[tuple[Any, ...]]:
    return [(c["component"], c["production"], c["word"]) for c in characters]


@in_node
def test_characters_have_a_component_a_production_and_a_word() -> None:
    found = told(registry.load("rfc3986"), "URI", "s://h:8/%41?")["characters"]
    assert short(found) == [
        ("scheme", "scheme", "ALPHA"),
        (None, "URI", '":"'),
        (None, "hier-part", '"//"'),
        (None, "hier-part", '"//"'),
        ("host", "reg-name", "unreserved"),
        (None, "authority", '":"'),
        ("port", "port", "DIGIT"),
        ("path", "path-abempty", '"/"'),
        *[("path", "segment", "pchar")] * 3,
        (None, "URI", '"?"'),
    ]


@in_node
def test_ambiguous_characters_have_all_their_readings() -> None:
    found = told(registry.load("rfc3986"), "URI", "s://1.2.3.4/")["characters"]
    assert found[4]["production"] == "IPv4address"
    assert [o["production"] for o in found[4]["ambiguous"]] == ["reg-name"]
    assert found[4]["path"] == ["URI", "hier-part", "authority", "host", "IPv4address"]
    assert found[-1]["ambiguous"] == []


@in_node
def test_a_blamed_character_is_read_as_nothing() -> None:
    found = told(registry.load("rfc3986"), "URI", "s:a b%zz")
    assert short(found["characters"])[3] == ("path", None, None)
    assert short(found["characters"])[4] == ("path", "segment-nz", "pchar")
    assert [(b["start"], b["end"], b["kind"]) for b in found["blamed"]] == [
        (3, 4, "illegal"),
        (5, 6, "bad-escape"),
    ]
    assert all(b["exact"] for b in found["blamed"])


@in_node
@pytest.mark.parametrize("rule", REFERENCES)
def test_every_character_of_a_valid_text_is_read_as_something(rule: str) -> None:
    grammar = registry.load("rfc3986")
    texts = [t for t in walked.texts(grammar, rule, 600, 7) if grammar.accepts(rule, t)]
    (answers,) = walked.walked([(grammar, rule, texts)], whole=True)
    assert len(texts) > 100
    for text, answer in zip(texts, answers, strict=True):
        assert all(c["production"] and c["word"] for c in answer["characters"]), text


@in_node
def test_what_may_come_next() -> None:
    found = told(registry.load("rfc3986"), "URI", "s:%4")
    assert found["viable"] == 4
    (only,) = found["next"]
    assert (only["word"], only["escape"]) == ("pchar", "pct-encoded")
    assert only["ranges"] == [[48, 57], [65, 70], [97, 102]]


@in_node
@pytest.mark.parametrize("unit", ["a", "%", ":", "@", "[", "é\ud800", "\U0001f600", "?#", "<b>"])
def test_any_text_has_an_answer(unit: str) -> None:
    grammar = registry.load("rfc3986")
    texts = [before + unit * 100_000 for before in ("", "http://", "http://[")]
    (answers,) = walked.walked([(grammar, "URI-reference", texts)])
    assert [a[0] for a in answers] == [grammar.accepts("URI-reference", t) for t in texts]


def test_no_grammar_in_the_scripts() -> None:
    """No string of theirs is a rule's name or a delimiter, and no expression is written there."""
    model = registry.load("rfc3986").model
    names = {*model.rules, *model.components.values()}
    for script in SCRIPTS:
        code = re.sub(r"^\s*//.*$|\s//.*$", "", script.read_text("utf-8"), flags=re.MULTILINE)
        strings = re.findall(r'"((?:[^"\\]|\\.)*)"', code)
        assert names.isdisjoint(strings), script.name
        assert not re.search(r"[(=,:]\s*/[^/*\s]", code), script.name


def test_the_committed_tables_are_up_to_date() -> None:
    there = {file: file.read_text("utf-8") for file in build_tables.OUT.glob("*.json")}
    assert there == build_tables.files()


def test_the_first_verdict_needs_few_bytes() -> None:
    files = [PAGE / "tables" / "rfc3986" / "URI.json", *SCRIPTS]
    assert sum(file.stat().st_size for file in files) < 100_000


# The request


def test_tables_of_own_text() -> None:
    found = handle({"do": "tables", "abnf": 'a = "x" *b\nb = "y"\n', "rule": "A"})
    assert (found["walkable"], found["rule"], found["divide"]) == (True, "a", None)
    assert json.loads(json.dumps(found)) == found


def test_a_rule_that_is_not_regular_has_no_tables() -> None:
    found = handle({"do": "tables", "grammar": "rfc8259", "rule": "value"})
    assert found["walkable"] is False
    assert "not regular" in found["why"]


def test_a_rule_that_is_too_large_has_no_tables() -> None:
    text = 'far = *( "a" / "b" ) "a" 14( "a" / "b" )\n'
    found = handle({"do": "tables", "abnf": text})
    assert found["walkable"] is False
    assert found["why"]


def test_an_unknown_rule_is_an_error() -> None:
    found = handle({"do": "tables", "rule": "URL"})
    assert found["error"]["code"] == "unknown-rule"
