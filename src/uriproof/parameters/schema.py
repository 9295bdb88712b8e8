"""The JSON Schema of a parameter: the types its text is read as, and the other constraints.

Owns the reading of types and defaults, the conversion of one text, and the place where a validator
of JSON Schema is called. Imports formats, the grammar of JSON for numbers, and when a schema has
keywords other than types and formats, the libraries openapi-schema-validator, and jsonschema-rs for
patterns. Invariant: references are followed only within the document, each once; nothing is ever
fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from copy import deepcopy
from functools import cache, lru_cache, partial
from itertools import islice
from math import isfinite
from typing import Any, NamedTuple

from ..grammar import registry
from ..limits import MOST_DETAILS, MOST_NUMBER_DIGITS, MOST_PATTERN_STEPS
from ..text.names import or_list
from .formats import FORMATS, conforms
from .reachable import TYPES, InvalidSchema, check, escaped, look_up

Types = tuple[str, ...]
_ENOUGH = 1000  # schemas: whether more of them say no more than types is not worth the search

_ANNOTATIONS = {"$comment", "title", "description", "default", "deprecated", "example", "examples"}
_ANNOTATIONS |= {"externalDocs", "readOnly", "writeOnly", "xml"}
_BELOW = {"items", "properties"}
_PLAIN = _BELOW | {"$ref", "type", "nullable", "format"}
_SAYS_NO_MORE = _ANNOTATIONS | _PLAIN
"""Keywords that need no validator of JSON Schema: reading a value decides them, or ``_Plain``."""

ABSENT = object()
"""The default of a schema that has none."""


class Schemas:
    """The schemas of one document, or of parameters that are declared by hand."""

    def __init__(self, document: Mapping[str, Any] | None = None, version: str = "3.1") -> None:
        self.document: Mapping[str, Any] = document if document is not None else {}
        self.version = version
        self._resolver: Any = None
        self._known: dict[int, Any] = {}

    def check(self, schema: Any, pointer: str) -> None:
        """Whether the schema, and those that it leads to, can be worked with; before all else.

        Errors: InvalidSchema; ImportError, with how to install the library. Cost: O(their size).
        """
        roots, defaults = check(self.document, schema, pointer, self._known)
        if not self._keywords(schema) <= _SAYS_NO_MORE:
            made = self._library()
            for root, at in roots:
                if isinstance(root, Mapping):
                    _check_by_library(made, root, at)
        for each, at in defaults:
            self.check_default(each, each["default"], at, "/default")
        self._known |= {id(root): root for root, _ in roots[1:]}

    def check_default(self, schema: Any, default: object, pointer: str, at: str = "") -> None:
        """Whether a schema allows a default. Null means none, as in many documents.

        Errors: InvalidSchema, at a place below the pointer of the schema.
        """
        found = failures(self.validator(schema, as_json=True), default)
        if found and default is not None:
            raise InvalidSchema(f"its default is not valid: {found[0].message}", pointer + at)

    def followed(self, schema: Any) -> Iterator[Mapping[str, Any]]:
        """The schema and those it refers to, one by the other, which all apply."""
        while True:
            yield schema
            if "$ref" not in schema:
                return
            schema = look_up(self.document, schema)
            if not isinstance(schema, Mapping):
                schema = {} if schema is True else {"type": []}

    def types(self, schema: Any) -> frozenset[str] | None:
        """The types that a value can have; None if the schema leaves that open.

        Cost: O(number of schemas that apply to a value).
        """
        if not isinstance(schema, Mapping):
            return None if schema is not False else frozenset()
        found: frozenset[str] | None = None
        for part in self.followed(schema):
            found = _both(found, _stated(part))
            values = [part["const"]] if "const" in part else part.get("enum")
            if isinstance(values, list) and values:
                found = _both(found, frozenset(map(_type_of, values)))
            for every in _list(part, "allOf"):
                found = _both(found, self.types(every))
            for keyword in ("anyOf", "oneOf"):
                choices = [self.types(choice) for choice in _list(part, keyword)]
                if choices and None not in choices:
                    union: frozenset[str] = frozenset()
                    found = _both(found, union.union(*[c for c in choices if c is not None]))
            if found is None and "properties" in part:
                found = frozenset({"object"})
            if found is None and not {"items", "prefixItems"}.isdisjoint(part):
                found = frozenset({"array"})
        return found

    def ordered(self, schema: Any) -> Types:
        """The types in the order in which a text is tried as one; a string if all is open."""
        found = self.types(schema)
        return ("string",) if found is None else tuple([t for t in TYPES if t in found])

    def part(self, schema: Any, keyword: str) -> Iterator[Any]:
        """The values of a keyword in a schema, in those it refers to, and in its alternatives."""
        return (part[keyword] for part in self._parts(schema, True) if keyword in part)

    def _parts(self, schema: Any, alternatives: bool = False) -> Iterator[Mapping[str, Any]]:
        """A schema, and those that apply with it to a value that is not null.

        Of alternatives there is one besides null, or with ``alternatives`` each is meant.
        """
        waiting = [schema]
        while waiting:
            top = waiting.pop()
            if not isinstance(top, Mapping):
                continue
            for part in self.followed(top):
                yield part
                waiting += _list(part, "allOf")
                for group in ("anyOf", "oneOf"):
                    choices = _list(part, group)
                    if not alternatives:
                        choices = [c for c in choices if not _is_null(c)]
                    waiting += choices if alternatives or len(choices) == 1 else []

    def default(self, schema: Any) -> Any:
        """A copy of the default of a schema, or ABSENT; null is one only if its type can be null.

        Cost: O(number of schemas that apply to a value).
        """
        for part in self._parts(schema):
            found = part.get("default", ABSENT)
            if found is not ABSENT and (found is not None or "null" in (self.types(part) or ())):
                return deepcopy(found)
        return ABSENT

    def fill(self, schema: Any, value: Any, seen: set[tuple[int, int]] | None = None) -> None:
        """Give the objects in a value the defaults of the properties that they do not have.

        ``seen``: schemas and values that met before, which they can do on many ways. Cost: O(size
        of the value, times that of the schema).
        """
        seen = set() if seen is None else seen
        if not isinstance(value, dict | list) or (id(schema), id(value)) in seen:
            return
        seen.add((id(schema), id(value)))
        for part in self._parts(schema):
            if isinstance(value, list):
                for item in value if "items" in part else ():
                    self.fill(part["items"], item, seen)
                continue
            for name, inner in part.get("properties", {}).items():
                if name in value:
                    self.fill(inner, value[name], seen)
                elif (default := self.default(inner)) is not ABSENT:
                    value[name] = default

    def validator(self, schema: Any, as_json: bool = False) -> Any:
        """A validator of constraints beyond types; None if there are none.

        With ``as_json``, also of types, because the value was not read as its types say. The schema
        was checked. Errors: ImportError, with how to install the library.
        """
        keywords = self._keywords(schema)
        if keywords <= _SAYS_NO_MORE:
            decides = _PLAIN if as_json else {"format"}
            return None if decides.isdisjoint(keywords) else _Plain(self, schema)
        made = self._library()
        from jsonschema import FormatChecker
        from referencing import Registry
        from referencing.jsonschema import DRAFT202012

        if self._resolver is None:  # of references, all of which are in the document
            resource = DRAFT202012.create_resource(dict(self.document))
            self._resolver = Registry().with_resource("", resource).resolver()
        formats = FormatChecker(())
        formats.checkers = {name: (partial(conforms, format=name), ()) for name in FORMATS}
        own = {"registry": Registry(), "_resolver": self._resolver}
        return _Once(made(schema, format_checker=formats, **own))

    def _library(self) -> Any:
        """The class of validators. Errors: ImportError."""
        try:
            return _made(self.version.startswith("3.0"))
        except ImportError:
            raise ImportError(
                "a schema has keywords other than types, which a validator of JSON Schema checks: "
                'pip install "uriproof[openapi]"'
            ) from None

    def _keywords(self, schema: Any) -> set[str]:
        """The keywords of a schema and those below it, until one needs the library."""
        seen: set[int] = set()
        found: set[str] = set()
        waiting = [schema]
        while waiting and found <= _SAYS_NO_MORE:
            top = waiting.pop()
            if top is False or len(seen) > _ENOUGH:
                return {"not"}
            if not isinstance(top, Mapping) or id(top) in seen:
                continue
            seen.add(id(top))
            found.update(key for key in top if not key.startswith("x-"))
            if "$ref" in top:
                waiting.append(look_up(self.document, top))
                if not top.keys().isdisjoint(_BELOW):
                    return {"allOf"}  # two schemas of each part of a value, four of each of those
            waiting += [top.get("items"), *top.get("properties", {}).values()]
        return found


class _Plain(NamedTuple):
    """A validator of schemas that have only types and formats, which needs no library."""

    schemas: Schemas
    schema: Any

    def iter_errors(self, value: Any, path: tuple[str | int, ...] = ()) -> Iterator[Failed]:
        if not isinstance(self.schema, Mapping):
            return
        for part in self.schemas.followed(self.schema):
            types = _stated(part)
            whole = isinstance(value, float) and value.is_integer()  # JSON writes 1 as 1.0, too
            if types is not None and ("integer" if whole else _type_of(value)) not in types:
                yield Failed(path, f'its schema demands "type": {_cut_json(part["type"])}')
            elif not conforms(value, part.get("format")):
                yield Failed.of_format(path, part["format"])
            inner: Mapping[Any, Any] = {}
            if isinstance(value, dict):
                inner = part.get("properties", {})
            elif isinstance(value, list) and "items" in part:
                inner = dict.fromkeys(range(len(value)), part["items"])
            for key, schema in inner.items():
                if isinstance(value, list) or key in value:
                    below = _Plain(self.schemas, schema)
                    yield from below.iter_errors(value[key], (*path, key))


_MOST = MOST_DETAILS + 1  # errors of a value: that there are more is all that is said of others


class _Once(NamedTuple):
    """A validator that compares a part of a value with the schema of a reference only once.

    Otherwise, of two alternatives that lead to the same schema below them, each would do so again:
    twice as often on every level of a value, which its sender chooses.
    """

    validator: Any

    def iter_errors(self, value: object) -> Iterator[Any]:
        token = _compared.set({})
        try:
            yield from list(islice(self.validator.iter_errors(value), _MOST))
        except OverflowError:
            yield Failed((), "a number is too large to be calculated with")
        finally:
            _compared.reset(token)


_compared: ContextVar[dict[tuple[str, int], Any]] = ContextVar("compared")
"""By the reference and the id of the value: its first error, if there is one."""


def _of_reference(validator: Any, reference: str, value: Any, _: Any) -> Iterator[Any]:
    known, key = _compared.get(), (reference, id(value))
    if key in known:
        if (first := known[key]) is not None:
            yield first.create_from(first)
        return
    known[key] = None
    errors = list(islice(validator._validate_reference(ref=reference, instance=value), _MOST))
    known[key] = errors[0].create_from(errors[0]) if errors else None
    yield from errors


def _of_unique(validator: Any, unique: Any, value: Any, schema: Any) -> Iterator[Any]:
    """Without comparing each item with each."""
    if unique and isinstance(value, list):
        from jsonschema import ValidationError
        from jsonschema_rs import Draft202012Validator

        try:
            right = Draft202012Validator({"uniqueItems": True}).is_valid(value)
        except ValueError:  # a default that no request can hold
            right = False
        if not right:
            yield ValidationError("")


def _check_by_library(made: Any, schema: Any, pointer: str) -> None:
    """Compare a schema with the schema of schemas. Errors: InvalidSchema."""
    from jsonschema.exceptions import SchemaError

    try:
        made.check_schema(schema)
    except SchemaError as error:
        at = "".join(f"/{escaped(each)}" for each in error.absolute_path)
        words = f"not a valid schema: JSON Schema requires {_demand(error)}"
        if error.validator == "format" and error.absolute_path[-1] == "pattern":
            words = _NO_PATTERN
        raise InvalidSchema(words, pointer + at) from None
    except RecursionError:
        raise InvalidSchema("it is nested too deeply", pointer) from None


_NO_PATTERN = (
    "this pattern is not supported: expected a regular expression of ECMA-262 with the flag u, "
    "of a limited size"
)


@cache
def _made(old: bool) -> Any:
    """The class of validators of OpenAPI 3.1, or of 3.0 with the types of both.

    That of 3.0 would raise for types that are only known since 3.1; and documents of 3.1, such as
    OpenAI's, still have ``nullable``, and mean it. Patterns are those of ECMA-262, as JSON Schema
    says, not of Python: ``$`` is the end of the text, and ``\\d`` a digit of ASCII. Errors:
    ImportError.
    """
    import jsonschema_rs  # noqa: F401 -- patterns need it
    from jsonschema import FormatChecker, ValidationError
    from jsonschema.validators import extend
    from openapi_schema_validator import OAS30Validator, OAS30WriteValidator, OAS31Validator

    def of_type(validator: Any, types: Any, value: Any, schema: Any) -> Iterator[Any]:
        if value is not None or True not in (schema.get("nullable"), schema.get("x-nullable")):
            yield from OAS31Validator.VALIDATORS["type"](validator, types, value, schema)

    def of_pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Iterator[Any]:
        if isinstance(value, str) and not _matches(pattern, value):
            yield ValidationError("")

    def of_patterns(validator: Any, patterns: Any, value: Any, schema: Any) -> Iterator[Any]:
        for name in value if isinstance(value, Mapping) else ():
            for pattern, inner in patterns.items():
                if _matches(pattern, name):
                    yield from validator.descend(value[name], inner, path=name)

    def of_others(validator: Any, inner: Any, value: Any, schema: Any) -> Iterator[Any]:
        patterns = schema.get("patternProperties", ())
        for name in value if isinstance(value, Mapping) else ():
            named = name in schema.get("properties", ())
            if named or any(_matches(pattern, name) for pattern in patterns):
                continue
            if inner is False:  # or the error would be without a keyword
                yield ValidationError("")
            else:
                yield from validator.descend(value[name], inner, path=name)

    base = OAS30Validator if old else OAS31Validator
    formats = FormatChecker(())
    formats.checkers = {**base.FORMAT_CHECKER.checkers, "regex": (_is_pattern, ValueError)}
    own: dict[str, Any] = {"pattern": of_pattern, "additionalProperties": of_others}
    own |= {"$ref": _of_reference, "uniqueItems": _of_unique, "type": of_type}
    own |= {} if old else {"patternProperties": of_patterns}
    if old:  # discriminator is a hint, whose values would be looked up in the document
        own |= {key: OAS31Validator.VALIDATORS[key] for key in ("allOf", "anyOf", "oneOf")}
        own["required"] = OAS30WriteValidator.VALIDATORS["required"]  # but readOnly properties
    made: Any = extend(base, own, type_checker=OAS31Validator.TYPE_CHECKER)
    made.check_schema = partial(base.check_schema, format_checker=formats)  # which knows 3.1
    return made


@lru_cache(256)
def _pattern(pattern: str) -> Any:
    """A matcher of a pattern. Errors: ValueError, if it is not one of ECMA-262."""
    from jsonschema_rs import Draft202012Validator, FancyRegexOptions

    bounded = FancyRegexOptions(backtrack_limit=MOST_PATTERN_STEPS)
    return Draft202012Validator({"pattern": pattern}, pattern_options=bounded).is_valid


def _is_pattern(value: object) -> bool:
    return not isinstance(value, str) or callable(_pattern(value))


def _matches(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a text; a lone surrogate is U+FFFD."""
    return bool(_pattern(pattern)(text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")))


class Failed(NamedTuple):
    """A keyword that does not hold: the place in the value, and words without the value.

    ``format``: the format that the value does not conform to.
    """

    path: tuple[str | int, ...]
    message: str
    format: str = ""

    @classmethod
    def of_format(cls, path: tuple[str | int, ...], format: str) -> Failed:
        """A value that does not conform to a format."""
        return cls(path, f'expected {FORMATS[format].words} ("format": "{format}")', format)


def failures(validator: Any, value: object) -> list[Failed]:
    """The errors of a validator of JSON Schema about a value, without the value itself.

    At most 21 are looked for, so that a wrong value takes no longer than a right one.
    """
    if validator is None:
        return []
    try:
        errors = islice(validator.iter_errors(value), _MOST)
        return [each for error in errors for each in _failed(error)]
    except RecursionError:
        return [Failed((), "the value is nested too deeply for its schema")]


def _failed(error: Any) -> Iterator[Failed]:
    """An error in words; of alternatives, those of the only one that has the type of the value."""
    if isinstance(error, Failed):
        yield error
        return
    inner: dict[Any, list[Any]] = {}
    for each in error.context or ():
        # An alternative that is false has no path.
        inner.setdefault(next(iter(each.schema_path), None), []).append(each)
    near = [each for each in inner.values() if not any(_is_of_type(error) for error in each)]
    path = tuple(error.absolute_path)
    if len(near) == 1:
        for each in near[0]:
            yield from _failed(each)
    elif error.validator == "format":
        yield Failed.of_format(path, error.validator_value)
    else:
        yield Failed(path, f"its schema demands {_demand(error)}")


def _is_of_type(error: Any) -> bool:
    """Whether the value itself, and no part of it, is of another type, or the schema false."""
    return (error.validator == "type" or not error.schema_path) and not error.path


def _demand(error: Any) -> str:
    """The keyword that does not hold, and its value, as far as it is short."""
    if error.validator is None:  # a schema is false
        return "that it, or a part of it, is absent"
    return f'"{error.validator}": {_cut_json(error.validator_value)}'


def _cut_json(value: object) -> str:
    """A value of a schema as JSON, as far as it is short."""
    from json import JSONEncoder

    encoder = JSONEncoder(ensure_ascii=False, check_circular=False, skipkeys=True, default=str)
    found = ""
    for piece in encoder.iterencode(value):
        found += piece
        if len(found) > _SHOWN:
            return f"{found[:_SHOWN]}..."
    return found


_SHOWN = 60  # characters of the value of a keyword


def _is_null(schema: Any) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") in ("null", ["null"])


def _list(schema: Mapping[str, Any], keyword: str) -> list[Any]:
    found = schema.get(keyword)
    return found if isinstance(found, list) else []


def _stated(schema: Mapping[str, Any]) -> frozenset[str] | None:
    """The types of ``type`` and of ``nullable`` (3.0, or 2.0); None if there is no ``type``."""
    stated = schema.get("type")
    if not isinstance(stated, str | list):
        return None
    nullable = True in (schema.get("nullable"), schema.get("x-nullable"))
    more = ["null"] * nullable + ["integer"] * ("number" in stated)
    return frozenset([*([stated] if isinstance(stated, str) else stated), *more])


def _both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


_KINDS = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}


def _type_of(value: object) -> str:
    if value is None:
        return "null"
    return next((name for kind, name in _KINDS.items() if isinstance(value, kind)), "object")


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
        if len(text) <= MOST_NUMBER_DIGITS:
            if kind == "integer" and _json("int")(text.removeprefix("-")):
                return int(text)
            if kind == "number" and _json("number")(text):
                value = float(text)
                if isfinite(value):
                    return value
    limit = (
        "" if len(text) <= MOST_NUMBER_DIGITS else f" of at most {MOST_NUMBER_DIGITS:,} characters"
    )
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
