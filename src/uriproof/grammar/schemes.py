"""Facts about single schemes, beyond the generic syntax, and the registered schemes.

Owns the access to ``grammars/schemes.toml``, which has the source of each entry, and to IANA's
registry as of a date, which is loaded on demand. Imports the tables that the build made of them.
Invariant: names are in lower case (RFC 3986 §3.1), and no other list of what schemes are like is
written by hand.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Literal, TypeAlias, cast

SCHEMES: dict[str, dict[str, Any]] = import_module("uriproof._generated.schemes").SCHEMES

HOSTS = frozenset(name for name, row in SCHEMES.items() if row.get("host") == "required")
"""Schemes whose URIs must have a host."""

DEFAULT_PORTS = {name: str(row["port"]) for name, row in SCHEMES.items() if "port" in row}
"""The port that is used if there is none."""

NO_AUTHORITY = frozenset(name for name, row in SCHEMES.items() if row.get("host") == "data")
"""Schemes of which all is data, also what RFC 3986 reads as an authority."""

LOCAL = {name: "localhost" for name, row in SCHEMES.items() if row.get("host") == "local"}
"""Schemes for which this host, an empty one and none at all mean the same."""

DOMAINS = HOSTS | DEFAULT_PORTS.keys() | LOCAL.keys()
"""Schemes whose host is an address, or a name that is looked up in the DNS."""

WEB = frozenset(name for name, row in SCHEMES.items() if row.get("family") == "web")
"""The schemes of HTTP and of WebSocket, which have no use for user information."""

ORIGINS = WEB | {name for name, row in SCHEMES.items() if row.get("family") == "origin"}
"""Schemes whose URIs have a host that decides who is trusted (WHATWG URL, origin)."""

SPECIAL = ORIGINS | LOCAL.keys()
"""Schemes whose host browsers map, and in which they read \\ as / (WHATWG URL)."""

OCTETS = frozenset(name for name, row in SCHEMES.items() if row.get("octets"))
"""Schemes whose percent-encoding carries any octets, not only text."""

DATUM = frozenset(name for name, row in SCHEMES.items() if row.get("path") == "datum")
"""Schemes whose path is one datum: a slash or a dot in it means no step up or down."""

SLASH_IS_DATA = DATUM | {name for name, row in SCHEMES.items() if row.get("slash") == "data"}
"""Schemes in which an encoded slash is data, of the path or of a segment."""

ASSIGNED_NAMES = frozenset(n for n, row in SCHEMES.items() if row.get("compare") == "assigned-name")
"""Schemes whose URIs are names within namespaces, compared as RFC 8141 §3.1 says."""

AS_ENCODED = frozenset(name for name, row in SCHEMES.items() if row.get("decode") == "never")
"""Schemes in which an octet and the character that it stands for are not the same."""

CHARACTERS = frozenset(n for n, row in SCHEMES.items() if row.get("compare") == "characters")
"""Schemes of which two URIs are equal only if all of their characters are (RFC 4151 §2.4)."""

LINES = frozenset(name for name, row in SCHEMES.items() if row.get("lines"))
"""Schemes of messages, in which an encoded line break means a line break."""

TYPED = frozenset(name for name, row in SCHEMES.items() if row.get("typed"))
"""Schemes that people type."""

SCRIPTS = frozenset(name for name, row in SCHEMES.items() if row.get("runs"))
"""Schemes whose path is a program, which browsers run, or did."""

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
    """The references of the registry for a scheme: specifications, or who registered it, verbatim.

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
