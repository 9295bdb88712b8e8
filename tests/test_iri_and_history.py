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

import uriproof
from uriproof.grammar import registry
from uriproof.grammar.machine.sample import cover

pytestmark = pytest.mark.prove


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


def test_every_iri_maps_to_a_uri() -> None:
    """Section 3.1, step 2, percent-encoding alone: what it leaves in a host is a reg-name, too."""
    for iri, uri in (("IRI", "URI"), ("IRI-reference", "URI-reference"), ("iquery", "query")):
        for text in cover(registry.load("rfc3987").automaton(iri)):
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
