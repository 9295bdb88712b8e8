"""Form data as WHATWG reads and writes it, and lists by the query grammars."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from commands import Run
from hypothesis import given, reject
from hypothesis import strategies as st
from strategies import CHARACTERS

from uriproof import Rule
from uriproof.adapters import for_hypothesis
from uriproof.percent.errors import (
    CharacterError,
    DecodeError,
)
from uriproof.percent.form import decode_form, decode_query, encode_form, encode_query
from uriproof.rule import Grammar, is_valid
from uriproof.uri.uri import URI

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
PAIRS = st.lists(st.tuples(TEXTS, TEXTS))
FULL = TEXTS.filter(bool)


# Form data


@given(PAIRS)
def test_form_data_comes_back(pairs: list[tuple[str, str]]) -> None:
    written = encode_form(pairs)
    assert decode_form(written) == decode_form(written, errors="raise") == pairs
    assert Grammar.load("form-urlencoded").rule().is_valid(written)
    assert parse_qsl(written, keep_blank_values=True) == pairs
    # Python's differs in two characters.
    assert urlencode(pairs).replace("~", "%7E") == written.replace("*", "%2A")


@given(st.lists(st.one_of(CHARACTERS, st.sampled_from(["=", "&", "+", "%C4", "%41"]))).map("".join))
def test_any_text_is_form_data(text: str) -> None:
    fields = decode_form(text)
    assert len(fields) == sum(bool(field) for field in text.split("&"))
    if not any("\ud800" <= char <= "\udfff" for char in text):
        assert decode_form(encode_form(fields)) == fields
        expected = parse_qsl(text, keep_blank_values=True, max_num_fields=None)
        assert fields == expected


# Lists by the query grammars


def test_what_is_missing_is_told_as_a_report_tells_it() -> None:
    for text in "&&&", "a&&=b&c=1&", "=", "=a&b":
        with pytest.raises(DecodeError) as info:
            decode_query(text)
        violations = Rule("query", query="key-value").check(text).violations
        told = [(v.start, v.message) for v in violations if v.production != "value"]
        assert [(f.start, f.message) for f in info.value.faults] == told


def test_lone_surrogates() -> None:
    assert decode_form("a=\ud800&\udc80=%zz\udfff") == [("a", "\ufffd"), ("\ufffd", "%zz\ufffd")]
    for call in decode_form, decode_query:
        with pytest.raises(DecodeError) as info:
            call("a=1&b=\ud800", errors="raise")
        assert [(f.start, f.end) for f in info.value.faults] == [(6, 7)]


@given(st.lists(st.tuples(FULL, FULL), min_size=1), st.booleans())
def test_pairs_come_back(pairs: list[tuple[str, str]], minimal: bool) -> None:
    written = encode_query(pairs, minimal=minimal)
    assert decode_query(written) == pairs
    assert is_valid(f"x:?{written}", Rule(query="key-value"))


@given(st.lists(FULL, min_size=1), st.booleans())
def test_parameters_come_back(texts: list[str], minimal: bool) -> None:
    written = encode_query(texts, "parameters", minimal=minimal)
    assert decode_query(written, "parameters") == texts
    assert is_valid(f"x:?{written}", Rule(query="parameters"))


# Values, and wrong ones


def test_numbers_octets_and_lists_of_values() -> None:
    fields: dict[str, Any] = {"a": 1, "b": -2.5, "c": b"\xff ", "d": ["x", 3], "e": (), "f": ("y",)}
    assert encode_form(fields) == "a=1&b=-2.5&c=%FF+&d=x&d=3&f=y"
    assert encode_form(list(fields.items())) == encode_form(fields)
    assert encode_query(fields) == "a=1&b=-2.5&c=%FF%20&d=x&d=3&f=y"
    mixed: list[int | bytes] = [1, b"\xff"]
    assert encode_query(mixed, "parameters") == "1&%FF"
    assert encode_query({"a": b"\xff", "b": "\xe4"}, encoding="latin-1") == "a=%FF&b=%E4"
    assert encode_form({"to": URI("http://h/?a")}) == "to=http%3A%2F%2Fh%2F%3Fa"


def test_an_error_names_the_item_and_the_place_in_it() -> None:
    for call in encode_form, encode_query:
        with pytest.raises(
            CharacterError, match=r'item 1, the value of "b": U\+D800 .* at 2'
        ) as info:
            call([("a", "b"), ("b", "cd\ud800")])
        assert (info.value.item, info.value.start, info.value.end) == (1, 2, 3)
        with pytest.raises(CharacterError, match=r"item 0, the name: U\+D800"):
            call({"\ud800": "x"})
    with pytest.raises(TypeError, match=r'the value of item 0, "a", is of type object'):
        encode_form({"a": object()})


def test_the_type_of_items_is_that_of_the_grammar() -> None:
    """What mypy reads here: pairs by default, texts of parameters."""
    assert [f"{name}{value.upper()}" for name, value in decode_query("a=b&c=", form=True)] == [
        "aB",
        "c",
    ]
    assert [text.upper() for text in decode_query("a&b", "parameters")] == ["A", "B"]


QUERIES = for_hypothesis.valid("query")


@given(QUERIES)
def test_what_is_decoded_is_encoded_again(query: str) -> None:
    """Every query is given back, in its own spelling."""
    for grammar in "key-value", "parameters":
        try:
            items = decode_query(query, grammar, lenient=True)
        except DecodeError:  # octets that are no UTF-8
            reject()
        assert encode_query(items, grammar, lenient=True) == query
        plain: Any = [i if isinstance(i, str) else tuple(i) for i in json.loads(json.dumps(items))]
        written = encode_query(plain, grammar, lenient=True)
        assert decode_query(written, grammar, lenient=True) == items
        try:
            strict = decode_query(query, grammar)
        except DecodeError:
            continue
        assert strict == items
        assert encode_query(strict, grammar) == query


def test_what_is_changed_is_written_anew() -> None:
    pairs = decode_query("sig=%7e/&a=b%3aC&a=%64")
    assert encode_query([(name, value.upper()) for name, value in pairs]) == (
        "sig=~%2F&a=B%3AC&a=D"
    )
    assert encode_query([*pairs, ("new", "~/")]) == "sig=%7e/&a=b%3aC&a=%64&new=~%2F"
    assert encode_query(dict(pairs)) == "sig=%7e/&a=%64"
    assert encode_query(pairs, minimal=True) == "sig=~/&a=b:C&a=d"
    again = pickle.loads(pickle.dumps(copy.deepcopy(pairs)))  # noqa: S301 -- our own
    assert encode_query(again) == "sig=%7e/&a=b%3aC&a=%64"


def test_a_spelling_stays_only_where_it_means_the_same() -> None:
    """A text of one grammar can hold what is a delimiter in another."""
    (text,) = decode_query("a=b/c", "parameters")
    assert encode_query([(text, text)]) == "a%3Db%2Fc=a=b/c"
    (latin,) = decode_query("%E4", "parameters", encoding="latin-1")
    assert encode_query([latin], "parameters") == "%C3%A4"
    (dropped,) = decode_query("a%FF%2f", "parameters", errors="drop")
    assert encode_query([dropped], "parameters") == "a%2F"
    (space,) = decode_query("a+b", "parameters", form=True)
    assert encode_query([space], "parameters") == "a%20b"


# The command line


def test_commands(run: Run) -> None:
    code, out, _ = run("decode", "--fields", "key-value", "--format", "json", "b")
    assert (code, json.loads(out)[0]["error"]["faults"][0]["kind"]) == (1, "missing")
    code, out, err = run("encode", "--fields", "form", "a=\udcff")
    assert (code, out.strip(), 'item 0, the value of "a": U+DCFF' in err) == (1, "", True)
