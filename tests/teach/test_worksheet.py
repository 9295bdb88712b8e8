"""Worksheets: the same for the same seed, true by the engine, and pages that hold no markup."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import pytest
from asking import ask, judged, plain, refused
from commands import Run

from uriproof import Grammar
from uriproof.grammars import explain
from uriproof.limits import MOST_QUESTIONS
from uriproof.teach.lessons.shelf import bundled, sources
from uriproof.teach.worksheet import Sheet, from_code, worksheet
from uriproof.teach.worksheet.page import to_html, to_text
from uriproof.teach.worksheet.questions import KINDS, LONGEST

pytestmark = pytest.mark.prove

html5lib = pytest.importorskip("html5lib")

RFC3986 = Grammar.load("rfc3986")
OWN = 'date = year "-" month\nyear = 4DIGIT\nmonth = 2DIGIT\n'


@cache
def sheet_of(seed: int) -> Sheet:
    """One sheet for all tests, and none while they are collected."""
    return worksheet(RFC3986, ["URI", "URI-reference"], count=16, seed=seed)


@pytest.fixture(params=[1, 2])
def sheet(request: pytest.FixtureRequest) -> Sheet:
    return sheet_of(request.param)


def test_the_key_is_true(sheet: Sheet) -> None:
    assert from_code(sheet.code) == sheet
    for q in sheet.questions:
        report = RFC3986[q.rule].check(q.text)
        match q.kind:
            case "verdict":
                place = "" if report.ok else f" {report.violations[0].start}"
                assert q.key == ("valid" if report.ok else "invalid") + place
            case "fix":
                assert not report.ok
                assert q.key == report.fixed
                assert RFC3986[q.rule].is_valid(q.key)
            case "production":
                assert report.ok
                found = explain(q.text, q.rule)
                spans = {n.name for n in found.nodes if (n.start, n.end) == (q.start, q.end)}
                assert spans & set(q.options) == {q.key}
                assert set(q.right) <= spans
            case "reading":
                assert explain(q.text, q.rule).nodes[0].alternative == q.key
                assert q.key in q.options


def test_questions_are_for_a_class(sheet: Sheet) -> None:
    texts = [q.text for q in sheet.questions]
    assert len(set(texts)) == len(texts) == 16
    assert all(0 < len(text) <= LONGEST and text.isprintable() for text in texts)
    assert all(text == text.strip() for text in texts)
    kinds = Counter(q.kind for q in sheet.questions)
    assert set(kinds) == set(KINDS)
    assert {q.rule for q in sheet.questions} >= {"URI", "URI-reference"}
    verdicts = {q.key.split()[0] for q in sheet.questions if q.kind == "verdict"}
    assert verdicts == {"valid", "invalid"}
    for q in sheet.questions:
        assert q.why.endswith(".")
        if q.kind in ("fix", "verdict") and q.key != "valid":  # one violation, of one character
            (only,) = RFC3986[q.rule].check(q.text).violations
            assert only.end - only.start <= 1
        assert len(set(q.options)) == len(q.options) != 1


def test_a_grammar_of_ones_own() -> None:
    sheet = worksheet(Grammar.from_abnf(OWN, name="own"), [], count=6, seed=1)
    assert sheet.rules == ("date",)
    assert len(sheet.questions) == 6
    assert {q.kind for q in sheet.questions} >= {"verdict", "production"}


def test_explained_answers_differ_in_words_alone() -> None:
    plain, rfc = (worksheet(RFC3986, ["URI"], count=6, seed=3, explain=n) for n in (False, True))
    assert [q.key for q in plain.questions] == [q.key for q in rfc.questions]
    assert any("pchar" in q.why or "expected" in q.why for q in rfc.questions)
    assert not any("pchar" in q.why for q in plain.questions if q.kind in ("verdict", "fix"))


@pytest.mark.parametrize(
    "code",
    [
        *("", "a", "rfc3986:URI:1", "rfc3986:URI:x:1", "rfc3986:URI:0:1", "nothing:URI:1:1"),
        *(f"rfc3986:URI:{MOST_QUESTIONS + 1}:1", "rfc3986:URI:1:99999999999", "rfc3986:zzz:1:1"),
        "rfc3986:URI:1:-1",
    ],
)
def test_codes_that_are_none(code: str) -> None:
    with pytest.raises((ValueError, LookupError)):
        from_code(code)


def test_the_page() -> None:
    sheet = sheet_of(1)
    page = to_html(sheet, key=True)
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    root = parser.parse(page)
    assert [e for e in root.iter() if e.tag in ("script", "link", "img", "iframe")] == []
    assert "@import" not in page
    assert "url(" not in page
    assert page.count(sheet.code) == 2
    assert page.count("<li>") == 2 * len(sheet.questions)
    assert "break-before:page" in page
    texts = ["".join(e.itertext()) for e in root.iter() if e.get("class") == "ask"]
    assert texts == [sheet.asked(q) for q in sheet.questions]
    alone = to_html(sheet)
    assert "Key" not in alone.partition("<body>")[2]
    for q in sheet.questions:
        if q.kind == "fix":
            assert q.key not in alone


def test_nothing_of_a_grammar_is_markup() -> None:
    grammar = Grammar.from_abnf('x = 1*("<" / "&" / ">" / DQUOTE / a)\na = "<b>"', name="own")
    page = to_html(worksheet(grammar, ["x"], count=8, seed=1), key=True)
    root = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    assert [e for e in root.iter() if e.tag == "b"] == []


def test_text_has_the_key_on_a_page_of_its_own() -> None:
    sheet = sheet_of(1)
    before, feed, after = to_text(sheet, key=True).partition("\f")
    assert feed
    assert before == to_text(sheet)
    assert all(q.why in after for q in sheet.questions)
    assert f"Sheet {sheet.code}" in before


def words_of(block: Any) -> str:
    return block if isinstance(block, str) else "".join(map(words_of, block[2:]))


def test_the_request() -> None:
    fields = {"rules": ["host"], "count": 3, "seed": 5}
    answer = ask("worksheet", **fields)
    assert answer == ask("worksheet", **fields)
    for listed in (answer["questions"], answer["key"]):
        assert [one["number"] for one in listed] == [1, 2, 3]
    first, second = map(words_of, answer["pages"])
    assert not any(one["why"] in first for one in answer["key"])
    assert all(one["why"] in second for one in answer["key"])
    assert (answer["seed"], answer["code"]) == (5, "rfc3986:host:3:5")
    for wrong in ({"rules": "URI"}, {"count": 0}, {"seed": -1}, {"explain": "x"}, {"rules": [1]}):
        assert refused("worksheet", **wrong)["code"] == "invalid-request"
    assert refused("worksheet", rules=["zz"])["code"] == "unknown-rule"
    assert refused("worksheet", rules=["path-empty"])["code"] == "invalid-request"


@pytest.mark.parametrize("lesson", list(bundled()))
def test_the_sheet_of_a_lesson(lesson: str) -> None:
    """Every question is on the sheet, and every answer in its key alone."""
    shown = ask("lesson", lesson=lesson)["lesson"]
    answer = ask("worksheet", lesson=lesson)
    assert answer["title"] == f"Lesson {shown['number']}: {shown['title']}"
    first, second = words_of(answer["pages"][0][-2]), words_of(answer["pages"][1])
    for exercise in shown["exercises"]:
        for step in (one for one in exercise["steps"] if one["step"] != "run"):
            found = judged(lesson, exercise["id"], step["step"], show=True)
            assert plain(step["question"]) in first
            assert plain(found["answer"]["label"]) in second
            for paragraph in (block for block in found["why"] if block["kind"] == "paragraph"):
                assert plain(paragraph["pieces"]) in second
                assert plain(paragraph["pieces"]) not in first


def test_the_sheet_of_a_lesson_of_ones_own() -> None:
    source = sources()["01-scheme.toml"]
    own = ask("worksheet", source=source)
    assert own["pages"][0][3:] == ask("worksheet", lesson="scheme")["pages"][0][3:]
    assert own["title"] == ask("lesson", lesson="scheme")["lesson"]["title"]
    broken = source.replace("kind =", "kid =")
    assert refused("worksheet", source=broken)["code"] == "invalid-lesson"
    assert refused("worksheet", lesson="zz")["code"] == "unknown-lesson"


def test_on_the_command_line(run: Run) -> None:
    call = ("grammar", "worksheet", "host", "-n", "3", "--seed", "5")
    assert "key" not in json.loads(run(*call, "--format", "json").out)
    assert run(*call, "--format", "html", "--key").out.startswith("<!DOCTYPE html>")
    assert run(*call, "-n", "99").code == 2
    code, _, err = run("grammar", "worksheet", "path-empty")
    assert code == 2
    assert "no short texts" in err
