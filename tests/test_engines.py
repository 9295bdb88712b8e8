"""The engines against each other: expression, automaton, lark, report, and the abnf package."""

from __future__ import annotations

from itertools import product

import pytest
from abnf.grammars import rfc3986 as oracle
from abnf.parser import ParseError
from hypothesis import given
from hypothesis import strategies as st
from strategies import RFC3986, own_rules, representatives
from tiers import FEW_GRAMMARS, bound

import uriproof
from uriproof.adapters.for_hypothesis import near_misses, valid
from uriproof.grammar import registry
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.machine.product import difference

pytestmark = pytest.mark.prove

RULES = sorted(RFC3986.model.rules)
RFC3987 = registry.load("rfc3987")
each_rule = pytest.mark.parametrize("rule", RULES)


def words(rule: str, most: int, grammar: Compiled = RFC3986) -> list[str]:
    """All texts over one character per class, as long as there are no more than ``most``."""
    characters = representatives(grammar.automaton(rule))
    length = 0
    while len(characters) ** (length + 1) <= most and length < 6:
        length += 1
    return ["".join(w) for n in range(length + 1) for w in product(characters, repeat=n)]


@pytest.mark.parametrize("rule", sorted(RFC3987.model.rules))
@bound("most", 600, 30_000)
def test_every_short_text_of_an_iri_has_one_verdict(rule: str, most: int) -> None:
    """The expression for ASCII, other characters in other words, and the automaton; of a URI, the
    build proves that they agree."""
    accepts = RFC3987.automaton(rule).accepts
    matcher = RFC3987.matcher(rule)
    others = (
        "http://é日:1/\u65e5é\U00010000%41?\ue000#é",
        "//é:é",
        "http://[v1.é]/",
        "http://é/\ue000",
    )
    for text in [*words(rule, most, RFC3987), *others]:
        assert bool(matcher(text)) is accepts(text), text


@each_rule
@bound("most", 600, 4_000)
def test_every_shorter_text_has_one_report_and_one_tree(rule: str, most: int) -> None:
    """The report and lark, over all texts that are a little shorter still."""
    accepts = RFC3986.automaton(rule).accepts
    for text in words(rule, most):
        report = uriproof.check(text, rule)
        assert report.ok is accepts(text), text
        if report.ok:
            tree = uriproof.parse(text, rule)
            assert "".join(map(str, tree.scan_values(lambda _: True))) == text


@pytest.mark.parametrize("name", [*FEW_GRAMMARS, "rfc3987", "rfc6570"])
def test_a_trace_accepts_what_its_rule_does(name: str) -> None:
    grammar = registry.load(name)
    for rule in filter(grammar.regular, own_rules(grammar)):
        assert difference(grammar.trace(rule).automaton, grammar.automaton(rule)) is None, rule


@given(rule=st.sampled_from(RULES), data=st.data())
def test_the_abnf_package_agrees(rule: str, data: st.DataObject) -> None:
    """An outside oracle, with its own reading of ABNF and its own matcher."""
    probe = data.draw(near_misses(rule))
    for text, ok in ((data.draw(valid(rule)), True), (probe.text, probe.valid)):
        try:
            oracle.Rule(rule).parse_all(text)
        except ParseError:
            assert not ok, text
        else:
            assert ok, text
