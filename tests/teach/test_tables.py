"""The page's tables, and their walk in JavaScript: what is told before the engine answers is right.

Owns the differential test in Node, and the promises about the tables. Imports the package.
Invariant: what is expected comes from the engine; a machine without Node skips, and says so.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import walked

from uriproof.grammar import registry
from uriproof.grammar.charset import union
from uriproof.grammar.machine.automaton import DEAD
from uriproof.validate.report import make_report

PAGE = Path(__file__).parent.parent.parent / "src" / "uriproof" / "teach" / "page"
SCRIPTS = [PAGE / "walk.js", *sorted((PAGE / "walk").glob("*.js"))]
RFC3986 = registry.load("rfc3986")

in_node = pytest.mark.skipif(walked.NODE_MISSING is not None, reason=str(walked.NODE_MISSING))

REFERENCES = ("URI", "URI-reference", "absolute-URI", "relative-ref")
ALONE = {"URI", "absolute-URI"}
"""Rules whose texts are divided in one way: of each invalid one the first violation is told."""

pytestmark = pytest.mark.prove


def cases(count: int, edited: int, seed: int = 0) -> list[tuple[str, list[str]]]:
    """For each rule so many texts; URLs met in the wild, edited, and attacks for those of URIs."""
    chance = random.Random(seed)  # noqa: S311 -- the same texts each time
    known = [*walked.urls()] or ["http://user@[::1]:80/a/b?c=d#e", "urn:a:b", "//h:1/p", "a/b:c"]
    real = [walked.mutated(chance.choice(known), chance) for _ in range(edited)]
    real = [walked.whole(text) for text in [*known[: edited // 4], *real, *walked.attacks()]]
    return [
        (rule, walked.texts(RFC3986, rule, count, seed) + (real if rule in REFERENCES else []))
        for rule in RFC3986.model.rules
    ]


def read(rule: str, text: str) -> tuple[int, list[Any]]:
    """The length of the longest viable prefix, and what may come next."""
    trace = RFC3986.trace(rule)
    alphabet, rows = trace.automaton.alphabet, trace.automaton.rows
    state = viable = 0
    for class_ in alphabet.encode(text):
        if rows[state][class_] == DEAD:
            break
        state, viable = rows[state][class_], viable + 1
    following = [
        [[*i.path], i.word, [[*r] for r in union(*(alphabet.ranges(c) for c in i.classes))]]
        for i in trace.items[state]
    ]
    return viable, following


def differing(rule: str, texts: Sequence[str], answers: Sequence[Any]) -> list[tuple[str, Any]]:
    """The texts of which the page says what the engine does not."""
    found = []
    for text, answer in zip(texts, answers, strict=True):
        report = make_report(RFC3986, text, rule)
        next_ = [[one["path"], one["word"], one["ranges"]] for one in answer["next"]]
        same = answer["ok"] == report.ok and (answer["viable"], next_) == read(rule, text)
        same &= len(answer["characters"]) == len(text)
        if report.ok:
            components = [(c.name, c.start, c.end) for c in report.components.values()]
            told = [(c["name"], c["start"], c["end"]) for c in answer["components"]]
            same &= told == components and not answer["blamed"]
            same &= all(one["production"] and one["word"] for one in answer["characters"])
        elif not (answer["blamed"] or rule in ALONE):
            continue
        else:
            violation = report.violations[0]
            (blamed,) = answer["blamed"]
            same &= blamed["component"] == violation.component
            # An address runs to the last bracket, which the automaton of a host does not know.
            same &= blamed["start"] == violation.start or text.count("]") > 1
        if not same:
            found.append((text, answer))
    return found


@in_node
def test_walk_says_of_the_first_violation_what_check_says() -> None:
    edited = 400
    chosen = cases(80, edited)
    # Without the list of real URLs next to the checkout, there are some hundred fewer.
    assert sum(len(texts) for _, texts in chosen) > 9 * edited
    for (rule, texts), answers in zip(chosen, walked.walked(chosen), strict=True):
        assert differing(rule, texts, answers) == []


def told(rule: str, text: str) -> Any:
    ((answer,),) = walked.walked([(rule, [text])])
    return answer


@in_node
def test_characters_have_a_component_a_production_and_a_word() -> None:
    found = told("URI", "s://h:8/%41?")["characters"]
    assert [(c["component"], c["production"], c["word"]) for c in found] == [
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
@pytest.mark.parametrize(
    ("rule", "text", "blamed"),
    [
        ("URI", "s:a b%zz", (3, 4, "path")),
        ("URI", "s:a%zz", (3, 4, "path")),
        ("URI", "http://user@host@x/", (11, 12, "userinfo")),
        ("URI", "http://h:8o80/", (10, 11, "port")),
        ("URI", "s://[::1", (8, 8, "host")),
        ("IPv4address", "1.2.3", (5, 5, "host")),
        ("URI", "//host/", (0, 0, "scheme")),
        ("absolute-URI", "http://e.com/#x", (13, 15, "fragment")),
        ("URI-reference", "192.168.0.1:80", None),
        ("URI", "http://h/é\U0001f600#\ud800", (9, 10, "path")),
    ],
)
def test_the_first_violation(rule: str, text: str, blamed: tuple[int, int, str] | None) -> None:
    found = [(b["start"], b["end"], b["component"]) for b in told(rule, text)["blamed"]]
    assert found == ([] if blamed is None else [blamed])


@in_node
@pytest.mark.parametrize("unit", ["a", "%", ":", "@", "[", "é\ud800", "\U0001f600", "?#", "<b>"])
def test_any_text_has_an_answer(unit: str) -> None:
    texts = [before + unit * 50_000 for before in ("", "http://", "http://[")]
    (answers,) = walked.walked([("URI-reference", texts)])
    assert [a["ok"] for a in answers] == [RFC3986.accepts("URI-reference", t) for t in texts]


def test_no_grammar_in_the_scripts() -> None:
    """No string of theirs is a rule's name or a delimiter, and no expression is written there."""
    model = RFC3986.model
    names = {*model.rules, *model.components.values()}
    for script in SCRIPTS:
        code = re.sub(r"^\s*//.*$|\s//.*$", "", script.read_text("utf-8"), flags=re.MULTILINE)
        strings = re.findall(r'"((?:[^"\\]|\\.)*)"', code)
        assert names.isdisjoint(strings), script.name
        assert not re.search(r"[(=,:]\s*/[^/*\s]", code), script.name


def test_the_first_verdict_needs_few_bytes() -> None:
    files = [PAGE / "tables" / "rfc3986" / "URI.json", *SCRIPTS]
    assert sum(file.stat().st_size for file in files) < 50_000
