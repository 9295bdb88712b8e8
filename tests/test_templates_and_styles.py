"""URI templates, OpenAPI styles and form data: that each grammar's language is the one meant.

Owns the comparison with what writes such texts: expansions (RFC 6570 §3), the style table of
OpenAPI, and the serializer of the URL Standard. Invariant: what is compared is written here, from
the specification's prose, never taken from the grammar under test.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriproof.grammar.machine.product import difference
from uriproof.rule import Grammar

TEMPLATE = Grammar.load("rfc6570")


# ---------------------------------------------------------------- templates

SETS = Grammar.load("rfc3986")


def test_max_length_is_one_to_9999() -> None:
    accepted = [n for n in range(12_000) if TEMPLATE["max-length"].is_valid(str(n))]
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
    assert TEMPLATE.rule().is_valid(text) is reads_as_template(text)
    report = TEMPLATE.rule().check(text)
    assert report.ok is reads_as_template(text)
    if not report.ok:
        assert report.fixed is None


# ---------------------------------------------------------------- styles of OpenAPI

STYLES = Grammar.load("openapi-styles")
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


# Styles of the query are queries, and styles of the path are segments, as they stand.
QUERY_STYLES = [r for r in STYLES.rules if r.startswith(("form", "spaceD", "pipeD", "deepO"))]
PATH_STYLES = [r for r in STYLES.rules if r.startswith(("simple", "label", "matrix"))]


@pytest.mark.parametrize(
    ("rule", "place"),
    [*((rule, "query") for rule in QUERY_STYLES), *((rule, "segment") for rule in PATH_STYLES)],
)
def test_a_style_is_a_query_or_a_segment(rule: str, place: str) -> None:
    assert difference(STYLES.automaton(rule), SETS.automaton(place), contained=True) is None


# ---------------------------------------------------------------- form data

FORM = Grammar.load("form-urlencoded")
SERIALIZER = Grammar.load("form-serializer")


def serialized(pairs: list[tuple[str, str]]) -> str:
    """The serializer of the URL Standard §5.2, in UTF-8, from its prose."""
    tuples = []
    for pair in pairs:
        halves = (quote(half, safe="*-._ ").replace("~", "%7E").replace(" ", "+") for half in pair)
        tuples.append("=".join(halves))
    return "&".join(tuples)


def parsed(text: str) -> list[tuple[str, str]]:
    """The parser of the URL Standard §5.1, from its prose."""
    pairs = []
    for sequence in filter(None, text.split("&")):
        name, _, value = sequence.partition("=")
        first, second = (unquote(half.replace("+", " ")) for half in (name, value))
        pairs.append((first, second))
    return pairs


@given(st.lists(st.tuples(TEXT, TEXT), max_size=4))
def test_what_the_serializer_writes(pairs: list[tuple[str, str]]) -> None:
    text = serialized(pairs)
    assert SERIALIZER.rule().is_valid(text)
    assert FORM.rule().is_valid(text)
    assert parsed(text) == pairs


def test_every_character_as_the_serializer_writes_it() -> None:
    """Characters by themselves: bare, a plus sign, or in escapes; and never otherwise."""
    accepts = SERIALIZER.automaton("string").accepts
    wrong = []
    ends = (p + near for p in range(0x1000, 0x110000, 0x1000) for near in (-2, -1, 0, 1))
    for point in (*range(0x1000), *ends, *range(0x1000, 0x110000, 97)):
        if 0xD800 <= point < 0xE000:
            continue
        text = serialized([(chr(point), "")])[:-1]
        if not accepts(text) or (accepts(chr(point)) and text != chr(point) and chr(point) != "+"):
            wrong.append(point)
    assert wrong == []


FRAGMENTS = [*"&=+*-._~aZ0%", "%20", "%41", "%26", "%7E", "%2A", "%C3%A9", "%c3%a9", "%C3", "%A9"]
FRAGMENTS += ["%ED%A0%80", "%F0%9F%98%80", "%C0%AF", "%5F", "é", " "]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=10).map("".join))
def test_what_is_serialized_is_written_anew_as_it_is(text: str) -> None:
    """And nothing else is: this is what the grammar says of a text."""
    assert SERIALIZER.rule().is_valid(text) is (serialized(parsed(text)) == text)


@given(st.text())
def test_the_parser_takes_any_text(text: str) -> None:
    surrogates = any("\ud800" <= char <= "\udfff" for char in text)
    assert FORM["sequences"].is_valid(text) is not surrogates
