r"""OpenAPI: the URLs of its JSON or YAML, servers and paths with variables, and references.

Owns the files that are OpenAPI by their names; any other JSON or YAML is so by what it says at its
top. Imports ``find._json_text``, ``find._schemas`` and ``find.yaml``. Invariant: a variable in
braces is a hole (OpenAPI 3.1 §4.8.5 and §4.8.8).

>>> text = "openapi: 3.1.0\nservers:\n- url: /v1 x\npaths:\n  /a/{id}/b c:\n"
>>> [found.text for found in find(text, "openapi.yaml")]
['/v1']
"""

from __future__ import annotations

from collections.abc import Iterator

from ..found import Found
from . import yaml
from ._json_text import strings
from ._schemas import both, in_json

__all__ = ["ANCHORS", "NAMES", "SUFFIXES", "find"]

SUFFIXES = (
    *(".openapi.json", ".swagger.json", ".openapi.yaml", ".openapi.yml", ".oas.json", ".oas.yaml"),
    *(".swagger.yaml", ".swagger.yml"),
)
NAMES = (
    *("openapi.json", "swagger.json", "openapi.yaml", "openapi.yml", "swagger.yaml"),
    "swagger.yml",
)
ANCHORS: tuple[str, ...] = ()


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of an OpenAPI document, in text order. Cost: O(n)."""
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        yield from both(strings(text), in_json(text, openapi=True))
    else:
        yield from yaml.found(text, openapi=True)
