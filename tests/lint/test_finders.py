"""All finders at once: what holds of each; a new one is covered by being there.

Owns the tables in ``found`` (see ``finding``), and ``test_finders.toml``: what texts of a format
are made of here beside its anchors, and for each anchor a text whose URL is behind the prefilter
for that anchor only.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from finding import accepted, blamed, in_order, rows, urls
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import quick

from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine
from uriproof.lint.find import finders, named

ENGINE = Engine(Settings())
FILES = {name: f"a{one.SUFFIXES[0]}" for name, one in finders().items()}

TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
SIGNS: dict[str, list[str]] = TABLES["signs"]
SIGNS |= dict.fromkeys(("jsonl", "notebook", "openapi"), SIGNS["json"])
SIGNS |= dict.fromkeys(("ini", "csv"), SIGNS["toml"])

_CELL = '{{"cells": [{{"cell_type": "markdown", "source": ["{}"]}}]}}'
ALONE: dict[str, dict[str, str]] = TABLES["alone"]
ALONE["jsonl"] = {anchor: ALONE["json"][anchor] for anchor in finders()["jsonl"].ANCHORS}
ALONE["notebook"] = {
    r":\/\/": _CELL.format(r"ftp:\/\/b.c"),
    **{anchor: _CELL.format(text) for anchor, text in ALONE["markdown"].items()},
}
DEEP: list[str] = TABLES["deep"]
ANCHORS = [(name, anchor) for name, one in finders().items() for anchor in one.ANCHORS]


@pytest.mark.parametrize(("name", "text", "expected"), rows("urls", 3))
def test_where_urls_are(name: str, text: str, expected: list[str]) -> None:
    assert urls(name, text) == expected


@pytest.mark.parametrize(("name", "text", "expected"), rows("blamed", 3))
def test_what_is_blamed_is_where_it_stands(name: str, text: str, expected: list[str]) -> None:
    assert blamed(name, text) == expected


@pytest.mark.parametrize(("name", "text"), rows("accepted", 2))
def test_what_is_filled_in_is_not_blamed(name: str, text: str) -> None:
    assert set(accepted(name, text)) == {True}


@pytest.mark.parametrize(("name", "anchor"), ANCHORS)
def test_each_anchor_lets_through_what_no_other_does(name: str, anchor: str) -> None:
    text = ALONE.get(name, {"://": "'ftp://b.c'"})[anchor]
    others = [one for one in finders()[name].ANCHORS if one in text.lower() and one != anchor]
    assert others == []
    file = "a.webmanifest" if "start_url" in anchor else FILES[name]
    assert ENGINE.lint(file, text.encode()).urls == 1


@st.composite
def texts(draw: st.DrawFn, name: str) -> str:
    signs = [*SIGNS["common"], *finders()[name].ANCHORS * 3, *SIGNS.get(name, ()) * 2]
    return "".join(draw(st.lists(st.sampled_from(signs), max_size=24)))


@pytest.mark.parametrize("name", quick(finders(), among=("html", "markdown", "prose")))
@settings(max_examples=60)
@given(data=st.data())
def test_any_text_gives_urls_in_order_that_the_prefilter_lets_through(
    name: str, data: st.DataObject
) -> None:
    text = data.draw(texts(name))
    file = FILES[name]
    at = in_order(text, finders()[name].find(text, file))
    if at:
        assert ENGINE.reader(file).may_hold_urls(text.encode()), text


@pytest.mark.prove
@pytest.mark.parametrize("name", finders())
def test_long_texts_end(name: str) -> None:
    pieces = [*SIGNS.get(name, ()), *finders()[name].ANCHORS, *DEEP]
    for piece in pieces:
        ones = finders()[name].find(piece * 2_000, FILES[name])
        assert sum(1 for _ in ones) <= 2_000, piece


NAMED = {
    "asciidoc": "a.adoc A.ASCIIDOC a.asc",
    "css": "a.css a.scss a.less a.sass A.CSS a.min.css",
    "html": "a.html A.HTM a.vue a.html.j2 a.erb a.hbs a.xhtml b/a.svelte",
    "json": "a.json",
    "jsonl": "a.ndjson",
    "lines": "seeds.urls a/b.URLLIST",
    "notebook": "a.ipynb",
    "openapi": "api/openapi.yaml pets.openapi.json",
    "rst": "a.rst A.RST a.rest docs/a.rst.txt",
    "xml": "a.xml b.svg pom.xml web.config a.csproj A.RSS",
}


@pytest.mark.parametrize("name", NAMED)
def test_names(name: str) -> None:
    assert {named(file) for file in NAMED[name].split()} == {name}
