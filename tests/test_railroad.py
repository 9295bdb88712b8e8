"""Railroad diagrams: what is drawn, where, and within which bounds."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import rows

from uriproof.grammar import registry
from uriproof.grammar.model import (
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Rule,
    children,
)
from uriproof.grammar.registry import compile_abnf, load
from uriproof.text.columns import width as columns
from uriproof.workbench.railroad import style, to_railroad_svg, to_railroad_text
from uriproof.workbench.railroad.plan import MAX_PIECES, plan
from uriproof.workbench.railroad.track import Box, Diagram, lay_out

pytestmark = pytest.mark.prove

RFC3986 = load("rfc3986")
SVG = "{http://www.w3.org/2000/svg}"
each_grammar = pytest.mark.parametrize("name", registry.names())


def model_of(abnf: str) -> Model:
    return compile_abnf(abnf).model


def text(abnf: str, width: int = 80, ascii_only: bool = False) -> list[str]:
    model = model_of(abnf)
    return to_railroad_text(model, model.starts[0], width, ascii_only=ascii_only)


# What is drawn


def test_alternatives_stand_below_each_other_the_first_on_the_straight_line() -> None:
    assert to_railroad_text(RFC3986.model, "dec-octet") == [
        *("├───┬─ DIGIT ───────────────────┬───┤", '    ├─ "1"-"9" ── DIGIT ────────┤'),
        *('    ├─ "1" ─┬── DIGIT ───┬──────┤', "    │       ╰─◀ 2 times ─╯      │"),
        *('    ├─ "2" ── "0"-"4" ── DIGIT ─┤', '    ╰─ "25" ── "0"-"5" ─────────╯'),
    ]


def test_an_option_is_skipped_above_and_a_loop_comes_back_below() -> None:
    assert to_railroad_text(RFC3986.model, "path-abempty") == [
        "    ╭──────────────────╮",
        '├───┼─ "/" ── segment ─┼───┤',
        "    ╰─────────◀────────╯",
    ]


def test_ascii() -> None:
    assert to_railroad_text(RFC3986.model, "path-abempty", ascii_only=True) == [
        "    +------------------+",
        '|---+- "/" -- segment -+---|',
        "    +---------<--------+",
    ]
    for rule in RFC3986.model.rules:
        assert "\n".join(to_railroad_text(RFC3986.model, rule, ascii_only=True)).isascii()


@pytest.mark.parametrize(
    ("repeat", "words"),
    rows("railroad", "counts-are-written-at-the-rail-back"),
)
def test_counts_are_written_at_the_rail_back(repeat: str, words: str) -> None:
    drawn = text(f'a = {repeat}"xyz"')
    assert f"◀ {words} " in drawn[-1] if words else "─◀─" in drawn[-1]
    skips = repeat in ("*", "*3")
    assert len(drawn) == 2 + skips
    assert text('a = ""') == ["├──────┤"]


@pytest.mark.parametrize(
    ("element", "label"),
    rows("railroad", "terminals-say-whether-case-counts"),
)
def test_terminals_say_whether_case_counts(element: str, label: str) -> None:
    assert text(f"a = {element}") == [f"├── {label} ──┤"]


def test_a_row_too_wide_goes_on_below() -> None:
    drawn = text('a = 8( "0123456789" ) "b" "c" / "0123456789" "0123456789" "0123456789"', 48)
    assert max(map(len, drawn)) <= 48
    assert [line.count('"0123456789"') for line in drawn if "0123" in line] == [1, 2, 1]
    assert "◀" in drawn[-2], "the rail between the lines goes back"


# Geometry: what the drawings rely on


def sound(diagram: Diagram) -> None:
    cells: dict[tuple[int, int], Box] = {}
    for box in diagram.boxes:
        for column in range(box.column, box.column + box.width):
            assert cells.setdefault((box.row, column), box) is box, "boxes overlap"
    ends = {end for rail in diagram.rails for end in (rail.points[0], rail.points[-1])}
    for rail in diagram.rails:
        for (x0, row0), (x1, row1) in pairwise(rail.points):
            assert (x0 == x1) != (row0 == row1), "rails are level or upright"
            left, right, high, low = *sorted((x0, x1)), *sorted((row0, row1))
            for row in range(high, low + 1):
                for half in range(left, max(right, left + 1)):
                    assert (row, half // 2) not in cells, "a rail through a box"
            assert 0 <= left <= right <= 2 * diagram.width, "within the diagram"
            assert diagram.top <= high <= low <= diagram.bottom
    for box in diagram.boxes:
        if box.style != "count":
            assert (2 * box.column, box.row) in ends, "a rail leads into each box"
            assert (2 * (box.column + box.width), box.row) in ends, "and out of it"


@each_grammar
@pytest.mark.parametrize("width", [24, 60])
def test_no_rail_crosses_a_box_in_any_bundled_rule(name: str, width: int) -> None:
    for rule in load(name).model.rules:
        sound(lay_out(plan(load(name).model, rule), width))
        drawn = to_railroad_text(load(name).model, rule, width)
        assert max(map(columns, drawn)) <= width, (name, rule)


ATOMS = st.sampled_from(['"a"', "b", "%x30-39", '"longer text"', '""', "%x0D.0A"])


def _combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(inner, min_size=1, max_size=4)
    repeats = st.sampled_from(["*", "1*", "2*5", "3", "*4", "0"])
    return st.one_of(
        several.map(lambda items: f"( {' '.join(items)} )"),
        several.map(lambda items: f"( {' / '.join(items)} )"),
        inner.map(lambda item: f"[ {item} ]"),
        st.tuples(repeats, inner).map(lambda p: f"{p[0]}( {p[1]} )"),
    )


@given(st.recursive(ATOMS, _combined, max_leaves=12), st.integers(20, 120))
def test_any_rule_is_drawn_soundly(elements_: str, width: int) -> None:
    model = model_of(f'; starts: a b\na = {elements_}\nb = "x"\n')
    sound(lay_out(plan(model, "a"), width))
    assert max(map(columns, to_railroad_text(model, "a", width))) <= max(width, 24)


# SVG


def elements(model: Model, rule: str) -> Iterator[str]:
    """The ids of all elements of a rule, outermost first."""
    stack: list[tuple[str, Element]] = [(rule, model.rules[rule].element)]
    while stack:
        node, element = stack.pop()
        yield node
        stack += [(f"{node}.{i}", inner) for i, inner in enumerate(children(element))]


@each_grammar
def test_every_rail_and_box_has_an_id_of_its_own_and_its_elements_id(name: str) -> None:
    model = load(name).model
    for rule in model.rules:
        root = ET.fromstring(to_railroad_svg(model, rule))  # noqa: S314 -- our own
        ids = [e.get("id") for e in root.iter() if e.get("id")]
        assert len(ids) == len(set(ids)), (name, rule)
        known = set(elements(model, rule))
        drawn = {e.get("data-node", "") for e in root.iter() if e.get("id")}
        assert {re.sub(":(skip|again|out|more)$", "", n) for n in drawn} <= known, (name, rule)


def test_svg_names_itself_links_and_runs_no_script() -> None:
    svg = to_railroad_svg(RFC3986.model, "host")
    root = ET.fromstring(svg)  # noqa: S314 -- our own
    assert root.findtext(f"{SVG}title") == (
        "host: an IP address or a registered name (section 3.2.2)"
    )
    assert root.findtext(f"{SVG}desc") == RFC3986.rule("host").text
    assert [a.get("href") for a in root.iter(f"{SVG}a")] == [
        "#rule-IP-literal",
        "#rule-IPv4address",
        "#rule-reg-name",
    ]
    assert "script" not in svg
    assert not [e for e in root.iter() if e.get("style")]  # which no style sheet could override
    assert style() in svg
    # Renderers do not know lengths in a style sheet.
    assert not re.search(r"(?<![-\w])(width|height):|auto", style())
    assert "<style>" not in to_railroad_svg(RFC3986.model, "host", styled=False)
    # The links of an image would be hidden from those who do not see it.
    plain = ET.fromstring(to_railroad_svg(RFC3986.model, "host", links=False))  # noqa: S314
    assert (root.get("role"), plain.get("role")) == ("group", "img")
    assert not list(plain.iter(f"{SVG}a"))
    assert plain.get("aria-label") == (
        "Railroad diagram of host: an IP address or a registered name (section 3.2.2)"
    )


def test_text_is_escaped() -> None:
    texts = CharVal("<&>'"), NumVal((0,)), CharVal("\u202e"), CharVal("漢")
    model = Model("m", "", {"a": Rule("a", Concatenation(texts), "<\0>", "m", "", 1)}, ("a",))
    svg = to_railroad_svg(model, "a")
    root = ET.fromstring(svg)  # noqa: S314 -- our own
    assert [t.text for t in root.iter(f"{SVG}text")] == ['"<&>\'"', "%x00", '"\\u202e"', '"漢"']
    assert "\u202e" not in svg


# Hostile rules: bounded


deep = '"x"'
for _ in range(16):
    deep = f'[ "y" 2*3( "z" / {deep} ) ]'
HOSTILE = {
    "5,000 alternatives": (" / ".join(f'"x{i}"' for i in range(5_000)), "4,900 more alternatives"),
    "5,000 elements": (" ".join(f'"x{i}"' for i in range(5_000)), "4,900 more elements"),
    "both": (" / ".join([f"( {' '.join(['DIGIT'] * 150)} )"] * 150), "140 more alternatives"),
    "a long literal": (f'"{"x" * 900}"', "(900 characters)"),
    "16 levels": (deep, "( "),
}


@pytest.mark.parametrize("key", HOSTILE)
def test_a_hostile_rule_is_bounded(key: str) -> None:
    source, told = HOSTILE[key]
    grammar = compile_abnf(f"a = {source}\n")
    svg = to_railroad_svg(grammar.model, "a")
    assert len(svg) < 500 * MAX_PIECES * 4, key
    ET.fromstring(svg)  # noqa: S314 -- our own
    drawn = to_railroad_text(grammar.model, "a", 80)
    assert max(map(columns, drawn)) <= 80
    assert len(drawn) < 4 * MAX_PIECES
    words = "\n".join(drawn)
    assert told in words
