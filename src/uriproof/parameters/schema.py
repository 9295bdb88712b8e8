"""What a JSON Schema says of a parameter: the types its text is read as, and what else must hold.

Owns the reading of types, the conversion of one text, and the place where a validator of JSON
Schema is called. Imports the grammar of JSON for numbers, and when a schema has keywords other
than types, the library openapi-schema-validator. Invariant: references are followed within the
document alone, each once; nothing is ever fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import isfinite
from typing import Any

from ..grammar import registry
from ..percent.decode import decode
from ..percent.errors import DecodeError
from ..records import NamedTuple
from ..text.names import or_list

__all__ = ["InvalidSchema", "Reference", "Schemas", "Types", "convert", "resolve", "wanted"]

DOCUMENT = "urn:uriproof:document"
_ORDER = ("integer", "number", "boolean", "null", "string", "array", "object")
Types = tuple[str, ...]
_MOST_DIGITS = 1000  # of a number: more cost more than linear time to read
_MOST_REFERENCES = 100
_DEEPEST = 50  # levels of a schema: more than any has that does not refer to itself
_SHOWN = 120  # characters of a reference

_ANNOTATIONS = {"$comment", "title", "description", "default", "deprecated", "example", "examples"}
_ANNOTATIONS |= {"externalDocs", "readOnly", "writeOnly", "xml"}
_SAYS_NO_MORE = _ANNOTATIONS | {"$ref", "type", "nullable", "items", "properties", "format"}
"""Keywords that need no validator of JSON Schema: reading a value decides them, or nothing does."""


class InvalidSchema(ValueError):
    """A JSON Schema that is none."""


class Reference(InvalidSchema):
    """A reference that leads nowhere, out of the document, or to itself."""


def resolve(document: Mapping[str, Any], pointer: str) -> tuple[Any, str]:
    """What stands at a JSON pointer of a document, references followed, and its own pointer.

    Errors: Reference. Cost: O(length of the pointers). Spec: RFC 6901; OpenAPI 3.1.1 §4.8.23.

    >>> resolve({"a": {"$ref": "#/b"}, "b": {"c": 1}}, "/a")
    ({'c': 1}, '/b')
    """
    seen: set[str] = set()
    while True:
        if pointer in seen:
            raise Reference(f"the reference {_cut(pointer)} leads to itself")
        if len(seen) == _MOST_REFERENCES:
            raise Reference(f"more than {_MOST_REFERENCES} references lead from one to the next")
        seen.add(pointer)
        found = _at(document, pointer)
        if not isinstance(found, Mapping) or "$ref" not in found:
            return found, pointer
        pointer = _pointer(found["$ref"])


def _pointer(reference: object) -> str:
    """The JSON pointer in a reference to a place of the same document. Errors: Reference."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        raise Reference(f"{_cut(reference)} is outside the document; references are never fetched")
    try:
        return decode(reference[1:])
    except DecodeError:
        raise Reference(f"{_cut(reference)} is no valid fragment") from None


def _at(document: Mapping[str, Any], pointer: str) -> Any:
    found: Any = document
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping) and key in found:
            found = found[key]
        elif isinstance(found, list) and key in map(str, range(len(found))):
            found = found[int(key)]
        else:
            raise Reference(f"the document has no {_cut(pointer)}")
    return found


def _cut(value: object) -> str:
    text = value if isinstance(value, str) else f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


