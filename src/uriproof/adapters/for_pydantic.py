"""pydantic v2: types of fields, with violations in the errors.

Owns the types and what pydantic asks of them. Imports pydantic (extra ``pydantic``), ``matches``
and the public face. Invariant: a value stays the very string that came in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from .. import Policy
from ..extras import needs
from ..matches import Matches
from ..text.names import or_list
from ..uri import uri as parsed

with needs("pydantic"):
    from pydantic_core import CoreSchema, core_schema

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler

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

_PARSED = ("URI", "URI-reference", "absolute-URI")


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
        schema = core_schema.str_schema()
        return self._schema(str, lambda _: schema, lambda text: parsed.URI(validate(text), rule))


URI = Annotated[str, Matches("URI")]
URIReference = Annotated[str, Matches("URI-reference")]
AbsoluteURI = Annotated[str, Matches("absolute-URI")]
RelativeReference = Annotated[str, Matches("relative-ref")]
HttpURI = Annotated[
    str,
    Matches(
        "URI",
        # As pydantic's HttpUrl, whose limit is that of the old Internet Explorer; in code points.
        policy=Policy(schemes=("http", "https"), require=("host",), max_length=2083),
    ),
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
