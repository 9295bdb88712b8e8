"""URI cleaning: the articles' examples, each step, each doubt, each obstacle, and its laws."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import RFC3986, any_text

from uriproof import is_valid
from uriproof.adapters import for_hypothesis
from uriproof.cli import main
from uriproof.percent.clean import clean, cleaning, divided
from uriproof.percent.cleaning import ADVANCED, RULES, NotCleaned

HELEN = "http://example.com/admin/login?name=Helen \u00d8deg\u00e5rd&gender=f"
CLEAN_HELEN = "http://example.com/admin/login?name=Helen%20%C3%98deg%C3%A5rd&gender=f"
REDIRECT = (
    "http://example.com/admin/login?redirect=http://example.com/news#funny&name=Helen&gender=f"
)

# The article "How do you escape a complete URI?"


def test_the_super_uri() -> None:
    assert clean(HELEN) == CLEAN_HELEN


def test_what_is_a_uri_stays() -> None:
    assert clean(CLEAN_HELEN) == CLEAN_HELEN


def test_nothing_is_encoded_twice() -> None:
    typed = REDIRECT.replace("#", "%23").replace("Helen", "Helen \u00d8deg\u00e5rd")
    assert clean(typed) == typed.replace(" \u00d8deg\u00e5rd", "%20%C3%98deg%C3%A5rd")


def test_the_brackets_of_an_ip_literal_stay() -> None:
    host = "[2001:db8:85a3:8d3:1319:8a2e:370:7348]"
    typed = HELEN.replace("example.com", host)
    assert clean(typed) == CLEAN_HELEN.replace("example.com", host)


def test_the_redirect_is_not_guessed_at() -> None:
    found = cleaning(REDIRECT, advanced=True)
    assert (found.result, found.steps) == (REDIRECT, ())
    (doubt,) = found.doubts
    at = REDIRECT.index("#")
    assert (doubt.code, doubt.start, doubt.end, doubt.instead) == ("nested-uri", at, at + 1, "%23")
    assert '"redirect"' in doubt.message
    assert cleaning(REDIRECT.replace("#", "%23")).doubts == ()


def test_an_ampersand_after_a_nested_query_is_not_guessed_at() -> None:
    typed = "https://api.tld/redirect?uri=https://boeing.fly/news?page2&nav=yes"
    (doubt,) = cleaning(typed).doubts
    assert (doubt.start, doubt.instead) == (typed.index("&"), "%26")
    typed = "https://api.tld/redirect?uri=https://boeing.fly/news#ex"
    assert [d.instead for d in cleaning(typed).doubts] == ["%23"]


ILLEGAL = [chr(i) for i in (*range(0x20), 0x7F)] + list(' "<>\\^`{|}') + ["\x80", "\U0010fffd"]
KEPT = "!#$%&'()*+,/:;=?@[]"


@pytest.mark.parametrize("char", ILLEGAL, ids=ascii)
def test_the_illegal_characters_are_encoded(char: str) -> None:
    octets = "".join(f"%{octet:02X}" for octet in char.encode())
    for start in ("http://h/a", "http://h/?a", "http://h/#a", "http://a", "http://u"):
        end = "@h" if start.endswith("u") else "z"
        assert clean(start + char + end) == start + octets + end


@pytest.mark.parametrize("char", KEPT)
def test_no_reserved_character_is_touched(char: str) -> None:
    for start in ("http://h/a", "http://h/?a", "http://h/#a"):
        found = cleaning(start + char + "41")
        assert (found.result, found.steps) == (start + char + "41", ())
        assert found.ok == is_valid(found.text)


# Advanced cleaning: each step by itself


@pytest.mark.parametrize(
    ("step", "typed", "made"),
    [
        ("trim", " \u00a0http://h/a b\n", "http://h/a%20b"),
        ("backslashes", "HTTP:\\\\h\\a?b\\c#d\\", "HTTP://h/a?b%5Cc#d%5C"),
        ("backslashes", "data:,a\\b", "data:,a%5Cb"),
        ("stray-percent", "http://h/100%?%zz%4#%%20", "http://h/100%25?%25zz%254#%25%20"),
        ("stray-percent", "http://100%/", "http://100%25/"),
        ("delimiters", "http://u@v@h/[1]?[2]#[3]#4", "http://u%40v@h/%5B1%5D?%5B2%5D#%5B3%5D%234"),
        ("idna", "http://u\u00fc@B\u00fccher.de/\u00fc", "http://u%C3%BC@xn--bcher-kva.de/%C3%BC"),
        ("idna", "http://b%C3%BCcher\u3002example/", "http://xn--bcher-kva.example/"),
    ],
)
def test_a_step(step: str, typed: str, made: str) -> None:
    assert clean(typed, advanced=[step]) == made
    assert clean(typed, advanced=True) == made
    taken = {s.name for s in cleaning(typed, advanced=[step]).steps}
    assert taken - {"encode"} <= {step}


def test_steps_say_what_became_of_what() -> None:
    typed = " http:\\\\h/a b\u00e9%#x#"
    found = cleaning(typed, advanced=True)
    assert found.result == "http://h/a%20b%C3%A9%25#x%23"
    assert [(s.name, s.start, s.end, s.component, s.replacement) for s in found.steps] == [
        ("trim", 0, 1, "", ""),
        ("backslashes", 6, 7, "path", "/"),
        ("backslashes", 7, 8, "path", "/"),
        ("encode", 11, 12, "path", "%20"),
        ("encode", 13, 14, "path", "%C3%A9"),
        ("stray-percent", 14, 15, "path", "%25"),
        ("delimiters", 17, 18, "fragment", "%23"),
    ]
    assert all(typed[s.start : s.end] == s.found for s in found.steps)


# What cannot be known is said


@pytest.mark.parametrize(
    ("typed", "advanced", "code"),
    [
        ("http://h/\\x", False, "backslash"),
        ("http://h\\@evil/", ["backslashes"], "backslash"),
        ("http://h/a\nb", False, "line-break"),
        ("http://h/ ", False, "space-at-end"),
        ("http://a b/", False, "host-character"),
        ("http://stra\u00dfe.de/", ["idna"], "idna-deviation"),
        ("http://h/%u00e9", ["stray-percent"], "legacy-escape"),
    ],
)
def test_a_doubt(typed: str, advanced: list[str] | bool, code: str) -> None:
    assert [d.code for d in cleaning(typed, advanced=advanced).doubts] == [code]


def test_no_doubt_without_reason() -> None:
    for typed in (HELEN, "http://h/?u=http://x/&b=1#f", "http://h/?a=x:y#f", "http://[::1]/"):
        assert cleaning(typed).doubts == ()


# What stands in the way is said


@pytest.mark.parametrize(
    ("typed", "blamed"),
    [
        ("1http://x/", [(0, 1, "scheme", None)]),
        (" http://x/", [(0, 1, "scheme", "trim")]),
        ("a1 b:x", [(2, 3, "scheme", None)]),
        ("a+_:x", [(2, 3, "scheme", None)]),
        ("//x/", [(0, 0, "scheme", None)]),
        ("http://h:8o/", [(9, 11, "port", None)]),
        ("http://::1/", [(8, 10, "port", None)]),
        ("http://[::1/", [(7, 11, "host", None)]),
        ("http://[1::2::3]/", [(7, 16, "host", None)]),
        ("http://a[1]/", [(8, 9, "host", None), (10, 11, "host", None)]),
        ("http://h/[", [(9, 10, "path", "delimiters")]),
        ("http://h/#a#", [(11, 12, "fragment", "delimiters")]),
        ("http://u@v@h/", [(8, 9, "userinfo", "delimiters")]),
        ("http://h/%", [(9, 10, "path", "stray-percent")]),
        ("http://h/a\ud800", [(10, 11, "path", None)]),
    ],
)
def test_an_obstacle(typed: str, blamed: list[tuple[int, int, str, str | None]]) -> None:
    with pytest.raises(NotCleaned) as caught:
        clean(typed)
    found = caught.value.cleaning
    assert [(o.start, o.end, o.component, o.step) for o in found.obstacles] == blamed
    steps = [o.step for o in found.obstacles]
    assert cleaning(typed, advanced=True).ok == (None not in steps)
    assert all(f"{o.start}-{o.end}" in str(caught.value) for o in found.obstacles)


def test_a_first_segment_with_a_colon_and_an_absolute_uri_with_a_fragment() -> None:
    (found,) = cleaning("a b:c", "URI-reference").obstacles
    assert (found.start, found.production) == (3, "segment-nz-nc")
    assert clean("./a b:c", "URI-reference") == "./a%20b:c"
    (found,) = cleaning("http://h/#f", "absolute-URI").obstacles
    assert (found.start, found.end) == (9, 11)


@pytest.mark.parametrize(
    "host", ["a\u2100b", "a\uff0fb", "a\uff05b", "\u2024\u00e9", "\u00e9" * 70, "\u00e9%E3%80%82"]
)
def test_idna_makes_no_delimiter(host: str) -> None:
    (found,) = cleaning(f"http://{host}.com/", advanced=["idna"]).obstacles
    assert (found.component, found.message[:11]) == ("host", "no A-label:")


def test_no_password_is_told() -> None:
    with pytest.raises(NotCleaned) as caught:
        clean("http://me:secret@h/%")
    assert "secret" not in str(caught.value)


def test_a_wrong_call() -> None:
    with pytest.raises(ValueError, match="no step 'tidy'; the steps are trim"):
        clean("x", advanced=["tidy"])
    with pytest.raises(ValueError, match="not for host"):
        clean("x", "host")
    with pytest.raises(TypeError, match="not bytes"):
        clean(b"x")  # type: ignore[arg-type]


# Laws

TYPED = st.one_of(any_text(RFC3986, "URI"), any_text(RFC3986, "URI-reference"))
ASKED = st.one_of(st.booleans(), st.lists(st.sampled_from(list(ADVANCED))))


@given(TYPED, st.sampled_from(RULES), ASKED)
def test_the_result_is_valid_or_it_is_said_why_not(
    typed: str, rule: str, asked: bool | list[str]
) -> None:
    found = cleaning(typed, rule, advanced=asked)
    assert found.ok == is_valid(found.result, rule)
    spans = [(o.start, o.end) for o in found.obstacles]
    assert all(0 <= start <= end <= len(typed) for start, end in spans)
    json.dumps(found.to_dict())


@given(TYPED, st.sampled_from(RULES), ASKED)
def test_cleaning_is_idempotent(typed: str, rule: str, asked: bool | list[str]) -> None:
    found = cleaning(typed, rule, advanced=asked)
    if found.ok:
        again = cleaning(found.result, rule, advanced=asked)
        assert (again.result, again.steps) == (found.result, ())


@given(TYPED, ASKED)
def test_the_steps_are_all_that_was_done(typed: str, asked: bool | list[str]) -> None:
    found = cleaning(typed, "URI-reference", advanced=asked)
    steps = [s for s in found.steps if s.name != "trim"]
    made, at = "", next((s.end for s in found.steps if s.name == "trim" and s.start == 0), 0)
    end = next((s.start for s in found.steps if s.name == "trim" and s.start), len(typed))
    for step in steps:
        assert typed[step.start : step.end] == step.found
        if step.start < at:  # a backslash read as a slash, then nothing else
            continue
        made += typed[at : step.start] + step.replacement
        at = step.end
    assert made + typed[at : max(end, at)] == found.result


@given(for_hypothesis.valid("URI-reference"))
def test_what_is_valid_is_never_changed(text: str) -> None:
    assert cleaning(text, "URI-reference").steps == ()
    assert clean(text, "URI-reference") == text


@given(TYPED)
def test_every_text_is_divided_into_all_of_itself(text: str) -> None:
    at = 0
    for start, end in divided(text).values():
        assert at <= start <= end
        assert set(text[at:start]) <= set(":/?#@")
        at = end
    assert at == len(text)


def test_long_texts() -> None:
    typed = "http://h/" + "\u00e9[%" * 20_000
    assert len(cleaning(typed, advanced=True).steps) == 60_000
    assert clean("http://h/" + " " * 200_000) == "http://h/" + "%20" * 200_000


# The command


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "-v", HELEN]) == 0
    out, err = capsys.readouterr()
    assert out == CLEAN_HELEN + "\n"
    assert 'encode 41-43: " \u00d8" became "%20%C3%98"' in err


def test_the_command_tells_doubts_and_obstacles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", REDIRECT, "http://h/["]) == 1
    out, err = capsys.readouterr()
    assert out == REDIRECT + "\n"
    assert "(nested-uri)" in err
    assert "(the step delimiters mends it)" in err


def test_the_command_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "--format", "json", "--step", "trim", " http://h/a b"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["result"] == "http://h/a%20b"
    assert [s["name"] for s in found["steps"]] == ["trim", "encode"]


def test_the_command_called_wrongly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean"]) == 2
    assert main(["clean", "--step", "tidy", "x"]) == 2
    capsys.readouterr()
