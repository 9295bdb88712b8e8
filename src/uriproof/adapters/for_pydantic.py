"""pydantic v2: types of fields, with violations in the errors.

Owns the types. Imports pydantic (extra ``pydantic``) and the public face. Invariant: a value stays
the very string that came in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from .. import Policy
from ..extras import needs
from ..rule import Rule
from ..uri import uri as parsed

with needs("pydantic"):
    import pydantic_core  # noqa: F401 -- its absence is an error here, not in a model

__all__ = [
    "IRI",
    "URI",
    "URN",
    "AbsoluteURI",
    "HttpURI",
    "IRIReference",
    "ParsedURI",
    "ParsedURIReference",
    "RelativeReference",
    "URIReference",
    "URITemplate",
    "without_input",
]

URI = Annotated[str, Rule("URI")]
URIReference = Annotated[str, Rule("URI-reference")]
AbsoluteURI = Annotated[str, Rule("absolute-URI")]
RelativeReference = Annotated[str, Rule("relative-ref")]
HttpURI = Annotated[
    str,
    Rule(
        "URI",
        # As pydantic's HttpUrl, whose limit is that of the old Internet Explorer; in code points.
        policy=Policy(schemes=("http", "https"), require=("host",), max_length=2083),
    ),
]
IRI = Annotated[str, Rule("IRI", grammar="rfc3987")]
IRIReference = Annotated[str, Rule("IRI-reference", grammar="rfc3987")]
URITemplate = Annotated[str, Rule("URI-Template", grammar="rfc6570")]
URN = Annotated[str, Rule("namestring", grammar="rfc8141")]
ParsedURI = Annotated[parsed.URI, Rule("URI")]
ParsedURIReference = Annotated[parsed.URI, Rule("URI-reference")]


def without_input(errors: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The errors of pydantic or FastAPI without the input, because it might hold a password.

    >>> without_input([{"type": "uri_syntax", "input": "http://me:secret@h/ "}])
    [{'type': 'uri_syntax'}]
    """
    return [{key: error[key] for key in error if key != "input"} for error in errors]
