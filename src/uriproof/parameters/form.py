"""Form data: an object as pieces ``name=value``, in a body or as the whole of a query.

Owns how each property of such an object is written. Imports parameters and the reader of queries:
a property is read as a parameter of a query is. Invariant: as there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .parameter import Parameter, UndefinedStyle, is_json
from .query import Names, read_form
from .reachable import InvalidSchema, escaped, look_up, target
from .reading import Place
from .schema import Schemas, failures
from .values import ParameterReport

__all__ = ["Form", "Problem"]

Problem = Callable[[str, str], None]
"""Takes a JSON pointer and what is wrong there."""

_SETTINGS = {
    "style": ("style", str),
    "explode": ("explode", bool),
    "allowReserved": ("allow_reserved", bool),
    "contentType": ("content", str),
}
"""OpenAPI 3.1.1 §4.8.15: fields of an encoding, the argument of a parameter, and its type."""

_REST = "\ue000"  # the name of the parameter that takes all other properties: nobody sends it
_ALTERNATIVES = ("allOf", "anyOf", "oneOf")


class Form:
    """The form data that a schema of an object allows, with the ``encoding`` of its properties.

    A property with ``style``, ``explode`` or ``allowReserved`` is written like a parameter of a
    query. Otherwise an object, and what has a JSON ``contentType``, is JSON, and all else is in the
    style form, exploded. What cannot be read is a ``problem``, and left out; the schema is then not
    validated as a whole.

    Errors: InvalidSchema; ImportError. Spec: OpenAPI 3.1.1 §4.8.15.
    """

    def __init__(
        self,
        media: Mapping[str, Any],
        schemas: Schemas,
        pointer: str,
        problem: Problem,
    ) -> None:
        schema, encoding = media.get("schema", True), media.get("encoding", {})
        schemas.check(schema, f"{pointer}/schema")
        if not isinstance(encoding, Mapping):
            problem(f"{pointer}/encoding", "expected an object")
            encoding = {}
        found: dict[str, list[tuple[Any, str]]] = {}
        for name, inner, at in _properties(schemas, schema, f"{pointer}/schema"):
            found.setdefault(name, []).append((inner, at))
        made: list[Parameter] = []
        for name, each in found.items():
            at = f"{pointer}/encoding/{escaped(name)}"
            options = _options(encoding.get(name, {}), at, problem)
            try:
                made.append(_property(name, each, options, schemas))
            except UndefinedStyle as error:
                problem(at if options else each[0][1], str(error))
            except InvalidSchema as error:
                problem(error.pointer, str(error))
        whole = len(made) == len(found)
        self._validator = schemas.validator(schema, f"{pointer}/schema") if whole else None
        others = [*schemas.part(schema, "additionalProperties")]
        self.rejects = False in others
        self.rest = next(
            (
                Parameter(
                    _REST,
                    {"type": "object", "additionalProperties": each},
                    schemas=_Read(schemas.document, schemas.version),
                )
                for each in others
                if isinstance(each, Mapping)
            ),
            None,
        )
        self.parameters = tuple(made if self.rest is None else [*made, self.rest])
        self._names = Names(self.parameters)

    def check(self, place: Place) -> ParameterReport:
        """The values of form data, by property."""
        return self.whole(place, read_form(place, self._names, self.rejects))

    def whole(self, place: Place, report: ParameterReport) -> ParameterReport:
        """A report about the properties, with what the schema demands of them together."""
        values = dict(report.values)
        if self.rest is not None:
            values |= values.pop(_REST, {})
            found = place.violations
            found[:] = [v._replace(name="") if v.name == _REST else v for v in found]
        validated = self._validator is not None and not report.violations
        for failed in failures(self._validator, values) if validated else ():
            name = str(failed.path[0]) if failed.path else ""
            place.blame(name, (0, len(place.text)), "body-schema", failed.message)
        return place.report(values, report.undeclared, report.more)


class _Read(Schemas):
    """Schemas that are only read: they were checked, and are validated together."""

    def check(self, schema: Any, pointer: str) -> None:
        pass

    def validator(self, schema: Any, pointer: str, as_json: bool = False) -> Any:
        return None


def _properties(schemas: Schemas, schema: Any, pointer: str) -> Iterator[tuple[str, Any, str]]:
    """The properties of an object, in any of the alternatives that have them."""
    waiting = [(schema, pointer)]
    while waiting:
        top, at = waiting.pop()
        if not isinstance(top, Mapping):
            continue
        for name, inner in top.get("properties", {}).items():
            yield name, inner, f"{at}/properties/{escaped(name)}"
        for group in _ALTERNATIVES:
            waiting += [(each, f"{at}/{group}/{n}") for n, each in enumerate(top.get(group, ()))]
        if "$ref" in top:
            waiting.append((look_up(schemas.document, top), target(top["$ref"])))


def _property(
    name: str, found: list[tuple[Any, str]], options: Mapping[str, Any], schemas: Schemas
) -> Parameter:
    """The parameter that a property is read as. Errors: UndefinedStyle; InvalidSchema."""
    schema, pointer = found[0]
    if len(found) > 1:
        schema = {"anyOf": [each for each, _ in found]}
        schemas = _Read(schemas.document, schemas.version)
    options = dict(options)
    content = options.pop("content", "")
    types = schemas.types(schema) or frozenset()
    if not options and (is_json(content) or "object" in types <= {"object", "null"}):
        options["content"] = content if is_json(content) else "application/json"
    return Parameter(name, schema, schemas=schemas, pointer=pointer, **options)


def _options(encoding: object, pointer: str, problem: Problem) -> dict[str, Any]:
    """The settings of a property, as those of a parameter."""
    if not isinstance(encoding, Mapping):
        problem(pointer, "expected an object")
        return {}
    found = {}
    for key, (name, kind) in _SETTINGS.items():
        if isinstance(value := encoding.get(key), kind):
            found[name] = value
        elif key in encoding:
            problem(
                f"{pointer}/{key}", f"expected {'a string' if kind is str else 'true or false'}"
            )
    return found
