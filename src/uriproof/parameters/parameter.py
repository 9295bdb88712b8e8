"""One parameter: where it stands, how it is written, and of which type its value is.

Owns ``Parameter``. Imports styles and schemas. Invariant: what is made once, when the parameter is
declared, does not change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..arguments import flags, strings, strings_or_none, wrong
from ..errors import UriproofError
from ..text.names import or_list
from .schema import Schemas, Types, wanted
from .styles import DEFAULT_STYLE, Shape, shape, styles_of
from .values import LOCATIONS, Location

__all__ = ["CITED", "Parameter", "UndefinedStyle"]

CITED = "OpenAPI 3.1.1 §4.8.12"


class UndefinedStyle(UriproofError, ValueError):
    """A style that its location does not have, or that OpenAPI does not define for the type.

    ``at``: ``style``, ``explode`` or ``schema``, which of them to change.
    """

    def __init__(self, message: str, at: str) -> None:
        self.at = at
        super().__init__(message)


class Parameter:
    """A parameter of a request, declared by hand or by an OpenAPI document.

    ``schema`` is a JSON Schema or the name of a type. ``location``: path, query, header or
    cookie. ``style`` and ``explode`` as in OpenAPI; by default the style of the location, and
    exploded if that is ``form``. ``allow_reserved`` and ``allow_empty`` are OpenAPI's
    ``allowReserved`` and ``allowEmptyValue``. With ``content``, a media type, the value is text in
    that type: JSON is read, another stays as it is.

    Errors: UndefinedStyle; InvalidSchema; ValueError for an unknown location; TypeError;
    ImportError, where keywords of the schema want a library.
    Spec: OpenAPI 3.1.1 §4.8.12.

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
        self.name, self.location = name, location
        self.required = required or location == "path"
        self.allow_empty = allow_empty
        self.schema: Mapping[str, Any] | bool = (
            {"type": schema} if isinstance(schema, str) else schema
        )
        self.content = content
        self._schemas = schemas or Schemas()
        self._schemas.check(self.schema, pointer)
        self.types: Types = self._schemas.ordered(self.schema)
        self.kind = self._kind()
        self.style = style or DEFAULT_STYLE[location]
        self.explode = self.style == DEFAULT_STYLE["query"] if explode is None else explode
        self.shape = self._shape(allow_reserved)
        self.validator = self._schemas.validator(self.schema, pointer)
        self.item_types = self._item_types()
        self.properties, self.other_properties = self._property_types()

    def __repr__(self) -> str:
        return f"Parameter({self.name!r}, {self.location}, {self.style}, explode={self.explode})"

    def _kind(self) -> str:
        """primitive, array or object: how the value is written."""
        simple = [t for t in self.types if t not in ("array", "object")]
        if self.content is not None or simple or not self.types:
            return "primitive"
        return self.types[0]

    def _shape(self, reserved: bool) -> Shape:
        allowed = styles_of(self.location)
        if self.style not in allowed:
            raise UndefinedStyle(
                f"a {self.location} parameter has the style {or_list(allowed)}, "
                f"not {self.style!r} ({CITED})",
                "style",
            )
        found = shape(self.style, self.kind, self.explode, reserved)
        if found is None:
            raise UndefinedStyle(
                f"OpenAPI does not define the style {self.style} with explode "
                f"{str(self.explode).lower()} for {wanted(self.types)} ({CITED}.6)",
                "explode",
            )
        return found

    def _item_types(self) -> Types:
        items = next(self._schemas.part(self.schema, "items"), None)
        return ("string",) if items is None else self._inner(items)

    def _inner(self, schema: Any) -> Types:
        """The types of an item or a property. Errors: UndefinedStyle, if it can only be nested."""
        types = self._schemas.ordered(schema)
        if types and self.kind != "primitive" and {"array", "object"}.issuperset(types):
            raise UndefinedStyle(
                f"OpenAPI does not define how {wanted(types)} within {wanted((self.kind,))} "
                f"is written in a parameter ({CITED}.6)",
                "schema",
            )
        return types

    def _property_types(self) -> tuple[dict[str, Types], Types | None]:
        """The types of each property, and of others; None where others are not allowed."""
        found: dict[str, Types] = {}
        for properties in self._schemas.part(self.schema, "properties"):
            for name, schema in properties.items():
                found.setdefault(name, self._inner(schema))
        others = next(self._schemas.part(self.schema, "additionalProperties"), None)
        if others is False:
            return found, None
        return found, ("string",) if others in (None, True) else self._inner(others)
