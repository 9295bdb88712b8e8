"""Decoding: the articles' examples, every kind of fault with its span, and what is done with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise, product
from typing import Any, get_args
from urllib.parse import unquote, unquote_plus, unquote_to_bytes

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from strategies import CHARACTERS
from tiers import bound

from uriproof.percent.characters import pieces
from uriproof.percent.decode import decode, decode_octets, decode_report
from uriproof.percent.errors import DecodeError, Errors
from uriproof.rule import check, is_valid
from uriproof.uri.uri import URI

Spans = list[tuple[int, int, str]]


def spans(text: str, component: str | None = None, **options: Any) -> Spans:
    """All faults that decoding raises for; none if it does not."""
    try:
        decode(text, component, **options)
    except DecodeError as raised:
        faults = raised.faults
    else:
        return []
    assert all(fault.found == text[fault.start : fault.end] for fault in faults)
    return [(fault.start, fault.end, fault.kind) for fault in faults]


def test_an_error_draws_the_text() -> None:
    with pytest.raises(DecodeError) as info:
        decode("a%zz%C0%AF")
    assert str(info.value).splitlines()[:3] == [
        "This cannot be decoded.",
        "a%zz%C0%AF",
        " ^  ^^^^^^",
    ]
    assert info.value.text == "a%zz%C0%AF"


def test_an_error_with_many_faults_is_short() -> None:
    with pytest.raises(DecodeError) as info:
        decode("%4" * 1000)
    assert len(info.value.faults) == 1000
    assert len(str(info.value)) < 5000


def test_adjacent_faults_are_one_as_in_a_report() -> None:
    for production in "query", "userinfo", "segment", "fragment":
        for text in "a<> b[]%zz%%%41", "%4%4", "é日{}":
            with pytest.raises(DecodeError) as info:
                decode(text, production)
            found = [(f.start, f.end, f.kind) for f in info.value.faults]
            assert found == [(v.start, v.end, v.kind) for v in check(text, production).violations]


def test_an_error_about_userinfo_does_not_show_it() -> None:
    for component in "userinfo", "USERINFO", "authority":
        with pytest.raises(DecodeError) as info:
            decode("me:secret%zz", component)
        assert "secret" not in str(info.value)
        assert '"' not in str(info.value).replace('"%"', "")


def test_lone_surrogates() -> None:
    for text in "a\ud800", "%41\ud800", "\ud83d\ude00%C3%A9":
        assert {kind for *_, kind in spans(text)} == {"surrogate"}
        assert spans(text, form=True) == spans(text)
        assert spans(text, encoding="latin-1") == spans(text)
    assert decode("a\ud800b", errors="replace") == "a\ufffdb"
    assert decode("a\ud800b", errors="drop") == "ab"
    assert decode("a\ud800b", errors="keep") == "a\ud800b"


SOMEWHERE_A_DIGIT = "\xb2\xb9\xbc\u0131\u017f\u0663\uff11\uff21"
"""What some function of Python takes for a digit, or makes a letter of ASCII of."""


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "latin-1"])
@bound("characters", "/09:@AFG`afg\u0663\xb2", "".join(map(chr, range(0x80))) + SOMEWHERE_A_DIGIT)
def test_every_pair_of_characters_after_a_percent_sign(encoding: str, characters: str) -> None:
    """What Python's own escapes take for digits is what the grammar does."""
    for pair in product(characters, repeat=2):
        text = "\\x%" + "".join(pair)
        escape = is_valid(text[2:], "pct-encoded")
        told = spans(text, encoding=encoding)
        assert ("bad-escape" in [kind for *_, kind in told]) is not escape, text


def test_backslashes_and_what_python_reads_after_them() -> None:
    for text in "\\", "\\x41", "\\n%20\\N{DIGIT ONE}\\u0041\\", "\\%5C\\\n", "\\%C3%A9é":
        assert decode(text) == unquote(text)
        assert decode(text, form=True) == unquote_plus(text)
        assert not text.isascii() or decode_octets(text) == unquote_to_bytes(text)


def test_a_uri_value() -> None:
    uri = URI("http://h/%C3%A9")
    assert decode(uri) == "http://h/é"
    assert decode_octets(uri) == b"http://h/\xc3\xa9"


# Properties

