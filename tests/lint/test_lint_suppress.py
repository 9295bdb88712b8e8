"""Suppressions: their syntax in comments of any language, their effect, and the unused ones."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine, Result
from uriproof.lint.files.source import Lines
from uriproof.lint.suppress.comments import suppressions

BAD = "http://a/ b"


def lint(text: str, **settings: Any) -> Result:
    return Engine(Settings(**settings)).lint("a.html", text.encode())


def codes(text: str, **settings: Any) -> list[str]:
    return [d.code for d in lint(text, **settings).diagnostics]


def link(url: str = BAD) -> str:
    return f'<a href="{url}">'


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


class TestEffect:
    def test_on_the_line(self) -> None:
        assert codes(f"{link()} <!-- uriproof: ignore[path-illegal] -->\n{link()}") == [
            "path-illegal"
        ]

    def test_on_the_next_line_that_is_not_blank(self) -> None:
        text = f"<!-- uriproof: ignore-next-line[path] -->\n\n{link()}\n{link()}"
        assert [d.line for d in lint(text).diagnostics] == [4]

    def test_several_on_the_next_line(self) -> None:
        text = (
            "<!-- uriproof: ignore-next-line[path] -->\n"
            "<!-- uriproof: ignore-next-line[query] -->\n" + link("http://a/ b?[")
        )
        assert codes(text) == []

    def test_in_a_block(self) -> None:
        text = (
            f"{link()}\n<!-- uriproof: disable -->\n{link()}\n<!-- uriproof: enable -->\n{link()}"
        )
        result = lint(text)
        assert [d.line for d in result.diagnostics] == [1, 5]
        assert result.suppressed == 1

    def test_in_a_block_without_an_end(self) -> None:
        text = f"{link()}\n<!-- uriproof: disable[path] -->\n{link()}\n{link('http://a b/')}"
        assert codes(text) == ["path-illegal", "host-illegal"]

    def test_in_the_file(self) -> None:
        assert codes(f"{link()}\n<!-- uriproof: ignore-file[path] -->") == []

    def test_another_code_is_said(self) -> None:
        text = f"{link()} <!-- uriproof: ignore[host] -->"
        assert codes(text) == ["path-illegal", "unused-suppression"]

    def test_the_beginning_of_codes(self) -> None:
        assert codes(f"{link()} <!-- uriproof: ignore[pa] -->") == []

    def test_several_on_one_line(self) -> None:
        text = "# uriproof: ignore[path] one  # uriproof: ignore[query] two"
        found = suppressions(text, Lines(text))
        assert [[code for code, _ in one.codes] for one in found] == [["path"], ["query"]]
        both = "<!-- uriproof: ignore[path] --> <!-- uriproof: ignore[query] -->"
        assert codes(f"{link('http://a/ ?[')} {both}") == []

    def test_crlf(self) -> None:
        text = f"<!-- uriproof: ignore-next-line -->\r\n{link()}\r\n{link()}\r\n"
        assert [d.line for d in lint(text).diagnostics] == [3]


class TestUnused:
    def test_one_that_suppresses_nothing(self) -> None:
        text = f"{link('http://a/')} <!-- uriproof: ignore[path] -->\n"
        (one,) = lint(text).diagnostics
        assert (one.code, one.severity) == ("unused-suppression", "warning")
        assert text[one.start : one.end] == "uriproof: ignore[path]"

    def test_its_fix_takes_the_comment_out(self) -> None:
        text = f"{link('http://a/')}  <!-- uriproof: ignore -->\nx"
        edit = lint(text).diagnostics[0].edits[0]
        assert text[: edit.start] + edit.replacement + text[edit.end :] == f"{link('http://a/')}\nx"

    def test_its_fix_takes_a_line_out(self) -> None:
        text = "a\n  <!-- uriproof: ignore-file -->\nx"
        edit = lint(text).diagnostics[0].edits[0]
        assert text[: edit.start] + text[edit.end :] == "a\nx"

    def test_one_code_of_several(self) -> None:
        text = f"{link()} <!-- uriproof: ignore[path, port] -->"
        (one,) = lint(text).diagnostics
        assert text[one.start : one.end] == "port"

    def test_a_code_that_is_not_said_now_is_left_alone(self) -> None:
        assert codes(f"{link('http://a/')} <!-- uriproof: ignore[default-port] -->") == []
        assert codes(f"{link()} <!-- uriproof: ignore[path] -->", ignore=("path",)) == []

    def test_a_code_that_is_none(self) -> None:
        text = f"{link('http://a/')} <!-- uriproof: ignore[pth-illegal] -->"
        assert codes(text) == ["unused-suppression"]

    def test_a_verb_that_is_none(self) -> None:
        (one, _) = lint(f"{link()} <!-- uriproof: ignroe[path] -->").diagnostics[::-1]
        assert one.message == "'ignroe' is not a suppression. Did you mean ignore?"

    def test_an_end_without_a_beginning(self) -> None:
        assert codes("<!-- uriproof: enable -->") == ["unused-suppression"]

    def test_it_can_be_ignored(self) -> None:
        text = f"{link('http://a/')} <!-- uriproof: ignore -->"
        assert codes(text, ignore=("unused-suppression",)) == []


class TestReason:
    def test_it_is_wanted_where_that_is_set(self) -> None:
        text = f"{link()} <!-- uriproof: ignore[path] -->"
        assert codes(text) == []
        assert codes(text, require_reason=True) == ["suppression-without-reason"]

    @pytest.mark.parametrize("before", ["", ": ", "-- ", " – "])  # noqa: RUF001 -- people do
    def test_it_stands_behind(self, before: str) -> None:
        text = f"{link()} <!-- uriproof: ignore[path] {before}as the server wants it -->"
        assert codes(text, require_reason=True) == []


@given(st.text(st.sampled_from("#/<!->*uriproof: ignoreblds[]p,\n\r ")))
def test_any_text_is_taken(text: str) -> None:
    mark = text.replace("!", "# uriproof: ignore[")
    lines = Lines(mark)
    for one in suppressions(mark, lines):
        assert 0 <= one.start <= one.end <= len(mark)
        assert 1 <= one.first <= one.last <= len(lines)
