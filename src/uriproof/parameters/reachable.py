"""The schemas that a schema leads to within its document, and whether they are supported.

Owns JSON pointers, references and the check of schemas when a parameter is declared. Imports the
decoder, because references are fragments. Invariant: references are followed only within the
document, and nothing is fetched; schemas that pass the check can be read without surprises.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import UriproofError
from ..limits import DEEPEST_SCHEMA, MOST_REFERENCES, MOST_SCHEMAS
from ..percent.decode import decode
from ..percent.errors import DecodeError
from ..text.names import or_list

TYPES = ("integer", "number", "boolean", "string", "null", "array", "object")
"""In the order in which a text is tried as one: ``null`` is the text of a person named so, if the
value can be a string."""

FILES = "x-files"
"""The member of a document that has its other files, by their paths."""

_SHOWN = 120  # characters of a reference

_IN_PLACE: dict[str, Any] = {
    "allOf": list,
    "anyOf": list,
    "oneOf": list,
    "dependentSchemas": Mapping,
}
_IN_PLACE |= dict.fromkeys(("not", "if", "then", "else"), object)
"""Keywords whose schemas apply to the value itself, and where they have their schemas."""

_BELOW: dict[str, Any] = {"prefixItems": list, "properties": Mapping, "patternProperties": Mapping}
_BELOW |= dict.fromkeys(("items", "contains", "additionalProperties", "propertyNames"), object)
_BELOW |= dict.fromkeys(("unevaluatedItems", "unevaluatedProperties"), object)
"""Keywords whose schemas apply to the parts of a value."""

_ALL = _IN_PLACE | _BELOW
_NOT_FOLLOWED = ("$id", "$dynamicRef", "$recursiveRef")


class InvalidSchema(UriproofError, ValueError):
    """A schema that cannot be worked with; ``pointer`` is its place in the document."""

    def __init__(self, message: str, pointer: str = "") -> None:
        self.pointer = pointer
        super().__init__(message)


def resolve(document: Mapping[str, Any], pointer: str) -> tuple[Any, str]:
    """The value at a JSON pointer of a document, references followed, and its own pointer.

    Errors: InvalidSchema. Cost: O(length of the pointers). Spec: RFC 6901; OpenAPI 3.1.1 §4.8.23.

    >>> resolve({"a": {"$ref": "#/b"}, "b": {"c": 1}}, "/a")
    ({'c': 1}, '/b')
    """
    seen: set[str] = set()
    while True:
        if pointer in seen:
            raise InvalidSchema(f"the reference {_cut(named(pointer))} leads to itself")
        if len(seen) == MOST_REFERENCES:
            raise InvalidSchema(f"more than {MOST_REFERENCES} references lead from one to the next")
        seen.add(pointer)
        found = _at(document, pointer)
        if not isinstance(found, Mapping) or "$ref" not in found:
            return found, pointer
        pointer = target(found["$ref"])


def target(reference: object) -> str:
    """The JSON pointer in a reference to a place of the same document. Errors: InvalidSchema."""
    if not isinstance(reference, str):
        raise InvalidSchema(f"$ref: expected a string, not {_cut(reference)}")
    if not reference.startswith("#"):
        raise InvalidSchema(
            f"{_cut(reference)} is outside the document; references are never fetched"
        )
    try:
        pointer = decode(reference[1:])
    except DecodeError:
        raise InvalidSchema(f"{_cut(reference)} is not a valid fragment") from None
    if pointer and not pointer.startswith("/"):
        raise InvalidSchema(f"{_cut(reference)} is not a JSON pointer; anchors are not followed")
    return pointer


def escaped(name: object) -> str:
    """A name as a token of a JSON pointer (RFC 6901 §3)."""
    return str(name).replace("~", "~0").replace("/", "~1")


def named(pointer: str) -> str:
    """A JSON pointer with the file that it leads into, if that is not the root.

    >>> named("/x-files/shared~1a.yaml/b/0")
    'shared/a.yaml#/b/0'
    """
    _, *tokens = pointer.split("/", 3)
    if tokens[:1] != [FILES] or len(tokens) == 1:
        return pointer
    path = tokens[1].replace("~1", "/").replace("~0", "~")
    return f"{path}#{''.join(f'/{token}' for token in tokens[2:])}"


def _at(document: Mapping[str, Any], pointer: str) -> Any:
    found: Any = document
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping) and key in found:
            found = found[key]
        elif isinstance(found, list) and (at := _index(key)) is not None and at < len(found):
            found = found[at]
        else:
            raise InvalidSchema(f"the document has no {_cut(named(pointer))}")
    return found


def _index(token: str) -> int | None:
    """The index of an item in an array (RFC 6901 §4)."""
    short = len(token) < 10 and token.isdecimal()  # noqa: PLR2004 -- no array has more items
    return int(token) if short and str(int(token)) == token else None


def _cut(value: object) -> str:
    text = value if isinstance(value, str) else f"one of type {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def look_up(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:
    """The schema that a schema refers to, which can refer to another. Errors: InvalidSchema."""
    return _at(document, target(schema["$ref"]))


def check(
    document: Mapping[str, Any], schema: object, pointer: str, known: Mapping[int, Any]
) -> tuple[list[tuple[Any, str]], list[tuple[Any, str]]]:
    """The schema, and those that its references lead to, with their pointers; all with a default.

    ``known`` holds, by ``id``, the targets of references that were checked before; it is left out
    of the result. One schema in several places counts at each. Errors: InvalidSchema. Cost: O(size
    of the schemas), of at most 10,000.
    """
    roots: list[tuple[Any, str]] = [(schema, pointer)]
    defaults: list[tuple[Any, str]] = []
    targets: dict[int, Any] = {}
    every: list[Any] = []
    count = 0
    waiting = list(roots)
    while waiting:
        top, at = waiting.pop()
        if isinstance(top, bool):
            continue
        _check_keywords(top, at)
        every.append(top)
        if "default" in top:
            defaults.append((top, at))
        for _ in _containers(top):
            count += 1
            if count > MOST_SCHEMAS:
                raise InvalidSchema(f"it leads to more than {MOST_SCHEMAS:,} schemas", pointer)
        waiting += [(each, f"{at}/{where}") for each, where in schemas_in(top)]
        if "$ref" in top:
            try:
                found = look_up(document, top)
            except InvalidSchema as error:
                raise InvalidSchema(str(error), at) from None
            if id(found) not in known and id(found) not in targets:
                targets[id(found)] = found
                roots.append((found, target(top["$ref"])))
                waiting.append(roots[-1])
    weights: dict[int, int] = {}
    for each in every:
        _weigh(document, each, pointer, weights, 0)
    return roots, defaults


def _check_keywords(schema: Any, at: str) -> None:
    if not isinstance(schema, Mapping):
        raise InvalidSchema("expected a schema: an object, true or false", at)
    for key in schema:
        if not isinstance(key, str):
            words = f"the key {key!r:.40} is not a string; in YAML, put it in quotation marks"
            raise InvalidSchema(words, at)
    for key in _NOT_FOLLOWED:
        if key in schema:
            raise InvalidSchema(f"{key} is not supported", at)
    for key in filter(_ALL.__contains__, schema):
        if not isinstance(schema[key], holder := _ALL[key]):
            kind = "an array" if holder is list else "an object"
            raise InvalidSchema(f"expected {kind} of schemas", f"{at}/{key}")
    stated = schema.get("type", "string")
    for name in stated if isinstance(stated, list) else [stated]:
        if name not in TYPES:
            raise InvalidSchema(f"expected one of the types {or_list(TYPES)}", f"{at}/type")


def schemas_in(
    schema: Mapping[str, Any], keywords: Mapping[str, Any] = _ALL
) -> Iterator[tuple[Any, str]]:
    """The schemas in keywords of a schema, and their places in it."""
    for key in filter(keywords.__contains__, schema):  # in their order
        value = schema[key]
        if keywords[key] is list:
            yield from ((each, f"{key}/{at}") for at, each in enumerate(value))
        elif keywords[key] is Mapping:
            yield from ((each, f"{key}/{escaped(name)}") for name, each in value.items())
        else:
            yield value, key


def _containers(schema: Mapping[str, Any]) -> Iterator[object]:
    """The schema, and the arrays and objects in it that are not schemas, such as examples."""
    yield schema
    waiting = [value for key, value in schema.items() if key not in _ALL]
    while waiting:
        top = waiting.pop()
        if isinstance(top, Mapping | list):
            yield top
            waiting += top if isinstance(top, list) else top.values()


def _weigh(
    document: Mapping[str, Any], schema: Any, pointer: str, weights: dict[int, int], depth: int
) -> int:
    """How many schemas apply to a value, counted as often as they do."""
    if not isinstance(schema, Mapping):
        return 1
    weight = weights.get(id(schema))
    if weight == 0 or depth > DEEPEST_SCHEMA:
        words = (
            f"it applies to itself, or has more than {DEEPEST_SCHEMA} levels of schemas in schemas"
        )
        raise InvalidSchema(words, pointer)
    if weight is None:
        weights[id(schema)] = 0  # it is being weighed
        inner = [each for each, _ in schemas_in(schema, _IN_PLACE)]
        if "$ref" in schema:
            inner.append(look_up(document, schema))
        weight = 1 + sum(_weigh(document, each, pointer, weights, depth + 1) for each in inner)
        if weight > MOST_SCHEMAS:
            words = f"more than {MOST_SCHEMAS:,} schemas apply to one value"
            raise InvalidSchema(words, pointer)
        weights[id(schema)] = weight
    return weight
