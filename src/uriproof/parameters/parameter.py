"""One parameter: where it stands, how it is written, and what its value is.

Owns ``Parameter``, and the way from the spans of its text to a value. Imports styles and schemas.
Invariant: what is made once, when the parameter is declared, does not change; a span of the raw
text is decoded after it was split, never before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..arguments import flags, strings, strings_or_none, wrong
from ..grammar import registry
from ..percent.decode import decode, read
from ..percent.errors import DecodeError
from ..records import NamedTuple
from ..text.names import or_list
from ..validate.report import make_report
from .schema import Schemas, Types, convert, failures, wanted
from .styles import DEFAULT_STYLE, GRAMMAR, Shape, Span, shape, styles_of
from .values import LOCATIONS, Location, ParameterViolation, grammatical

__all__ = ["Item", "Parameter", "Place", "UndefinedStyle"]

_CITED = "OpenAPI 3.1.1 §4.8.12"


class UndefinedStyle(ValueError):
    """A style that its location does not have, or that OpenAPI does not define for the type.

    ``at``: ``style``, ``explode`` or ``schema``, which of them to change.
    """

    def __init__(self, message: str, at: str) -> None:
        self.at = at
        super().__init__(message)


class Item(NamedTuple):
    """One value in the raw text; in an object with the name of its property, raw or decoded."""

    name: Span | None
    value: Span
    key: str | None = None


class Place(NamedTuple):
    """The raw text of a location, and how it is read: what the parts of a reading share."""

    location: Location
    text: str
    strict: bool
    violations: list[ParameterViolation]

    @property
    def is_form(self) -> bool:
        """Whether a plus sign is a space, as in form data."""
        return self.location == "query" and not self.strict

    def blame(self, name: str, span: Span, code: str, message: str, section: str = "") -> None:
        """Add a violation that is not one of a grammar."""
        found = ParameterViolation(self.location, name, *span, code, message, section=section)
        self.violations.append(found)

    def decoded(self, name: str, span: Span) -> str | None:
        """A span decoded; None, with violations, if its octets are no text in UTF-8."""
        text = self.text[span[0] : span[1]]
        if self.location == "header" and not self.strict:
            return text.strip(" \t")  # OWS around the elements of a list (RFC 9110 §5.6.1)
        form = self.is_form
        try:
            return read(text.replace("+", " ") if form and "+" in text else text, "utf-8")
        except UnicodeError:
            pass  # what exactly is wrong takes a longer look
        try:
            return decode(text, form=form)
        except DecodeError as error:
            for fault in error.faults:
                at = span[0] + fault.start, span[0] + fault.end
                self.blame(name, at, "parameter-encoding", fault.message)
        return None


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
        self._validator = self._schemas.validator(self.schema, pointer)
        self._items = self._item_types()
        self.properties, self._other_properties = self._property_types()

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
                f"not {self.style!r} ({_CITED})",
                "style",
            )
        found = shape(self.style, self.kind, self.explode, reserved)
        if found is None:
            raise UndefinedStyle(
                f"OpenAPI does not define the style {self.style} with explode "
                f"{str(self.explode).lower()} for {wanted(self.types)} ({_CITED}.6)",
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
                f"is written in a parameter ({_CITED}.6)",
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

    @property
    def takes_any(self) -> bool:
        """Whether an object has properties of any name."""
        return self._other_properties is not None

    def value(self, place: Place, items: list[Item], whole: Span) -> tuple[bool, Any]:
        """Whether the value in these spans is right, and if so the value; violations are added."""
        before = len(place.violations)
        if self.content is not None or self.kind == "primitive":
            value, spans = self._primitive(place, items[0].value)
        elif self.kind == "array":
            value, spans = self._array(place, items)
        else:
            value, spans = self._object(place, items)
        if len(place.violations) == before and self._validator is not None:
            for failed in failures(self._validator, value):
                span = spans.get(failed.path[0], whole) if failed.path else whole
                place.blame(self.name, span, "parameter-schema", failed.message)
        return len(place.violations) == before, value

    def _primitive(self, place: Place, span: Span) -> tuple[Any, dict[Any, Span]]:
        if self.allow_empty and span[0] == span[1]:
            return "", {}
        if self.content is not None:
            return self._in_media_type(place, span), {}
        return self._converted(place, span, self.types), {}

    def _in_media_type(self, place: Place, span: Span) -> Any:
        text = place.decoded(self.name, span)
        subtype = (self.content or "").partition(";")[0].strip().lower()
        if text is None or not subtype.endswith(("/json", "+json")):
            return text
        import json

        try:
            return json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            place.blame(self.name, span, "parameter-type", f"expected JSON ({self.content})")
        return None

    def _array(self, place: Place, items: list[Item]) -> tuple[list[Any], dict[Any, Span]]:
        spans = {at: item.value for at, item in enumerate(items)}
        return [self._converted(place, item.value, self._items) for item in items], spans

    def _object(self, place: Place, items: list[Item]) -> tuple[dict[str, Any], dict[Any, Span]]:
        value: dict[str, Any] = {}
        spans: dict[Any, Span] = {}
        for item in items:
            if item.name is None:
                message = "a property without a value: names and values are written in turn"
                place.blame(self.name, item.value, "parameter-type", message, _CITED)
                continue
            name = item.key
            if name is None and (name := place.decoded(self.name, item.name)) is None:
                continue
            if name in value:
                message = "this property was given before"
                place.blame(self.name, item.name, "parameter-repeated", message)
                continue
            types = self.properties.get(name, self._other_properties)
            if types is None:
                message = "its schema has no property of this name"
                place.blame(self.name, item.name, "parameter-schema", message)
                continue
            value[name] = self._converted(place, item.value, types)
            spans[name] = item.value
        return value, spans

    def _converted(self, place: Place, span: Span, types: Types) -> Any:
        text = place.decoded(self.name, span)
        if text is None:
            return None
        try:
            return convert(text, types)
        except ValueError as error:
            place.blame(self.name, span, "parameter-type", str(error))
        return None

    def follows_style(self, place: Place, span: Span) -> bool:
        """Whether the raw text in a span is what the grammar of the style allows."""
        compiled = registry.load(GRAMMAR)
        start, end = span
        text = place.text[start:end]
        if compiled.matcher(self.shape.rule)(text):
            return True
        for found in make_report(compiled, text, self.shape.rule).violations:
            place.violations.append(grammatical(place.location, self.name, found, start))
        return False

    def spans(self, place: Place, start: int, end: int) -> list[Item] | None:
        """The items of a value that stands by itself: in a path, a header or a cookie.

        None, with a violation, if the prefix or the name is missing.
        """
        text, shape = place.text, self.shape
        if not text.startswith(shape.prefix, start, end):
            where = f'the style {self.style} begins with "{shape.prefix}"'
            place.blame(self.name, (start, start), "parameter-type", where, _CITED)
            return None
        start += len(shape.prefix)
        if not shape.named:
            return self.items(place, start, end)
        pieces = shape.split(text, start, end) if shape.repeated else [(start, end)]
        items: list[Item] = []
        for first, last in pieces:
            middle = text.find(shape.equals, first, last)
            middle = last if middle < 0 else middle
            name = first, middle
            value = min(middle + len(shape.equals), last), last
            if self.kind == "object" and shape.repeated:
                items.append(Item(name, value))
            elif place.decoded(self.name, name) != self.name:
                place.blame(self.name, name, "parameter-type", "expected the parameter's name")
                return None
            else:
                items += [Item(None, value)] if shape.repeated else self.items(place, *value)
        return items

    def items(self, place: Place, start: int, end: int) -> list[Item]:
        """The items of a value without its name."""
        text = place.text
        spans = self.shape.split(text, start, end, form=place.is_form)
        if self.kind != "object":
            return [Item(None, span) for span in spans]
        if self.shape.delimiter == self.shape.separator:
            turns = zip(spans[::2], [*spans[1::2], None][: len(spans[::2])], strict=True)
            return [
                Item(None, name) if value is None else Item(name, value) for name, value in turns
            ]
        return [self._pair(text, span) for span in spans]

    def _pair(self, text: str, span: Span) -> Item:
        start, end = span
        middle = text.find(self.shape.delimiter, start, end)
        if middle < 0:
            return Item(None, span)
        return Item((start, middle), (middle + len(self.shape.delimiter), end))


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
