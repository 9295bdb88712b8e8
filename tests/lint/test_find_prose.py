"""URLs in text that nothing delimits: where they begin and end, and what is none."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Any

import pytest
from finding import FOLDER
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof.lint.engine.judge import Judge
from uriproof.lint.find import plain
from uriproof.lint.find._prose import Passed, candidates, is_scheme, spaced
from uriproof.lint.found import Found
from uriproof.mistakes.placeholders import _FIRST, _TABLE, holes

JUDGE = Judge()

PIECES = st.sampled_from(
    (
        *("http://", "https://", "://", "a", "x.y", "/", "?", "#", "[", "]", "[::1]", "(", ")"),
        *("<", ">", "{", "}", "{{ a }}", "$x", "%s", "%20", "%", "'", '"', "`", "\\", "\\n", "*"),
        *("_", ":", "@", " ", "\n", "\r\n", "\t", ",", ".", "...", "…", "é", "中文", "。"),
        *("\u200b", "\ud800", "://]("),
    )
)
TEXTS = st.lists(PIECES, max_size=30).map("".join)


def found(text: str) -> list[str]:
    return [one.text for one in candidates(text) if isinstance(one, Found)]


@pytest.mark.parametrize(("text", "expected"), beside(FOLDER / "prose", "where_urls_begin_and_end"))
def test_where_urls_begin_and_end(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(("text", "why"), beside(FOLDER / "prose", "what_is_no_url_and_why"))
def test_what_is_no_url_and_why(text: str, why: str) -> None:
    passed = [one for one in candidates(text) if isinstance(one, Passed)]
    assert not found(text)
    assert why in passed[0].why


@pytest.mark.parametrize("text", beside(FOLDER / "prose", "what_is_to_be_filled_in_is_not_blamed"))
def test_what_is_to_be_filled_in_is_not_blamed(text: str) -> None:
    ones = [one for one in candidates(text) if isinstance(one, Found)]
    assert ones
    assert all(JUDGE.accepts(one) for one in ones)


@pytest.mark.parametrize(
    ("text", "blamed"), beside(FOLDER / "prose", "what_is_outside_of_holes_is_blamed")
)
def test_what_is_outside_of_holes_is_blamed(text: str, blamed: str) -> None:
    (one,) = (one for one in candidates(text) if isinstance(one, Found))
    assert [one.text[v.start : v.end] for v in JUDGE.violations(one)] == [blamed]


@given(TEXTS)
def test_spans_are_exact_in_order_and_disjoint(text: str) -> None:
    at = 0
    for one in candidates(text):
        assert at <= one.start <= one.end <= len(text)
        at = one.end
        if isinstance(one, Found):
            assert one.text == text[one.start : one.end]
            assert is_scheme(one.text.partition("://")[0])
            assert all(0 <= a < b <= len(one.text) for a, b in one.holes)


@given(TEXTS)
def test_holes_are_sorted_and_disjoint(text: str) -> None:
    at = 0
    for start, end in holes(text):
        assert at <= start < end
        at = end


@given(TEXTS, TEXTS)
def test_a_part_is_looked_at_as_if_it_were_all(before: str, text: str) -> None:
    space = before + "\n"
    inside = [one.start - len(space) for one in candidates(space + text, len(space))]
    assert inside == [one.start for one in candidates(text)]


def test_plain_text_takes_a_line_for_a_url_with_its_backslashes() -> None:
    text = "http://a/b\\c\nhttp://a/b\\n and http://a/b\\c\n"
    assert [one.text for one in plain.find(text, "")] == [
        "http://a/b\\c",
        "http://a/b",
        "http://a/b",
    ]


@pytest.mark.parametrize(("text", "one"), beside(FOLDER / "prose", "which_words_are_one_url"))
def test_which_words_are_one_url(text: str, one: bool) -> None:
    assert spaced(text) is one


def firsts(steps: Any) -> tuple[set[str], bool]:
    """The characters that an expression can begin with, and whether it can be empty."""
    every: set[str] = set()
    for step, given_ in steps:
        match str(step):
            case "ASSERT" | "ASSERT_NOT" | "AT":
                continue
            case "LITERAL":
                return every | {chr(given_)}, False
            case "IN":
                assert all(str(kind) == "LITERAL" for kind, _ in given_)
                return every | {chr(point) for _, point in given_}, False
            case "BRANCH":
                inner = [firsts(one) for one in given_[1]]
            case "SUBPATTERN":
                inner = [firsts(given_[3])]
            case _:  # a repetition
                found_, is_empty = firsts(given_[2])
                inner = [(found_, is_empty or given_[0] == 0)]
        every.update(*(one for one, _ in inner))
        if not any(is_empty for _, is_empty in inner):
            return every, False
    return every, True


def test_the_first_characters_of_placeholders_are_those_that_are_looked_for() -> None:
    rows = "|".join(s.opening + s.inside + s.closing for s in _TABLE if s.of)
    assert firsts(import_module("re._parser").parse(rows)) == (
        set(re.findall(_FIRST, "".join(map(chr, range(sys.maxunicode + 1))))),
        False,
    )
