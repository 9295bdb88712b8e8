"""OpenAPI documents: what the values of their keys are, whether written as JSON or as YAML.

Owns the fields of the OpenAPI Specification (2.0 to 3.2) that hold URLs. Imports the standard
library alone. Invariant: nothing in an example, a default or an extension has a meaning.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...text.patterns import lazy

__all__ = ["REFERENCES", "in_data", "is_openapi", "role"]

_IN_JSON = lazy(r'"(?:openapi|swagger)"\s*+:\s*+"[1-3]\.')
_IN_YAML = lazy(r"(?m)^(?:openapi|swagger)[ \t]*:[ \t]*['\"]?[123]\.")
_HEAD = 20_000  # code points in which a document in YAML says so

# Fields whose value is a reference, wherever they stand (OAS 3.1 §4.8, OAS 2.0, JSON Schema).
_ANYWHERE = frozenset(
    (
        *("$ref", "$id", "$schema", "$dynamicRef", "$self", "operationRef", "externalValue"),
        *("jsonSchemaDialect", "termsOfService", "authorizationUrl", "tokenUrl", "refreshUrl"),
        *("openIdConnectUrl", "deviceAuthorizationUrl", "oauth2MetadataUrl"),
    )
)
REFERENCES = _ANYWHERE | {"url", "namespace", "basePath"}
"""The last keys of all references and templates."""
_MEANING = REFERENCES | {"description", "pattern"}
_URL_OF = frozenset(("externalDocs", "contact", "license", "servers", "server"))
# Maps whose keys are names that somebody chose.
_NAMED = frozenset(
    (
        *("properties", "patternProperties", "definitions", "$defs", "schemas", "responses"),
        *("parameters", "requestBodies", "headers", "securitySchemes", "securityDefinitions"),
        *("links", "callbacks", "pathItems", "paths", "webhooks", "variables", "content"),
        *("encoding", "dependentSchemas"),
    )
)
_DATA = frozenset(("example", "examples", "default", "enum", "const", "value", "mapping"))
_IN_EXAMPLES = frozenset(("externalValue", "$ref"))


def is_openapi(text: str) -> bool:
    """Whether a text is, or has in it, an OpenAPI document in JSON or in YAML. Cost: O(n).

    >>> is_openapi('{"openapi": "3.1.0"}'), is_openapi('{"openapi": true}')
    (True, False)
    >>> is_openapi("openapi: 3.1.0"), is_openapi("a: openapi")
    (True, False)
    """
    if "openapi" not in text and "swagger" not in text:
        return False
    if _IN_JSON.search(text) is not None:
        return True
    return _IN_YAML.search(text, 0, _HEAD) is not None


def role(keys: Sequence[str]) -> str:
    """What the value of the last of some keys is; of "paths" and a path, what the path itself is.

    The keys are those of the mappings that a value is in, outermost first; sequences leave no
    trace. The roles: "reference" (a URI-reference), "template" (one with variables in braces),
    "path", "markdown", "pattern", and "" for whatever else.

    >>> role(["servers", "url"]), role(["info", "license", "url"]), role(["x", "example", "url"])
    ('template', 'reference', '')
    >>> role(["paths", "/items/{id}"])
    'path'
    """
    last = keys[-1] if keys else ""
    if len(keys) == 2 and keys[0] == "paths":  # noqa: PLR2004
        return "path" if last.startswith("/") else ""
    if last not in _MEANING:
        return ""
    parent, named = "", False
    for at, key in enumerate(keys[:-1]):
        if named:
            parent, named = "", False
        elif key in _DATA or key.startswith("x-"):
            # An Example Object, by its name (OAS 3.1 §4.8.19), is no data itself.
            one = key == "examples" and len(keys) == at + 3
            return "reference" if one and last in _IN_EXAMPLES else ""
        else:
            parent, named = key, key in _NAMED
    if named:
        return ""
    if last in _ANYWHERE:
        return "reference"
    if last == "url" and parent in _URL_OF:
        return "template" if parent.startswith("server") else "reference"
    if last == "namespace" and parent == "xml":
        return "reference"
    if last == "basePath" and len(keys) == 1:
        return "template"
    if last == "description":
        return "markdown"
    return "pattern" if last == "pattern" else ""


def in_data(keys: Sequence[str]) -> bool:
    """Whether a value is, or may be, in an example, in a default or in an enumeration."""
    return any(key in _DATA for key in keys)
