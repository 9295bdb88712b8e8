"""The grammars of schemes, what their languages are, and a URI validated by two grammars.

Owns the relation of each scheme's grammar to the generic syntax; imports the grammars and the
public face. Invariant: a claim about a language is decided by automata, not sampled; where two
languages differ, the shortest text that tells them apart stands here.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reports import viable, well_formed
from strategies import any_text
from tables import rows
from tiers import bound

import uriproof
from uriproof.grammar import registry
from uriproof.grammar.machine.automaton import Automaton
from uriproof.grammar.machine.product import difference
from uriproof.grammar.machine.sample import cover, neighbors
from uriproof.report import Report, Violation

RULES = registry.schemes()
"""The grammar and the rule of each scheme, as the grammars say."""
NOT_URIS = {"geo": "geo:0,0;a=[", "sip": "sip:a;[", "sips": "sips:a;[", "tel": "tel:+0;a=["}
"""The shortest text of a scheme's rule that is not a URI: square brackets in parameters."""
FRAGMENTS = {"about": "about:#", "did": "did:a:a#", "info": "info:a/#", "tag": "tag:a,0000:#"}
"""The shortest text of a scheme's rule that is a URI, but with a fragment."""
READ_AS_ONE = ("data", "did", "mailto", "sip", "sips", "tag", "tel", "urn")
"""Schemes whose texts are not divided, and so blamed first where they leave the grammar."""

pytestmark = pytest.mark.prove

each_scheme = pytest.mark.parametrize("scheme", RULES)


def of(scheme: str) -> Automaton:
    return rule_of(*RULES[scheme])


def rule_of(grammar: str, rule: str) -> Automaton:
    return registry.load(grammar).automaton(rule)


# What the grammars accept


@each_scheme
def test_whether_every_text_of_a_scheme_is_a_uri(scheme: str) -> None:
    """RFC 3986 §4.3: a scheme's own syntax restricts the generic one, without a fragment."""
    uri, absolute = rule_of("rfc3986", "URI"), rule_of("rfc3986", "absolute-URI")
    assert difference(of(scheme), uri, contained=True) == NOT_URIS.get(scheme)
    beyond = NOT_URIS.get(scheme) or FRAGMENTS.get(scheme)
    assert difference(of(scheme), absolute, contained=True) == beyond


@each_scheme
def test_the_scheme_itself_is_of_any_case_and_no_other(scheme: str) -> None:
    machine = of(scheme)
    rest = next(iter(cover(machine)))[len(scheme) :]
    accepted = [f"{put}{rest}" for put in (scheme, scheme.upper())]
    others = [f"{put}{rest}" for put in ("x" + scheme, scheme + "x", "")]
    assert [machine.accepts(text) for text in accepted + others] == [True] * 2 + [False] * 3


def test_ldap_takes_every_filter_of_rfc_4515() -> None:
    """RFC 4515 §3, nested four deep, with the characters that a URL must have encoded encoded."""
    filters = ['f0 = "(" item ")"']
    for depth in range(1, 5):
        inner = f"f{depth - 1}"
        filters.append(f'f{depth} = {inner} / "(" ( "&" / "%7C" ) 1*{inner} ")" / "(!" {inner} ")"')
    source = "\n".join(reversed(filters))
    exact = registry.compile_abnf(f"; imports: rfc4516\n{source}").automaton("f4")
    known = registry.load("rfc4516").automaton("filter")
    assert difference(exact, known, contained=True) is None
    for beyond in ("(!(a=b)(c=d))", "(&(a=b)))"):  # which the header says are not counted
        assert known.accepts(beyond)
        assert not exact.accepts(beyond)


def test_a_telephone_number_with_a_number_sign_is_not_one_to_a_uri_parser() -> None:
    text = "tel:*31#;phone-context=+49"
    assert uriproof.Grammar.load("rfc3966").rule().is_valid(text)
    assert uriproof.is_valid(text)
    # Before the "#" there is a local number, and no context.
    assert not uriproof.is_valid(text, uriproof.Rule(schemes=True))


def test_where_an_r_component_ends() -> None:
    """RFC 8141 section 2.3.1 in prose; its ABNF lets "?=" stand in an r-component."""
    tree = uriproof.Grammar.load("rfc8141")["rq-namestring"].parse("urn:example:a?+b?=c")
    assert [
        "".join(found.scan_values(lambda _: True)) for found in tree.find_data("r-component")
    ] == ["b"]


def test_a_token_of_a_media_type_is_one_of_rfc_2045_in_a_url() -> None:
    """RFC 2045 section 5.1: any CHAR except SPACE, CTLs and tspecials; in a URL, and no "%"."""
    tspecials = set('()<>@,;:\\"/[]?=')
    plain = {chr(c) for c in range(0x21, 0x7F)} - tspecials
    data = uriproof.Grammar.load("rfc2397")
    urlchars = {c for c in map(chr, range(0x80)) if data["urlchar"].is_valid(c)}
    allowed = {c for c in map(chr, range(0x100)) if data["token"].is_valid(c)}
    assert allowed == plain & urlchars
    assert plain - allowed == set("#%^`{|}")


