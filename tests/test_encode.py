"""Encoding: every example of the how-to, every component, and data that cannot be written."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote_to_bytes

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from tiers import FEW_GRAMMARS, quick

from uriproof.grammar import registry
from uriproof.grammar.machine.automaton import DEAD, Automaton
from uriproof.percent.characters import characters
from uriproof.percent.decode import decode, decode_octets
from uriproof.percent.encode import encode, encode_octets, form_writer
from uriproof.percent.errors import (
    CharacterError,
    ProductionError,
    UnknownEncoding,
)
from uriproof.percent.form import encode_form, encode_query
from uriproof.rule import Grammar, is_valid
from uriproof.uri.uri import URI

# Productions that take any data, percent-encoded; the second row wants at least one octet.
ANY = ["userinfo", "reg-name", "host", "path", "segment", "query", "fragment"]
SOME = ["segment-nz", "segment-nz-nc", "path-rootless", "path-noscheme"]
PLACES = [(None, "rfc3986"), *((name, "rfc3986") for name in ANY)]
FULL_PLACES = [
    *PLACES,
    *((name, "rfc3986") for name in SOME),
    *(("key", "key-value"), ("value", "key-value"), ("param", "parameters")),
]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize("component", [None, *ANY])
def test_which_characters_are_left_bare(component: str | None) -> None:
    """Those that are unreserved; with minimal, those that a loop accepts."""
    for char in map(chr, range(128)):
        triplet = f"%{ord(char):02X}"
        assert encode(char, component) == (char if char in characters("unreserved") else triplet)
        if component not in {None, "host", "path"}:
            bare = is_valid(char, str(component))
            assert encode(char, component, minimal=True) == (char if bare else triplet)


@pytest.mark.parametrize("name", quick(registry.names(), among=FEW_GRAMMARS))
def test_a_leaf_that_takes_all_unreserved_characters_is_a_loop(name: str) -> None:
    """What lets ``encode`` leave out the last look at its result: in these, places are alike."""
    grammar = registry.load(name)
    for rule in filter(grammar.regular, grammar.model.leaves):
        bare = characters(rule, name) - {"%"}  # which is always encoded
        if not bare > characters("unreserved") or not grammar.accepts(rule, "%00"):
            continue
        automaton = grammar.automaton(rule)

        def after(state: int, word: str, automaton: Automaton = automaton) -> int:
            for char in word:
                state = automaton.rows[state][automaton.alphabet.of(char)]
                assert state != DEAD
            return state

        words = [*bare, "%00", "%FF", "%2f"]
        first = {after(0, word) for word in words}
        assert first <= automaton.accepting
        assert {after(state, word) for state in first for word in words} <= first


# Properties


@given(TEXTS, st.sampled_from(FULL_PLACES), st.booleans())
def test_decode_of_encode_is_the_text(
    text: str, place: tuple[str | None, str], minimal: bool
) -> None:
    component, grammar = place
    text = text if place in PLACES else text or "?"  # the others do not take nothing
    written = encode(text, component, grammar=grammar, minimal=minimal and component is not None)
    assert decode(written) == text
    assert component is None or Grammar.load(grammar)[component].is_valid(written)
    assert decode(written, component, grammar=grammar) == text


@given(st.binary(), st.sampled_from(PLACES), st.sampled_from(["", "minimal", "every"]))
def test_decode_of_encode_is_the_octets(
    octets: bytes, place: tuple[str | None, str], how: str
) -> None:
    component, grammar = place
    every, minimal = how == "every", how == "minimal" and component is not None
    written = encode(octets, component, grammar=grammar, minimal=minimal, every=every)
    assert decode_octets(written, component) == octets == unquote_to_bytes(written)
    assert written == encode_octets(
        octets, component, grammar=grammar, minimal=minimal, every=every
    )


@given(TEXTS, st.sampled_from(["utf-8", "utf-16", "utf-32-le", "utf-7", "gb18030", "cp500"]))
def test_decode_of_encode_is_the_text_in_any_encoding(text: str, encoding: str) -> None:
    try:
        octets = text.encode(encoding)
    except UnicodeEncodeError:
        return
    if octets.decode(encoding, "replace") != text:
        return  # a byte order mark at the start of the text, and none of its own
    assert decode(encode(text, encoding=encoding), encoding=encoding) == text


@given(TEXTS, st.sampled_from(["path-abempty", "path-absolute", "scheme", "port", "host", "URI"]))
def test_what_comes_out_is_accepted_and_decodes(text: str, component: str) -> None:
    for minimal in False, True:
        try:
            written = encode(text, component, minimal=minimal)
        except ProductionError as raised:
            error = raised
        else:
            assert is_valid(written, component)
            assert decode(written) == text
            continue
        assert 0 <= error.start <= error.end <= len(text)


@given(TEXTS)
def test_as_this_python_quotes(text: str) -> None:
    assert encode(text) == quote(text, safe="")


@given(st.text())
def test_any_text(text: str) -> None:
    if any("\ud800" <= char <= "\udfff" for char in text):
        for call in encode, form_writer():
            with pytest.raises(CharacterError, match=r"RFC 3629") as info:
                call(text)
            assert "\ud800" <= text[info.value.start] <= "\udfff"
            assert info.value.end == info.value.start + 1
    else:
        assert decode(form_writer()(text), form=True) == text


# Wrong calls


@pytest.mark.parametrize("call", [encode, form_writer()])
@pytest.mark.parametrize("data", [None, True, ["a"], object()])
def test_data_of_another_type(call: Callable[[object], str], data: object) -> None:
    with pytest.raises(TypeError, match=r"data is (None: .*'null'|True: .*'true'|of type \w+)"):
        call(data)


@pytest.mark.parametrize("number", [5, -2.5, 0])
def test_a_number_is_written_alone_as_among_fields(number: float) -> None:
    assert encode(number) == form_writer()(number) == str(number)
    assert encode_query({"a": number}) == f"a={encode(number)}" == encode_form({"a": number})
    with pytest.raises(TypeError, match="octets are of type bytes, not"):
        encode_octets(number)  # type: ignore[arg-type]


def test_octets_and_texts_of_each_type() -> None:
    for data in b"a\xff", bytearray(b"a\xff"), memoryview(b"a\xff"):
        assert encode(data) == "a%FF" == form_writer()(data)
    assert encode(URI("http://h/")) == "http%3A%2F%2Fh%2F"


PYTHONS = ("punycode", "idna", "charmap", "unicode_escape", "raw_unicode_escape", "rot13", "base64")
"""Codecs of Python that are none of characters."""


@pytest.mark.parametrize("name", [*PYTHONS, "utf9", "no such thing", "", "a\0b", "\ud800"])
def test_an_unknown_encoding(name: str) -> None:
    calls: list[Callable[[], str]] = [
        lambda: encode("a", encoding=name),
        lambda: encode_octets(b"a", read_as=name),
        lambda: decode("a", encoding=name),
        lambda: form_writer(name)("a"),
    ]
    for call in calls:
        with pytest.raises(UnknownEncoding, match=r"unknown character encoding"):
            call()


@pytest.mark.parametrize("wrong", [5, ["query"], b"query"])
def test_names_of_another_type(wrong: Any) -> None:
    for call in encode, decode:
        with pytest.raises(TypeError, match="component must be a str or None, not"):
            call("a", wrong)
        with pytest.raises(TypeError, match="grammar must be a str, not"):
            call("a", "query", grammar=wrong)
        with pytest.raises(TypeError):
            call("a", encoding=wrong)


# The command line


def test_command_json(run: Run) -> None:
    result = run("encode", "-c", "port", "--format", "json", "-", stdin=b"8o\n")
    (bad,) = json.loads(result.out)
    assert (result.code, bad["file"], bad["line"], bad["text"]) == (1, "<stdin>", 1, "8o")
    error = bad["error"]
    assert (error["start"], error["end"], error["production"]) == (1, 2, "port")
