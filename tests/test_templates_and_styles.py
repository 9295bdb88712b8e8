"""URI templates, OpenAPI styles and form data: that each grammar's language is the one meant.

Owns the comparison with what writes such texts: expansions (RFC 6570 §3), the style table of
OpenAPI, and the serializer of the URL Standard. Invariant: what is compared is written here, from
the specification's prose, never taken from the grammar under test.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriproof.api import Grammar
from uriproof.grammar.automaton import difference

TEMPLATE = Grammar.load("rfc6570")


def alike(one: Grammar, rule: str, other: Grammar, named: str, *, contained: bool = False) -> bool:
    """Whether two rules accept the same texts, or the first no more than the other."""
    return difference(one.automaton(rule), other.automaton(named), contained=contained) is None


# ---------------------------------------------------------------- templates

SETS = Grammar.load("rfc3986")


def test_literals_are_what_an_iri_can_have_and_single_characters() -> None:
    """RFC 6570 §2.1: any character allowed in a URI, ucschar, iprivate; as erratum 6937 says."""
    letters = Grammar.from_abnf(
        "; imports: rfc3986 rfc6570\n"
        "allowed = reserved / unreserved / pct-encoded / ucschar / iprivate\n"
    )
    assert alike(TEMPLATE, "literals", letters, "allowed")


def test_every_uri_reference_is_a_template_of_itself() -> None:
    assert alike(SETS, "URI-reference", TEMPLATE, "URI-Template", contained=True)


def test_a_template_is_a_uri_reference_only_without_expressions() -> None:
    one, other = TEMPLATE.automaton("URI-Template"), SETS.automaton("URI-reference")
    witness = difference(one, other, contained=True)
    assert witness is not None
    assert len(witness) == 1  # a colon, a bracket, a non-ASCII character: templates are not parsed
    no_braces = Grammar.from_abnf("; imports: rfc6570\nplain = *literals\n")
    assert not no_braces.is_valid("{a}")
    assert alike(no_braces, "plain", TEMPLATE, "URI-Template", contained=True)


def test_max_length_is_one_to_9999() -> None:
    accepted = [n for n in range(12_000) if TEMPLATE.is_valid(str(n), "max-length")]
    assert accepted == list(range(1, 10_000))


NAME = r"(?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*"
VARIABLE = rf"{NAME}(?:\*|:[1-9][0-9]{{0,3}})?"
EXPRESSION = re.compile(rf"\{{[+#./;?&=,!@|]?{VARIABLE}(?:,{VARIABLE})*\}}", re.ASCII)
PLAIN = re.compile("[!#$&-;=?-\\[\\]_a-z~\u00e9]|%[0-9A-Fa-f]{2}")


def reads_as_template(text: str) -> bool:
    """The scan that RFC 6570 §3 tells a processor to do, from beginning to end."""
    at = 0
    while at < len(text):
        found = (EXPRESSION if text[at] == "{" else PLAIN).match(text, at)
        if found is None:
            return False
        at = found.end()
    return True


TEMPLATES = st.lists(
    st.sampled_from([*"{}{}+#./;?&=,!@|:*09%ab_é <'$~-", "%41", "{a}", "var", "{+", "9999"]),
    max_size=12,
).map("".join)


@given(TEMPLATES)
def test_a_scanner_written_from_the_prose_agrees(text: str) -> None:
    assert TEMPLATE.is_valid(text) is reads_as_template(text)
    report = TEMPLATE.check(text)
    assert report.ok is reads_as_template(text)
    if not report.ok:
        assert report.repaired is None


@given(TEMPLATES)
def test_the_first_blame_ends_the_longest_viable_prefix(text: str) -> None:
    report = TEMPLATE.check(text)
    if report.violations and report.violations[0].kind != "bad-escape":
        start = report.violations[0].start
        endings = ("", "}", "a}", "1}", "41}", "1", "41")
        assert any(TEMPLATE.is_valid(text[:start] + ending) for ending in endings)


@pytest.mark.parametrize("text", ["{" * 20_000, "{a" * 10_000, "{a," * 10_000 + "}", "%" * 20_000])
def test_hostile_templates_are_read_to_the_end(text: str) -> None:
    assert TEMPLATE.check(text).violations[-1].end <= len(text)
