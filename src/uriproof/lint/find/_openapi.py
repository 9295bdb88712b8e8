r"""OpenAPI documents and JSON Schemas: the types of the values of their keys, in JSON or in YAML.

Owns the fields of the OpenAPI Specification (2.0 to 3.2) that hold URLs, and which values of a JSON
Schema must be URIs, because ``"format": "uri"`` is next to them (JSON Schema Validation 2020-12
§7.3.5 and §7.3.6). Imports ``find._json``. Invariant: nothing in an example, a default or an
extension of OpenAPI means anything; nothing is found here: findings of others get a profile.

>>> text = '{"type": "string", "default": "http://a/\u00e9", "format": "uri"}'
>>> spans_in_json(text)
[(31, 41)]
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...text.patterns import lazy
from ..found import Found
from ._json import STRING

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


Span = tuple[int, int]

_URI_FORMATS = r"uri(?:-reference|-template)?"
_URI = lazy(_URI_FORMATS)
_FORMAT = lazy(rf"""\bformat["']?[ \t]*+:\s*+["']?{_URI_FORMATS}\b(?!-)""")
# Keywords whose values are instances of the schema that they are in.
_INSTANCES = frozenset(("default", "example", "examples", "const", "enum"))

_TOKEN = lazy(
    rf'"(?P<string>{STRING})(?:"(?P<colon>\s*+:)?+|(?P<unclosed>))'
    r"|(?P<open>[\[{])|(?P<close>[\]}])"
)
_LINE = lazy(
    r"^(?P<indent>[ ]*+)(?P<dashes>(?:-[ ]++)*+)"
    r"(?:(?P<quote>[\"']?)(?P<key>[^\s\"'#:{\[][^\"'#:\n]*+)(?P=quote)[ \t]*+:(?=[ \t\r\n]|\Z))?+"
    r"[ \t]*+(?P<value>[^\n]*+)",
    re.MULTILINE,
)


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
        at = bisect_right(known, (one.start, one.end)) - 1
        inside = at >= 0 and one.start < known[at][1]
        yield one._replace(profile="uri") if inside else one


class _Mapping:
    """A mapping or a sequence that is open: its start, its current key, and its instances."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.key = ""
        self.is_uri = False
        self.instances: list[Span] = []

    def value(self, start: int, end: int, text: str) -> None:
        """A value of the key is between two offsets."""
        if self.key in _INSTANCES:
            self.instances.append((start, end))
        elif self.key == "format" and _URI.fullmatch(text[start:end].strip(" \t\r\"'")):
            self.is_uri = True

    def closed(self) -> list[Span]:
        return self.instances if self.is_uri else []


def spans_in_json(text: str) -> list[Span]:
    """The spans of the instances that a schema in JSON says are URIs. Cost: O(n)."""
    if _FORMAT.search(text) is None:
        return []
    found: list[Span] = []
    open_ = [_Mapping(0)]
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "open":
            open_.append(_Mapping(match.start()))
        elif kind == "colon":
            open_[-1].key = match["string"]
        elif kind == "string":
            open_[-1].value(*match.span("string"), text)
        elif kind == "close" and len(open_) > 1:
            done = open_.pop()
            found += done.closed()
            open_[-1].value(done.start, match.end(), text)
    return _outermost(found)


def spans_in_yaml(text: str, openapi: bool) -> list[Span]:
    """The spans of the values that are URIs: of a schema, or of an OpenAPI document by their keys.

    Block mappings and sequences are read, line by line. Cost: O(n).
    """
    if not openapi and _FORMAT.search(text) is None:
        return []
    found: list[Span] = []
    open_: list[_Mapping] = []
    for match in _LINE.finditer(text):
        key, dashes = match["key"], bool(match["dashes"])
        column = match.end("dashes" if key else "indent") - match.start()
        while open_ and (
            open_[-1].start > column or (key and dashes and open_[-1].start == column)
        ):
            found += open_.pop().closed()
        if key:
            if not open_ or open_[-1].start < column:
                open_.append(_Mapping(column))
            open_[-1].key = key
            if openapi and role([one.key for one in open_]) in {"reference", "template"}:
                found.append(match.span("value"))
        if open_ and (key or dashes):
            open_[-1].value(*match.span("value"), text)
    for one in open_:
        found += one.closed()
    return _outermost(found)


def _outermost(spans: Iterable[Span]) -> list[Span]:
    """Spans in text order; of those that are in another, that one."""
    kept: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept
