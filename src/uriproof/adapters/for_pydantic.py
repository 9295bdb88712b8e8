"""pydantic v2: types of fields, with violations in the errors.

Owns the types and what pydantic asks of them. Imports pydantic (extra ``pydantic``), ``matches``
and the public face. Invariant: a value stays the very string that came in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from .. import Policy, export
from .. import matches as shared
from ..extras import needs
from ..report import Report
from ..text.names import or_list
from ..uri import uri as parsed

with needs("pydantic"):
    from pydantic_core import CoreSchema, PydanticCustomError, core_schema

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler

__all__ = [
    "IRI",
    "URI",
    "URN",
    "AbsoluteURI",
    "HttpURI",
    "IRIReference",
    "Matches",
    "Parsed",
    "ParsedURI",
    "ParsedURIReference",
    "RelativeReference",
    "URIReference",
    "URITemplate",
    "without_input",
]

_FORMATS = {
    ("absolute-URI", "rfc3986"): "uri",
    ("relative-ref", "rfc3986"): "uri-reference",
    ("namestring", "rfc8141"): "uri",
}
"""Of rules that are no formats: the format that has all their texts, and more."""

_PARSED = ("URI", "URI-reference", "absolute-URI")


@dataclass(frozen=True, slots=True)
class Matches(shared.Matches):
    """A field of the type ``str`` that a rule of a grammar accepts, and a policy.

    An error has the type ``uri_syntax``, or ``uri_policy`` if only the policy refuses the text; its
    ``ctx`` is ``Report.details()`` (``rule``, ``grammar``, ``violations``, ``more``), and
    ``summary``. Octets are no text, whatever pydantic's mode. In the JSON Schema there is the
    ``format``, if there is one for the rule, ``maxLength`` of the policy, and with ``pattern`` the
    exported expression of the rule.

    >>> from pydantic import TypeAdapter
    >>> TypeAdapter(Annotated[str, Matches("port")]).validate_python("80")
    '80'
    """

    pattern: bool = False

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return self._after(self._validator(), handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        made = handler(schema)
        rule = self.loaded.rule_name(self.rule)
        format_ = self.format or _FORMATS.get((rule, self.loaded.name))
        if format_:
            made["format"] = format_
        if self.policy.max_length is not None:
            made["maxLength"] = self.policy.max_length
        if self.pattern:
            document = json.loads(export(self.rule, to="json-schema", grammar=self.loaded))
            made |= {key: document[key] for key in ("pattern", "not") if key in document}
        return made

    @staticmethod
    def _after(validate: Callable[[str], str], inner: CoreSchema) -> CoreSchema:
        """The validator after a schema that gives a text, and takes nothing else for one."""
        if inner["type"] == "str":
            text: CoreSchema = {**inner, "strict": True}
        else:
            text = core_schema.chain_schema([inner, core_schema.str_schema(strict=True)])
        return core_schema.no_info_after_validator_function(validate, text)

    def _validator(self) -> Callable[[str], str]:
        match = self.predicate

        def validate(text: str) -> str:
            if match(text):
                return text
            raise _error(self.check(text))

        return validate


@dataclass(frozen=True, slots=True)
class Parsed(Matches):
    """As ``Matches``, but the value is a ``uriproof.URI``: a ``str`` with components as attributes.

    For the rules ``URI``, ``URI-reference`` and ``absolute-URI``. Its text is what came in.

    >>> from pydantic import TypeAdapter
    >>> TypeAdapter(ParsedURI).validate_python("http://Example.com:80/a").host
    'Example.com'
    """

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        rule: Any = self.loaded.rule_name(self.rule)
        if rule not in _PARSED or self.loaded.name != "rfc3986":
            raise ValueError(f"what is parsed must match {or_list(_PARSED)}, not {rule}")
        validate = self._validator()
        return self._after(lambda text: parsed.URI(validate(text), rule), core_schema.str_schema())


URI = Annotated[str, Matches("URI")]
URIReference = Annotated[str, Matches("URI-reference")]
AbsoluteURI = Annotated[str, Matches("absolute-URI")]
RelativeReference = Annotated[str, Matches("relative-ref")]
HttpURI = Annotated[
    str, Matches("URI", policy=Policy(schemes=("http", "https"), require=("host",)))
]
IRI = Annotated[str, Matches("IRI", "rfc3987")]
IRIReference = Annotated[str, Matches("IRI-reference", "rfc3987")]
URITemplate = Annotated[str, Matches("URI-Template", "rfc6570")]
URN = Annotated[str, Matches("namestring", "rfc8141")]
ParsedURI = Annotated[parsed.URI, Parsed("URI")]
ParsedURIReference = Annotated[parsed.URI, Parsed("URI-reference")]


def without_input(errors: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The errors of pydantic or FastAPI without what came in, for it may hold a password.

    >>> without_input([{"type": "uri_syntax", "input": "http://me:secret@h/ "}])
    [{'type': 'uri_syntax'}]
    """
    return [{key: error[key] for key in error if key != "input"} for error in errors]


def _error(report: Report) -> PydanticCustomError:
    kind = "uri_policy" if report.only_policy else "uri_syntax"
    # Last, for pydantic replaces the names in braces one after the other, in what it replaced too.
    context = {**report.details(), "summary": report.summary}
    return PydanticCustomError(kind, "{summary}", context)
