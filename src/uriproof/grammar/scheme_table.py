"""What is known about single schemes, beyond the generic syntax.

Owns the sets of schemes that some work depends on. Imports what the build wrote from
``grammars/schemes.toml``, where each scheme stands once, beside its source, by name, as data.
Invariant: names are in lower case.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_table: Any = import_module("uriproof._generated.scheme_table")

DEFAULT_PORTS: dict[str, str] = {name: str(port) for name, port in _table.PORT.items()}
"""The port that is meant when there is none."""

HOSTS = frozenset(name for name, host in _table.HOST.items() if host == "required")
"""Schemes whose URIs must have a host."""

LOCAL: dict[str, str] = {name: host for name, host in _table.HOST.items() if name not in HOSTS}
"""Schemes for which this host, an empty one and none at all mean the same (RFC 8089 §2)."""

WEB: frozenset[str] = frozenset(_table.USERINFO)
"""The schemes of RFC 9110 and RFC 6455, which have no use for user information."""

SPECIAL: frozenset[str] = frozenset(_table.SPECIAL)
"""Schemes whose host browsers map, and in which they read \\ as / (WHATWG URL)."""

ORIGINS = SPECIAL - LOCAL.keys()
"""Schemes whose URIs have a host that decides who is trusted (WHATWG URL, origin)."""

OCTETS: frozenset[str] = frozenset(_table.OCTETS)
"""Schemes whose percent-encoding carries any octets, not text alone (RFC 2397 §3)."""

NAMES: frozenset[str] = frozenset(_table.EQUALITY)
"""Schemes whose URIs are names within namespaces (RFC 8141 §2)."""

SCRIPTS: frozenset[str] = frozenset(_table.SCRIPT)
"""Schemes whose path is a program (WHATWG HTML Standard, and older browsers)."""

COMMON: frozenset[str] = frozenset(_table.COMMON)
"""Schemes that another one is a misspelling of rather than one of its own."""

DATA: frozenset[str] = frozenset(_table.SLASH) | {
    name for name, path in _table.PATH.items() if path == "datum"
}
"""Schemes in which an encoded slash is data by their specification, of a path or of a segment."""


def has_steps(scheme: str | None, host: str | None, path: str) -> bool:
    """Whether "." and ".." as segments of a path are steps, and not characters of a datum.

    Of a scheme that the table does not have, they are steps in a path that starts with a slash, or
    that an authority stands before: RFC 3986 §6.1 wants no two URIs called equivalent that are not.

    >>> has_steps("http", "h", "/a/../b"), has_steps("urn", None, "x:a/../b")
    (True, False)
    >>> has_steps("x", None, "a/../b"), has_steps("x", None, "/a/../b")
    (False, True)
    """
    kind = _table.PATH.get(scheme)
    if kind is None:
        return not scheme or host is not None or path.startswith("/")
    return bool(kind == "hierarchy")