class Schemas:
    """The schemas of one document, or of parameters that are declared by hand."""

    def __init__(self, document: Mapping[str, Any] | None = None, version: str = "3.1") -> None:
        self.document = document if document is not None else {}
        self.version = version
        self._registry: Any = None
        self._required: set[int] = set()

    def followed(self, schema: Any) -> Iterator[Mapping[str, Any]]:
        """The schema and the one it refers to, which both apply. Errors: Reference."""
        yield schema
        if "$ref" in schema:
            target, _ = resolve(self.document, _pointer(schema["$ref"]))
            if not isinstance(target, Mapping):
                target = {} if target is True else {"type": []}
            yield target

    def types(self, schema: Any, depth: int = 0) -> frozenset[str] | None:
        """The types that a value may have; None if the schema leaves that open.

        Errors: InvalidSchema. Cost: O(size of the schema), at most 50 levels deep.
        """
        if not isinstance(schema, Mapping):
            return None if schema is not False else frozenset()
        if depth > _DEEPEST:
            raise Reference("the schema refers to itself")
        found: frozenset[str] | None = None
        for part in self.followed(schema):
            stated = part.get("type")
            if isinstance(stated, str | list):
                own = frozenset(map(str, [stated] if isinstance(stated, str) else stated))
                if part.get("nullable") is True:
                    own |= {"null"}
                if "number" in own:
                    own |= {"integer"}
                found = _both(found, own)
            values = [part["const"]] if "const" in part else part.get("enum")
            if isinstance(values, list) and values:
                found = _both(found, frozenset(map(_type_of, values)))
            for every in _list(part, "allOf"):
                found = _both(found, self.types(every, depth + 1))
            for keyword in ("anyOf", "oneOf"):
                choices = [self.types(choice, depth + 1) for choice in _list(part, keyword)]
                if choices and None not in choices:
                    union: frozenset[str] = frozenset()
                    found = _both(found, union.union(*[c for c in choices if c is not None]))
            if found is None and "properties" in part:
                found = frozenset({"object"})
            if found is None and "items" in part:
                found = frozenset({"array"})
        return found

    def ordered(self, schema: Any) -> Types:
        """The types in the order in which a text is tried as one; a string where all is open."""
        found = self.types(schema)
        return ("string",) if found is None else tuple([t for t in _ORDER if t in found])

    def part(self, schema: Any, keyword: str) -> Iterator[Any]:
        """The values of a keyword in a schema, in those it refers to, and in its alternatives."""
        waiting: list[tuple[Any, int]] = [(schema, 0)]
        while waiting:
            top, depth = waiting.pop()
            if not isinstance(top, Mapping) or depth > _DEEPEST:
                continue
            for part in self.followed(top):
                if keyword in part:
                    yield part[keyword]
                for group in ("allOf", "anyOf", "oneOf"):
                    waiting += [(each, depth + 1) for each in _list(part, group)]

    def validator(self, schema: Any, pointer: str) -> Any:
        """A validator of what types do not decide; None where nothing else is asked.

        Errors: InvalidSchema; ImportError, which says what to install.
        """
        if not self._says_more(schema, set()):
            return None
        try:
            from openapi_schema_validator import OAS30Validator, OAS31Validator
            from referencing import Registry
            from referencing.jsonschema import DRAFT202012
        except ImportError:
            raise ImportError(
                "a schema has keywords other than types, which a validator of JSON Schema checks: "
                'pip install "uriproof[openapi]"'
            ) from None
        if self._registry is None:
            resource = DRAFT202012.create_resource(dict(self.document))
            self._registry = Registry().with_resource(DOCUMENT, resource)
        old = self.version.startswith("3.0")
        self._require(OAS30Validator if old else OAS31Validator, schema)
        held = {"$ref": f"{DOCUMENT}#{pointer}"} if pointer else schema
        return (_lenient() if old else OAS31Validator)(held, registry=self._registry)

    def _require(self, made: Any, schema: Any) -> None:
        """Require a schema, and all that it refers to, to be schemas. Errors: InvalidSchema."""
        waiting, seen = [schema], set[int]()
        _require_schema(made, schema)
        while waiting:
            top = waiting.pop()
            if not isinstance(top, Mapping | list) or id(top) in seen or id(top) in self._required:
                continue
            seen.add(id(top))
            if isinstance(top, list):
                waiting += top
                continue
            waiting += [value for value in top.values() if isinstance(value, Mapping | list)]
            if "$ref" in top:
                target, _ = resolve(self.document, _pointer(top["$ref"]))
                if id(target) not in seen and id(target) not in self._required:
                    _require_schema(made, target)
                    waiting.append(target)
        self._required |= seen

    def _says_more(self, schema: Any, seen: set[int]) -> bool:
        waiting = [schema]
        while waiting:
            top = waiting.pop()
            if top is False:
                return True
            if not isinstance(top, Mapping) or id(top) in seen:
                continue
            seen.add(id(top))
            if any(k not in _SAYS_NO_MORE and not k.startswith("x-") for k in top):
                return True
            waiting += self.followed(top)
            waiting += [top.get("items")]
            properties = top.get("properties")
            waiting += properties.values() if isinstance(properties, Mapping) else []
        return False