ESCAPED = st.one_of(
    CHARACTERS,
    st.binary(min_size=1, max_size=4).map(lambda octets: "%" + octets.hex("%")),
    st.sampled_from(["%u20AC", "%ud83d", "%ude00", "+", "%C0%AF", "%ED%A0%80", "%E2%82"]),
)
ANY_TEXT = st.lists(ESCAPED, max_size=15).map("".join)
ERRORS = st.sampled_from(get_args(Errors))
ENCODINGS = st.sampled_from(["utf-8", "latin-1", "utf-16", "shift_jis", "utf-7", "cp1252", "big5"])


@given(ANY_TEXT, ERRORS, st.booleans(), st.booleans(), ENCODINGS, st.sampled_from([None, "path"]))
def test_any_text_gives_text_or_faults_in_order(
    text: str, errors: Errors, form: bool, u_escapes: bool, encoding: str, component: str | None
) -> None:
    options: dict[str, Any] = {"form": form, "u_escapes": u_escapes, "encoding": encoding}
    try:
        found = decode_report(text, component, errors=errors, **options).faults
    except DecodeError as error:
        assert errors == "raise"
        found = error.faults
        assert found
    assert all(0 <= fault.start <= fault.end <= len(text) for fault in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert errors == "raise" or isinstance(decode(text, component, errors=errors, **options), str)


@given(ANY_TEXT)
def test_as_this_python_unquotes(text: str) -> None:
    try:
        assert decode(text) == unquote(text) == unquote(text, errors="strict")
        assert decode(text, form=True) == unquote_plus(text)
    except DecodeError as error:
        if any("\ud800" <= char <= "\udfff" for char in text):
            return  # Python lets half of a pair pass
        if all(f.kind in ("invalid", "overlong", "surrogate") for f in error.faults):
            assert decode(text, errors="replace") == unquote(text)
        if all(f.kind in ("bad-escape", "u-escape") for f in error.faults):
            assert decode(text, errors="keep") == unquote(text)


@given(st.binary())
def test_octets_as_python_replaces_them(octets: bytes) -> None:
    text = "".join(f"%{octet:02x}" for octet in octets)
    assert decode(text, errors="replace") == octets.decode("utf-8", "replace")
    assert decode(text, errors="drop") == octets.decode("utf-8", "ignore")
    assert decode_octets(text) == octets == unquote_to_bytes(text)


@given(st.binary(), st.sampled_from(["utf-8", "utf-16", "shift_jis", "gb18030", "utf-7"]))
def test_pieces_cover_the_octets(octets: bytes, encoding: str) -> None:
    found = list(pieces(octets, encoding))
    covered = [at for piece in found for at in range(piece.start, piece.end)]
    assert covered == list(range(len(octets)))
    if encoding != "utf-7":  # its decoder gives what it has read before it tells what is wrong
        assert all(piece.text or piece.flaw or piece.end - piece.start for piece in found)


@given(ANY_TEXT)
def test_a_component_is_held_to_the_grammar(text: str) -> None:
    held = spans(text, "query", encoding="latin-1")
    assert bool(held) is not is_valid(text, "query")
    assert spans(text, accept=lambda char: True) == spans(text)


# Wrong calls


@pytest.mark.parametrize("text", [None, 5, b"%20", ["a"], "a".encode])
@pytest.mark.parametrize("call", [decode, decode_octets])
def test_text_of_another_type(call: Callable[[object], object], text: object) -> None:
    with pytest.raises(TypeError, match=r"^text must be a str, not \w+"):
        call(text)


# The command line


def test_command_json(run: Run) -> None:
    for option, text, code, path in (
        ("raise", "%zz", 1, ("bad-escape", 0, 1)),
        ("drop", "%C4", 0, ("invalid", 0, 3)),
    ):
        found = run("decode", "--format", "json", "--errors", option, text)
        (made,) = json.loads(found.out)
        (fault,) = made.get("error", made)["faults"]
        assert (found.code, (fault["kind"], fault["start"], fault["end"])) == (code, path)


def test_octets_that_are_no_text(run: Run) -> None:
    assert run("decode", "--octets", "%FF%0A", "a\n") == (0, "\udcff\na\n", "")
    code, out, err = run("decode", "a\udcff")
    assert (code, out) == (1, "\n")
    assert "surrogate  1  U+DCFF" in err
