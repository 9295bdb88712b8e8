"""Railroad diagrams: what is drawn, where, within which bounds, and what a text lights."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from importlib import import_module
from io import BytesIO
from itertools import islice, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import FEW_GRAMMARS, bound, quick

from uriproof import Grammar
from uriproof.grammar import registry
from uriproof.grammar.errors import GrammarLimit
from uriproof.grammar.machine.sample import cover
from uriproof.grammar.model import (
    CharVal,
    Concatenation,
    Model,
    NumVal,
    Repetition,
    Rule,
    references,
)
from uriproof.grammar.registry import compile_abnf, load
from uriproof.text.columns import cut
from uriproof.text.columns import width as columns
from uriproof.workbench.railroad import elements, lit, style, to_railroad_svg, to_railroad_text
from uriproof.workbench.railroad.highlight import MAX_LIT
from uriproof.workbench.railroad.plan import MAX_PIECES, plan
from uriproof.workbench.railroad.track import Box, Diagram, lay_out

RFC3986 = load("rfc3986")
SVG = "{http://www.w3.org/2000/svg}"
each_grammar = pytest.mark.parametrize("name", quick(registry.names(), among=FEW_GRAMMARS))


def model_of(abnf: str) -> Model:
    return compile_abnf(abnf).model


def text(abnf: str, width: int = 80, ascii_only: bool = False) -> list[str]:
    model = model_of(abnf)
    return to_railroad_text(model, model.starts[0], width, ascii_only=ascii_only)


# What is drawn


def test_alternatives_stand_below_each_other_the_first_on_the_straight_line() -> None:
    assert to_railroad_text(RFC3986.model, "dec-octet") == [
        "├───┬─ DIGIT ───────────────────┬───┤",
        '    ├─ "1"-"9" ── DIGIT ────────┤',
        '    ├─ "1" ─┬── DIGIT ───┬──────┤',
        "    │       ╰─◀ 2 times ─╯      │",
        '    ├─ "2" ── "0"-"4" ── DIGIT ─┤',
        '    ╰─ "25" ── "0"-"5" ─────────╯',
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
    [
        ("*", ""),
        ("1*", ""),
        ("2*", "2 times or more"),
        ("3", "3 times"),
        ("*3", "at most 3 times"),
        ("1*3", "at most 3 times"),
        ("2*3", "2 to 3 times"),
        ("1000*2000", "1,000 to 2,000 times"),
    ],
)
def test_counts_are_written_at_the_rail_back(repeat: str, words: str) -> None:
    drawn = text(f'a = {repeat}"xyz"')
    assert f"◀ {words} " in drawn[-1] if words else "─◀─" in drawn[-1]
    skips = repeat in ("*", "*3")
    assert len(drawn) == 2 + skips


def test_what_can_read_nothing_is_a_rail() -> None:
    assert text('a = ""') == ["├──────┤"]
    assert to_railroad_text(RFC3986.model, "path-empty") == ["├──────┤"]


@pytest.mark.parametrize(
    ("element", "label"),
    [
        ('"v"', '"v"i'),
        ('%s"v"', '"v"'),
        ('"://"', '"://"'),
        ("%x30-39", '"0"-"9"'),
        ("%x76", '"v"'),
        ("%x22", "%x22"),
        ("%d13.10", "%x0D.0A"),
        ("%x80-10FFFF", "%x80-10FFFF"),
    ],
)
def test_terminals_say_whether_case_counts(element: str, label: str) -> None:
    assert text(f"a = {element}") == [f"├── {label} ──┤"]


def test_a_row_too_wide_goes_on_below() -> None:
    drawn = text('a = 8( "0123456789" ) "b" "c" / "0123456789" "0123456789" "0123456789"', 48)
    assert max(map(len, drawn)) <= 48
    assert [line.count('"0123456789"') for line in drawn if "0123" in line] == [1, 2, 1]
    assert "◀" in drawn[-2], "the rail between the lines goes back"


@each_grammar
@pytest.mark.parametrize("width", quick([24, 100, 40, 60, 200], 2))
def test_every_rule_of_every_grammar_fits(name: str, width: int) -> None:
    for rule in load(name).model.rules:
        drawn = to_railroad_text(load(name).model, rule, width)
        assert max(map(columns, drawn)) <= width, (name, rule)


# Geometry: what the drawings rely on


def covered(diagram: Diagram) -> dict[tuple[int, int], Box]:
    """The cells of boxes with words, each of which is one box's alone."""
    cells: dict[tuple[int, int], Box] = {}
    for box in diagram.boxes:
        if box.style == "frame":
            continue
        for column in range(box.column, box.column + box.width):
            assert (box.row, column) not in cells, "boxes overlap"
            cells[box.row, column] = box
    return cells


