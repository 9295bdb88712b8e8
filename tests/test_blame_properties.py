"""What makes a report a good one: sound, first, exact, mendable, irreducible, disjoint, linear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reports import viable, well_formed
from strategies import RFC3986, any_text

import uriproof
from uriproof.grammar import registry
from uriproof.report import Report, Violation

pytestmark = pytest.mark.prove

COMPOUND = ["URI", "URI-reference", "absolute-URI", "relative-ref", "hier-part", "authority"]
LOOPS = {"userinfo", "reg-name", "port", "query", "fragment"}
QUERY_GRAMMARS = ["parameters", "key-value"]


def verdicts(text: str, rule: str, grammar: str = "rfc3986", query: str | None = None) -> Report:
    """The report, after every other engine has agreed with it."""
    loaded = uriproof.Grammar.load(grammar)
    held = uriproof.Rule(rule, grammar=loaded, query=query)
    report = held.check(text)
    assert held.is_valid(text) is report.ok
    if query is None:
        assert registry.load(grammar).automaton(rule).accepts(text) is report.ok
    if report.ok:
        tree = held.parse(text)
        assert "".join(str(t) for t in tree.scan_values(lambda _: True)) == text
    return report


def mends(report: Report, query: str | None = None) -> None:
    """All fixes together mend, and no violation could have been left out."""
    if report.ok or report.fixed is None:
        return
    grammar = uriproof.Grammar.load(report.grammar)
    assert uriproof.Rule(report.rule, grammar=grammar, query=query).is_valid(report.fixed)
    for left in report.violations:
        text = report.text
        for v in reversed(report.violations):
            if v is not left and v.fix is not None:
                text = v.fix.apply(text)
        assert not uriproof.Rule(report.rule, grammar=grammar, query=query).is_valid(text), left


@given(data=st.data(), rule=st.sampled_from(sorted(RFC3986.model.rules)))
def test_every_production_of_rfc3986(data: Any, rule: str) -> None:
    report = verdicts(data.draw(any_text(RFC3986, rule)), rule)
    well_formed(report)
    mends(report)


@given(data=st.data(), rule=st.sampled_from(COMPOUND))
def test_compound_rules_are_blamed_first_and_exactly(data: Any, rule: str) -> None:
    report = verdicts(data.draw(any_text(RFC3986, rule)), rule)
    well_formed(report)
    mends(report)
    assert str(report)
    by_component: dict[str, list[Violation]] = {}
    for v in report.violations:
        by_component.setdefault(v.component, []).append(v)
    for name, violations in by_component.items():
        if name in report.components and violations[0].kind != "extra":
            first(report, name, violations[0])
            exact(report, name, violations)


def productions(report: Report, component: str) -> list[str]:
    """What the contract holds a component to."""
    if component != "path":
        return [component]
    if "host" in report.components:
        return ["path-abempty"]
    if "scheme" in report.components or report.rule in ("URI", "absolute-URI", "hier-part"):
        return ["path-absolute", "path-rootless", "path-empty"]
    return ["path-absolute", "path-noscheme", "path-empty"]


def first(report: Report, component: str, violation: Violation) -> None:
    """The first violation stands at the end of the longest viable prefix, or is a bad escape."""
    found = report.components[component]
    automata = map(RFC3986.automaton, productions(report, component))
    longest = max(viable(automaton, found.text) for automaton in automata) + found.start
    if violation.kind == "bad-escape":
        assert longest - 2 <= violation.start < longest
    elif component == "host" and found.text.startswith("["):
        # The last "]" closes the address: a viable "]" before it stands inside.
        assert violation.start <= longest
    else:
        assert violation.start == longest


def exact(report: Report, name: str, violations: list[Violation]) -> None:
    """In a loop over characters, precisely those that it does not admit are blamed."""
    found = report.components[name]
    is_path = name == "path" and found.production == "path-abempty"
    if found.production in LOOPS or is_path:
        loop = "segment" if is_path else found.production
        blamed = {i for v in violations for i in range(v.start, v.end)}
        assert blamed == {found.start + at for at in inadmissible(loop, found.text)}


def inadmissible(loop: str, text: str) -> Iterator[int]:
    """The characters that a loop does not admit, one by one; "/" separates segments."""
    at = 0
    while at < len(text):
        if loop != "port" and uriproof.is_valid(text[at : at + 3], "pct-encoded"):
            at += 3
            continue
        separates = loop == "segment" and text[at] == "/"
        if not separates and not uriproof.is_valid(text[at], loop):
            yield at
        at += 1


@pytest.mark.parametrize(
    ("grammar", "rule"),
    [
        *(("rfc3987", "IRI-reference"), ("rfc6874", "URI-reference"), ("rfc2396", "URI-reference")),
        *(("rfc1738", "httpurl"), ("rfc2396", "authority"), ("rfc1738", "url")),
        *(("rfc1738", "gopherurl"), ("rfc1738", "prosperourl")),
    ],
)
@given(data=st.data())
def test_grammars_before_and_after_rfc3986(grammar: str, rule: str, data: Any) -> None:
    report = verdicts(data.draw(any_text(registry.load(grammar), rule)), rule, grammar)
    well_formed(report)
    if report.fixed is not None:
        assert uriproof.Grammar.load(grammar)[rule].is_valid(report.fixed)


@given(data=st.data(), name=st.sampled_from(QUERY_GRAMMARS))
def test_query_grammars_by_themselves(data: Any, name: str) -> None:
    grammar = registry.load(name)
    rule = data.draw(st.sampled_from(sorted(grammar.model.rules)))
    held = data.draw(st.sampled_from([None, *QUERY_GRAMMARS * (rule in ("query", "param"))]))
    report = verdicts(data.draw(any_text(grammar, rule)), rule, name, held)
    well_formed(report)
    if held is None:
        mends(report)


@given(data=st.data(), name=st.sampled_from(QUERY_GRAMMARS))
def test_query_grammars_inside_a_uri(data: Any, name: str) -> None:
    inner = data.draw(any_text(registry.load(name), "query"))
    text = f"http://h/?{inner}"
    report = verdicts(text, "URI", query=name)
    well_formed(report)
    mends(report, query=name)
    assert {v.grammar for v in report.violations} <= {"rfc3986", name}
    plain = uriproof.check(text)
    own = {i for v in plain.violations for i in range(v.start, v.end)}
    assert own <= {i for v in report.violations for i in range(v.start, v.end)}
