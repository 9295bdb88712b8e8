"""IRIs, zones and the grammars before RFC 3986: how their languages relate.

Owns the comparison of grammars/rfc{1738,2396,3987,6874}.abnf with RFC 3986, by automata. Imports
the public face and the automata. Invariant: a witness is the shortest text that tells two grammars
apart.
"""

from __future__ import annotations

from itertools import product

import lark
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import any_text

import uriproof
from uriproof.grammar import registry
from uriproof.grammar.machine.automaton import Automaton
from uriproof.grammar.machine.product import difference
from uriproof.grammar.machine.sample import cover

pytestmark = pytest.mark.prove


def _automaton(grammar: str, rule: str) -> Automaton:
    return registry.load(grammar).automaton(rule)


def _only(grammar: str, rule: str, other: str, its_rule: str) -> str | None:
    """The shortest text that a rule accepts and another, of another grammar, does not."""
    return difference(_automaton(grammar, rule), _automaton(other, its_rule), contained=True)


# The languages


@pytest.mark.parametrize(
    ("uri", "iri", "witness"),
    [
        ("URI", "IRI", "a:à"),
        ("URI-reference", "IRI-reference", "à"),
        ("absolute-URI", "absolute-IRI", "a:à"),
        ("relative-ref", "irelative-ref", "à"),
        ("path", "ipath", "à"),
        ("query", "iquery", "à"),
    ],
)
def test_every_uri_is_an_iri(uri: str, iri: str, witness: str) -> None:
    assert _only("rfc3986", uri, "rfc3987", iri) is None
    assert _only("rfc3987", iri, "rfc3986", uri) == witness


def test_private_use_is_for_the_query_alone() -> None:
    grammar = uriproof.Grammar.load("rfc3987")
    for rule in ("iuserinfo", "ireg-name", "isegment", "ifragment"):
        assert _only("rfc3987", rule, "rfc3987", "iquery") is None
        for private in ("\ue000", "\U000f0000", "\U0010fffd"):
            assert not grammar[rule].is_valid(private)
            assert grammar["iquery"].is_valid(private)
    assert _only("rfc3987", "iquery", "rfc3987", "ifragment") == "\ue000"


def test_an_iri_of_every_plane_is_parsed() -> None:
    grammar = uriproof.Grammar.load("rfc3987")
    for plane in range(1, 15):
        text = f"http://h/{chr(plane * 0x10000 + 0x1000)}{chr(plane * 0x10000 + 0xFFFD)}"
        assert grammar.rule().is_valid(text), hex(plane)
        (segment,) = grammar.rule().parse(text).find_data("isegment")
        assert isinstance(segment, lark.Tree)
        assert "".join(map(str, segment.children)) == text[9:]
    for text in ("http://h/\U000e0fff", "http://h/\U000f0000", "http://h/\U0001fffe"):
        assert [v.start for v in grammar.rule().check(text).violations] == [9]


# Characters that delimit, that cannot stand, that make addresses, and others.
US_ASCII = st.text(st.sampled_from(":/?#[]@%.!a1fzGv \\<+-"), max_size=24)


@pytest.mark.parametrize(
    ("uri", "iri"), [("URI", "IRI"), ("URI-reference", "IRI-reference"), ("host", "ihost")]
)
@given(text=US_ASCII)
@example(text="http://u@h b:8o/[p]?{#^#")
@example(text="1://[::1::]:/%zz")
def test_in_us_ascii_iris_are_blamed_as_uris_are(uri: str, iri: str, text: str) -> None:
    found = uriproof.Grammar.load("rfc3987")[iri].check(text)
    before = uriproof.check(text, uri)
    assert found.fixed == before.fixed
    assert list(found.components) == list(before.components)
    assert [(v.start, v.end, v.kind, v.component) for v in found.violations] == [
        (v.start, v.end, v.kind, v.component) for v in before.violations
    ]
    own = uriproof.Grammar.load("rfc3987").rules
    for ours, theirs in zip(found.violations, before.violations, strict=True):
        named = theirs.production.replace("URI", "IRI")
        assert ours.production == (f"i{named}" if f"i{named}" in own else named)


