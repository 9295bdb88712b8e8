"""Form data: an object as pieces ``name=value``, in a body or as the whole of a query.

Owns how each property of such an object is written. Imports parameters and the reader of queries:
a property is read as a parameter of a query is. Invariant: as there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..grammar import registry
from ..percent.clients import PARTS
from .parameter import Parameter, UndefinedStyle, is_json
from .query import Names, QuerySpec, read_form
from .reachable import InvalidSchema, escaped, look_up, target
from .reading import REQUIRED, Item, Place, Reading
from .schema import Schemas, failures
from .values import MOST, ParameterReport

Problem = Callable[[str, str], None]
"""Takes a JSON pointer and what is wrong there."""

_SETTINGS = {
    "style": ("style", str),
    "explode": ("explode", bool),
    "allowReserved": ("allow_reserved", bool),
}
"""OpenAPI 3.1.1 §4.8.12, §4.8.15: fields, the argument of a parameter, and its type."""
OF_PARAMETER = _SETTINGS | {
    "required": ("required", bool),
    "allowEmptyValue": ("allow_empty", bool),
}
_OF_ENCODING = _SETTINGS | {"contentType": ("content", str)}

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
        parameters: Iterable[Parameter],
        validator: Any = None,
        rest: Parameter | None = None,
        rejects: bool = False,
    ) -> None:
        own = [] if rest is None else [rest]
        self.parameters, self.rejects = (*parameters, *own), rejects
        self._names, self._validator, self._rest = Names(self.parameters), validator, rest

    @classmethod
    def of_media(
        cls, media: Mapping[str, Any], schemas: Schemas, pointer: str, problem: Problem
    ) -> Form:
        """The form data of a media type of a document, at a pointer."""
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
            options = settings(encoding.get(name, {}), _OF_ENCODING, at, problem)
            try:
                made.append(_property(name, each, options, schemas))
            except UndefinedStyle as error:
                problem(at if options else each[0][1], str(error))
            except InvalidSchema as error:
                problem(error.pointer, str(error))
        others, rest = [*schemas.part(schema, "additionalProperties")], None
        whole = len(made) == len(found)
        try:
            rest = _rest(others, schemas)
        except UndefinedStyle as error:
            problem(f"{pointer}/schema/additionalProperties", str(error))
            whole = False
        validator = schemas.validator(schema) if whole else None
        return cls(made, validator, rest, False in others)

    def check(self, place: Place) -> ParameterReport:
        """The values of form data, by property."""
        return self.whole(place, read_form(place, self._names, self.rejects))

    def whole(self, place: Place, report: ParameterReport) -> ParameterReport:
        """A report about the properties, with what the schema demands of them together."""
        values = dict(report.values)
        if self._rest is not None:
            values |= values.pop(_REST, {})
            found = place.violations
            found[:] = [v._replace(name="") if v.name == _REST else v for v in found]
        validated = self._validator is not None and not report.violations
        for failed in failures(self._validator, values) if validated else ():
            name = str(failed.path[0]) if failed.path else ""
            code = "body-schema" if place.location == "body" else "parameter-schema"
            place.blame(name, (0, len(place.text)), code, failed.message)
        made = place.report(values, report.undeclared, report.more, report.defaults)
        return replace(made, advice=report.advice, values=values)


class Querystring:
    """The whole of a query as one value: form data, or JSON, percent-encoded.

    Spec: OpenAPI 3.2.0 §4.12, ``in: querystring``.
    """

    def __init__(
        self, name: str, content: Form | Parameter, required: bool = False, **options: Any
    ) -> None:
        self.name, self.content, self.required = name, content, required
        form = content if isinstance(content, Form) else Form(())
        if form.rejects:
            options["undeclared"] = "reject"
        self._spec = QuerySpec(*form.parameters, **options)

    def as_in(self, **options: Any) -> Querystring:
        """The same, with other options of ``QuerySpec``."""
        return Querystring(self.name, self.content, self.required, **options)

    def check(self, query: str, *, max_violations: int | None = MOST) -> ParameterReport:
        """The value, by its name, and the violations. See ``QuerySpec.check``."""
        report = self._spec.check(query, max_violations=max_violations)
        strict, found = self._spec.strict, list(report.violations)
        place = Place("query", query, strict, found, max_violations, self._spec.clients)
        if not query:
            if self.required:
                place.blame(self.name, (0, 0), "parameter-required", REQUIRED)
            return place.report({})
        if isinstance(self.content, Form):
            whole = self.content.whole(place, report)
            return replace(whole, values={} if whole.violations else {self.name: whole.values})
        span = 0, len(query)
        grammar = PARTS[self._spec.clients]
        if not registry.load(grammar).matcher("query")(query):
            place.explain(grammar, "query", (self.name, span))
            return place.report({})
        right, value = Reading(self.content, place).value([Item(None, span)], span)
        return place.report({self.name: value} if right else {})


class _Read(Schemas):
    """Schemas that are only read: they were checked, and are validated together."""

    def check(self, schema: Any, pointer: str) -> None:
        pass

    def validator(self, schema: Any, as_json: bool = False) -> Any:
        return None


def _rest(others: list[Any], schemas: Schemas) -> Parameter | None:
    """A parameter that takes the properties without a name of their own, if they have a schema."""
    schema = next((each for each in others if isinstance(each, Mapping)), None)
    if schema is None:
        return None
    whole = {"type": "object", "additionalProperties": schema}
    return Parameter(_REST, whole, schemas=_Read(schemas.document, schemas.version))


def _properties(schemas: Schemas, schema: Any, pointer: str) -> Iterator[tuple[str, Any, str]]:
    """The properties of an object, in any of the alternatives that have them."""
    waiting = [(schema, pointer)]
    while waiting:
        top, at = waiting.pop()
        if not isinstance(top, Mapping):
            continue
        for name, inner in top.get("properties", {}).items():
            if not isinstance(name, str):
                words = "the name of a property is not a string; in YAML, put it in quotation marks"
                raise InvalidSchema(words, f"{at}/properties/{escaped(name)}")
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


def settings(
    given: object, known: Mapping[str, tuple[str, type]], pointer: str, problem: Problem
) -> dict[str, Any]:
    """The fields of a parameter or of an encoding, as arguments of a parameter."""
    if not isinstance(given, Mapping):
        problem(pointer, "expected an object")
        return {}
    found = {}
    for key, (name, kind) in known.items():
        if isinstance(value := given.get(key), kind):
            found[name] = value
        elif key in given:
            problem(
                f"{pointer}/{key}", f"expected {'a string' if kind is str else 'true or false'}"
            )
    return found
