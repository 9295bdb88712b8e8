"""A URI held to the rules of its scheme: two grammars, one report."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import edited
from tiers import quick

import uriproof
from uriproof.adapters import for_hypothesis
from uriproof.grammar import registry
from uriproof.grammar.machine.product import difference

pytestmark = pytest.mark.prove

SCHEMES = registry.schemes()
each_scheme = pytest.mark.parametrize("scheme", quick(SCHEMES, among=("coap", "http", "urn")))
OUTSIDE = {"geo", "sip", "sips", "tel"}
"""Schemes whose own grammar, older than RFC 3986 or careless of it, allows what that does not."""


def blamed(text: str) -> list[tuple[int, int, str, str, str]]:
    report = uriproof.check(text, uriproof.Rule(schemes=True))
    return [(v.start, v.end, v.kind, v.component, v.section) for v in report.violations]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://example.com/", []),
        ("HTTP://example.com/", []),
        ("http:///x", [(7, 7, "missing", "host", "RFC 9110 §4.2.1")]),
        ("http:foo", [(5, 5, "missing", "host", "RFC 9110 §4.2.1")]),
        ("http:", [(5, 5, "missing", "host", "RFC 9110 §4.2.1")]),
        ("https:///x", [(8, 8, "missing", "host", "RFC 9110 §4.2.1")]),
        ("mailto:a b", [(8, 9, "illegal", "path", "RFC 6068 §2")]),
        ("mailto:a@b?c=d e", [(14, 15, "illegal", "query", "RFC 6068 §2")]),
        ("tel:+1-2o1", [(8, 9, "illegal", "path", "RFC 3966 §5.1.4")]),
        ("nobody-knows-me:anything/at?all#there", []),
    ],
)
def test_what_a_scheme_demands(text: str, expected: list[tuple[int, int, str, str, str]]) -> None:
    assert uriproof.check(text).ok is (" " not in text)
    assert blamed(text) == expected
    assert uriproof.is_valid(text, uriproof.Rule(schemes=True)) is not bool(expected)


def test_the_fragment_is_not_the_schemes_affair() -> None:
    assert uriproof.is_valid("mailto:a@example.com#f/?", uriproof.Rule(schemes=True))
    assert blamed("mailto:a@example.com#f g") == [(22, 23, "illegal", "fragment", "RFC 3986 §3.5")]


def test_references_are_held_to_the_scheme_that_they_have() -> None:
    check = uriproof.check
    assert check("//a/b", uriproof.Rule("URI-reference", schemes=True)).ok
    assert check("./http:x", uriproof.Rule("URI-reference", schemes=True)).ok
    assert not check("http:x", uriproof.Rule("URI-reference", schemes=True)).ok
    assert check("b c", uriproof.Rule("path", schemes=True)).violations[0].start == 1


def test_both_grammars_speak_and_nothing_is_said_twice() -> None:
    found = blamed("http:///a b?[#x y")
    assert [f[:3] for f in found] == [
        (7, 7, "missing"),
        (9, 10, "illegal"),
        (12, 13, "illegal"),
        (15, 16, "illegal"),
    ]
    assert [f[:3] for f in blamed("http://[::1")] == [(11, 11, "missing")]


def test_only_uris_have_scheme_rules() -> None:
    with pytest.raises(ValueError, match="scheme rules are rules of URIs"):
        uriproof.Rule("IRI", grammar="rfc3987", schemes=True)


def test_many_texts_at_once() -> None:
    texts = ["http:x", "http://x/", "urn:isbn:1", "urn:x"]
    found = [*uriproof.are_valid(texts, uriproof.Rule(schemes=True))]
    assert found == [False, True, True, False]


@each_scheme
def test_what_a_scheme_allows_is_a_uri(scheme: str) -> None:
    """RFC 3986 §4.3: what a scheme's syntax matches, URI matches, too; some add a fragment."""
    name, rule = SCHEMES[scheme]
    own = registry.load(name).automaton(rule)
    generic = registry.load("rfc3986").automaton("URI")
    witness = difference(own, generic, contained=True)
    assert (witness is not None) is (scheme in OUTSIDE), witness


@each_scheme
def test_one_report_of_two_grammars(scheme: str) -> None:
    name, rule = SCHEMES[scheme]
    own = uriproof.Grammar.load(name)
    texts = st.one_of(
        edited(for_hypothesis.valid(rule, own)),
        st.builds("{}#{}".format, for_hypothesis.valid(rule, own), st.text(max_size=5)),
    )

    @given(texts)
    def hold(text: str) -> None:
        report: Any = uriproof.check(text, uriproof.Rule(schemes=True))
        assert report.ok is uriproof.is_valid(text, uriproof.Rule(schemes=True))
        if report.ok:
            assert uriproof.check(text).ok
            assert uriproof.require(text, uriproof.Rule(schemes=True)) is text
            if report.components["scheme"].text.lower() == scheme:
                assert own[rule].is_valid(text.partition("#")[0])
        else:
            with pytest.raises(uriproof.InvalidURI):
                uriproof.parse(text, uriproof.Rule(schemes=True))
        before = None
        for v in report.violations:
            assert 0 <= v.start <= v.end <= len(text)
            assert v.found == text[v.start : v.end]
            assert v.component
            assert v.section
            if before is not None:
                assert before.end <= v.start
            before = v
        if report.violations and report.fixed is not None:
            assert uriproof.is_valid(report.fixed, uriproof.Rule(schemes=True))

    hold()
