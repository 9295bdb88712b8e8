"""All finders at once: what holds of each; a new one is covered by being there.

Owns ``test_finders.toml``: what texts of a format are made of here beside its anchors, and a text
for each anchor whose URL is behind the prefilter for that anchor only.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
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
ANCHORS = [(name, anchor) for name, one in finders().items() for anchor in one.ANCHORS]


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
    at = 0
    for one in finders()[name].find(text, file):
        assert at <= one.start <= one.end <= len(text)
        at = one.end
        if one.places:
            assert len(one.places) == len(one.text) + 1
            assert list(one.places) == sorted(one.places)
            assert (one.places[0], one.places[-1]) == (one.start, one.end)
        else:
            assert text[one.start : one.end] == one.text
        assert all(0 <= a < b <= len(one.text) for a, b in one.holes)
    if at:
        assert ENGINE.reader(file).may_hold_urls(text.encode()), text


NAMED = {
    "asciidoc": "a.adoc A.ASCIIDOC a.asc",
    "css": "a.css a.scss a.less a.sass A.CSS a.min.css",
    "html": "a.html A.HTM a.vue a.html.j2 a.erb a.hbs a.xhtml b/a.svelte",
    "json": "a.json",
    "jsonl": "a.ndjson",
    "notebook": "a.ipynb",
    "openapi": "api/openapi.yaml pets.openapi.json",
    "rst": "a.rst A.RST a.rest docs/a.rst.txt",
    "xml": "a.xml b.svg pom.xml web.config a.csproj A.RSS",
}


@pytest.mark.parametrize("name", NAMED)
def test_names(name: str) -> None:
    assert {named(file) for file in NAMED[name].split()} == {name}
