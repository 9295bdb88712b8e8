"""URLs in JSON, JSON Lines, notebooks and OpenAPI: what is found is what the reader reads there."""

from __future__ import annotations

import json as json_reader

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof.lint.find import json, jsonl, notebook, openapi, yaml
from uriproof.lint.found import Found

FINDERS = {"a.json": json, "a.jsonl": jsonl, "a.ipynb": notebook, "openapi.json": openapi}


SIGNS = ["://", "http://a/", r":\/\/", "b c", '"', "\\", "\\u00e9", "\\ud83d\\ude00", "\\ud83d"]
SIGNS += ["\n", "\r\n", "  ", ": ", "[", "]", "{", "}", ",", "//", '"$ref": "', '"url": "']
SIGNS += [
    '"source": [',
    '"cell_type": "markdown"',
    '"openapi": "3.1.0",',
    '"/a/{b}": {',
    "](",
    "\\n",
]
TEXTS = st.lists(st.one_of(st.sampled_from(SIGNS), st.text(max_size=3)), max_size=25).map("".join)
TAILS = st.text(st.sampled_from("abc/?=é%|\\\"'^~-.0😀"), min_size=1, max_size=12)


def texts(found: list[Found]) -> list[str]:
    return [one.text for one in found]


@given(TEXTS, TAILS, st.booleans(), st.booleans())
def test_the_slice_decoded_is_the_url(before: str, tail: str, ascii_: bool, slashes: bool) -> None:
    document = json_reader.dumps({"a": before, "b": [f"http://a/{tail}"]}, ensure_ascii=ascii_)
    if slashes:
        document = document.replace("/", r"\/")
    urls = list(json.find(document, "a.json"))
    assert urls
    for found in urls:
        raw = document[found.start : found.end]
        if "\\ud83d" not in raw.replace("\\ud83d\\ude00", ""):
            assert json_reader.loads(f'"{raw}"') == found.text


@given(TAILS, st.booleans())
def test_a_cell_is_read_as_what_it_holds(tail: str, many: bool) -> None:
    lines = ["# Title\n", f'see <a href="http://a/{tail.replace(chr(34), "")}b">x</a>\n']
    source = lines if many else "".join(lines)
    document = json_reader.dumps({"cells": [{"cell_type": "markdown", "source": source}]})
    found = list(notebook.find(document, "a.ipynb"))
    for one in found:
        raw = document[one.start : one.end]
        assert json_reader.loads(f'"{raw}"') == one.text
    assert found


@pytest.mark.parametrize(("text", "urls"), beside(__file__, "strings"))
def test_strings(text: str, urls: list[str]) -> None:
    assert texts(list(json.find(text, "a.json"))) == urls


def test_a_description_of_an_api() -> None:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "see http://t.", "contact": {"url": "http://c/d e"}},
        "servers": [{"url": "https://{host}:{port}/v 1"}, {"url": "/v1|"}],
        "paths": {"/a/{id}/b|": {"get": {"$ref": "other.json#/a[0]"}}},
    }
    text = json_reader.dumps(document)
    found = list(json.find(text, "a.json"))
    assert texts(found) == [
        "http://t",
        "http://c/d e",
        "https://{host}:{port}/v 1",
        "/v1|",
        "/a/{id}/b|",
        "other.json#/a[0]",
    ]
    assert [one.rule for one in found] == ["URI"] + ["URI-reference"] * 5
    assert found[4].holes == ((3, 7),)
    assert found == list(openapi.find(text, "openapi.json"))


def test_a_description_of_an_api_in_yaml() -> None:
    text = (
        "openapi: 3.0.3\nservers:\n  - url: '/v1|'\n  - url: https://{host}/v1\npaths:\n"
        "  /a/{id}|:\n    get:\n      $ref: 'x.yaml#/a[0]'\n  \"/b/^c\":\n    get: {}\n"
    )
    urls = ["/v1|", "https://{host}/v1", "/a/{id}|", "x.yaml#/a[0]", "/b/^c"]
    assert texts(list(yaml.find(text, "a.yaml"))) == urls
    assert texts(list(openapi.find(text, "openapi.yaml"))) == urls
    assert texts(list(yaml.find(text.replace("openapi:", "other:"), "a.yaml"))) == [
        "https://{host}/v1",
        "x.yaml#/a[0]",
    ]


def test_a_notebook() -> None:
    document = {
        "cells": [
            {"cell_type": "markdown", "source": ["```\n", "http://a\n", "```\n", "[b](c d.md)"]},
            {
                "cell_type": "code",
                "outputs": [{"text": ["http://o/x\n"]}],
                "source": ["x = 'http://e/' + y\n", "# see http://f."],
            },
            {"cell_type": "raw", "source": "http://g"},
        ],
        "metadata": {"language_info": {"file_extension": ".py"}, "url": "http://h/|"},
    }
    for indent in (None, 1):
        text = json_reader.dumps(document, indent=indent)
        assert texts(list(notebook.find(text, "a.ipynb"))) == [
            "http://a",
            "c d.md",
            "http://o/x",
            "http://e/",
            "http://f",
            "http://g",
            "http://h/|",
        ]


@pytest.mark.prove
@pytest.mark.parametrize("name", sorted(FINDERS))
@pytest.mark.parametrize(
    "unit",
    ['"', '\\"', ':\\/\\/"', '{"$ref":', "http://a/ ", '["http://a/\\n', '"source": [', "\\", "[ "],
)
def test_long_texts_end(name: str, unit: str) -> None:
    assert sum(1 for _ in FINDERS[name].find(unit * 2_000, name)) <= 2_000


@pytest.mark.prove
def test_a_string_of_a_hundred_kilobytes() -> None:
    text = json_reader.dumps({"a": "x http://a/é (http://b/|c)\n" * 5_000})
    found = list(json.find(text, "a.map"))
    assert {one.text for one in found} == {"http://a/é", "http://b/"}
    assert len(found) == 10_000
