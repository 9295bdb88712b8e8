"""Suppressions: their syntax in comments of any language, their effect, and the unused ones."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof.diagnostic import Diagnostic
from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine
from uriproof.lint.files.source import Lines
from uriproof.lint.fix.fixes import applied
from uriproof.lint.suppress.comments import suppressions

WRONG = {"path": "http://a/ b", "both": "http://a/ b?[", "host": "http://a b/", "valid": "http://a"}
LINKS = {name: f'<a href="{url}">' for name, url in WRONG.items()}


def filled(text: str) -> str:
    return text.format(n="\n", r="\r\n", **LINKS)


def lint(text: str, **settings: Any) -> list[Diagnostic]:
    return Engine(Settings(**settings)).lint("a.html", filled(text).encode()).diagnostics


@pytest.mark.parametrize(
    "comment",
    [
        *("# {}", "// {}", "/* {} */", "<!-- {} -->", "-- {}", "; {}", "% {}", ".. {}", "(* {} *)"),
        *("{{# {} #}}", "{{- {} -}}", "{{!-- {} --}}", "<%-- {} --%>", "REM {}", "dnl {}", "#{}"),
        *(" * {}", "[//]: # ({})", "\t## {}", '" {}', "{{/* {} */}}"),
    ],
)
def test_comments_of_any_syntax(comment: str) -> None:
    text = comment.format("uriproof: ignore[path-illegal, host] known for long")
    (one,) = suppressions(text, Lines(text))
    assert one.verb == "ignore"
    assert [code for code, _ in one.codes] == ["path-illegal", "host"]
    assert one.reason.rstrip(")") == "known for long"


@pytest.mark.parametrize(
    "text",
    [
        "uriproof: ignore",  # no comment
        "write `# uriproof: ignore[path]` behind it",  # about one
        "x = uriproof: ignore",
        "# uriproof: the linter",  # no verb, nor near one
        "# see uriproof: ignore",
    ],
)
def test_what_is_no_suppression(text: str) -> None:
    assert suppressions(text, Lines(text)) == []


def test_several_on_one_line() -> None:
    text = "# uriproof: ignore[path] one  # uriproof: ignore[query] two"
    found = suppressions(text, Lines(text))
    assert [[code for code, _ in one.codes] for one in found] == [["path"], ["query"]]


@pytest.mark.parametrize(("text", "expected"), beside(__file__, "what_is_reported"))
def test_what_is_reported(text: str, expected: str) -> None:
    assert ", ".join(f"{one.line} {one.code}" for one in lint(text)) == expected


@pytest.mark.parametrize(("text", "blamed", "fixed"), beside(__file__, "what_is_unused"))
def test_what_is_unused(text: str, blamed: str, fixed: str) -> None:
    (one,) = lint(text)
    before = filled(text)
    assert (one.code, one.severity) == ("unused-suppression", "warning")
    assert before[one.start : one.end] == blamed
    assert (applied(before, one.edits) if one.edits else "") == filled(fixed)
    if "ignroe" in text:
        assert one.message == "'ignroe' is not a suppression. Did you mean ignore?"


def test_what_is_suppressed_is_counted() -> None:
    text = filled("{path}\n<!-- uriproof: ignore-file -->\n{path}")
    assert Engine(Settings()).lint("a.html", text.encode()).suppressed == 2


def test_a_code_that_is_ignored_anyway() -> None:
    assert lint("{path} <!-- uriproof: ignore[path] -->", ignore=("path",)) == []
    assert lint("{valid} <!-- uriproof: ignore -->", ignore=("unused-suppression",)) == []


@pytest.mark.parametrize("before", ["", ": ", "-- ", " – "])  # noqa: RUF001 -- people do
def test_a_reason_is_required_if_that_is_set(before: str) -> None:
    text = "{{path}} <!-- uriproof: ignore[path] {}-->"
    (one,) = lint(text.format(before), require_reason=True)
    assert one.code == "suppression-without-reason"
    assert lint(text.format(f"{before}the server requires it "), require_reason=True) == []


@given(st.text(st.sampled_from("#/<!->*uriproof: ignoreblds[]p,\n\r ")))
def test_any_text_is_taken(text: str) -> None:
    mark = text.replace("!", "# uriproof: ignore[")
    lines = Lines(mark)
    for one in suppressions(mark, lines):
        assert 0 <= one.start <= one.end <= len(mark)
        assert 1 <= one.first <= one.last <= len(lines)