@pytest.mark.parametrize(
    ("grammar", "rule"),
    [
        ("rfc3987", "IRI-reference"),
        ("rfc6874", "URI-reference"),
        ("rfc2396", "URI-reference"),
        ("rfc1738", "httpurl"),
        pytest.param("rfc2396", "authority", marks=pytest.mark.prove),
        pytest.param("rfc1738", "url", marks=pytest.mark.prove),
        pytest.param("rfc1738", "gopherurl", marks=pytest.mark.prove),
        pytest.param("rfc1738", "prosperourl", marks=pytest.mark.prove),
    ],
)
@given(data=st.data())
def test_reports_are_sound_and_mend(grammar: str, rule: str, data: st.DataObject) -> None:
    text = data.draw(any_text(registry.load(grammar), rule))
    verbs = uriproof.Grammar.load(grammar)
    report = verbs[rule].check(text)
    assert report.ok is verbs[rule].is_valid(text) is _automaton(grammar, rule).accepts(text)
    end = 0
    for violation in report.violations:
        assert end <= violation.start <= violation.end <= len(text)
        end = violation.end
    if report.fixed is not None:
        assert verbs[rule].is_valid(report.fixed)


def test_every_iri_maps_to_a_uri() -> None:
    """Section 3.1, step 2, percent-encoding alone: what it leaves in a host is a reg-name, too."""
    for iri, uri in (("IRI", "URI"), ("IRI-reference", "URI-reference"), ("iquery", "query")):
        for text in cover(_automaton("rfc3987", iri)):
            mapped = "".join(
                c if c.isascii() else "".join(f"%{octet:02X}" for octet in c.encode()) for c in text
            )
            assert uriproof.is_valid(mapped, uri), text


@given(text=US_ASCII)
@example(text="//[::1")
@example(text="//[::g]:x")
def test_without_a_percent_sign_zones_change_no_blame(text: str) -> None:
    text = text.replace("%", "")
    found = uriproof.Grammar.load("rfc6874")["URI-reference"].check(text)
    before = uriproof.check(text, "URI-reference")
    assert [(v.start, v.end, v.kind, v.component) for v in found.violations] == [
        (v.start, v.end, v.kind, v.component) for v in before.violations
    ]


def test_zones_add_to_rfc3986_and_take_nothing_away() -> None:
    for rule in ("URI", "URI-reference", "absolute-URI", "relative-ref", "authority", "host"):
        assert _only("rfc3986", rule, "rfc6874", rule) is None
    assert _only("rfc6874", "host", "rfc3986", "host") == "[::%25a]"
    assert _only("rfc6874", "URI-reference", "rfc3986", "URI-reference") == "//[::%25a]"


def test_the_shortest_texts_that_only_rfc3986_allows() -> None:
    rule = "URI-reference"
    assert _only("rfc3986", rule, "rfc2396", rule) == "?"
    assert _only("rfc3986", "URI", "rfc2396", rule) == "a:"
    # After two slashes nothing is missing, and what is left is the IP literal.
    after = uriproof.Grammar.from_abnf(
        '; imports: rfc3986\n; starts: net\nnet = "//" authority path-abempty'
    )
    witness = difference(after.automaton("net"), _automaton("rfc2396", rule), contained=True)
    assert witness == "//[::]"


def test_the_shortest_texts_that_only_rfc2396_allows() -> None:
    rule = "URI-reference"
    assert _only("rfc2396", rule, "rfc3986", rule) == "//:a"


def test_every_url_of_rfc1738_is_a_genericurl() -> None:
    assert _only("rfc1738", "url", "rfc1738", "genericurl") is None
    assert _only("rfc1738", "genericurl", "rfc1738", "url") is None


@pytest.mark.parametrize(
    ("rule", "witness"),
    [
        ("genericurl", "0:"),  # a scheme starts with a letter since RFC 2396
        ("httpurl", None),
        ("ftpurl", "ftp://:a?@a"),  # a question mark in a password
        ("fileurl", None),
        ("gopherurl", None),
        ("mailtourl", "mailto://:a"),  # an authority, as any scheme may have since RFC 2396
        ("newsurl", "news://:a/@a"),
        ("nntpurl", None),
        ("telneturl", "telnet://:a?@a"),
        ("waisurl", None),
        ("prosperourl", None),
    ],
)
def test_which_urls_of_rfc1738_are_no_uris(rule: str, witness: str | None) -> None:
    assert _only("rfc1738", rule, "rfc3986", "absolute-URI") == witness


def test_the_opaque_part_of_rfc2396_is_undivided() -> None:
    """What divides the texts agrees with the rule, on every short text."""
    grammar = uriproof.Grammar.load("rfc2396")
    for length in range(5):
        for characters in product(":/?#@[a %", repeat=length):
            text = "".join(characters)
            report = grammar.rule().check(text)
            assert report.ok is grammar.rule().is_valid(text), text
            assert "URI-reference" not in report.components, text  # it was divided
            if "opaque-part" in report.components:
                assert "query" not in report.components, text
