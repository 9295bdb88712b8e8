"""URI cleaning: the articles' examples, fixes, the only suggestion, its laws, and the command."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from strategies import RFC3986, any_text
from tables import rows

from uriproof import CharacterError, NotCleaned, Rule, UnknownEncoding, check, clean, is_valid
from uriproof.adapters import for_hypothesis
from uriproof.cleaning import REPAIRS
from uriproof.mistakes import is_plain, recognize
from uriproof.mistakes._form import Form
from uriproof.mistakes.table import FORMS, OF_VALID
from uriproof.uri.uri import URI

EXAMPLES = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text("utf-8"))["example"]
"""A text of each form of mistake, by its code."""
HELEN = "http://example.com/admin/login?name=Helen \u00d8deg\u00e5rd&gender=f"
CLEAN_HELEN = "http://example.com/admin/login?name=Helen%20%C3%98deg%C3%A5rd&gender=f"
REDIRECT = (
    "http://example.com/admin/login?redirect=http://example.com/news#funny&name=Helen&gender=f"
)
SEVERAL = "http://2001:db8::9:8080/"
"""May be one of two."""

# What a text becomes


@pytest.mark.parametrize(("typed", "made"), rows("clean", "fixed"))
def test_fixes_are_applied_whatever_may_be_repaired(typed: str, made: str) -> None:
    assert clean(typed) == clean(typed, repair=False) == check(typed).fixed == made


@pytest.mark.parametrize(("typed", "made"), rows("clean", "meant"))
def test_the_only_suggestion_is_the_result(typed: str, made: str) -> None:
    found = clean(typed, report=True)
    assert (clean(typed), found.result) == (made, made)
    assert [one.text for one in found.suggestions] == [made]


def test_another_encoding_but_not_of_the_host() -> None:
    assert clean("http://\u00fc@h/\u00e9 ?\u00e9#\u00e9", encoding="latin-1") == (
        "http://%FC@h/%E9%20?%E9#%E9"
    )
    typed = "http://b\u00fccher.de/\u00e9"
    assert clean(typed, encoding="latin-1") == "http://xn--bcher-kva.de/%E9"
    with pytest.raises(CharacterError, match=r"U\+20AC EURO SIGN has no octets in latin-1"):
        clean("http://h/\u20ac", encoding="latin-1")
    with pytest.raises(UnknownEncoding):
        clean("http://h/", encoding="utf9")


def test_a_uri_value_and_a_rule() -> None:
    assert clean(URI("http://h/%20")) == "http://h/%20"
    assert clean("a b", "URI-reference") == "a%20b"
    assert clean("http://h/é x", Rule("IRI", grammar="rfc3987")) == "http://h/é%20x"


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.code)
def test_each_mistake_is_corrected_or_told_and_repairs_have_names(form: Form) -> None:
    example = EXAMPLES[form.code]
    typed, rule = example["text"], example.get("rule", "URI")
    found = clean(typed, rule, report=True)
    assert found.reason
    assert found.result in (None, example.get("meant"))
    assert (found.result is None) == (len(found.suggestions) != 1)
    for repair in (False, {one.code for one in FORMS} - {form.code}):
        kept = clean(typed, rule, repair=repair, report=True)
        assert kept.result is None
        assert kept.suggestions == found.suggestions
    for named in form.code, [form.theme]:
        assert clean(typed, rule, repair=named, report=True).result == found.result
    assert form.theme in REPAIRS


def test_of_several_none_is_chosen() -> None:
    with pytest.raises(NotCleaned) as caught:
        clean(SEVERAL)
    error = caught.value
    assert error.suggestions == error.report.suggestions == error.cleaning.suggestions
    assert [one.text for one in error.suggestions] == [
        "http://[2001:db8::9]:8080/",
        "http://[2001:db8::9:8080]/",
    ]
    assert str(error) == (
        "An IPv6 address must be in one pair of brackets. "
        "Did you mean http://[2001:db8::9]:8080/ or http://[2001:db8::9:8080]/?"
    )


@pytest.mark.parametrize(
    "typed",
    [
        REDIRECT,
        "https://api.tld/redirect?uri=https://boeing.fly/news?page2&nav=yes",
        "http://h/?u=http://x/?a=1&b=2&v=http://y#c d",
    ],
)
def test_what_belongs_to_a_nested_uri_is_not_guessed_at(typed: str) -> None:
    found = clean(typed, report=True)
    assert (found.result, found.suggestions) == (None, ())
    assert found.reason.startswith("The URL in the query is not encoded")
    assert clean(REDIRECT.replace("#", "%23")) == REDIRECT.replace("#", "%23")


@pytest.mark.parametrize(
    "typed",
    [
        "http://exa mple.com/",
        "http://h:8o/",
        "http://[1::2::3]/",
        "http://a[1]/",
        "http://h/\ud800",
    ],
)
def test_what_cannot_be_known_is_told_as_check_tells_it(typed: str) -> None:
    with pytest.raises(NotCleaned) as caught:
        clean(typed)
    assert caught.value.suggestions == ()
    assert str(caught.value) == (caught.value.cleaning.reason or check(typed).summary)


def test_no_password_is_told() -> None:
    with pytest.raises(NotCleaned) as caught:
        clean("http://me:secret@2001:db8::9:8080/")
    assert "secret" not in str(caught.value) + repr(caught.value.cleaning)


def test_a_wrong_call() -> None:
    with pytest.raises(ValueError, match=r"unknown repair 'schem'.*scheme"):
        clean("x", repair=["schem"])
    with pytest.raises(TypeError, match="not bytes"):
        clean(b"x")  # type: ignore[call-overload]


# Laws

TYPED = st.one_of(any_text(RFC3986, "URI"), any_text(RFC3986, "URI-reference"))
ASKED = st.one_of(st.booleans(), st.lists(st.sampled_from(list(REPAIRS))))
WHOLE = st.sampled_from(["URI", "URI-reference", "absolute-URI", "relative-ref"])


@given(TYPED, WHOLE, ASKED)
def test_the_result_is_valid_and_without_a_mistake(
    typed: str, rule: str, asked: bool | list[str]
) -> None:
    found = clean(typed, rule, repair=asked, report=True)
    json.dumps(found.to_dict())
    if found.result is not None:
        assert is_valid(found.result, rule)
        assert clean(found.result, rule, repair=asked) == found.result


@given(for_hypothesis.valid("URI-reference"))
def test_what_is_valid_is_changed_only_if_it_has_a_mistake(text: str) -> None:
    found = clean(text, "URI-reference", report=True)
    assert found.result == text or found.reason
    assert not found.reason or {a.code for a in check(text, "URI-reference").advice}.intersection(
        form.code for form in OF_VALID
    )


@given(TYPED)
def test_every_text_is_divided_into_all_of_itself(text: str) -> None:
    at = 0
    for _, _, start, end, _ in check(text, "URI-reference").components.values():
        assert at <= start <= end
        assert set(text[at:start]) <= set(":/?#@")
        at = end
    assert at == len(text)


@pytest.mark.prove
def test_a_text_that_is_plain_has_no_mistake() -> None:
    assert not [form.code for form in OF_VALID if is_plain(EXAMPLES[form.code]["text"])]
    assert is_plain("http://[::1]:80/a?b=1&c#d")
    assert is_plain("mailto:a@b.example")


@given(any_text(RFC3986, "URI-reference"))
def test_no_text_that_is_plain_has_a_mistake(text: str) -> None:
    starts = ["", "http://", "https://h/", "http://h/?", "urn:a:", "mailto:", "tel:"]
    for tried in [start + text for start in starts]:
        report = check(tried, "URI-reference")
        if report.ok and is_plain(tried):
            assert recognize(report) is None


# The command


def test_the_command(run: Run) -> None:
    assert run("clean", "-v", HELEN)[:2] == (0, CLEAN_HELEN + "\n")
    assert f'{HELEN}: 41-43 query: " \u00d8" was encoded' in run("clean", "-v", HELEN).err
    code, out, err = run("clean", "www.example.com", SEVERAL, "http://h/a b")
    assert (code, out) == (1, "https://www.example.com\n\nhttp://h/a%20b\n")
    assert "www.example.com: The scheme is missing.\n" in err
    assert "Did you mean http://[2001:db8::9]:8080/ or" in err
    assert run("clean", "--encoding", "latin-1", "http://h/\u00e9").out == "http://h/%E9\n"


@pytest.mark.parametrize(
    ("options", "code"),
    [(["--repair", "host"], 1), (["--no-repair"], 1), (["--repair", "scheme"], 0)],
)
def test_the_repairs_of_the_command(options: list[str], code: int, run: Run) -> None:
    assert run("clean", *options, "www.example.com").code == code


def test_the_command_in_json(run: Run) -> None:
    code, out, _ = run("clean", "--format", "json", "www.example.com")
    (found,) = json.loads(out)
    assert (code, found["result"]) == (0, "https://www.example.com")
    assert found["reason"] == "The scheme is missing."
    code, out, _ = run("clean", "--format", "json", SEVERAL)
    (found,) = json.loads(out)
    assert (code, found["error"]["kind"], found["error"]["result"]) == (1, "NotCleaned", None)
    assert [one["code"] for one in found["error"]["suggestions"]] == ["unbracketed-address"] * 2
