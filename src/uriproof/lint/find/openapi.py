r"""OpenAPI documents: servers, references, paths, descriptions in Markdown.

Owns how the fields that ``find._openapi`` knows are read in JSON. Imports ``find._json`` and
``find._openapi``, and ``find.yaml`` for a document in YAML. Invariant: a variable in braces is a
hole (OpenAPI 3.1 §4.8.5 and §4.8.8); the contents of an example are text.

>>> text = '{"swagger": "2.0", "paths": {"/a b/{id}": {"description": "[c](./d e)"}}}'
>>> [(found.text, found.start, found.end) for found in find(text, "swagger.json")]
[('/a b/{id}', 30, 39), ('./d e', 63, 68)]
"""

from __future__ import annotations

from collections.abc import Iterator

from ..found import Found, Profile
from ._json import found_within, keyed, part_of, reference, values
from ._openapi import demanded, in_data, role, spans

SUFFIXES = (
    *(".openapi.json", ".swagger.json", ".openapi.yaml", ".openapi.yml", ".oas.json", ".oas.yaml"),
    *(".swagger.yaml", ".swagger.yml"),
)
NAMES = (
    *("openapi.json", "swagger.json", "openapi.yaml", "openapi.yml", "swagger.yaml"),
    "swagger.yml",
)
ANCHORS: tuple[str, ...] = ()
PROFILES = (
    Profile(
        "iri",
        "descriptions, examples and extensions",
        "OpenAPI 3.1.0 §4.5: descriptions are CommonMark",
    ),
    Profile(
        "uri",
        "the fields that are URLs, references and paths",
        "OpenAPI 3.1.0 §4.6 and §4.7, which cite RFC 3986",
    ),
    Profile(
        "uri",
        "values next to a `format` of `uri` or `uri-reference`",
        "JSON Schema Validation 2020-12 §7.3.5",
    ),
)

_MARKDOWN = ("://", "](", "]:", "<", ":\\/\\/")


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of an OpenAPI document, in text order. Cost: O(n)."""
    if not text.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        from . import yaml

        yield from yaml.found(text, openapi=True)
        return
    yield from demanded(_strings(text), lambda: spans(text, values(text)))


def _strings(text: str) -> Iterator[Found]:
    """The URLs in the strings of a document in JSON."""
    for one in values(text):
        start, end = one.start, one.end
        if one.is_key:
            if text.startswith(("/", "\\"), start) and role(one.keys) == "path":
                yield from reference(part_of(text, start, end), "path of an API", "uri")
            elif text.find("://", start, end) >= 0:
                yield from keyed(part_of(text, start, end), "", "key")
            continue
        kind = role(one.keys)
        if kind in {"reference", "template"}:
            yield from reference(part_of(text, start, end), f"{one.key} of OpenAPI", "uri")
        elif kind == "markdown":
            if any(text.find(mark, start, end) >= 0 for mark in _MARKDOWN):
                yield from found_within(part_of(text, start, end), "a.md", "description")
        elif kind != "pattern" and text.find(":", start, end) >= 0:
            part = part_of(text, start, end)
            if "://" in part.text:
                yield from keyed(part, "" if in_data(one.keys) else one.key)
