r"""OpenAPI documents and JSON Schemas: the types of the values of their keys, in JSON or in YAML.

Owns the fields of the OpenAPI Specification (2.0 to 3.2) that hold URLs, and which values of a JSON
Schema must be URIs, because ``"format": "uri"`` is next to them (JSON Schema Validation 2020-12
§7.3.5 and §7.3.6). Imports only ``lint.found``. Invariant: nothing in an example, a default or an
extension of OpenAPI means anything; nothing is found here: findings of others get a profile.

>>> role(["paths", "/a", "get", "externalDocs", "url"])
'reference'
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from ...text.patterns import lazy
from ..found import Found

_IN_JSON = lazy(r'"(?:openapi|swagger)"\s*+:\s*+"[1-3]\.')
_IN_YAML = lazy(r"(?m)^(?:openapi|swagger)[ \t]*:[ \t]*['\"]?[123]\.")
_HEAD = 20_000  # code points in which a document in YAML says so: it is asked of every one

# Fields whose value is a reference, anywhere (OAS 3.1 §4.8, OAS 2.0, JSON Schema).
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
    """The role of the value of the last of some keys; for "paths" and a path, that of the path.

    The keys are those of the mappings that a value is in, outermost first; sequences leave no
    trace. The roles: "reference" (a URI-reference), "template" (one with variables in braces),
    "path", "markdown", "pattern", and "" for all others.

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
            # An Example Object, by its name (OAS 3.1 §4.8.19), is not data itself.
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
    """Whether a value is, or might be, in an example, in a default or in an enumeration."""
    return any(key in _DATA for key in keys)


DEEPEST = 50
"""Mappings and sequences that are told apart: what is looked at for each value stays constant, so
that a hostile document costs O(n). Deeper ones have the keys of these."""


class Opened(NamedTuple):
    """A mapping or a sequence that is open: the number of keys that led to it, and its start."""

    depth: int
    start: int
    is_mapping: bool = True


class Value(NamedTuple):
    """A text in a document of mappings and sequences, without quotation marks around it.

    ``keys`` are those of the mappings that it is in, outermost first; sequences leave no trace.
    ``is_key`` says that it is itself the last of the keys. The lists belong to the reader, and
    change as it continues.
    """

    keys: list[str]
    opened: list[Opened]
    start: int
    end: int
    is_key: bool = False

    @property
    def key(self) -> str:
        return self.keys[-1] if self.keys else ""


Span = tuple[int, int]

_URI_FORMATS = r"uri(?:-reference|-template)?"
_URI = lazy(_URI_FORMATS)
_FORMAT = lazy(rf"""\bformat["']?[ \t]*+:\s*+["']?{_URI_FORMATS}\b(?!-)""")
# Keywords whose values are instances of the schema that they are in.
_INSTANCES = frozenset(("default", "example", "examples", "const", "enum"))


def demanded(found: Iterable[Found], spans: Callable[[], list[Span]]) -> Iterator[Found]:
    """The findings, as URIs if they begin in one of some spans, which are in text order.

    The spans are requested when something non-ASCII was found.
    """
    known: list[Span] | None = None
    for one in found:
        if one.profile is not None or one.text.isascii():
            yield one
            continue
        if known is None:
            known = spans()
        at = bisect_right(known, one.start, key=itemgetter(0)) - 1
        inside = at >= 0 and one.start < known[at][1]
        yield one._replace(profile="uri") if inside else one


def spans(text: str, values: Iterable[Value], openapi: bool = False) -> list[Span]:
    """The spans of the values that are URIs: the instances of a schema that says so, and in an
    OpenAPI document those that are by their keys. Cost: O(n)."""
    if not openapi and _FORMAT.search(text) is None:
        return []
    schemas: set[int] = set()  # the mappings with such a format
    found: list[tuple[int, int, int]] = []  # with the mapping whose instance it is
    for one in values:
        span = one.start, one.end
        if one.key == "format" and one.opened and _URI.fullmatch(text[slice(*span)].strip("\"'")):
            schemas.add(one.opened[-1].start)
        elif openapi and role(one.keys) in {"reference", "template"}:
            found.append((*span, -1))
        if _INSTANCES.isdisjoint(one.keys):
            continue
        for depth, start, is_mapping in one.opened[:DEEPEST]:
            if is_mapping and depth < len(one.keys) and one.keys[depth] in _INSTANCES:
                found.append((*span, start))
    return [(start, end) for start, end, of in found if of < 0 or of in schemas]
