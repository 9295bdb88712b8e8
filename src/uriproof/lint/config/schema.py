"""The JSON Schema of the configuration, with which editors complete and check it.

Owns the translation of the settings' types. Imports ``lint.config``. Invariant: the keys, types,
defaults and choices are those of the classes by which the configuration is read.
Formats are not listed, so that a new one changes no schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

from .settings import FormatOptions, Settings, keys

__all__ = ["schema"]


def schema() -> dict[str, Any]:
    """The schema of ``uriproof.toml``, and of ``[tool.uriproof]`` in ``pyproject.toml``.

    Spec: JSON Schema 2020-12.

    >>> schema()["properties"]["profile"]["enum"]
    ['auto', 'uri', 'iri']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "uriproof",
        "description": "The configuration of uriproof lint.",
        **_object(Settings),
    }


def _object(kind: type[Settings | FormatOptions]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for name, known in keys(kind).items():
        entry = {"description": known.about.doc, **_type(known.type)}
        if known.default not in (None, {}):
            default = known.default
            entry["default"] = list(default) if isinstance(default, tuple) else default
        if known.about.examples:
            entry["examples"] = list(known.about.examples)
        properties[name] = entry
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _type(type_: Any) -> dict[str, Any]:
    args = [a for a in get_args(type_) if a is not type(None)]
    if type(None) in get_args(type_):
        return _type(args[0])
    if type_ is FormatOptions:
        return _object(FormatOptions)
    match get_origin(type_):
        case origin if origin is tuple:
            return {"type": "array", "items": {"type": "string"}}
        case origin if origin is Literal:
            return {"enum": args}
        case origin if origin is Mapping:
            return {"type": "object", "additionalProperties": _type(args[1])}
    if type_ is int:
        return {"type": "integer", "minimum": 1}
    return {"type": {bool: "boolean", str: "string"}[type_]}
