"""Derivation trees as SVG: true, bounded, escaped, and told in words, too."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from uriproof import Grammar
from uriproof.cli import main
from uriproof.grammar.derive.svg import to_svg
from uriproof.grammar.derive.svg.outline import MOST, Box, outline
from uriproof.grammars import explain
from uriproof.teach import handle
from uriproof.teach.fields import drawn

pytestmark = pytest.mark.prove

SVG = "{http://www.w3.org/2000/svg}"
TEXTS = ["http://me@1.2.3.4:80/a%20b/c?x=1#f", "http://[::1]/", "a:", "http://a b/", "http://[::1"]


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 -- our own drawing


def boxes(box: Box) -> list[Box]:
    return [box, *(inner for child in box.children for inner in boxes(child))]


@pytest.mark.parametrize("text", TEXTS)
def test_the_leaves_of_an_outline_are_the_text(text: str) -> None:
    found = explain(text)
    leaves = [b for b in boxes(outline(found)) if not b.children and b.end > b.start]
    assert "".join(text[b.start : b.end] for b in leaves) == text
    shown = {name for b in boxes(outline(found)) for name in b.names}
    assert shown <= {node.name for node in found.nodes}


def test_chains_are_one_box_and_characters_are_runs() -> None:
    names = [b.names for b in boxes(outline(explain("http://1.2.3.4/a%20"))) if b.names]
    assert ["authority", "host", "IPv4address"] in names
    assert names.count(["dec-octet"]) == 4
    assert ["pchar", "pct-encoded"] in names
    assert not any("ALPHA" in one or "DIGIT" in one for one in names)


@pytest.mark.parametrize("text", TEXTS)
def test_a_drawing_is_well_formed_and_says_what_it_shows(text: str) -> None:
    root = parsed(to_svg(explain(text)))
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    title, words = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert words is not None
    assert title.text == root.get("aria-label")
    assert text in str(title.text)
    assert str(words.text).startswith("URI: ")
    labels = {t.text for t in root.iter(f"{SVG}text")}
    assert "scheme" in labels
    for element in root.iter():
        assert element.tag != f"{SVG}script"
        assert not any(name.startswith("on") or "href" in name for name in element.attrib)
        assert "style" not in element.attrib


def test_boxes_are_inside_and_do_not_overlap() -> None:
    for text in TEXTS:
        root = parsed(to_svg(explain(text)))
        wide, high = (float(root.attrib[name]) for name in ("width", "height"))
        spans = [
            tuple(float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
            for rect in root.iter(f"{SVG}rect")
            if "x" in rect.attrib
        ]
        assert spans
        for i, (x, y, w, h) in enumerate(spans):
            assert 0 <= x <= x + w <= wide
            assert 0 <= y <= y + h <= high
            for x2, y2, w2, h2 in spans[i + 1 :]:
                assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


@pytest.mark.parametrize(
    ("abnf", "text"),
    [
        ('n = "(" n ")" / "x"', "(" * 300 + "x" + ")" * 300),
        ('p = *( "/" s )\ns = 1*ALPHA', "/ab" * 900),
        ("a = *ALPHA", "x" * 4000),
    ],
)
def test_large_trees_are_shown_in_part(abnf: str, text: str) -> None:
    grammar = Grammar.from_abnf(abnf)
    found = explain(text, grammar.start, grammar)
    top = outline(found)
    assert len(boxes(top)) <= MOST + 1
    assert len(to_svg(found)) < 150_000


def test_errors_and_what_is_missing_are_marked() -> None:
    svg = to_svg(explain("http://a b/"))
    assert svg.count('class="leaf c-blame" data-start="8" data-end="9"') == 1
    svg = to_svg(explain("http://[::1"))
    assert 'class="box c-blame" data-start="11" data-end="11"' in svg
    assert "c-blame" not in to_svg(explain("a:b"), styled=False)


def test_both_themes_without_variables_and_the_pages_own_colors() -> None:
    svg = to_svg(explain("http://a/"))
    assert "prefers-color-scheme:dark" in svg
    assert "var(" not in svg
    plain = to_svg(explain("http://a/"), styled=False)
    assert "<style" not in plain
    assert 'color="var(--c-host)"' in plain


def test_the_request() -> None:
    answer = handle({"do": "tree", "text": "http://a/<b>"})
    assert not answer["ok"]
    assert answer["drawing"] == drawn(to_svg(explain("http://a/<b>"), styled=False))
    assert handle({"do": "tree", "text": "a" * 5001})["error"]["code"] == "too-long"


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grammar", "explain", "a:b", "--format", "svg"]) == 0
    assert parsed(capsys.readouterr().out).tag == f"{SVG}svg"
    assert main(["grammar", "explain", "a b", "--format", "svg"]) == 1
    assert "c-blame" in capsys.readouterr().out
