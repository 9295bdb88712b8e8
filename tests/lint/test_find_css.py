"""URLs in style sheets, and in what is compiled to them."""

from functools import partial
from typing import Any

import finding
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

found = partial(finding.found, "a.css")
blamed = partial(finding.blamed, "a.scss")


@pytest.mark.parametrize(("text", "expected"), beside(__file__, "where_urls_are"))
def test_where_urls_are(text: str, expected: list[str]) -> None:
    assert [one.text for one in found(text)] == expected


@pytest.mark.parametrize(("text", "expected"), beside(__file__, "preprocessors"))
def test_preprocessors(text: str, expected: list[str]) -> None:
    assert blamed(text) == expected


def test_only_the_languages_that_have_them_have_comments_of_one_line() -> None:
    text = "// 'url(a b)\nc { d: url(e) }"
    assert [one.text for one in finding.found("a.less", text)] == ["e"]
    assert [one.text for one in finding.found("a.scss", "a { b: url(//c) }")] == ["//c"]


CHARS = st.sampled_from("ab/:?#[]@!$&()+;=% \"'<>é\U0001f600\\")
VALUES = st.text(CHARS, min_size=1, max_size=10).map(lambda text: f"x{text}x")


@st.composite
def sheets(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str]]]:
    """A style sheet, and each URL in it with where it stands."""
    text = draw(st.sampled_from(["", "@charset 'utf-8';\r\n", "/* \U0001f600 ' */"]))
    expected: list[tuple[int, int, str]] = []
    for _ in range(draw(st.integers(1, 4))):
        value = draw(VALUES)
        quote = draw(st.sampled_from(["'", '"', ""]))
        raw = ""
        for char in value:
            forms = [f"\\{ord(char):x} ", f"\\{ord(char):06X} "]
            if not char.isalnum() or not char.isascii():
                forms.append(f"\\{char}")
            if char != "\\" and (char != quote if quote else char not in " \"'()"):
                forms.append(char)
            raw += draw(st.sampled_from(forms))
        text += f"a {{ b: url({quote}"
        expected.append((len(text), len(text) + len(raw), value))
        text += f"{raw}{quote}) }}\n"
    return text, expected


@given(sheets())
def test_what_was_written_is_found_where_it_stands(
    sheet: tuple[str, list[tuple[int, int, str]]],
) -> None:
    text, expected = sheet
    assert [(one.start, one.end, one.text) for one in found(text)] == expected


@given(sheets())
def test_as_tinycss2_reads_it(sheet: tuple[str, list[tuple[int, int, str]]]) -> None:
    tinycss2 = pytest.importorskip("tinycss2")
    values: list[str] = []

    def walk(nodes: list[Any]) -> None:
        for node in nodes:
            kind = getattr(node, "type", "")
            if kind == "url":
                values.append(node.value)
            elif kind == "function" and node.lower_name == "url":
                values.extend(child.value for child in node.arguments if child.type == "string")
            for children in ("content", "prelude", "arguments"):
                inner = getattr(node, children, None)
                if inner:
                    walk(inner)

    text, _ = sheet
    walk(tinycss2.parse_stylesheet(text))
    assert [one.text for one in found(text)] == values
