"""What a field of a data model is validated against, as all adapters understand it.

Owns ``Matches``. Imports the public face, policies and exports; pydantic only when pydantic asks.
Invariant: it is immutable; an unknown rule or grammar is an error when it is made, and a type that
is not text an error when the model is made, not when the first text comes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType, NoneType, UnionType
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
)

from .api import Grammar
from .arguments import flags, strings, wrong
from .extras import needs
from .policy import Policy, require_applicable
from .report import MOST_DETAILS, InvalidURI, Report

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema, ValidationError

__all__ = ["FORMATS", "Matches", "require_text"]

FORMATS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "uri": ("URI", "rfc3986"),
        "uri-reference": ("URI-reference", "rfc3986"),
        "iri": ("IRI", "rfc3987"),
        "iri-reference": ("IRI-reference", "rfc3987"),
        "uri-template": ("URI-Template", "rfc6570"),
    }
)
"""The formats of JSON Schema, each with its rule and grammar (JSON Schema Validation §7.3.5)."""

_CONTAINED = {
    ("absolute-URI", "rfc3986"): "uri",
    ("relative-ref", "rfc3986"): "uri-reference",
    ("namestring", "rfc8141"): "uri",
}
"""Of rules that are no formats: the format that has all their texts, and more."""


@dataclass(frozen=True, slots=True)
class Matches:
    """A rule of a grammar, and a policy: ``Annotated[str, Matches("URI")]``.

    pydantic and what is built on it (FastAPI, pydantic-settings, SQLModel) validate such a
    field; for other frameworks there are ``uriproof.adapters``. A framework that has no adapter
    ignores the annotation. None passes where the type admits it (``str | None``); a type that is
    not text is a TypeError when the model is made.

    An error of pydantic has the type ``uri_syntax``, or ``uri_policy`` if only the policy refuses
    the text; its ``ctx`` is ``Report.details()`` and ``summary``; its ``input`` has asterisks for
    a password. In the JSON Schema there is the ``format``, if there is one for the rule,
    ``maxLength`` of the policy, and with ``pattern`` the exported expression of the rule.

    Errors: UnknownRule, UnknownGrammar; ValueError for a policy that cannot be applied to the
    rule; TypeError.

    >>> https = Matches("URI", policy=Policy(schemes=["https"]))
    >>> https.is_valid("https://example.com/"), https.is_valid("http://example.com/")
    (True, False)
    """

    rule: str = "URI"
    grammar: str | Grammar = "rfc3986"
    policy: Policy = field(default_factory=Policy)
    pattern: bool = False

    def __post_init__(self) -> None:
        strings(rule=self.rule)
        if not isinstance(self.grammar, str | Grammar):
            raise wrong("grammar", self.grammar, "a str or a Grammar")
        if not isinstance(self.policy, Policy):
            raise wrong("policy", self.policy, "a Policy")
        flags(pattern=self.pattern)
        require_applicable(self.policy, self.loaded, self.rule)

    @property
    def loaded(self) -> Grammar:
        """The grammar itself."""
        return Grammar.load(self.grammar) if isinstance(self.grammar, str) else self.grammar

    @property
    def format(self) -> str | None:
        """The format of JSON Schema that has exactly this rule, if there is one."""
        for name, subject in FORMATS.items():
            if subject == (self.loaded.rule_name(self.rule), self.loaded.name):
                return name
        return None

    @property
    def predicate(self) -> Callable[[str], object]:
        """``is_valid`` for many texts; see ``Policy.predicate``."""
        return self.policy.predicate(self.rule, self.loaded)

    def is_valid(self, text: str) -> bool:
        """True if the rule and the policy allow the text. Errors: TypeError. Cost: O(n)."""
        return self.policy.is_valid(text, self.rule, self.loaded)

    def check(self, text: str, most: int | None = MOST_DETAILS) -> Report:
        """The report of a text, with at most so many violations explained, so that work is bounded.

        Of an invalid text of more than 16,384 code points only the length is reported, unless
        ``most`` is None. Errors: TypeError. Cost: O(n), for such a text no more than reading it.
        """
        return self.policy.check(text, self.rule, self.loaded, most=most)

    def require(self, text: str) -> str:
        """The same text. Errors: InvalidURI, for what is not allowed; TypeError. Cost: O(n)."""
        if self.is_valid(text):
            return text
        raise InvalidURI(self.check(text))

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return self._schema(source, handler, self._validator())

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        made = handler(schema)
        rule = self.loaded.rule_name(self.rule)
        extra: dict[str, Any] = {}
        format_ = self.format or _CONTAINED.get((rule, self.loaded.name))
        if format_:
            extra["format"] = format_
        if self.policy.max_length is not None:
            extra["maxLength"] = self.policy.max_length
        if self.pattern:
            import json

            from .grammars import export

            document = json.loads(export(self.rule, to="json-schema", grammar=self.loaded))
            extra |= {key: document[key] for key in ("pattern", "not") if key in document}
        for one in made.get("anyOf", [made]):  # of a text that may be None, the text
            if one.get("type") != "null":
                one.update(extra)
        return made

    def _schema(
        self, source: Any, handler: Callable[[Any], CoreSchema], validate: Callable[[Any], Any]
    ) -> CoreSchema:
        """Octets are not text, whatever pydantic's mode. Errors: TypeError for another type."""
        with needs("pydantic"):
            from pydantic_core import core_schema

        if isinstance(source, Matches):
            raise TypeError("Matches(...) is not a type: write Annotated[str, Matches(...)]")
        inner = handler(source)
        if not inner["type"].startswith("function-"):  # which may make a text of anything
            require_text(source)
        return core_schema.no_info_after_validator_function(validate, _strict(inner))

    def _validator(self) -> Callable[[Any], Any]:
        match = self.predicate

        def validate(text: Any) -> Any:
            if isinstance(text, str):
                if match(text):
                    return text
                raise _refused(self.check(text))
            if text is None:
                return text
            from pydantic_core import PydanticKnownError

            raise PydanticKnownError("string_type")

        return validate


