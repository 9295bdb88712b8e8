"""Texts with holes: no filling of them is blamed, and what no filling mends is."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import RFC3986, any_text
from tables import rows

from uriproof.adapters import for_hypothesis
from uriproof.grammar import registry
from uriproof.validate import holes as holes_module
from uriproof.validate.holes import check_holes, fillings

pytestmark = pytest.mark.prove


def spans(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(r"\{[^{}]*\}", text)]


@pytest.mark.parametrize(
    ("text", "blamed"),
    rows("holes", "what-no-filling-mends"),
)
def test_what_no_filling_mends(text: str, blamed: list[tuple[int, str, str]]) -> None:
    found = check_holes(RFC3986, text, "URI", spans(text))
    assert [(v.start, v.found, v.component) for v in found] == blamed


@st.composite
def holed(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> tuple[str, list[tuple[int, int]]]:
    """A text of which some parts have been cut out, a hole in the place of each."""
    text = draw(texts)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6, unique=True)))
    cuts = cuts[: len(cuts) // 2 * 2]
    pieces, holes, at = "", [], 0
    for start, end in zip(cuts[::2], cuts[1::2], strict=True):
        pieces += text[at:start]
        holes.append((len(pieces), len(pieces) + 3))
        pieces, at = pieces + "{ }", end
    return pieces + text[at:], holes


@given(holed(for_hypothesis.valid("URI-reference")))
def test_where_some_filling_is_valid_nothing_is_blamed(given_: Any) -> None:
    text, holes = given_
    assert check_holes(RFC3986, text, "URI-reference", holes) == ()
    assert len(fillings(RFC3986.automaton("URI-reference"), text, holes, {})) == len(holes)


@given(holed(any_text(RFC3986, "URI")))
def test_blame_is_outside_the_holes_and_in_order(given_: Any) -> None:
    text, holes = given_
    at = 0
    for v in check_holes(RFC3986, text, "URI", holes):
        assert at <= v.start <= v.end <= len(text)
        assert v.found == text[v.start : v.end]
        assert all(v.end <= a or v.start >= b for a, b in holes)
        at = v.end


@given(any_text(RFC3986, "URI"))
def test_without_holes_it_is_the_check(text: str) -> None:
    from uriproof import check

    found = check_holes(registry.load("rfc3986"), text, "URI", [])
    assert found == check(text).violations


def test_where_a_hole_leads_is_found_once_for_all_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    found = holes_module._reached

    def counted(automaton: Any, before: Any) -> Any:
        asked.append(tuple(before))
        return found(automaton, before)

    monkeypatch.setattr(holes_module, "_reached", counted)
    texts = [f"http://{{host}}:{{port}}/%want/{{a}}/{i}" for i in range(50)]
    texts += [text.replace("want", "WANT") for text in texts]
    for text in texts:
        assert [v.start for v in check_holes(RFC3986, text, "URI", spans(text))] == [21]
    assert len(asked) == len(set(asked)) <= 3