def sound(diagram: Diagram) -> None:
    cells = covered(diagram)
    ends: dict[tuple[int, int], int] = {}
    for rail in diagram.rails:
        for (x0, row0), (x1, row1) in pairwise(rail.points):
            assert (x0 == x1) != (row0 == row1), "rails are level or upright"
            for row in range(min(row0, row1), max(row0, row1) + 1):
                for half in range(min(x0, x1), max(x0, x1)):
                    assert (row, half // 2) not in cells, "a rail through a box"
                if x0 == x1:
                    assert (row, x0 // 2) not in cells, "a rail through a box"
            assert min(x0, x1) >= 0, "within the diagram"
            assert max(x0, x1) <= 2 * diagram.width
            assert diagram.top <= min(row0, row1)
            assert max(row0, row1) <= diagram.bottom
        for end in (rail.points[0], rail.points[-1]):
            ends[end] = ends.get(end, 0) + 1
    for box in diagram.boxes:
        if box.style not in {"frame", "count"}:
            assert (2 * box.column, box.row) in ends, "a rail leads into each box"
            assert (2 * (box.column + box.width), box.row) in ends, "and out of it"


@each_grammar
@pytest.mark.parametrize("width", quick([24, 60, 100]))
def test_no_rail_crosses_a_box_in_any_bundled_rule(name: str, width: int) -> None:
    for rule in load(name).model.rules:
        for depth in (0, 1):
            sound(lay_out(plan(load(name).model, rule, depth), width))


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
    sound(lay_out(plan(model, "a", 1), width))
    assert max(map(columns, to_railroad_text(model, "a", width))) <= max(width, 24)


# SVG


@each_grammar
def test_every_rail_and_box_has_an_id_of_its_own_and_its_elements_id(name: str) -> None:
    model = load(name).model
    for rule in model.rules:
        for depth in (0, 2):
            root = ET.fromstring(to_railroad_svg(model, rule, depth))  # noqa: S314 -- our own
            ids = [e.get("id") for e in root.iter() if e.get("id")]
            assert len(ids) == len(set(ids)), (name, rule)
            known = {n for r in model.rules for n, _ in elements(model, r)}
            drawn = {e.get("data-node", "") for e in root.iter() if e.get("id")}
            assert all(re.sub(":(skip|again|more)$", "", n) in known for n in drawn), (name, rule)
            if depth == 0:
                leaves = {n for n, e in elements(model, rule) if str(e) in model.rules}
                for node in leaves - drawn:  # nothing is to be drawn of what may stand no time
                    around = dict(elements(model, rule))[node.rpartition(".")[0]]
                    assert isinstance(around, Repetition)
                    assert around.most == 0


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


def test_an_image_holds_no_links() -> None:
    linked = ET.fromstring(to_railroad_svg(RFC3986.model, "host"))  # noqa: S314 -- our own
    plain = ET.fromstring(to_railroad_svg(RFC3986.model, "host", links=False))  # noqa: S314
    assert linked.get("role") == "group"
    assert plain.get("role") == "img"
    assert plain.get("aria-label") == (
        "Railroad diagram of host: an IP address or a registered name (section 3.2.2)"
    )
    assert not list(plain.iter(f"{SVG}a"))


def test_the_style_can_be_the_pages() -> None:
    assert style() in to_railroad_svg(RFC3986.model, "host")
    assert "<style>" not in to_railroad_svg(RFC3986.model, "host", styled=False)
    assert "prefers-color-scheme:dark" in style()


def test_text_is_escaped() -> None:
    texts = CharVal("<&>'"), NumVal((0,)), CharVal("\u202e"), CharVal("漢")
    model = Model("m", "", {"a": Rule("a", Concatenation(texts), "<\0>", "m", "", 1)}, ("a",))
    svg = to_railroad_svg(model, "a")
    root = ET.fromstring(svg)  # noqa: S314 -- our own
    assert [t.text for t in root.iter(f"{SVG}text")] == ['"<&>\'"', "%x00", '"\\u202e"', '"漢"']
    assert "\u202e" not in svg


# What a text lights


@pytest.mark.parametrize(
    ("rule", "given_text", "expected"),
    [
        ("host", "1.2.3.4", ["host", "host.1"]),
        ("host", "1.2.3.4.5", ["host", "host.2"]),
        ("host", "[::]", ["host", "host.0"]),
        ("host", "", ["host", "host.2"]),
        ("host", "a b", []),
        ("port", "", ["port", "port:skip"]),
        ("port", "8", ["port", "port.0"]),
        ("port", "80", ["port", "port.0", "port:again"]),
        ("path", "", ["path", "path.0"]),
        ("path", "/", ["path", "path.0"]),
        ("path", "a:b", ["path", "path.3"]),
        ("dec-octet", "25", ["dec-octet", "dec-octet.1", "dec-octet.1.0", "dec-octet.1.1"]),
        ("dec-octet", "255", ["dec-octet", "dec-octet.4", "dec-octet.4.0", "dec-octet.4.1"]),
        ("path-empty", "", ["path-empty", "path-empty:skip"]),
    ],
)
def test_lit(rule: str, given_text: str, expected: list[str]) -> None:
    assert lit(RFC3986, rule, given_text) == tuple(expected)


def test_rounds_that_read_nothing_are_gone_through_no_more_than_needed() -> None:
    grammar = compile_abnf('a = 3( *"x" )\nb = *( *"x" )\nc = 1000000*( *"x" )\n')
    assert set(lit(grammar, "a", "")) == {"a", "a.0", "a.0:skip"}
    assert lit(grammar, "b", "") == ("b", "b:skip")
    assert set(lit(grammar, "a", "xx")) >= {"a", "a.0", "a.0.0", "a.0:again"}
    assert lit(grammar, "b", "xx") == ("b", "b.0", "b.0.0", "b.0:again")
    with pytest.raises(GrammarLimit, match="places"):
        lit(grammar, "c", "xx")


def test_deep() -> None:
    found = lit(RFC3986, "authority", "u@1.2.3.4:80", deep=True)
    assert {"authority.0", "host.1", "dec-octet.0", "port:again", "userinfo.0.0"} <= set(found)
    assert not {"host.2", "IP-literal"} & set(found)


def test_rules_that_are_not_regular() -> None:
    grammar = compile_abnf('expr = "(" expr ")" / term\nterm = 1*DIGIT\n')
    assert lit(grammar, "expr", "((1))")[:2] == ("expr", "expr.0")
    assert {"expr.0.1", "expr.1", "term.0"} <= set(lit(grammar, "expr", "((1))", deep=True))
    assert lit(grammar, "expr", "((1)") == ()
    assert "term.0" in lit(grammar, "expr", "(" * 200 + "1" + ")" * 200, deep=True)


def test_every_text_of_a_rule_lights_what_the_diagram_draws() -> None:
    for rule in RFC3986.model.rules:
        known = {n for n, _ in elements(RFC3986.model, rule)}
        for number, sample in enumerate(cover(RFC3986.automaton(rule))):
            found = lit(RFC3986, rule, sample)
            assert found[0] == rule
            assert {re.sub(":(skip|again)$", "", n) for n in found} <= known
            for node in found:
                *above, index = node.rpartition(".")
                if index and above[0]:
                    assert above[0] in found, "the way to an element is lit"
            if number > 60:
                break


def test_what_is_not_accepted_lights_nothing() -> None:
    assert lit(RFC3986, "URI", "http://a b/") == ()
    assert lit(RFC3986, "dec-octet", "256") == ()


def test_a_long_text_is_refused_plainly() -> None:
    with pytest.raises(GrammarLimit, match="at most 1,000 characters, not 1,001"):
        lit(RFC3986, "path", "a" * (MAX_LIT + 1))
    assert "path.2" in lit(RFC3986, "path", "a" * MAX_LIT)


def test_lit_elements_are_drawn_last() -> None:
    ids = lit(RFC3986, "host", "1.2.3.4")
    root = ET.fromstring(to_railroad_svg(RFC3986.model, "host", lit=ids))  # noqa: S314
    rails = [e for e in root.iter() if "rail" in e.get("class", "").split() and e.get("id")]
    states = ["lit" in e.get("class", "") for e in rails]
    assert states == sorted(states)
    nodes = {e.get("data-node") for e in root.iter() if "lit" in e.get("class", "").split()}
    assert nodes == set(ids)


# Hostile rules: bounded


def deep(levels: int) -> str:
    element = '"x"'
    for _ in range(levels):
        element = f'[ "y" 2*3( "z" / {element} ) ]'
    return element


HOSTILE = {
    "5,000 alternatives": (" / ".join(f'"x{i}"' for i in range(5_000)), "4,900 more alternatives"),
    "5,000 elements": (" ".join(f'"x{i}"' for i in range(5_000)), "4,900 more elements"),
    "both": (" / ".join([f"( {' '.join(['DIGIT'] * 150)} )"] * 150), "140 more alternatives"),
    "a long literal": (f'"{"x" * 900}"', "(900 characters)"),
    "20 levels": (deep(16), "( "),
}


@pytest.mark.parametrize("key", quick(HOSTILE, among=("a long literal", "5,000 elements")))
def test_a_hostile_rule_is_bounded(key: str) -> None:
    source, told = HOSTILE[key]
    grammar = compile_abnf(f"a = {source}\n")
    svg = to_railroad_svg(grammar.model, "a", 3)
    assert len(svg) < 500 * MAX_PIECES * 4, key
    ET.fromstring(svg)  # noqa: S314 -- our own
    drawn = to_railroad_text(grammar.model, "a", 80)
    assert max(map(columns, drawn)) <= 80
    assert len(drawn) < 4 * MAX_PIECES
    words = "\n".join(drawn)
    assert told in words


def test_a_label_is_cut_at_its_columns() -> None:
    assert cut("漢字漢字", 5) == "漢字…"
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3, "...") == "..."
    assert cut("abcd", 1) == "…"


@pytest.mark.parametrize("rule", ["URI", "relative-ref", "host", "path"])
@bound("every", 40, 4)
def test_the_way_is_that_of_the_parser(rule: str, every: int) -> None:
    grammar, model = Grammar.load("rfc3986"), RFC3986.model
    named = [rule]  # what a tree has nodes of: rules above the leaves, and these
    for name in named:
        if name not in model.leaves:
            named += (n for n in references(model.rules[name].element) if n not in named)
    for sample in islice(cover(RFC3986.automaton(rule)), 0, None, every):
        parsed = {str(node.data) for node in grammar.parse(sample, rule).iter_subtrees()}
        entered = set(lit(RFC3986, rule, sample, deep=True)) & model.rules.keys()
        if "IPv6address" in entered:  # a leaf, in which an IPv4address may end the address
            entered.discard("IPv4address")
        # Trees spell an IPv6 address by its groups; the diagram shows it as one box.
        parsed -= {"h16", "ls32", "IPv4address"} - entered
        assert entered & set(named) == parsed & set(named), sample


# What renderers make of it


@pytest.mark.parametrize("styled", [True, False])
@pytest.mark.parametrize("rule", quick(["host", "IPv6address", "path-abempty", "URI-reference"]))
def test_a_renderer_draws_it(rule: str, styled: bool) -> None:
    """CairoSVG, which knows little CSS, draws as much as the boxes and rails take."""
    try:
        cairosvg: Any = import_module("cairosvg")
    except (ImportError, OSError):  # OSError: without the library cairo
        pytest.skip("CairoSVG is not installed")
    image: Any = pytest.importorskip("PIL.Image")
    svg = to_railroad_svg(RFC3986.model, rule, styled=styled)
    root = ET.fromstring(svg)  # noqa: S314 -- our own
    png = cairosvg.svg2png(bytestring=svg.encode(), background_color="white")
    drawn = image.open(BytesIO(png)).convert("L")
    assert drawn.size == (float(root.attrib["width"]), float(root.attrib["height"]))
    dark = sum(drawn.histogram()[:128])
    assert dark > 100 * len(list(root.iter(f"{SVG}rect")))  # its rim and the letters in it
    assert dark < drawn.size[0] * drawn.size[1] / 4  # and nothing is filled with black


def test_no_length_of_the_style_is_one_that_renderers_do_not_know() -> None:
    assert "auto" not in style()
    assert not re.search(r"(?<![-\w])(width|height):", style())
