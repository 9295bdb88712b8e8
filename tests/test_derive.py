"""Derivations: counted against a count by hand, and each a derivation that the grammar allows."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise

import pytest
from random_grammars import grown, language, model_of, seeded
from tables import rows

from uriproof.grammar.compiled import Compiled
from uriproof.grammar.derive.broken import explain
from uriproof.grammar.derive.chart import chart_of
from uriproof.grammar.derive.explain import Derivation, Next, counted
from uriproof.grammar.derive.forest import Forest
from uriproof.grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
)
from uriproof.grammar.registry import compile_abnf, load
from uriproof.limits import MAX_READING_STEPS, STEPS_PER_CHARACTER

pytestmark = pytest.mark.prove

RFC3986 = load("rfc3986")


def derive(abnf: str, text: str) -> Derivation:
    compiled = compile_abnf(abnf)
    return explain(compiled, compiled.start, text)


def shape(found: Derivation, most: int = 99) -> list[str]:
    """The nodes of a derivation, indented, as far down as asked."""
    return [
        f"{' ' * n.depth}{n.name} {n.start}-{n.end}{'' if n.whole else ' …'}"
        for n in found.nodes
        if n.depth <= most
    ]


def test_a_uri() -> None:
    found = explain(RFC3986, "URI", "http://1.2.3.4:80/a?b")
    assert (found.ok, found.viable, found.count, found.following) == (True, 21, 2, ())
    assert [line for line in shape(found, 3) if "ALPHA" not in line and "61-7A" not in line] == [
        *("URI 0-21", " scheme 0-4", ' ":" 4-5', " hier-part 5-19", '  "//" 5-7'),
        *("  authority 7-17", "   host 7-14", '   ":" 14-15', "   port 15-17"),
        *("  path-abempty 17-19", '   "/" 17-18', "   segment 18-19"),
        *(' "?" 19-20', " query 20-21", "  pchar 20-21", "   unreserved 20-21"),
    ]
    host = next(n for n in found.nodes if n.name == "host")
    assert host.alternative == "IPv4address"
    (ambiguity,) = found.ambiguities
    assert (ambiguity.rule, ambiguity.ways) == ("host", ("IPv4address", "reg-name"))
    assert (ambiguity.start, ambiguity.end, ambiguity.number) == (7, 14, 2)
    assert "first-match-wins" in ambiguity.reason


def test_each_character_has_its_path() -> None:
    text = "http://a%2F/"
    found = explain(RFC3986, "URI", text)
    leaves = found.leaves()
    assert len(leaves) == len(text)
    escape = ("URI", "hier-part", "authority", "host", "reg-name", "pct-encoded")
    assert found.path(leaves[8]) == (*escape, '"%"')
    assert found.path(leaves[9]) == (*escape, "HEXDIG", "DIGIT", "%x30-39")
    assert found.path(leaves[10]) == (*escape, "HEXDIG", '"F"')
    assert [found.nodes[n].name for n in found.children(0)] == ["scheme", '":"', "hier-part"]


@pytest.mark.parametrize(("rule", "text", "ways"), rows("derive", "ways-of-rfc-3986"))
def test_ambiguity_of_rfc_3986(rule: str, text: str, ways: str) -> None:
    found = explain(RFC3986, rule, text)
    assert found.ok
    assert " ".join(way for one in found.ambiguities for way in one.ways) == ways
    assert found.count == max(len(ways.split()), 1)


@pytest.mark.parametrize(("abnf", "text", "count"), rows("derive", "counts"))
def test_counts(abnf: str, text: str, count: int | None) -> None:
    found = derive(abnf, text)
    assert found.ok
    assert found.count == count
    assert bool(found.ambiguities) is (count != 1)


def brute_count(model: Model, text: str) -> int:
    """The derivations of a text as rule r0, straight from their definition.

    Only for grammars whose rules use later rules alone and whose loops read in every round.
    """

    @cache
    def count(element: Element, start: int, end: int) -> int:
        match element:
            case CharVal(word, case_sensitive):
                fold = str if case_sensitive else str.lower
                return int(fold(text[start:end]) == fold(word))
            case NumVal((low, high), True):
                return int(end - start == 1 and low <= ord(text[start]) <= high)
            case NumVal(points):
                return int(text[start:end] == "".join(map(chr, points)))
            case RuleRef(name):
                return count(model.rules[name].element, start, end)
            case Alternation(items):
                return sum(count(i, start, end) for i in items)
            case Concatenation(items):
                if not items:
                    return int(start == end)
                rest = Concatenation(items[1:])
                return sum(
                    count(items[0], start, m) * count(rest, m, end) for m in range(start, end + 1)
                )
            case Repetition(item, least, most):
                rounds = end - start if most is None else most
                return sum(
                    count(Concatenation((item,) * n), start, end)
                    for n in range(least, max(rounds, least) + 1)
                )
        raise AssertionError(element)

    return count(RuleRef("r0"), 0, len(text))


@pytest.mark.parametrize("seed", range(100))
def test_counts_are_those_of_the_definition(seed: int) -> None:
    model = model_of(grown(seeded(seed), circular=False))
    accepted = sorted(language(model, "r0", 4))
    for text in seeded(seed).sample(accepted, min(len(accepted), 20)):
        found = explain(Compiled(model=model), "r0", text)
        assert found.ok
        assert found.count == brute_count(model, text) or (
            found.count is None and found.ambiguities
        )
        is_a_derivation(found)


def is_a_derivation(found: Derivation) -> None:
    """The leaves are the text, in order, and each rule's parts can make up that rule."""
    assert found.nodes[0].name == found.rule
    at = 0
    for number, node in enumerate(found.nodes):
        inside = list(found.children(number))
        if node.is_rule:
            spans = [(found.nodes[i].start, found.nodes[i].end) for i in inside]
            assert all(a[1] == b[0] for a, b in pairwise(spans))
            if spans and node.whole:
                assert (spans[0][0], spans[-1][1]) == (node.start, node.end)
        elif node.fault and not found.nodes[node.parent].is_rule:
            assert node.end <= at  # in a terminal that has been read in part
        elif node.fault != "missing":
            assert node.start == at
            at = node.end
    assert at == len(found.text)
    json.dumps(found.to_dict())