def require_text(annotation: Any) -> None:
    """That texts, and None, are all that a type admits. Errors: TypeError. Cost: O(n) for n parts.

    What is not known when a model is made, such as a type variable, is looked at with each value.

    >>> require_text(str | None)
    >>> require_text(bytes)
    Traceback (most recent call last):
    ...
    TypeError: Matches is for text, not for bytes: write Annotated[str, Matches(...)]
    """
    if not _is_text(annotation):
        parts = bool(get_args(annotation))
        shown = annotation if parts else getattr(annotation, "__name__", annotation)
        words = "annotate the text in it, as in" if parts else "write"
        raise TypeError(
            f"Matches is for text, not for {shown}: {words} Annotated[str, Matches(...)]"
        )


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
    """The schema, with octets refused where a text may stand."""
    if schema["type"] == "str":
        return {**schema, "strict": True}
    if schema["type"] == "union":
        return {**schema, "choices": [_strict(one) for one in schema["choices"]]}
    if schema["type"] in ("nullable", "default", "function-after"):
        return {**schema, "schema": _strict(schema["schema"])}
    return schema


def _refused(report: Report) -> ValidationError:
    """What pydantic reports as it is, at the place of the field: with a masked input."""
    from pydantic_core import PydanticCustomError, ValidationError

    kind = "uri_policy" if report.only_policy else "uri_syntax"
    # Last, for pydantic replaces the names in braces one after the other, in what it replaced too.
    context = {**report.details(), "summary": report.summary}
    error = PydanticCustomError(kind, "{summary}", context)
    details: Any = {"type": error, "input": report.masked().text}
    return ValidationError.from_exception_data(report.rule, [details])
