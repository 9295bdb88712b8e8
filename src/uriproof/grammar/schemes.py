"""The URI schemes that IANA has registered, as of a date.

Owns the question whether a scheme is registered, and how. Imports what the build wrote, by name,
as data, when it is first asked. Invariant: a scheme is compared in lower case (RFC 3986 §3.1).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Literal, TypeAlias, cast

Status: TypeAlias = Literal["permanent", "provisional", "historical"]
"""The status of a registration (RFC 7595 §3-5)."""


@cache
def schemes() -> dict[str, Status]:
    """Every registered scheme, in lower case and in order, with its status.

    Cost: read once. Source: the registry "Uniform Resource Identifier (URI) Schemes", RFC 7595 §7.

    >>> [name for name, status in schemes().items() if name.startswith("http")]
    ['http', 'https']
    """
    made = import_module("uriproof._generated.iana_schemes")
    return cast("dict[str, Status]", made.SCHEMES)


def registered(scheme: str) -> Status | None:
    """How a scheme is registered, in whatever case it is written; None if it is not.

    Newer registrations than ``date()`` are not known. Cost: a look into a table.

    >>> registered("HTTP"), registered("fax"), registered("htpps")
    ('permanent', 'historical', None)
    """
    return schemes().get(scheme.lower())


def references(scheme: str) -> tuple[str, ...]:
    """What the registry refers to for a scheme: specifications, or who registered it; as it has it.

    Cost: a look into a table.

    >>> references("https"), references("htpps")
    (('RFC9110, Section 4.2.2',), ())
    """
    made = import_module("uriproof._generated.iana_schemes")
    found: tuple[str, ...] = made.REFERENCES.get(scheme.lower(), ())
    return found


def date() -> str:
    """The day, as YYYY-MM-DD, on which the registry was as it is here.

    >>> date()[:2]
    '20'
    """
    made: str = import_module("uriproof._generated.iana_schemes").DATE
    return made
