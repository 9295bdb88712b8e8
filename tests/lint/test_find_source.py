"""URLs in source code: strings and their escapes, comments, interpolation."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine
from uriproof.lint.engine.judge import Judge
from uriproof.lint.find import finders, source
from uriproof.lint.find._languages import LANGUAGES, language
from uriproof.lint.found import Found

FIND = source.find
JUDGE = Judge()


def found(text: str, name: str = "a.py") -> list[Found]:
    return list(FIND(text, name))


def urls(text: str, name: str = "a.py") -> list[str]:
    return [one.text for one in found(text, name)]


@pytest.mark.parametrize(("name", "text", "expected"), beside(__file__, "where_urls_are"))
def test_where_urls_are(name: str, text: str, expected: list[str]) -> None:
    assert urls(text, name) == expected


@pytest.mark.parametrize(("name", "text"), beside(__file__, "what_is_interpolated_is_not_blamed"))
def test_what_is_interpolated_is_not_blamed(name: str, text: str) -> None:
    assert all(JUDGE.accepts(one) for one in found(text, name))


@pytest.mark.parametrize(
    ("name", "text", "blamed"), beside(__file__, "what_is_blamed_is_where_it_stands")
)
def test_what_is_blamed_is_where_it_stands(name: str, text: str, blamed: str) -> None:
    (one,) = found(text, name)
    (violation,) = JUDGE.violations(one)
    assert text[one.offset(violation.start) : one.offset(violation.end)] == blamed


def test_no_suffix_stands_in_two_formats() -> None:
    known: dict[str, str] = {}
    for name, finder in finders().items():
        for ending in (*finder.SUFFIXES, *finder.NAMES):
            assert known.setdefault(ending, name) == name


def test_languages_are_chosen_by_name() -> None:
    assert language("src/a.B.py") is LANGUAGES["python"]
    assert language("x/Makefile") is LANGUAGES["shell"]
    assert language("unheard.of").escapes == ""


CHARS = st.sampled_from("ab/?=&\n\t\"'\\é\u20ac\U0001f600\x07")


@given(st.text(CHARS, max_size=12), st.booleans())
def test_decoding_is_that_of_the_language(path: str, ascii_only: bool) -> None:
    literal = ascii(f"http://x/{path}") if ascii_only else repr(f"http://x/{path}")
    value = ast.literal_eval(literal)
    urls = found(f"a = {literal}\n")
    assert urls
    assert all(one.text in value for one in urls)


PIECES = st.sampled_from(
    (
        *('"', "'", "`", '"""', "\\", "\\n", "\\u00e9", "\\x", "//", "#", "/*", "*/", "\n", " "),
        *("http://a", "/b", "://", "${x}", "\\(x)", "{x}", "%s", "[", "]", "(", ")", "+", "|", "r"),
        *("href=", "é", "\ud800", "\\u{1f600}", "\\ud800", "\\777", "\\\r\n", "\\_", "\\-"),
    )
)


@given(
    st.lists(PIECES, max_size=30).map("".join),
    st.sampled_from(["py", "js", "swift", "cpp", "tex", "1", "hs", "el"]),
)
def test_spans_are_exact_in_order_and_disjoint(text: str, suffix: str) -> None:
    at = 0
    for one in FIND(text, f"a.{suffix}"):
        assert at <= one.start <= one.end <= len(text)
        at = one.end
        if not one.places:
            assert one.text == text[one.start : one.end]
        else:
            assert len(one.places) == len(one.text) + 1
            assert list(one.places) == sorted(one.places)
            assert (one.places[0], one.places[-1]) == (one.start, one.end)
        assert all(0 <= a < b <= len(one.text) for a, b in one.holes)


@pytest.mark.parametrize(
    "line",
    [
        'href = "http://" + host',
        's.replace("http://", "http://me:x1@")',
        "url = f'https://a.example/{code or \"us\"}/{id}'",
        "url = f\"https://a.example/{d['a b']}\"",
    ],
)
def test_prefixes_and_expressions_are_no_urls_that_are_wrong(line: str) -> None:
    engine = Engine(Settings())
    assert [one.code for one in engine.lint("a.py", line.encode()).diagnostics] == []