def _require_schema(made: Any, schema: Any) -> None:
    """Errors: InvalidSchema, with the place in the schema."""
    from jsonschema import SchemaError

    try:
        made.check_schema(schema)
    except SchemaError as error:
        place = "/".join(map(str, error.absolute_path)) or "its top"
        raise InvalidSchema(f"no valid schema, at {_cut(place)}: {_cut(error.message)}") from None
    except RecursionError:
        raise InvalidSchema("the schema is too deep") from None


@cache
def _lenient() -> Any:
    """The validator of OpenAPI 3.0, which would raise for types that are only known since 3.1."""
    from jsonschema.validators import extend
    from openapi_schema_validator import OAS30Validator, OAS31Validator

    def of_type(validator: Any, types: Any, value: Any, schema: Any) -> Iterator[Any]:
        if value is not None or schema.get("nullable") is not True:
            yield from OAS31Validator.VALIDATORS["type"](validator, types, value, schema)

    return extend(OAS30Validator, {"type": of_type}, type_checker=OAS31Validator.TYPE_CHECKER)


class Failed(NamedTuple):
    """A keyword that does not hold: where in the value, and in words without the value."""

    path: tuple[str | int, ...]
    message: str


def failures(validator: Any, value: object) -> list[Failed]:
    """What a validator of JSON Schema says of a value, without the value itself."""
    import json

    found = []
    for error in validator.iter_errors(value):
        limit = json.dumps(error.validator_value, ensure_ascii=False, default=str)
        limit = limit if len(limit) <= 60 else f"{limit[:60]}..."  # noqa: PLR2004 -- a line
        message = f'its schema demands "{error.validator}": {limit}'
        found.append(Failed(tuple(error.absolute_path), message))
    return found


def _list(schema: Mapping[str, Any], keyword: str) -> list[Any]:
    found = schema.get(keyword)
    return found if isinstance(found, list) else []


def _both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _type_of(value: object) -> str:
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case None:
            return "null"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


@cache
def _json(rule: str) -> Any:
    return registry.load("rfc8259").matcher(rule)


def convert(text: str, types: Types) -> Any:
    """A decoded text as the first of these types that it can be.

    Errors: ValueError, if it can be none. Cost: O(n). Spec: RFC 8259 §6, numbers.

    >>> convert("12", ("integer", "string")), convert("1x", ("integer", "string"))
    (12, '1x')
    """
    for kind in types:
        if kind == "string":
            return text
        if kind == "boolean" and text in ("true", "false"):
            return text == "true"
        if kind == "null" and text == "null":
            return None
        if len(text) <= _MOST_DIGITS:
            if kind == "integer" and _json("int")(text.removeprefix("-")):
                return int(text)
            if kind == "number" and _json("number")(text):
                value = float(text)
                if isfinite(value):
                    return value
    limit = "" if len(text) <= _MOST_DIGITS else f" of at most {_MOST_DIGITS:,} characters"
    raise ValueError(f"expected {wanted(types)}{limit}")


_WORDS = {
    "integer": "an integer",
    "number": "a number",
    "boolean": '"true" or "false"',
    "null": '"null"',
    "string": "a string",
    "array": "an array",
    "object": "an object",
}


def wanted(types: Types) -> str:
    """Types in words.

    >>> wanted(("number", "boolean"))
    'a number or "true" or "false"'
    """
    words = [_WORDS[kind] for kind in types if not (kind == "integer" and "number" in types)]
    return or_list(words) if words else "nothing: no value satisfies its schema"
