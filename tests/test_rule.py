"""A rule: the one value that says what a text is validated against."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from itertools import repeat
from typing import Any

import attrs
import pytest
from strategies import RFC3986

import uriproof
from uriproof import Grammar, Policy, Rule, grammars
from uriproof.grammar.charset import MAX_REMEMBERED

OWN = 'pairs = *( 2DIGIT )\nword = "a" / "b"'
HTTPS = Policy(schemes=["https"], max_length=50)
RULES: dict[str, Callable[[], Rule]] = {
    "plain": Rule,
    "another grammar": lambda: Rule("IRI", grammar="rfc3987"),
    "query": lambda: Rule("absolute-URI", query="key-value"),
    "own query": lambda: Rule(query=Grammar.from_abnf(OWN)),
    "schemes": lambda: Rule(schemes=True),
    "policy": lambda: Rule("URI-reference", policy=HTTPS),
    "own": lambda: Grammar.from_abnf(OWN)["word"],
    "all": lambda: Rule(query="parameters", schemes=True, policy=HTTPS),
}
TEXTS = (
    *("https://h/?a=1", "https://h/?a", "http:x", "http://h/a b", "é:", "a", "//h"),
    "https://h/?12",
)
each_rule = pytest.mark.parametrize("make", RULES.values(), ids=RULES)


@each_rule
def test_rules_are_equal_by_value(make: Callable[[], Rule]) -> None:
    rule = make()
    others = [make(), deepcopy(rule), pickle.loads(pickle.dumps(rule))]  # noqa: S301 -- our own
    for other in others:
        assert other == rule
        assert hash(other) == hash(rule)
        assert other.check(" ") == rule.check(" ")
    assert {rule, *others} == {rule}
    assert [other for other in RULES.values() if other() == rule] == [make]


@each_rule
def test_all_doors_lead_to_one_room(make: Callable[[], Rule]) -> None:
    rule = make()
    reports = [*rule.check_many(TEXTS)]
    assert [report.ok for report in reports] == [*rule.are_valid(TEXTS)]
    for text, report in zip(TEXTS, reports, strict=True):
        assert rule.check(text) == uriproof.check(text, rule) == report
        assert rule.is_valid(text) is uriproof.is_valid(text, rule) is report.ok
        for verb in (rule.require, rule.parse):
            if report.ok:
                assert verb(text)
                continue
            with pytest.raises(uriproof.InvalidURI) as caught:
                verb(text)
            assert caught.value.report == report


def test_what_is_shown() -> None:
    assert repr(Rule("uri")) == "Rule('URI')"
    assert repr(Rule("absolute_uri", schemes=True)) == "Rule('absolute-URI', schemes=True)"
    assert repr(Rule("IRI", grammar="rfc3987", query="key-value")) == (
        "Rule('IRI', grammar='rfc3987', query='key-value')"
    )
    assert repr(Grammar.from_abnf(OWN)["word"]) == (
        "Rule('word', grammar=<Grammar grammar: 3 rules, start pairs>)"
    )
    assert eval(repr(Rule(policy=HTTPS)), {"Rule": Rule, "Policy": Policy}) == Rule(policy=HTTPS)  # noqa: S307


def test_a_report_and_its_violations_equal_their_copies() -> None:
    report = Rule().check("http://a b/")
    for one in (report, *report.violations):
        again = deepcopy(one)
        assert (one == again, one != again, hash(one) == hash(again)) == (True, False, True)
        with pytest.raises(AttributeError, match="cannot be changed"):
            one.code = "other"


def test_a_policy_that_refuses_nothing_is_none() -> None:
    assert Rule(policy=Policy()) == Rule()
    assert Rule(policy=Policy()).pattern("re2") == Rule().pattern("re2")


@pytest.mark.parametrize("name", ["name", "grammar", "policy", "_match", "other"])
def test_a_rule_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        setattr(Rule(), name, "host")
    with pytest.raises(AttributeError, match="cannot be changed"):
        delattr(Rule(), name)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"name": "URL"}, uriproof.UnknownRule, "did you mean URI"),
        ({"grammar": "rfc-3986"}, uriproof.UnknownGrammar, "did you mean rfc3986"),
        ({"query": "key_value"}, uriproof.UnknownGrammar, "did you mean key-value"),
        ({"query": "rfc3986"}, uriproof.UnknownGrammar, "key-value"),
        ({"name": "IRI", "grammar": "rfc3987", "schemes": True}, ValueError, "grammar rfc3986"),
        ({"name": "host", "query": "key-value"}, ValueError, "host of rfc3986 has no query"),
        ({"name": "relative-ref", "schemes": True}, ValueError, "no scheme: scheme rules would be"),
        ({"name": "port", "policy": HTTPS}, ValueError, "which port of rfc3986 does not have"),
        ({"name": None}, TypeError, "^name must be a str, not None"),
        ({"name": Rule()}, TypeError, "^name must be a str, not Rule"),
        ({"grammar": b"rfc3986"}, TypeError, "^grammar must be a str or a Grammar, not bytes"),
        ({"query": 1}, TypeError, "^query must be a str, a Grammar or None, not int"),
        ({"schemes": "no"}, TypeError, "^schemes must be True or False, not str"),
        ({"policy": "strict"}, TypeError, "^policy must be a Policy or None, not str"),
    ],
)
def test_what_is_wrong_raises_when_it_is_made(
    given: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Rule(**given)


def test_a_rule_of_ones_own_that_cannot_be_used() -> None:
    partly = Grammar.from_abnf("a = 1*DIGIT\nb = a <some words>")
    assert partly["a"].is_valid("12")
    with pytest.raises(uriproof.UnusableRule):
        partly["b"]
    with pytest.raises(uriproof.UnusableRule):
        Rule("b", grammar=partly)
    unusable = Grammar.from_abnf('q = "x" <words>\nr = "y"')
    with pytest.raises(uriproof.UnusableRule):
        Rule(query=unusable)


def test_a_grammar_gives_rules() -> None:
    iris = Grammar.load("rfc3987")
    assert iris["iri"] is iris["IRI"] is iris.rule("IRI")
    assert iris["IRI"] == Rule("IRI", grammar="rfc3987")
    assert Grammar.load("key-value").rule() == Rule("query", grammar="key-value")
    with pytest.raises(TypeError, match=r"^name must be a str"):
        iris[0]  # type: ignore[index]
    assert Grammar.from_abnf(OWN) == Grammar.from_abnf(OWN) != Grammar.from_abnf(OWN + "\nc = a")


def test_the_query_may_be_ones_own() -> None:
    rule = Rule(query=Grammar.from_abnf(OWN))
    assert [*rule.are_valid(["a:b?12", "a:b", "a:b?1x"])] == [True, True, False]
    (violation,) = rule.check("a:b?123").violations
    assert (violation.start, violation.component, violation.kind) == (7, "query", "missing")


def test_limits_count_what_a_policy_refuses_too() -> None:
    rule = Rule(policy=Policy(forbid=["userinfo", "port", "query", "fragment"]))
    (report,) = rule.check_many(["http://a@b:1/ ?c#d"], max_violations=2)
    assert (len(report.violations), report.more, report.fixed) == (2, 3, None)


def test_patterns() -> None:
    assert Rule("port").pattern("re2") == r"\A(?:[0-9]*)\z"
    for none in (Rule(query="key-value"), Grammar.from_abnf('n = ["(" n ")"]')["n"]):
        assert none.pattern("re2") is None
    for rule in (Rule("port"), Rule(schemes=True)):
        with pytest.raises(grammars.UnknownTarget, match="did you mean re2"):
            rule.pattern("r2")


def test_a_rule_validates_fields_of_attrs() -> None:
    @attrs.define
    class Page:
        url: str = attrs.field(validator=Rule("absolute-URI"))

    page = Page("http://h/")
    with pytest.raises(uriproof.InvalidURI) as caught:
        page.url = "http://h/#f"
    assert caught.value.report.violations[0].code == "fragment-extra"
    with pytest.raises(TypeError, match="must be a str"):
        Page(None)  # type: ignore[arg-type]
    with pytest.raises(uriproof.InvalidURI) as caught:
        Page("http://h/" + " " * 20_000)  # whose work is bounded, as that of any adapter
    assert [found.code for found in caught.value.report.violations] == ["too-long"]


# Many texts at once


def test_texts_are_taken_as_they_are_needed() -> None:
    taken: list[str] = []
    verdicts = uriproof.are_valid(taken.append(text) or text for text in repeat("a:"))  # type: ignore[func-returns-value]
    assert [next(verdicts) for _ in range(3)] == [True] * 3
    assert len(taken) == 3


@pytest.mark.prove
def test_memory_does_not_grow_with_the_characters_that_were_met() -> None:
    alphabet = RFC3986.trace("reg-name").automaton.alphabet
    for plane in range(0x10000, 0x40000, 0x100):
        uriproof.check("http://" + "".join(map(chr, range(plane, plane + 0x100))))
    assert len(alphabet._known) <= MAX_REMEMBERED + 0x100
