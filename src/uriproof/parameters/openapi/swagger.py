"""Swagger 2.0, that is OpenAPI 2.0: its parameters, as those of OpenAPI 3.

Owns the names that only 2.0 has. Imports the styles. Invariant: the keywords of a schema keep their
places, so that a problem has its pointer in the original document.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...text.names import or_list
from ..styles import TSV

FORM_DATA = "formData"
_NOT_OF_SCHEMA = {"name", "in", "description", "required", "allowEmptyValue", "collectionFormat"}
_FORMATS = {
    "csv": ("form", False),
    "ssv": ("spaceDelimited", False),
    "tsv": (TSV, False),
    "pipes": ("pipeDelimited", False),
    "multi": ("form", True),
}
"""OpenAPI 2.0, Parameter Object, ``collectionFormat``: the style of a query, and whether it is
exploded. In a path or header, csv is the style simple, and the others have none."""


def is_swagger(document: Mapping[str, Any]) -> bool:
    """Whether a document is one of OpenAPI 2.0."""
    return document.get("swagger") == "2.0"


def converted(found: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, str] | None]:
    """A parameter that is not the body, as in OpenAPI 3.0; its schema has the keywords beside it.

    And what is wrong with it, if anything is: the keyword, and words.

    >>> converted({"name": "a", "in": "query", "type": "array", "collectionFormat": "multi"})[0]
    {'schema': {'type': 'array'}, 'name': 'a', 'in': 'query', 'explode': True, 'style': 'form'}
    """
    schema = {key: value for key, value in found.items() if key not in _NOT_OF_SCHEMA}
    made = {"schema": schema, "name": found["name"], "in": found["in"]}
    made |= {key: found[key] for key in ("required", "allowEmptyValue") if key in found}
    if found.get("type") != "array":
        return made, None
    collection = found.get("collectionFormat", "csv")
    in_query = found["in"] in ("query", FORM_DATA)
    allowed = tuple(_FORMATS) if in_query else ("csv",)
    if collection not in allowed:
        return made, ("collectionFormat", f"expected {or_list(allowed)}")
    style, made["explode"] = _FORMATS[collection]
    if in_query:
        made["style"] = style
    return made, None
