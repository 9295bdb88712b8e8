"""What the keys of JSON say of their values; OpenAPI documents, manifests, notebooks' languages."""

from __future__ import annotations

import json as json_reader

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof.lint.engine.judge import Judge
from uriproof.lint.find import json, notebook, openapi
from uriproof.lint.find._json import part_of, values
from uriproof.lint.find._openapi import role


def texts(text: str, name: str = "a.json") -> list[str]:
    return [one.text for one in json.find(text, name)]


@pytest.mark.parametrize(("text", "expected"), beside(__file__, "keys"))
def test_keys(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_single_quotes_are_of_json5() -> None:
    text = "{url: 'http://a/b \"c\"', x: 'see http://d.'} // http://e"
    assert texts(text, "a.json5") == ['http://a/b "c"', "http://d", "http://e"]


def test_a_manifest_has_references() -> None:
    text = '{"start_url": "/a b", "icons": [{"src": "c d.png"}]}'
    assert texts(text, "site.webmanifest") == ["/a b", "c d.png"]
    assert texts(text) == []


def test_a_line_of_a_whole_document_is_read_as_its_lines() -> None:
    document = [{"id": i, "url": f"http://a/{i} b", "x": 'say "http://c"'} for i in range(900)]
    one_line = texts(json_reader.dumps(document))
    assert one_line == texts(json_reader.dumps(document, indent=1))
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


@pytest.mark.parametrize(("keys", "expected"), beside(__file__, "roles_of_openapi"))
def test_roles_of_openapi(keys: str, expected: str) -> None:
    assert role(keys.split()) == expected


def test_an_openapi_document_says_what_it_is_anywhere() -> None:
    text = json_reader.dumps(
        {
            "components": {
                "schemas": {"A": {"example": {"url": "/a b", "$ref": "c d"}, "pattern": "http://["}}
            },
            "info": {"description": "See [a](http://b/c d) or http://e."},
            "openapi": "3.1.0",
            "paths": {"/a b/{c d}": {"get": {"description": "http://f"}}, "x-a b": {}},
            "servers": [{"url": "{scheme}://{host}/a b"}],
        }
    )
    judge = Judge()
    found = list(json.find(text, "a.json"))
    expected = ["http://b/c d", "http://e", "/a b/{c d}", "http://f", "{scheme}://{host}/a b"]
    assert [one.text for one in found] == expected
    wrong = [text[v.start + o.start] for o in found for v in judge.violations(o) if not o.places]
    assert wrong == [" ", " ", " "]
    assert found == list(openapi.find(text, "openapi.json"))


@pytest.mark.parametrize(
    ("language", "source", "expected"), beside(__file__, "the_language_of_a_cell")
)
def test_the_language_of_a_cell(language: str, source: str, expected: list[str]) -> None:
    text = (
        f'{{"cells": [{{"cell_type": "code", "source": "{source}"}}],'
        f' "metadata": {{"language_info": {language}}}}}'
    )
    assert [one.text for one in notebook.find(text, "a.ipynb")] == expected


def test_what_a_cell_puts_out() -> None:
    output = {
        "data": {
            "text/html": ["<a href='b c'>\n", "d</a>"],
            "text/markdown": "[a](./e f)",
            "text/plain": ["(http://g)"],
            "image/png": "iVBORw0KGgo=",
        },
        "output_type": "display_data",
    }
    cell = {"cell_type": "code", "outputs": [output, {"text": "http://h\n"}], "source": []}
    text = json_reader.dumps({"cells": [cell], "metadata": {"url": "http://i j"}})
    found = list(notebook.find(text, "a.ipynb"))
    assert [one.text for one in found] == ["b c", "./e f", "http://g", "http://h", "http://i j"]
    for one in found:
        assert json_reader.loads(f'"{text[one.start : one.end]}"') == one.text


@pytest.mark.parametrize("unit", ['{"a":', '"a":["http://a b","c",', '\\"', '"openapi":"3.1"{"/'])
def test_deep_and_broken_texts_end(unit: str) -> None:
    for name, finder in (("a.json5", json), ("a.ipynb", notebook), ("openapi.json", openapi)):
        text = '{"cells":[' + unit * 1_000
        assert sum(1 for _ in finder.find(text, name)) <= 1_000
