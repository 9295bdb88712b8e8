"""Encoding: every example of the how-to, every component, and data that cannot be written."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote, unquote_to_bytes

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from tables import rows
from tiers import FEW_GRAMMARS, quick

from uriproof.grammar import registry
from uriproof.grammar.machine.automaton import DEAD, Automaton
from uriproof.percent.characters import characters
from uriproof.percent.decode import decode, decode_octets
from uriproof.percent.encode import encode, encode_octets, form_writer
from uriproof.percent.errors import (
    CharacterError,
    EncodeError,
    OctetError,
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
    *((name, "rfc3986") for name in SOME),
    *(("key", "key-value"), ("value", "key-value"), ("param", "parameters")),
]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


# Octets (the articles' examples are in test_articles.py)

GIF = bytes.fromhex("47494638396107000700A20000000000")


def test_octets_through_base64() -> None:
    # The article left out the padding, which is reserved.
    assert encode_octets(GIF, base64="standard") == "R0lGODlhBwAHAKIAAAAAAA%3D%3D"
    assert (
        encode_octets(GIF, "segment", base64="standard", minimal=True) == "R0lGODlhBwAHAKIAAAAAAA=="
    )
    assert encode_octets(b"\xfb\xff", base64="standard") == "%2B%2F8%3D"
    assert encode_octets(b"\xfb\xff", base64="url") == "-_8%3D"


def test_nothing_is_guessed() -> None:
    with pytest.raises(OctetError, match=r"no text in utf-8: octet 0xF7 at 2") as info:
        encode_octets(bytes.fromhex("3420F72033"), read_as="utf-8")
    assert (info.value.start, info.value.end) == (2, 3)
    assert encode_octets("今".encode(), read_as="utf-8") == "%E4%BB%8A"


# Components and other productions


@pytest.mark.parametrize(
    ("data", "component", "expected"),
    rows("encode", "minimal"),
)
def test_minimal(data: str, component: str, expected: str) -> None:
    assert encode(data, component, minimal=True) == expected
    assert is_valid(encode(data, component), component)


def test_a_production_in_any_case() -> None:
    assert encode("a:b", "SEGMENT", minimal=True) == "a:b"


@pytest.mark.parametrize(
    ("data", "component", "start", "end"),
    rows("encode", "what-a-production-has-no-place-for"),
)
def test_what_a_production_has_no_place_for(
    data: str, component: str, start: int, end: int
) -> None:
    with pytest.raises(ProductionError) as info:
        encode(data, component)
    assert (info.value.start, info.value.end, info.value.production) == (start, end, component)
    assert f"this is not a valid {component}: " in str(info.value)


def test_a_query_grammar_wants_a_key() -> None:
    with pytest.raises(
        ProductionError, match=r"not a valid key: the data is empty; key = 1\*\( LIT / ESC"
    ):
        encode("", "key", grammar="key-value")


def test_places_are_code_points_whatever_the_encoding() -> None:
    for encoding in "utf-8", "utf-16", "latin-1":
        with pytest.raises(ProductionError) as info:
            encode("aéé!", "scheme", encoding=encoding)
        assert info.value.start == (0 if encoding == "utf-16" else 1)


@pytest.mark.parametrize("component", [None, *ANY])
def test_upper_case_and_no_more_than_needed(component: str | None) -> None:
    for number in range(128):
        char = chr(number)
        bare = char in characters("unreserved")
        assert encode(char, component) == (char if bare else f"%{number:02X}")


@pytest.mark.parametrize("component", ["userinfo", "reg-name", "segment", "query", "fragment"])
def test_minimal_leaves_bare_exactly_what_the_production_takes(component: str) -> None:
    for number in range(128):
        char = chr(number)
        written = encode(char, component, minimal=True)
        assert (written == char) is is_valid(char, component)


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


@given(TEXTS, st.sampled_from(PLACES), st.booleans())
def test_decode_of_encode_is_the_text(
    text: str, place: tuple[str | None, str], minimal: bool
) -> None:
    component, grammar = place
    written = encode(text, component, grammar=grammar, minimal=minimal and component is not None)
    assert decode(written) == text
    assert component is None or is_valid(written, component)
    assert decode(written, component, grammar=grammar) == text


@given(TEXTS.filter(bool), st.sampled_from(FULL_PLACES), st.booleans())
def test_decode_of_encode_is_the_text_where_it_must_not_be_empty(
    text: str, place: tuple[str, str], minimal: bool
) -> None:
    component, grammar = place
    written = encode(text, component, grammar=grammar, minimal=minimal)
    assert decode(written, component, grammar=grammar) == text
    assert Grammar.load(grammar)[component].is_valid(written)


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
            with pytest.raises(EncodeError) as info:
                call(text)
            assert "\ud800" <= text[info.value.start] <= "\udfff"
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


def test_octets_of_each_type() -> None:
    for data in b"a\xff", bytearray(b"a\xff"), memoryview(b"a\xff"):
        assert encode(data) == "a%FF" == form_writer()(data)


def test_a_lone_surrogate() -> None:
    with pytest.raises(CharacterError, match=r"U\+D800 lone surrogate at 1.*RFC 3629") as info:
        encode("a\ud800")
    assert (info.value.start, info.value.end) == (1, 2)


def test_a_character_that_the_encoding_has_not() -> None:
    with pytest.raises(CharacterError, match=r"U\+20AC EURO SIGN at 1 has no octets in latin-1"):
        encode("1€", encoding="latin-1")


@pytest.mark.parametrize(
    "name",
    [
        "utf9",
        "punycode",
        "idna",
        "charmap",
        "unicode_escape",
        "raw_unicode_escape",
        "rot13",
        "base64",
        "a\0b",
        "\ud800",
        "",
        "no such thing",
    ],
)
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


def test_an_encoding_nearly_named() -> None:
    assert "did you mean" in str(UnknownEncoding("uft-8"))


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        ("a", {"minimal": True}, "minimal needs a component"),
        ("a", {"component": "query", "minimal": True, "every": True}, "choose one"),
        ("a", {"every": True, "keep": "/"}, "choose one"),
        ("a", {"keep": "/ "}, r"U\+0020 SPACE is not a delimiter"),
        ("a", {"keep": "%"}, r"U\+0025 PERCENT SIGN is not a delimiter"),
        (
            "a",
            {"component": "query", "keep": "/#"},
            r"U\+0023 NUMBER SIGN is not allowed unencoded in a q",
        ),
        (b"a", {"encoding": "latin-1"}, "encode_octets has read_as"),
    ],
)
def test_options_that_contradict(data: str | bytes, options: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        encode(data, **options)  # type: ignore[arg-type]


def test_octets_and_options_that_contradict() -> None:
    with pytest.raises(ValueError, match="'standard' or 'url'"):
        encode_octets(b"a", base64="hex")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="choose one"):
        encode_octets(b"a", base64="url", read_as="utf-8")
    with pytest.raises(TypeError, match="data must be octets, not a text"):
        encode_octets("a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not NoneType"):
        encode_octets(None)  # type: ignore[arg-type]


def test_delimiters_to_keep() -> None:
    data = "2026/11 a:b?c"
    assert encode(data, keep="/") == "2026/11%20a%3Ab%3Fc"
    assert encode(data, "path", keep="/:") == "2026/11%20a:b%3Fc"
    assert encode(data, "query", keep="?~") == "2026%2F11%20a%3Ab?c"
    assert encode(data.encode(), keep="/") == encode_octets(data.encode(), keep="/")
    assert encode("a/b", "path-noscheme", keep="/:") == "a/b"
    with pytest.raises(TypeError, match="keep is a str"):
        encode("a", keep=["/"])  # type: ignore[arg-type]


def test_a_uri_value_is_data_too() -> None:
    assert encode(URI("http://h/")) == "http%3A%2F%2Fh%2F"


def test_unknown_names() -> None:
    with pytest.raises(LookupError, match="did you mean segment"):
        encode("a", "segmet")
    for component in None, "query":
        with pytest.raises(LookupError, match=r"did you mean .*rfc3986"):
            encode("a", component, grammar="rfc398")


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


@pytest.fixture
def encoding(run: Run) -> Run:
    return partial(run, "encode")


def test_command(encoding: Run) -> None:
    result = encoding("a b", "-", stdin="Ø\n\n".encode())
    assert (result.code, result.out, result.err) == (0, "a%20b\n%C3%98\n\n", "")


def test_command_options(encoding: Run) -> None:
    assert encoding("--component", "query", "--minimal", "a=b c").out == "a=b%20c\n"
    assert encoding("-c", "value", "-g", "key-value", "--minimal", "a=b&c").out == "a=b%26c\n"
    assert encoding("--form", "a b~").out == "a+b%7E\n"
    assert encoding("--every", "ab").out == "%61%62\n"
    assert encoding("--encoding", "latin-1", "Ä").out == "%C4\n"
    assert encoding("--octets", "-", stdin=b"\xf7\n").out == "%F7\n"
    assert encoding("--read-as", "latin-1", "-", stdin=b"\xf7\n").out == "%C3%B7\n"
    assert encoding("--base64", "url", "-", stdin=b"\xfb\xff\n").out == "-_8%3D\n"


def test_command_json(encoding: Run) -> None:
    result = encoding("-c", "port", "--format", "json", "80", "-", stdin=b"8o\n")
    assert result.code == 1
    good, bad = json.loads(result.out)
    assert good == {"text": "80", "encoded": "80"}
    assert (bad["file"], bad["line"], bad["text"]) == ("<stdin>", 1, "8o")
    error = bad["error"]
    assert (error["start"], error["end"], error["production"]) == (1, 2, "port")
    assert json.loads(encoding("--format", "json", "-").out) == []