@pytest.mark.parametrize(("rule", "text", "viable", "path"), rows("derive", "faults"))
def test_a_text_that_goes_wrong(rule: str, text: str, viable: int, path: str) -> None:
    found = explain(RFC3986, rule, text)
    assert (found.ok, found.count, found.viable) == (False, 0, viable)
    assert " ".join(found.following[0].path) == path
    assert len(found.leaves()) == len(text)


def test_a_text_that_goes_wrong_inside_a_rule_leaves_the_rule_open() -> None:
    found = explain(RFC3986, "IP-literal", "[1::2::")
    opened = [(n.name, n.kind) for n in found.nodes if not n.whole]
    names = ("IP-literal", "IPv6address", "ls32")
    assert opened == [*((name, "rule") for name in names), ("IPv6address", "error")]
    assert found.following == (
        Next(("IP-literal", "IPv6address"), "h16"),
        Next(("IP-literal", "IPv6address"), "ls32"),
    )


@pytest.mark.parametrize(
    ("abnf", "text", "shown"),
    [
        # What goes before a fault is whole if it is valid by itself.
        ('a = b ["c"]\nb = "x"', "xy", ["a 0-2 …", " b 0-1", '  "x" 0-1', " a 1-2 …"]),
        # A terminal that is not finished is shown as far as it goes.
        ('a = "http" / "https" "x"', "htt", ["a 0-3 …", ' "http" 0-3 …']),
        ('a = "http"', "hty", ["a 0-3 …", ' "http" 0-3 …', "  a 2-3 …"]),
    ],
)
def test_what_is_shown_of_a_text_that_goes_wrong(abnf: str, text: str, shown: list[str]) -> None:
    assert shape(derive(abnf, text)) == shown


def test_what_may_follow_is_the_rest_of_a_terminal() -> None:
    found = derive('a = "http" / "https" "x"', "htt")
    assert [n.word for n in found.following] == ['"p"', '"ps"']


def test_deep_nesting_needs_no_stack_and_any_character_is_data() -> None:
    depth = 2_000
    found = derive('n = "(" n ")" / %xD800', "(" * depth + "\ud800" + ")" * depth)
    assert found.ok
    assert max(node.depth for node in found.nodes) == depth + 1
    json.dumps(found.to_dict())
    assert derive('n = "(" n ")" / %xD800', found.text[:-1]).viable == 2 * depth


def test_work_grows_with_the_length_alone_where_there_is_no_ambiguity() -> None:
    spent = []
    for length in (100, 200, 400):
        text = "http://user@h/" + "a/b%20" * length + "?q#f"
        chart = chart_of(RFC3986, "URI", text)
        assert Forest(chart).count((chart.root, 0, len(text))) == 1
        spent.append(MAX_READING_STEPS + STEPS_PER_CHARACTER * len(text) - chart.reading.steps)
    assert spent[2] - spent[1] <= 2.1 * (spent[1] - spent[0])


def test_a_count_is_written_for_people() -> None:
    assert [counted(n) for n in (None, 0, 1, 10**6)] == ["infinitely many", "0", "1", "1,000,000"]
    found = derive('a = *( "a" / "a" )', "a" * 2_000)
    assert found.count == 2**2_000
    assert found.to_dict()["derivations"] == "about 10^602"
    assert derive('a = *( "a" / "a" )', "a" * 3).to_dict()["derivations"] == 8
