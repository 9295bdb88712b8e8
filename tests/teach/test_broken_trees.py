"""The tree of a text that is not valid: errors and what is missing have their nodes.

Owns the tests of ``grammar/derive/broken.py``. Invariant: what is an error is what the report
blames, in texts of all kinds.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest
from tables import beside
from tiers import bound, quick

from uriproof import Grammar, check
from uriproof.grammar.derive.explain import Derivation
from uriproof.grammars import explain, near_misses

RULES = ("URI", "URI-reference", "absolute-URI", "host", "IPv6address", "dec-octet", "scheme")
ODD = "aA1:/?#[]@%. é\\v+-!"
BROKEN = "http://exa mple.com:8o80/100%?q=[1]#f#g"


def faults(found: Derivation) -> list[tuple[str, str, int, int]]:
    """Each error or missing node, as its name, the name of what is around it, and its place."""
    nodes = found.nodes
    return [(n.name, nodes[n.parent].name, n.start, n.end) for n in nodes if n.fault]


def test_each_component_has_its_subtree() -> None:
    found = explain(BROKEN)
    report = check(BROKEN)
    spans = {(n.name, n.start, n.end) for n in found.nodes if n.is_rule}
    for part in report.components.values():
        assert (part.production, part.start, part.end) in spans
    assert [one[2:] for one in faults(found)] == [(v.start, v.end) for v in report.violations]
    assert [one[:2] for one in faults(found)] == [
        ("reg-name", "reg-name"),
        ("port", "port"),
        ("pct-encoded", "segment"),
        ("query", "query"),
        ("query", "query"),
        ("fragment", "fragment"),
    ]
    assert not any(n.whole for n in found.nodes if n.name == "hier-part")
    assert found.viable == report.violations[0].start


@pytest.mark.parametrize(("text", "rule", "expected"), beside(__file__, "faults"))
def test_faults_are_where_they_belong(text: str, rule: str, expected: list[list[Any]]) -> None:
    assert faults(explain(text, rule)) == [tuple(one) for one in expected]


def test_the_path_ends_where_the_text_leaves_it() -> None:
    found = explain("http://a b/?[")
    left = {found.nodes[n].name: places for n, places in enumerate(found.left) if places}
    assert left == {"reg-name": ("reg-name.0.0:out",), "query": ("query",)}
    for number, places in enumerate(found.left):
        rule = found.nodes[number].name
        assert all(place.partition(":")[0].partition(".")[0] == rule for place in places)


@pytest.mark.parametrize("rule", quick(RULES, among=("URI-reference", "IPv6address")))
@bound("count", 8, 20)
def test_errors_are_what_the_report_blames(rule: str, count: int) -> None:
    grammar, random = Grammar.load("rfc3986"), Random(rule)  # noqa: S311 -- the same every time
    texts = ["".join(random.choice(ODD) for _ in range(random.randrange(14))) for _ in range(count)]
    texts += [f"http://{text}" for text in texts[: count // 2]]
    texts += [miss.text for miss in islice(near_misses(rule, grammar, seed=1), count)]
    for text in texts:
        report, found = grammar[rule].check(text), explain(text, rule, grammar)
        assert found.ok == report.ok
        spans = [(n.start, n.end) for n in found.nodes if n.fault == "error"]
        assert spans == [(v.start, v.end) for v in report.violations if v.end > v.start], text
        leaves = found.leaves()
        assert len(leaves) == len(text)
        for at, number in enumerate(leaves):
            node = found.nodes[number]
            assert node.start <= at < node.end
            assert node.fault == "error" or not node.is_rule
        blamed = {end for v in report.violations for end in (v.start, v.end)}
        assert {n.start for n in found.nodes if n.fault == "missing"} <= blamed, text


def test_what_has_no_automaton_has_its_rest_as_one_error() -> None:
    grammar = Grammar.from_abnf('x = "(" [ x ] ")"')
    assert faults(explain("((a)", "x", grammar)) == [("x", "x", 2, 4)]
    assert faults(explain("(()", "x", grammar)) == [('")"', "x", 3, 3)]
    assert faults(explain("b", "x", grammar)) == [("x", "x", 0, 1)]


@pytest.mark.parametrize("text", quick(["é" * 90, "%" * 2500, "[" * 2900, "http://" + " a" * 900]))
def test_many_errors_are_no_trouble(text: str) -> None:
    found = explain(text)
    assert found.nodes[0].end == len(text)
    assert any(node.fault == "error" for node in found.nodes)