def test_an_atom_of_an_address_is_one_of_rfc_5322_in_a_uri() -> None:
    """RFC 6068 section 2: what of it cannot stand in a URI is percent-encoded, and some more."""
    atext = set("!#$%&'*+-/=?^_`{|}~") | {c for c in map(chr, range(0x80)) if c.isalnum()}
    mailto = uriproof.Grammar.load("rfc6068")
    bare = {c for c in map(chr, range(0x100)) if mailto["atext"].is_valid(c)}
    assert atext - bare == set("%#/?&=^`{|}")
    assert bare <= atext


# What the reports say


def report_of(scheme: str, text: str) -> Report:
    """The report under the scheme's rule, which the regular expression and automaton bear out."""
    grammar, rule = RULES[scheme]
    loaded = uriproof.Grammar.load(grammar)
    report = loaded[rule].check(text)
    assert report.ok is loaded[rule].is_valid(text) is of(scheme).accepts(text)
    assert all(v.path[0] == rule for v in report.violations)
    well_formed(report)
    if report.fixed is not None:
        assert of(scheme).accepts(report.fixed)
    return report


@each_scheme
def test_one_report_of_two_grammars(scheme: str) -> None:
    name, rule = RULES[scheme]
    own, both = uriproof.Grammar.load(name)[rule], uriproof.Rule(schemes=True)
    texts = any_text(registry.load(name), rule)

    @settings(max_examples=12)  # of each of the schemes
    @given(st.one_of(texts, st.builds("{}#{}".format, texts, st.text(max_size=5))))
    def hold(text: str) -> None:
        report_of(scheme, text)
        report: Any = both.check(text)
        well_formed(report)
        assert report.ok is both.is_valid(text)
        if report.ok:
            assert uriproof.check(text).ok
            if report.components["scheme"].text.lower() == scheme:
                assert own.is_valid(text.partition("#")[0])
        elif report.fixed is not None:
            assert both.is_valid(report.fixed)

    hold()


@each_scheme
@bound("count", 15, 120)
def test_blame_near_every_move(scheme: str, count: int) -> None:
    """Texts that make moves of the automaton, and their neighbors; a bad escape is at its "%"."""
    machine = of(scheme)
    random = Random(scheme)  # noqa: S311 -- test data, the same every time
    texts = list(cover(machine))
    chosen = random.sample(texts, min(len(texts), count))
    for text in [t for c in chosen for t in (c, *neighbors(c, machine, random, 3))]:
        report = report_of(scheme, text)
        if not report.ok and scheme in READ_AS_ONE:
            violation, most = report.violations[0], viable(machine, text)
            if violation.kind == "bad-escape":
                assert most - 2 <= violation.start < most
            else:
                assert violation.start == most or is_word(violation, most), (text, violation)


def is_word(violation: Violation, at: int) -> bool:
    """Whether a whole word is blamed that goes wrong at an offset: "tdg" for "tag"."""
    words = [word.strip('":') for word in violation.expected]
    begun = violation.found[: at - violation.start].lower()
    return 0 <= violation.start < at < violation.end and any(
        word.isalnum() and word.lower().startswith(begun) for word in words
    )


@each_scheme
def test_hostile_texts_are_data(scheme: str) -> None:
    for text in islice(cover(of(scheme)), 0, None, 11):
        assert not report_of(scheme, text + "\n").ok
    assert str(report_of(scheme, f"{scheme}:" + "[%f@,;a=?+" * 50))


@pytest.mark.parametrize(
    ("text", "production", "section"),
    rows("schemes", "a-violation-cites-the-specification-of-the-scheme"),
)
def test_a_violation_cites_the_specification_of_the_scheme(
    text: str, production: str, section: str
) -> None:
    name, rule = RULES[text.partition(":")[0]]
    first = uriproof.Grammar.load(name)[rule].check(text).violations[0]
    assert (first.production, first.section) == (production, section)


# A URI validated by the rules of its scheme as well


def blamed(text: str) -> list[tuple[int, int, str, str, str]]:
    report = uriproof.check(text, uriproof.Rule(schemes=True))
    return [(v.start, v.end, v.kind, v.component, v.section) for v in report.violations]


@pytest.mark.parametrize(
    ("text", "expected"),
    rows("schemes", "what-a-scheme-demands"),
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


def test_both_grammars_speak_and_nothing_is_said_twice() -> None:
    illegal = [(at, at + 1, "illegal") for at in (9, 12, 15)]
    assert [f[:3] for f in blamed("http:///a b?[#x y")] == [(7, 7, "missing"), *illegal]
    assert [f[:3] for f in blamed("http://[::1")] == [(11, 11, "missing")]
