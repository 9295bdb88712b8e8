"""One parameter: its location, its style, and the type of its value.

Owns ``Parameter``. Imports styles and schemas. Invariant: values computed when the parameter is
declared do not change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..arguments import flags, strings, strings_or_none, wrong
from ..errors import UriproofError
from ..text.names import or_list
from .reachable import TYPES
from .schema import ABSENT, Schemas, Types, wanted
from .styles import DEFAULT_STYLE, STYLES, TSV, Shape, shape
from .values import LOCATIONS, Location

CITED = "OpenAPI 3.1.1 §4.8.12"
_COMPOUND = {"array", "object"}


class UndefinedStyle(UriproofError, ValueError):
    """A style that its location does not have, or that OpenAPI does not define for the type.

    ``at``: ``style``, ``explode`` or ``schema``, which of them to change.
    """

    def __init__(self, message: str, at: str) -> None:
        self.at = at
        super().__init__(message)


def is_json(media_type: str) -> bool:
    """Whether values in a media type are JSON (RFC 6839 §3.1).

    >>> is_json("application/problem+json; charset=utf-8"), is_json("text/plain")
    (True, False)
    """
    return media_type.partition(";")[0].strip().lower().endswith(("/json", "+json"))


class Parameter:
    """A parameter of a request, declared by hand or by an OpenAPI document.

    ``schema`` is a JSON Schema or the name of a type. ``location``: path, query, header or
    cookie. ``style`` and ``explode`` as in OpenAPI; by default the style of the location, and
    exploded if that is ``form``. ``allow_reserved`` and ``allow_empty`` are OpenAPI's
    ``allowReserved`` and ``allowEmptyValue``. With ``content``, a media type, the value is text in
    that type: JSON is read, another stays as it is.

    Errors: UndefinedStyle; InvalidSchema; ValueError for an unknown location; TypeError;
    ImportError, if keywords of the schema need a library. Spec: OpenAPI 3.1.1 §4.8.12.

    >>> Parameter("ids", {"type": "array", "items": {"type": "integer"}}, explode=False)
    Parameter('ids', query, form, explode=False)
    """

    def __init__(
        self,
        name: str,
        schema: Mapping[str, Any] | bool | str = "string",
        location: Location = "query",
        *,
        style: str | None = None,
        explode: bool | None = None,
        required: bool = False,
        allow_reserved: bool = False,
        allow_empty: bool = False,
        content: str | None = None,
        schemas: Schemas | None = None,
        pointer: str = "",
    ) -> None:
        strings(name=name, location=location)
        strings_or_none(style=style, content=content)
        flags(required=required, allow_reserved=allow_reserved, allow_empty=allow_empty)
        if explode is not None:
            flags(explode=explode)
        if location not in LOCATIONS:
            raise ValueError(f"location is one of {or_list(LOCATIONS)}, not {location!r}")
        if not isinstance(schema, Mapping | bool | str):
            raise wrong("schema", schema, "a JSON Schema or the name of a type")
        self.name = name
        self.location = location
        self.required: bool = required or location == "path"
        self.allow_empty = allow_empty
        self.schema: Mapping[str, Any] | bool = (
            {"type": schema} if isinstance(schema, str) else schema
        )
        self.content = content
        self._schemas = schemas or Schemas()
        self.is_json = is_json(content or "")  # then its types are not read
        self._schemas.check(self.schema, pointer)
        self.style: str = style or DEFAULT_STYLE[location]
        self.explode: bool = self.style == DEFAULT_STYLE["query"] if explode is None else explode
        self.types: Types = self._schemas.ordered(self.schema)
        self.kind: str = self._kind()
        self.shape: Shape = self._shape(allow_reserved)
        self.validator: Any = self._schemas.validator(self.schema, self.is_json)
        self.default: Any = self._schemas.default(self.schema)
        if self.default is not ABSENT:
            self._schemas.check_default(self.schema, self.default, pointer)
        self.prefix_types: list[Types] = [self._inner(each) for each in self._first("prefixItems")]
        self.item_types: Types = self._inner(*self._schemas.part(self.schema, "items"))
        self.properties: dict[str, Types]
        self.other_properties: Types | None
        self.properties, self.other_properties = self._property_types()

    def __repr__(self) -> str:
        return f"Parameter({self.name!r}, {self.location}, {self.style}, explode={self.explode})"

    @property
    def empty(self) -> Any:
        """The value of an empty text with ``allow_empty``: None if it cannot be a string."""
        if self.kind == "primitive":
            return "" if "string" in self.types else None
        return [] if self.kind == "array" else {}

    def fill(self, value: Any) -> None:
        """Give a value the defaults of the properties that it does not have."""
        if self.is_json or self.kind == "object":
            self._schemas.fill(self.schema, value)

    def _kind(self) -> str:
        """primitive, array or object: the form of the value; ``types`` are then the others.

        Null is ignored next to arrays and objects: no style writes it, and a value that is not sent
        is not read. Errors: UndefinedStyle, if an array looks like an object.
        """
        compound = [t for t in self.types if t in _COMPOUND]
        if self.content is not None or not compound:
            return "primitive"
        if len(compound) > 1 and shape(self.style, "array", self.explode) is not None:
            raise UndefinedStyle(
                f"the style {self.style} does not tell an array from an object, and the schema "
                "allows both",
                "schema",
            )
        self.types = tuple([t for t in self.types if t not in (*_COMPOUND, "null")])
        return compound[-1]

    def _shape(self, reserved: bool) -> Shape:
        allowed = STYLES[self.location]
        if self.style not in (*allowed, TSV):
            raise UndefinedStyle(
                f"a {self.location} parameter has the style {or_list(allowed)}, "
                f"not {self.style!r} ({CITED})",
                "style",
            )
        found = shape(self.style, self.kind, self.explode, reserved)
        if found is None:
            what = wanted(self.types if self.kind == "primitive" else (self.kind,))
            raise UndefinedStyle(
                f"OpenAPI does not define the style {self.style} with explode "
                f"{str(self.explode).lower()} for {what} ({CITED}.6)",
                "explode",
            )
        return found

    def _first(self, keyword: str) -> list[Any]:
        return next(self._schemas.part(self.schema, keyword), [])

    def _inner(self, *schemas: Any) -> Types:
        """The types of an item or a property, in any of the alternatives that have it.

        Errors: UndefinedStyle, if it can only be nested.
        """
        found = {name for schema in schemas or [True] for name in self._schemas.ordered(schema)}
        types = tuple([name for name in TYPES if name in found])
        if self.kind != "primitive" and found & _COMPOUND and found <= {*_COMPOUND, "null"}:
            raise UndefinedStyle(
                f"OpenAPI does not define how {wanted(types)} within {wanted((self.kind,))} "
                f"is written in a parameter ({CITED}.6)",
                "schema",
            )
        return types

    def _property_types(self) -> tuple[dict[str, Types], Types | None]:
        """The types of each property, and of others; None if others are not allowed."""
        found: dict[str, list[Any]] = {}
        for properties in self._schemas.part(self.schema, "properties"):
            for name, schema in properties.items():
                found.setdefault(name, []).append(schema)
        others = [*self._schemas.part(self.schema, "additionalProperties")]
        allowed = [schema for schema in others if schema is not False]
        for by_name in self._schemas.part(self.schema, "patternProperties"):
            allowed += by_name.values()
        known = {name: self._inner(*schemas) for name, schemas in found.items()}
        return known, None if others and not allowed else self._inner(*allowed)
