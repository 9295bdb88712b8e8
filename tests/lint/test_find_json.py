"""URLs in JSON, notebooks and OpenAPI: what is found is what the reader reads there, and what the
keys say of it."""

from __future__ import annotations

import json as json_reader

import pytest
from finding import FOLDER, urls
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof.lint.engine.judge import Judge
from uriproof.lint.find import json, notebook, openapi, yaml
from uriproof.lint.find._json import part_of, values
from uriproof.lint.find._openapi import role
from uriproof.lint.found import Found

SIGNS = ["://", "http://a/", r":\/\/", "b c", '"', "\\", "\\u00e9", "\\ud83d\\ude00", "\\ud83d"]
SIGNS += ["\n", "\r\n", "  ", ": ", "[", "]", "{", "}", ",", "//", '"$ref": "', '"url": "']
SIGNS += ['"source": [', '"cell_type": "markdown"', '"openapi": "3.1.0",', '"/a/{b}": {']
SIGNS += ["](", "\\n"]
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
    output = {
        "data": {
            "text/html": ["<a href='i j'>\n", "k</a>"],
            "text/markdown": "[a](./l m)",
            "image/png": "iVBORw0KGgo=",
        },
        "text": ["http://o/x\n"],
    }
    document = {
        "cells": [
            {"cell_type": "markdown", "source": ["```\n", "http://a\n", "```\n", "[b](c d.md)"]},
            {
                "cell_type": "code",
                "outputs": [output],
                "source": ["x = 'http://e/' + y\n", "# see http://f."],
            },
            {"cell_type": "raw", "source": "http://g"},
        ],
        "metadata": {"language_info": {"file_extension": ".py"}, "url": "http://h/|"},
    }
    cells = ["http://a", "c d.md", "i j", "./l m", "http://o/x", "http://e/", "http://f"]
    for indent in (None, 1):
        text = json_reader.dumps(document, indent=indent)
        found = list(notebook.find(text, "a.ipynb"))
        assert texts(found) == [*cells, "http://g", "http://h/|"]
        for one in found:
            assert json_reader.loads(f'"{text[one.start : one.end]}"') == one.text


@pytest.mark.prove
def test_a_string_of_a_hundred_kilobytes() -> None:
    text = json_reader.dumps({"a": "x http://a/é (http://b/|c)\n" * 5_000})
    found = list(json.find(text, "a.map"))
    assert {one.text for one in found} == {"http://a/é", "http://b/"}
    assert len(found) == 10_000


def test_a_line_of_a_whole_document_is_read_as_its_lines() -> None:
    document = [{"id": i, "url": f"http://a/{i} b", "x": 'say "http://c"'} for i in range(900)]
    one_line = urls("a.json", json_reader.dumps(document))
    assert one_line == urls("a.json", json_reader.dumps(document, indent=1))
    assert one_line[:2] == ["http://a/0 b", "http://c"]
    assert len(one_line) == 1800


LEAVES = st.text(st.characters(codec="utf-8"), max_size=6) | st.integers() | st.booleans()
DOCUMENTS = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text('ab\\"/é\n', max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


def leaves(value: object, keys: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
    """The strings of a document, with the keys that lead to them."""
    if isinstance(value, str):
        return [(keys, value)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in leaves(one, keys)]
    if isinstance(value, dict):
        return [leaf for key, one in value.items() for leaf in leaves(one, (*keys, key))]
    return []


@given(DOCUMENTS, st.booleans(), st.sampled_from((None, 1)))
def test_every_string_and_the_keys_to_it(document: object, ascii_: bool, indent: int) -> None:
    text = json_reader.dumps(document, ensure_ascii=ascii_, indent=indent)
    read = [
        (tuple(one.keys), part_of(text, one.start, one.end).text)
        for one in values(text)
        if not one.is_key
    ]
    every = leaves(document)
    assert [one for one in read if ":" in one[1]] == [one for one in every if ":" in one[1]]
    assert set(read) <= set(every)


@pytest.mark.parametrize(("keys", "expected"), beside(FOLDER / "json", "roles_of_openapi"))
def test_roles_of_openapi(keys: str, expected: str) -> None:
    assert role(keys.split()) == expected


def test_an_openapi_document_says_what_it_is_anywhere() -> None:
    text = json_reader.dumps(
        {
            "components": {
                "schemas": {"A": {"example": {"url": "/a b", "$ref": "c d"}, "pattern": "http://["}}
            },
            "info": {
                "description": "See [a](http://b/c d) or http://e.",
                "contact": {"url": "http://c/d e"},
            },
            "openapi": "3.1.0",
            "paths": {"/a b/{c d}": {"get": {"description": "http://f"}}, "x-a b": {}},
            "servers": [{"url": "{scheme}://{host}/a b"}],
        }
    )
    judge = Judge()
    found = list(json.find(text, "a.json"))
    paths = ["/a b/{c d}", "http://f", "{scheme}://{host}/a b"]
    assert texts(found) == ["http://b/c d", "http://e", "http://c/d e", *paths]
    assert (found[3].rule, found[3].holes) == ("URI-reference", ((5, 10),))
    wrong = [text[v.start + o.start] for o in found for v in judge.violations(o) if not o.places]
    assert wrong == [" "] * 4
    assert found == list(openapi.find(text, "openapi.json"))


@pytest.mark.parametrize(
    ("language", "source", "expected"), beside(FOLDER / "json", "the_language_of_a_cell")
)
def test_the_language_of_a_cell(language: str, source: str, expected: list[str]) -> None:
    text = (
        f'{{"cells": [{{"cell_type": "code", "source": "{source}"}}],'
        f' "metadata": {{"language_info": {language}}}}}'
    )
    assert [one.text for one in notebook.find(text, "a.ipynb")] == expected
