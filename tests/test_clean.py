"""URI cleaning: the articles' examples, each repair, warning and violation, and its laws."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import RFC3986, any_text

from uriproof import check, is_valid
from uriproof.adapters import for_hypothesis
from uriproof.cli import main
from uriproof.percent.clean import REPAIRS, RULES, WARNINGS, NotCleaned, clean
from uriproof.percent.errors import UnknownEncoding
from uriproof.uri.uri import URI

HELEN = "http://example.com/admin/login?name=Helen \u00d8deg\u00e5rd&gender=f"
CLEAN_HELEN = "http://example.com/admin/login?name=Helen%20%C3%98deg%C3%A5rd&gender=f"
REDIRECT = (
    "http://example.com/admin/login?redirect=http://example.com/news#funny&name=Helen&gender=f"
)

# What is not guessed at (the articles' examples are in test_articles.py)


def test_the_redirect_is_not_guessed_at() -> None:
    found = clean(REDIRECT, repair=True, report=True)
    assert (found.result, found.changes) == (REDIRECT, ())
    (warning,) = found.warnings
    at = REDIRECT.index("#")
    assert (warning.code, warning.start, warning.end, warning.instead) == (
        "nested-uri",
        at,
        at + 1,
        "%23",
    )
    assert '"redirect"' in warning.message
    assert clean(REDIRECT.replace("#", "%23"), report=True).warnings == ()


def test_an_ampersand_after_a_nested_query_is_not_guessed_at() -> None:
    typed = "https://api.tld/redirect?uri=https://boeing.fly/news?page2&nav=yes"
    (warning,) = clean(typed, report=True).warnings
    assert (warning.start, warning.instead) == (typed.index("&"), "%26")
    typed = "https://api.tld/redirect?uri=https://boeing.fly/news#ex"
    assert [d.instead for d in clean(typed, report=True).warnings] == ["%23"]


ILLEGAL = [chr(i) for i in (*range(0x20), 0x7F)] + list(' "<>\\^`{|}') + ["\x80", "\U0010fffd"]
KEPT = "!#$%&'()*+,/:;=?@[]"


@pytest.mark.parametrize("char", ILLEGAL, ids=ascii)
def test_the_illegal_characters_are_encoded(char: str) -> None:
    octets = "".join(f"%{octet:02X}" for octet in char.encode())
    for start in ("http://h/a", "http://h/?a", "http://h/#a", "http://a", "http://u"):
        end = "@h" if start.endswith("u") else "z"
        assert clean(start + char + end, allow=True) == start + octets + end


@pytest.mark.parametrize("char", KEPT)
def test_no_reserved_character_is_touched(char: str) -> None:
    for start in ("http://h/a", "http://h/?a", "http://h/#a"):
        found = clean(start + char + "41", report=True)
        assert (found.result, found.changes) == (start + char + "41", ())
        assert found.ok == is_valid(found.text)


# Repairs: each by itself


@pytest.mark.parametrize(
    ("repair", "typed", "made"),
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
def test_a_repair(repair: str, typed: str, made: str) -> None:
    assert clean(typed, repair=[repair], allow=True) == made
    assert clean(typed, repair=True, allow=True) == made
    taken = {s.name for s in clean(typed, repair=[repair], report=True).changes}
    assert taken - {"encode"} <= {repair}


def test_changes_say_what_became_of_what() -> None:
    typed = " http:\\\\h/a b\u00e9%#x#"
    found = clean(typed, repair=True, report=True)
    assert found.result == "http://h/a%20b%C3%A9%25#x%23"
    assert [(s.name, s.start, s.end, s.component, s.replacement) for s in found.changes] == [
        ("trim", 0, 1, "", ""),
        ("backslashes", 6, 7, "path", "/"),
        ("backslashes", 7, 8, "path", "/"),
        ("encode", 11, 12, "path", "%20"),
        ("encode", 13, 14, "path", "%C3%A9"),
        ("stray-percent", 14, 15, "path", "%25"),
        ("delimiters", 17, 18, "fragment", "%23"),
    ]
    assert all(typed[s.start : s.end] == s.found for s in found.changes)


# What may be meant otherwise is said


@pytest.mark.parametrize(
    ("typed", "repair", "code"),
    [
        ("http://h/\\x", False, "backslash"),
        ("http://h\\@evil/", ["backslashes"], "backslash"),
        ("http://h/a\nb", False, "line-break"),
        ("http://h/ ", False, "space-at-end"),
        ("http://a b/", False, "host-character"),
        ("http://a b/", True, "host-character"),
        ("http://h/%u00e9", ["stray-percent"], "legacy-escape"),
    ],
)
def test_a_warning(typed: str, repair: list[str] | bool, code: str) -> None:
    assert [d.code for d in clean(typed, repair=repair, report=True).warnings] == [code]


@pytest.mark.parametrize(
    ("typed", "codes"),
    [
        ("http://exa mple.com/", ["host-character"]),
        ("http://evil.com\\@good.com/", ["backslash"]),
        ("http://good.com@evil.com\\x/", ["backslash", "host-character"]),
        ("http://h/a\\b\\c", ["backslash", "backslash"]),
        ("http://e\tx.com/", ["line-break", "host-character"]),
        ("http://u\r\nv@h/", ["line-break"]),
        ("http://h/\0", ["control-character"]),
        ("http://h\x7f/", ["control-character", "host-character"]),
        ("http://h/?\x85", ["control-character"]),
        ("http://h/{id}?{+q*}", ["placeholder", "placeholder"]),
        ("http://{{host}}/", ["host-character", "placeholder", "host-character"]),
        ("http://h/${x}", ["placeholder"]),
        ("http://h/<id>", ["placeholder"]),
        ("http://b\u00fccher.de/", ["host-encoded"]),
        ("http://h/?u=http://x/?a=1&b=2&v=http://y#c", ["nested-uri", "nested-uri"]),
        ("http://h/?u=http://x/?a=1&b=2", ["nested-uri"]),
    ],
)
def test_what_may_be_meant_otherwise_reaches_whoever_cleans(typed: str, codes: list[str]) -> None:
    with pytest.raises(NotCleaned) as caught:
        clean(typed)
    error = caught.value
    assert sorted(warning.code for warning in error.warnings) == sorted(codes)
    assert all(f" {code}: " in str(error) for code in codes)
    assert error.cleaning.ok
    assert clean(typed, allow=True) == clean(typed, allow=codes) == error.cleaning.result
    assert set(codes) <= WARNINGS.keys()
    with pytest.raises(NotCleaned):
        clean(typed, allow=WARNINGS.keys() - codes)


def test_a_host_made_an_a_label_is_another_name_only_if_it_is_said() -> None:
    assert clean("http://B\u00fccher.DE/", repair=["idna"]) == "http://xn--bcher-kva.DE/"
    assert clean("http://b%C3%BCcher.de/", repair=["idna"]) == "http://xn--bcher-kva.de/"
    for host in "\u2460.de", "\uff41.de", "b\u00adu\u00fc.de", "a\u3002\u00fc", "a\uff0ede":
        with pytest.raises(NotCleaned) as caught:
            clean(f"http://{host}/", repair=["idna"])
        assert {warning.code for warning in caught.value.warnings} == {"host-mapping"}


def test_another_encoding_but_not_of_the_host() -> None:
    typed = "http://\u00fc@b\u00fccher.de/\u00e9 ?\u00e9#\u00e9"
    made = "http://%FC@b%C3%BCcher.de/%E9%20?%E9#%E9"
    assert clean(typed, allow=True, encoding="latin-1") == made
    with pytest.raises(NotCleaned, match=r"U\+20AC EURO SIGN has no octets in latin-1"):
        clean("http://h/\u20ac", encoding="latin-1")
    with pytest.raises(UnknownEncoding):
        clean("http://h/", encoding="utf9")


def test_a_uri_value() -> None:
    assert clean(URI("http://h/%20")) == "http://h/%20"


@pytest.mark.parametrize(
    ("typed", "code", "warned"),
    [
        ("C:/Users/ann/a b", "single-letter-scheme", "C:"),
        ("localhost:8080/a b", "host-port-as-scheme", "localhost:8080"),
        ("http:/h/a b", "missing-slashes", ":/"),
        ("http:h/a b/c", "missing-slashes", ":"),
        ("htp://h/a b", "misspelled-scheme", "htp"),
        ("http://http://h/a b", "doubled-scheme", "http"),
        ("http://h/é?a=1&amp;b= 2", "html-entity", "&amp;"),
        ("http://h/a\u200bb", "invisible-character", "\u200b"),
        ("http://h/\u00e9\u00a0e", "invisible-character", "\u00a0"),
        ("http://h/?\u202e", "invisible-character", "\u202e"),
        ("http://h/a\ufeffb", "invisible-character", "\ufeff"),
        ("http://h/\u3164", "invisible-character", "\u3164"),
        ("file:///C|/a", "ambiguous", "|"),
        ("http://a/, http://b/", "ambiguous", " "),
        ("tel:+1 555", "ambiguous", " "),
        ("data:;base64,AA A=", "ambiguous", " "),
        ("http://h/a>", "ambiguous", ">"),
        ("http://h/##a", "ambiguous", "#"),
    ],
)
def test_what_check_calls_a_mistake_is_not_changed_silently(
    typed: str, code: str, warned: str
) -> None:
    found = clean(typed, repair=True, report=True)
    assert (code, warned) in [(w.code, typed[w.start : w.end]) for w in found.warnings]
    with pytest.raises(NotCleaned):
        clean(typed, repair=True, allow=[one for one in WARNINGS if one != code])
    assert is_valid(clean(typed, repair=True, allow={w.code for w in found.warnings}))


@given(any_text(RFC3986, "URI"))
def test_what_has_no_fix_is_warned_of(text: str) -> None:
    found = clean(text, repair={"delimiters", "stray-percent"}, report=True)
    if found.ok and check(text).fixed is None:
        assert found.warnings


def test_no_warning_without_reason() -> None:
    typed_as_data = 'http://h/?q={"a":1}&r="x y"'
    for typed in (
        HELEN,
        typed_as_data,
        "http://h/?u=http://x/&b=1#f",
        "http://h/?a=x:y#f",
        "http://[::1]/",
    ):
        assert clean(typed, report=True).warnings == ()


# What stands in the way is said


@pytest.mark.parametrize(
    ("typed", "blamed"),
    [
        ("1http://x/", [(0, 1, "scheme", None)]),
        (" http://x/", [(0, 1, "scheme", "trim")]),
        ("a1 b:x", [(2, 3, "scheme", None)]),
        ("a+_:x", [(2, 3, "scheme", None)]),
        ("//x/", [(0, 0, "scheme", None)]),
        ("http://h:80 ", [(11, 12, "port", "trim")]),
        ("http://h:8o/", [(10, 11, "port", None)]),
        ("http://::1/", [(8, 9, "port", None)]),
        ("http://[::1/", [(11, 11, "host", None)]),
        ("http://[1::2::3]/", [(13, 14, "host", None)]),
        ("http://a[1]/", [(8, 9, "host", None), (10, 11, "host", None)]),
        ("http://h/[", [(9, 10, "path", "delimiters")]),
        ("http://h/#a#", [(11, 12, "fragment", "delimiters")]),
        ("http://u@v@h/", [(8, 9, "userinfo", "delimiters")]),
        ("http://h/%", [(9, 10, "path", "stray-percent")]),
        ("http://h/a\ud800", [(10, 11, "path", None)]),
    ],
)
def test_a_violation(typed: str, blamed: list[tuple[int, int, str, str | None]]) -> None:
    with pytest.raises(NotCleaned) as caught:
        clean(typed)
    found = caught.value.cleaning
    assert [(o.start, o.end, o.component, o.repair) for o in found.violations] == blamed
    repairs = [o.repair for o in found.violations]
    assert clean(typed, repair=True, report=True).ok == (None not in repairs)
    assert all(f"{o.start}-{o.end}" in str(caught.value) for o in found.violations)


def test_a_first_segment_with_a_colon_and_an_absolute_uri_with_a_fragment() -> None:
    (found,) = clean("a b:c", "URI-reference", report=True).violations
    assert (found.start, found.production) == (1, "scheme")
    (found,) = clean(": b", "URI-reference", repair=True, report=True).violations
    assert (found.start, found.production, found.repair) == (0, "segment-nz-nc", None)
    assert clean("./a b:c", "URI-reference") == "./a%20b:c"
    (found,) = clean("http://h/#f", "absolute-URI", report=True).violations
    assert (found.start, found.end) == (9, 11)


@pytest.mark.parametrize(
    "host", ["a\u2100b", "a\uff0fb", "a\uff05b", "\u2024\u00e9", "\u00e9" * 70, "\u00e9%E3%80%82"]
)
def test_idna_makes_no_delimiter(host: str) -> None:
    (found,) = clean(f"http://{host}.com/", repair=["idna"], report=True).violations
    assert (found.component, found.message[:11]) == ("host", "no A-label:")


def test_no_password_is_told() -> None:
    with pytest.raises(NotCleaned) as caught:
        clean("http://me:secret@h/%")
    assert "secret" not in str(caught.value)


def test_a_wrong_call() -> None:
    with pytest.raises(ValueError, match="no repair 'tidy'; there are trim"):
        clean("x", repair=["tidy"])
    with pytest.raises(ValueError, match="not for host"):
        clean("x", "host")
    with pytest.raises(TypeError, match="not bytes"):
        clean(b"x")  # type: ignore[call-overload]


# Laws

TYPED = st.one_of(any_text(RFC3986, "URI"), any_text(RFC3986, "URI-reference"))
ASKED = st.one_of(st.booleans(), st.lists(st.sampled_from(list(REPAIRS))))


@given(TYPED, st.sampled_from(RULES), ASKED)
def test_the_result_is_valid_or_it_is_said_why_not(
    typed: str, rule: str, asked: bool | list[str]
) -> None:
    found = clean(typed, rule, repair=asked, report=True)
    assert found.ok == is_valid(found.result, rule)
    spans = [(o.start, o.end) for o in found.violations]
    assert all(0 <= start <= end <= len(typed) for start, end in spans)
    json.dumps(found.to_dict())


@pytest.mark.prove
@given(TYPED, st.sampled_from(RULES), ASKED)
def test_cleaning_is_idempotent(typed: str, rule: str, asked: bool | list[str]) -> None:
    found = clean(typed, rule, repair=asked, report=True)
    if found.ok:
        again = clean(found.result, rule, repair=asked, report=True)
        assert (again.result, again.changes) == (found.result, ())


@given(TYPED, ASKED)
def test_the_steps_are_all_that_was_done(typed: str, asked: bool | list[str]) -> None:
    found = clean(typed, "URI-reference", repair=asked, report=True)
    steps = [s for s in found.changes if s.name != "trim"]
    made, at = "", next((s.end for s in found.changes if s.name == "trim" and s.start == 0), 0)
    end = next((s.start for s in found.changes if s.name == "trim" and s.start), len(typed))
    for step in steps:
        assert typed[step.start : step.end] == step.found
        if step.start < at:  # a backslash read as a slash, then nothing else
            continue
        made += typed[at : step.start] + step.replacement
        at = step.end
    assert made + typed[at : max(end, at)] == found.result


@given(for_hypothesis.valid("URI-reference"))
def test_what_is_valid_is_never_changed(text: str) -> None:
    assert clean(text, "URI-reference", report=True).changes == ()
    assert clean(text, "URI-reference", allow=True) == text


@given(TYPED)
def test_every_text_is_divided_into_all_of_itself(text: str) -> None:
    at = 0
    for _, _, start, end, _ in check(text, "URI-reference").components.values():
        assert at <= start <= end
        assert set(text[at:start]) <= set(":/?#@")
        at = end
    assert at == len(text)


@pytest.mark.prove
def test_long_texts() -> None:
    typed = "http://h/" + "\u00e9[%" * 4_000
    assert len(clean(typed, repair=True, report=True).changes) == 12_000
    assert clean("http://h/" + " " * 40_000, allow=True) == "http://h/" + "%20" * 40_000


# The command


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "-v", HELEN]) == 0
    out, err = capsys.readouterr()
    assert out == CLEAN_HELEN + "\n"
    assert 'encode 41-43: " \u00d8" became "%20%C3%98"' in err


def test_the_command_tells_warnings_and_violations(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", REDIRECT, "http://h/[", "http://h/a b"]) == 1
    out, err = capsys.readouterr()
    assert out == "\n\nhttp://h/a%20b\n"
    assert " nested-uri: " in err
    assert "(the repair delimiters fixes it)" in err
    for option in ["--allow-all"], ["--allow", "nested-uri"]:
        assert main(["clean", *option, REDIRECT]) == 0
        out, err = capsys.readouterr()
        assert out == REDIRECT + "\n"
        assert "allowed: " in err
    assert main(["clean", "--allow-all", "http://a b/"]) == 0
    assert 'encode 8-9: " " became "%20"' in capsys.readouterr().err
    assert main(["clean", "--encoding", "latin-1", "http://h/\u00e9"]) == 0
    assert capsys.readouterr().out == "http://h/%E9\n"


def test_the_command_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "--format", "json", "--repair", "trim", " http://h/a b"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["result"] == "http://h/a%20b"
    assert [s["name"] for s in found["changes"]] == ["trim", "encode"]
    assert main(["clean", "--format", "json", "http://a b/"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["error"]["kind"] == "NotCleaned"
    assert found["error"]["result"] == "http://a%20b/"
    assert [w["code"] for w in found["error"]["warnings"]] == ["host-character"]


def test_the_command_called_wrongly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean"]) == 2
    assert main(["clean", "--repair", "tidy", "x"]) == 2
    assert main(["clean", "--allow", "tidy", "x"]) == 2
    assert main(["clean", "--encoding", "utf9", "x"]) == 2
    capsys.readouterr()
