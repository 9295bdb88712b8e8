"""All finders at once: what holds of each; a new one is covered by being there.

Owns ``SIGNS``, what texts of a format are made of here beside its anchors, and ``ALONE``, a text
for each anchor whose URL is behind the prefilter for that anchor only.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import quick

from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine
from uriproof.lint.find import finders, named

ENGINE = Engine(Settings())
FILES = {name: f"a{one.SUFFIXES[0]}" for name, one in finders().items()}

COMMON: tuple[str, ...] = (
    "http://a/b",
    "ftp://[::1]/",
    "://",
    "a",
    " ",
    "\n",
    "\r\n",
    "é",
    "\U0001f600",
    "\\",
    "\0",
)
COMMON += ('"', "'", "<", ">", "[", "]", "(", ")", "{", "}", "=", ":", "/", "#", "|", "`", "%", ",")
_MARKUP = ("<a href=", "<p>", "</p>", "&amp;", "&", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>")
_JSON: tuple[str, ...] = (
    r":\/\/",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\ud83d",
    ": ",
    '"$ref": "',
    '"url": "',
    "\\n",
)
_JSON += ('"source": [', '"cell_type": "markdown"', '"openapi": "3.1.0",', '"/a/{b}": {', "](")
_VALUES = ("b c", "''", "\\u00e9", "\\x41", ": ", "- ", "# ", "|\n", ">-\n", ";", "\t", "&x ", "%(")
SIGNS: dict[str, tuple[str, ...]] = {
    "asciidoc": ("image::", "++", "pass:[", "{a}", ":d: ", "include::"),
    "css": (
        "Url(",
        "@Import 'a b'",
        "@namespace 'b'",
        "/*",
        "*/",
        "//",
        "#{",
        "$a",
        ";",
        "26",
        "\\26 ",
        "url('",
        "@import '",
    ),
    "html": (
        *(*_MARKUP, "<img src=", "<script>", "</script>", "<style>", "</style>", "url(", "style="),
        *("{{", "}}", "{%", "%}", "<%", "%>", "srcset=", "a,b 1x"),
    ),
    **dict.fromkeys(("json", "jsonl", "notebook", "openapi"), _JSON),
    "markdown": (
        "[a](",
        "[a]: ",
        "<mailto:b@c>",
        "<HTTPS:b>",
        "<a HREF = 'b'>",
        "<img Src='b'>",
        "```\n",
        "    ",
        "``",
    ),
    "rst": (
        *("`a <", ">`_", ">`__", ".. _a: ", ".. _a:", "   ", "_", "``", "::\n\n  "),
        *(".. raw:: html\n\n  ", "<a HREF='b'>", ".. code:: c\n\n  "),
    ),
    **dict.fromkeys(("toml", "ini", "csv"), _VALUES),
    "xml": (
        *(*_MARKUP, "<loc>", "</loc>", "<!DOCTYPE a ", "<!ENTITY b ", "${", "xmlns:a="),
        *("<description>", "&lt;", "&gt;", "&#0;"),
    ),
    "yaml": (*_VALUES, "- ", "a: ", "$ref: b", "|\n  ", "# ", "''", "openapi: 3.1.0\n", "  "),
}


_CELL = '{{"cells": [{{"cell_type": "markdown", "source": ["{}"]}}]}}'
ALONE: dict[str, dict[str, str]] = {
    "asciidoc": {"://": "ftp://b.c", "link:": "link:b[c]", "mailto:": "mailto:a@b[c]"},
    "css": {
        "url(": "a { b: Url(c) }",
        "@import": "@Import 'a'",
        "@namespace": "@namespace 'a:b'",
        "image-set(": "a { b: Image-Set('c' 1x) }",
        "://": "/* ftp://b.c */",
    },
    "html": {"=": "<a href=b>", "://": "<p>ftp://b.c"},
    "json": {
        "://": '["ftp://b.c"]',
        r":\/\/": r'["ftp:\/\/b.c"]',
        r":\u002": r'["ftp:\u002f\u002fb.c"]',
        **{key: f'{{"$defs": 1, {key}: "b"}}' for key in ('"$ref"', '"$id"', '"$dynamicRef"')},
        **{key: f'{{{key}: "b"}}' for key in ('"$schema"', '"$recursiveRef"', '"href"')},
        '"start_url"': '{"start_url": "b"}',
        **{
            f'"{key}"': f'{{"{key}": "3.1.0", "info": {{"termsOfService": "b"}}}}'
            for key in ("openapi", "swagger")
        },
    },
    "markdown": {
        "://": "ftp://b.c",
        "](": "[a](b)",
        "]:": "[a]: b",
        "href": "<a HREF = b>",
        "src": "<img Src = b>",
        "mailto:": "<mailto:a%zz@c>",
        **{f"<{scheme}:": f"<{scheme.upper()}:a>" for scheme in ("http", "https", "ftp")},
    },
    "rst": {
        "://": "ftp://b.c",
        ">`": "`a <b>`_",
        ".. _": ".. _a: b",
        "__ ": "__ b|c",
        "image::": ".. image:: b",
        "figure::": ".. figure:: b",
        ":target:": ".. |a| replace:: c\n   :target: b",
        ".. raw::": ".. raw:: html\n\n   <a href='b'>",
    },
    "xml": {"://": "<a>ftp://b.c</a>", "href": "<a xlink:href = 'b'/>"},
    "yaml": {
        "://": "a: ftp://b.c",
        "$ref": "$ref: './b'",
        "openapi": "openapi: 3.1.0\npaths:\n  /a:\n    get: 1\n",
        "swagger": "swagger: '2.0'\nservers:\n  - url: /a\n",
    },
}
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
    signs = [*COMMON, *finders()[name].ANCHORS * 3, *SIGNS.get(name, ()) * 2]
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
