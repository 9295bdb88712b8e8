"""Fields of data models that are annotated with a ``Rule``: in pydantic, and in any class.

Owns what pydantic is told about such a field, and the reading of annotations for the frameworks
that do not read them. Imports the public face; pydantic only when pydantic asks. Invariant: a value
stays the very string that came in; a type that is not text is an error when the model is made, not
when the first text comes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import wraps
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ForwardRef,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)
from weakref import WeakKeyDictionary, WeakSet

from .extras import needs
from .grammar.errors import GrammarLimit
from .limits import MOST_DETAILS
from .report import InvalidURI, Report
from .rule import FORMATS, Rule, check_bounded
from .text.names import or_list
from .uri.uri import URI

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema, ValidationError

_CONTAINED = {
    ("absolute-URI", "rfc3986"): "uri",
    ("relative-ref", "rfc3986"): "uri-reference",
    ("namestring", "rfc8141"): "uri",
}
"""For rules that are not formats: the format that includes all their texts."""

_PARSED = ("URI", "URI-reference", "absolute-URI")
_NOT_A_TYPE = "Rule(...) is not a type: write Annotated[str, Rule(...)]"


def core_schema(rule: Rule, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """The schema of a field for pydantic: the text, or a ``uriproof.URI`` if that is the type.

    An error has the type ``uri_syntax``, or ``uri_policy`` if only the policy refuses the text; its
    ``ctx`` is ``Report.details()`` and ``summary``; its ``input`` has asterisks for a password.
    Octets are not text, whatever pydantic's mode. Errors: TypeError for a type that is not text;
    ValueError for a ``URI`` of another rule than those that it can have.
    """
    with needs("pydantic"):
        from pydantic_core import core_schema as made

    validate = _validator(rule)
    if source is URI:
        kind: Any = rule.name
        if kind not in _PARSED or rule.grammar.name != "rfc3986":
            raise ValueError(f"a URI is of the rule {or_list(_PARSED)}, not of {kind}")
        text = made.str_schema(strict=True)
        return made.no_info_after_validator_function(lambda one: URI(validate(one), kind), text)
    if isinstance(source, Rule):
        raise TypeError(_NOT_A_TYPE)
    inner = handler(source)
    if not inner["type"].startswith("function-"):  # which can turn anything into a text
        require_text(source)
    return made.no_info_after_validator_function(validate, _strict(inner))


def json_schema(rule: Rule, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
    """The JSON Schema of a field: that of its type, with the keywords of the rule."""
    made = handler(schema)
    for one in made.get("anyOf", [made]):  # of an optional text, the text
        if one.get("type") != "null":
            one.update(keywords(rule))
    return made


def keywords(rule: Rule) -> dict[str, Any]:
    """The keywords of JSON Schema that a rule has: ``format``, if there is one, and ``maxLength``.

    >>> keywords(Rule()), keywords(Rule("host"))
    ({'format': 'uri'}, {})
    """
    subject = (rule.name, rule.grammar.name)
    formats = {of: name for name, of in FORMATS.items()} | _CONTAINED
    extra: dict[str, Any] = {"format": formats[subject]} if subject in formats else {}
    if rule.policy is not None and rule.policy.max_length is not None:
        extra["maxLength"] = rule.policy.max_length
    return extra


def constraint_pattern(rule: Rule) -> str:
    """The expression of a rule for a CHECK constraint, of PostgreSQL and of SQLite with Python.

    It has only the grammar, not a query grammar, scheme rules or a policy. Errors: GrammarLimit for
    a rule without one.
    """
    found = Rule(rule.name, grammar=rule.grammar).pattern("postgres")
    if found is None:
        raise GrammarLimit(f"PostgreSQL has no regular expression for {rule.name}")
    # Both read \\Z as the end of the text; "$" is also before a last line feed in SQLite's case,
    # where Python reads the expression.
    return found.removesuffix("$") + r"\Z"


def _validator(rule: Rule) -> Callable[[Any], Any]:
    def validate(text: Any) -> Any:
        if isinstance(text, str):
            if rule.is_valid(text):
                return text
            raise _refused(check_bounded(rule, text))
        if text is None:
            return text
        from pydantic_core import PydanticKnownError

        raise PydanticKnownError("string_type")

    return validate


def require_text(annotation: Any) -> None:
    """Check that a type admits only texts and None. Errors: TypeError. Cost: O(n) for n parts.

    Types that are unknown when a model is made, such as a type variable, are checked later.

    >>> require_text(str | None)
    >>> require_text(bytes)
    Traceback (most recent call last):
    ...
    TypeError: Rule is for text, not for bytes: write Annotated[str, Rule(...)]
    """
    if not _is_text(annotation):
        parts = bool(get_args(annotation))
        shown = annotation if parts else getattr(annotation, "__name__", annotation)
        words = "annotate the text in it, as in" if parts else "write"
        raise TypeError(f"Rule is for text, not for {shown}: {words} Annotated[str, Rule(...)]")


def _is_text(annotation: Any) -> bool:
    if annotation in (Any, object, str, None, NoneType):
        return True
    if isinstance(annotation, str | ForwardRef | TypeVar):
        return True
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return any(one is not NoneType for one in arguments) and all(map(_is_text, arguments))
    if origin is Annotated:
        return _is_text(arguments[0])
    if origin is Literal:
        return all(one is None or isinstance(one, str) for one in arguments)
    for of in ("__value__", "__supertype__"):  # of ``type`` and of NewType
        if hasattr(annotation, of):
            return _is_text(getattr(annotation, of))
    return isinstance(annotation, type) and issubclass(annotation, str)


def _strict(schema: Any) -> Any:
    """The schema, with bytes rejected in place of a text."""
    if schema["type"] == "str":
        return {**schema, "strict": True}
    if schema["type"] == "union":
        return {**schema, "choices": [_strict(one) for one in schema["choices"]]}
    if schema["type"] in ("nullable", "default", "function-after"):
        return {**schema, "schema": _strict(schema["schema"])}
    return schema


def _refused(report: Report) -> ValidationError:
    """An error that pydantic reports unchanged, at the place of the field: with a masked input."""
    from pydantic_core import PydanticCustomError, ValidationError

    kind = "uri_policy" if report.only_policy else "uri_syntax"
    # Last, because pydantic replaces the names in braces one by one, also inside replacements.
    context = {**report.details(), "summary": report.summary}
    error = PydanticCustomError(kind, "{summary}", context)
    details: Any = {"type": error, "input": report.masked().text}
    return ValidationError.from_exception_data(report.rule, [details])


class InvalidFields(InvalidURI):
    """Raised by ``check_fields``: ``reports`` has a report for each invalid text, by place.

    ``report`` is the first of them.
    """

    reports: Mapping[str, Report]

    def __init__(self, reports: Mapping[str, Report]) -> None:
        self.reports = reports
        super().__init__(next(iter(reports.values())))
        self.args: tuple[Any, ...] = (reports,)

    def __str__(self) -> str:
        return "; ".join(f"{place}: {report.summary}" for place, report in self.reports.items())


def check_fields(self: object) -> None:
    """Validate the fields of an object whose annotations have a ``Rule``; see ``Checked``.

    It also checks texts in lists, tuples, sets, mappings and unions; None and values that are not
    text are left to the framework.

    Errors: InvalidFields, a ValueError, for which msgspec raises its ValidationError; it lists the
    first of many; TypeError for a ``Rule`` on a type that is not text. Cost: O(n); annotations
    are read once for each class.
    """
    kind: Any = type(self)
    check_values(
        {name: (hint, getattr(self, name, None)) for name, hint in annotated(kind).items()}
    )


def unchecked(kind: object) -> bool:
    """Whether a class of fields, not of pydantic, has a ``Rule`` and nothing that checks it.

    Errors: TypeError for a ``Rule`` on a type that is not text.
    """
    if not any(hasattr(kind, name) for name in _OF_FIELDS) or hasattr(kind, "__pydantic_fields__"):
        return False
    try:
        return not (set(_MADE) & set(dir(kind))) and bool(annotated(kind))
    except NameError:  # it has annotations for type checkers alone, as classes of libraries do
        return False


_OF_FIELDS: tuple[str, ...] = ("__struct_fields__", "__attrs_attrs__", "__dataclass_fields__")
_OF_FIELDS += ("__total__", "_fields")  # of a TypedDict, of a NamedTuple
_MADE = ("__post_init__", "__attrs_post_init__")

_made: Callable[..., None] = lambda self, *_: check_fields(self)  # noqa: E731 -- of any signature


class Checked:
    """A base of classes of msgspec, attrs and dataclasses: objects are validated when made.

    Subclasses can have a ``__post_init__`` or ``__attrs_post_init__`` of their own: their fields
    are validated after it, whether or not it calls that of the base class. Errors and cost: those
    of ``check_fields``.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Hook(Checked):
    ...     url: Annotated[str, Rule("URI")]
    >>> Hook("http://h/a b")
    Traceback (most recent call last):
    ...
    uriproof.fields.InvalidFields: url: not a valid URI: path 10: A space is not allowed in a path.
    """

    __slots__ = ()

    __post_init__ = __attrs_post_init__ = _made

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in _MADE:
            own = getattr(cls, name)
            if own not in _checking:  # its own, or that of a base before this one
                setattr(cls, name, _then_checked(own))


def _then_checked(own: Callable[..., None]) -> Callable[..., None]:
    @wraps(own)
    def made(self: object, *values: object) -> None:
        own(self, *values)
        check_fields(self)

    _checking.add(made)
    return made


_checking: WeakSet[Callable[..., None]] = WeakSet([_made])


def with_validators(kind: type, fields: Iterable[Any]) -> list[Any]:
    """For attrs: ``attrs.define(field_transformer=with_validators)`` validates annotated fields.

    It does when the object is made and when a field is set. Errors and cost: those of
    ``check_fields``.
    """
    return [one.evolve(validator=_and_checked(one.validator)) for one in fields]


def _and_checked(first: Callable[[Any, Any, Any], None] | None) -> Callable[..., None]:
    def validate(self: object, attribute: Any, value: Any) -> None:
        if first is not None:
            first(self, attribute, value)
        known = annotated(type(self))
        if attribute.name in known:
            check_values({attribute.name: (known[attribute.name], value)})

    return validate


def check_values(values: Mapping[str, tuple[Any, Any]]) -> None:
    """Validate values by name, each with its annotation. Errors and cost: as ``check_fields``."""
    wrong: dict[str, Report] = {}
    for name, (annotation, value) in values.items():
        for place, rule, text in _texts(name, annotation, value):
            if not rule.is_valid(text):
                wrong[place] = check_bounded(rule, text)
                if len(wrong) == MOST_DETAILS:
                    raise InvalidFields(wrong)
    if wrong:
        raise InvalidFields(wrong)


_known: WeakKeyDictionary[Any, Mapping[str, Any]] = WeakKeyDictionary()


def annotated(kind: Any) -> Mapping[str, Any]:
    """The annotations of a class or a function that have a ``Rule``, as long as it lives."""
    found = _known.get(kind)
    if found is None:
        hints = get_type_hints(kind, include_extras=True)
        found = {name: hint for name, hint in hints.items() if has_rule(hint)}
        _known[kind] = found
    return found


def has_rule(hint: Any) -> bool:
    """Whether an annotation has a ``Rule`` somewhere. Errors: TypeError if it is not on text."""
    if get_origin(hint) is Annotated and any(isinstance(one, Rule) for one in get_args(hint)):
        require_text(get_args(hint)[0])
        return True
    if isinstance(hint, Rule):
        raise TypeError(_NOT_A_TYPE)
    return any(map(has_rule, get_args(hint)))


def _texts(place: str, hint: Any, value: Any) -> Iterator[tuple[str, Rule, str]]:
    """The texts in a value, each with its place and the rule it is validated against."""
    if get_origin(hint) is Annotated:
        inner, *extras = get_args(hint)
        if isinstance(value, str):
            yield from ((place, one, value) for one in extras if isinstance(one, Rule))
        yield from _texts(place, inner, value)
        return
    arguments = [one for one in get_args(hint) if has_rule(one)]
    for one in arguments:
        if isinstance(value, str) or not isinstance(value, Collection):
            yield from _texts(place, one, value)
        elif isinstance(value, Mapping):
            is_value = get_args(hint)[-1] is one
            for key, item in value.items():
                yield from _texts(f"{place}[…]", one, item if is_value else key)
        else:
            for number, item in enumerate(value):
                yield from _texts(f"{place}[{number}]", one, item)
