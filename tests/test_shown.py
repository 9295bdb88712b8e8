"""What a report shows: no password, one line for logs, problem details, JSON as published.

Owns the promises of ``masked``, ``summary``, ``details``, ``to_problem`` and ``to_dict``. Imports
the public face. Invariant: the secrets are in the texts, so that a test can find them.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from counting import growth
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tables import rows
from test_schemas import strict
from tiers import bound, quick

import uriproof
from uriproof import InvalidURI, Policy, check, check_many
from uriproof.render import Entry, Style
from uriproof.render.as_text import render
from uriproof.report import VERSION, Kind, Report

ROOT = Path(__file__).parent.parent
DATA = ROOT.parent / "shared" / "data"
SECRET = "S3KRET"  # noqa: S105 -- to be looked for
SCHEMA = json.loads((ROOT / "docs" / "validate" / "report.schema.json").read_text("utf-8"))


def shown(report: Report) -> str:
    """All that is made for showing."""
    try:
        uriproof.require(report.text, report.rule)
        error = ""
    except InvalidURI as raised:
        error = f"{raised} {raised!r}"
    values = report.to_dict(), report.details(), report.to_problem(drawing=True)
    return f"{report} {report!r} {report.summary} {json.dumps(values)} {error}"


@pytest.mark.parametrize("text", rows("shown", "no-password-is-shown"))
def test_no_password_is_shown(text: str) -> None:
    for rule in ("URI", "URI-reference", "absolute-URI"):
        assert SECRET not in shown(check(text, rule))
    assert SECRET in check(text).text


@given(st.integers(0, 30), st.sampled_from(["", " ", "/", "\\", "[", "%", "\n", "é", "?"]))
def test_no_password_is_shown_of_what_is_almost_a_url(at: int, put: str) -> None:
    text = "http://me:S3KRET@host:80/p?q#f"
    assume(not (at in (8, 9, 10) and put in ("/", "?")))  # valid URLs of other hosts
    if put or text[at : at + 1] not in (":", "@"):  # without these it is no password any more
        text = text[:at] + put + text[at + (not put) :]
    assert not any(part in shown(check(text)) for part in ("S3KRET", "S3KR", "KRET"))


@pytest.mark.parametrize("text", rows("shown", "shown"))
def test_what_is_no_password_is_shown(text: str) -> None:
    assert text in str(check(text))
    assert check(text).to_dict()["text"] == text


@pytest.mark.parametrize(("text", "masked"), rows("shown", "masked"))
def test_nothing_but_a_password_is_masked(text: str, masked: str) -> None:
    assert check(text, "URI-reference").masked().text == masked


@pytest.mark.parametrize(("text", "hint"), rows("shown", "masked-hints"))
def test_a_masked_report_says_nothing_false(text: str, hint: str | None) -> None:
    report = check(text)
    (own,), (found,) = report.violations, report.to_dict()["violations"]
    assert found["masked"]
    assert found["found"] is found["characters"] is None
    same = ("start", "end", "kind", "code", "component", "production", "path", "expected")
    assert [found[key] for key in same] == [own.to_dict()[key] for key in same]
    assert found["hint"] == hint
    assert found["message"] == (own.message if own.kind == "bad-escape" else SECRET_WORDS)
    assert (found["fix"] is None) is (own.fix is None)
    assert "ASTERISK" not in str(report) + "".join(render([Entry(report)], Style()))


SECRET_WORDS = "A character of the password must be encoded."  # noqa: S105


MOST = 12.0
PARTS = {
    "in a password": ("http://u:", " a", "@h/"),
    "passwords": ("", "http://u:p@h/%zz ", ""),
    "passwords without slashes": ("http:", "/u:p%@h", ""),
    "what is almost one": ("http:", "/u:p", "@h"),
    "URLs without one": ("http://a@b/", "://u:p/", ""),
    "questions": ("http:?", "a:?", "@"),
    "hints": ("http://u:p w@h/", "{ab}", ""),
}


@bound("size", 100, 250)
@pytest.mark.parametrize("name", quick(PARTS))
def test_masking_is_linear(name: str, size: int) -> None:
    before, part, after = PARTS[name]

    def mask(count: int) -> Callable[[], object]:
        report = check(before + part * count + after)
        report.components  # noqa: B018 -- they are worked out when they are asked for
        return report.masked

    assert growth(mask, size) <= MOST


def test_offsets_stay_right_and_fixes_are_masked() -> None:
    report = check("ftp://me:p%zz@h/a b")
    masked = report.masked()
    assert masked.text == "ftp://me:****@h/a b"
    assert [(v.start, v.end) for v in masked.violations] == [(10, 11), (17, 18)]
    assert masked.components["userinfo"].text == "me:****"
    assert masked.fixed == "ftp://me:******@h/a%20b"
    assert report.fixed == "ftp://me:p%25zz@h/a%20b"
    assert masked.masked().text == masked.text
    assert [a.code for a in masked.advice] == [a.code for a in report.advice]
    fixes = [v["fix"] for v in report.to_dict()["violations"]]
    assert fixes[0] == {"start": 10, "end": 11, "replacement": None}
    assert fixes[1] == {"start": 17, "end": 18, "replacement": "%20"}


def test_the_summary_is_one_line() -> None:
    error = InvalidURI(check("http://h/a^b c"))
    words = 'not a valid URI: path 10: "^" is not allowed in a path. (and 1 more)'
    assert str(error) == words
    assert check("a:b").summary == "a valid URI"
    assert "\n" not in check("http://\u2028\n\x85 " * 9).summary


def test_a_problem_is_as_rfc_9457_has_it() -> None:
    problem = check("http://h/a b c").to_problem(422, limit=1, drawing=True)
    assert list(problem)[:4] == ["type", "title", "status", "detail"]
    assert problem["type"] == "about:blank"
    assert problem["title"].startswith("Unprocessable")  # about:blank has the title of the status
    assert (problem["violations"][0]["start"], problem["more"]) == (10, 1)
    assert problem["drawing"].startswith(f"invalid  http://h/a b c\n{' ' * 19}^ ^\n")
    assert "h/a" not in json.dumps(check("http://h/a b c").to_problem())
    with pytest.raises(ValueError, match="999"):
        check("x").to_problem(999)


@pytest.mark.prove
def test_reports_are_as_the_published_schema_says() -> None:
    checker = Draft202012Validator(strict(SCHEMA))  # a key that it does not have is an error
    texts = ["http://me:pw@h:80/%7e?a#b", "http://h/a b%zz", "1x:\ud800", "", "//h", "http://[::1"]
    if (path := DATA / "attack-strings.json").exists():
        texts += [a["text"] for a in json.loads(path.read_text("utf-8"))]
    reports = [check(text, rule) for text in texts for rule in ("URI", "absolute-URI", "host")]
    reports += check_many(texts, max_length=9, max_violations=1)
    reports += [uriproof.Rule(policy=Policy.fetches("a.example")).check(text) for text in texts]
    reports += [uriproof.Grammar.load("rfc6570").rule().check("{a")]
    kinds = {v.kind for report in reports for v in report.violations}
    listed = SCHEMA["$defs"]["violation"]["properties"]["kind"]["enum"]
    assert kinds == set(get_args(Kind)) == {*listed}
    assert [e.message for r in reports for e in checker.iter_errors(r.to_dict())] == []
    assert SCHEMA["properties"]["version"]["const"] == VERSION


def test_limits() -> None:
    text = "http://h/" + " a" * 5000
    (report,) = check_many([text], max_violations=3)
    assert (len(report.violations), report.more, report.fixed) == (3, 4997, None)
    assert str(report).endswith("\n  … and 4,997 more violations")
    assert report.details(limit=2)["more"] == 4998
    assert pickle.loads(pickle.dumps(report)).more == 4997  # noqa: S301 -- its own
    (report,) = check_many([text], max_length=100)
    assert (report.ok, report.more, report.components) == (False, 0, {})
    assert [(v.code, v.start, v.end) for v in report.violations] == [("too-long", 100, 101)]
    assert [r.ok for r in check_many(["a:b", "c"], "URI", max_length=3)] == [True, False]


@pytest.mark.parametrize("wrong", [{"max_length": 0}, {"max_violations": -1}])
def test_a_limit_below_one_is_an_error(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        check_many(["a:b"], **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        *("http://me:S3KRET@h/%", "http://me:a/S3KRET@h/%", "http://me:S3KRET#@h/%"),
        *("http://me:S3KRET@h:x/", "//me:S3KRET@h/ "),
    ],
)
@pytest.mark.parametrize(
    "verb", [uriproof.clean, uriproof.decode, uriproof.decode_query, uriproof.URI, uriproof.split]
)
def test_other_errors_show_no_password(verb: Callable[[str], Any], text: str) -> None:
    error = ""
    try:
        verb(text)
    except ValueError as raised:
        error = f"{raised} {raised!r}"
    assert not any(part in error for part in ("S3K", "KRET"))
    assert SECRET not in repr(uriproof.clean(text, report=True))
