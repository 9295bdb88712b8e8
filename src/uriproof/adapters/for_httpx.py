"""httpx: transports that request only allowed URLs, and connect only to allowed addresses.

Owns the transports and their errors. Imports httpx (extra ``httpx``) and ``_outbound``. Invariant:
each request, also of a redirect, is checked before anything is sent, and each connection is made to
an address that was checked.
"""

from __future__ import annotations

from ..extras import needs
from ..report import InvalidURI
from ._outbound import ForbiddenAddress, Guarded

with needs("httpx"):
    import httpx

__all__ = ["AsyncHTTPTransport", "HTTPTransport", "RefusedAddress", "RefusedURL"]


class RefusedURL(InvalidURI, httpx.UnsupportedProtocol):
    """The rule does not allow the URL of a request; ``report`` has the violations."""

    _request = None


class RefusedAddress(ForbiddenAddress, httpx.ConnectError):
    """The host of a request leads to an address that is not global."""

    _request = None


class HTTPTransport(Guarded, httpx.HTTPTransport):
    """A transport for ``httpx.Client`` that requests only what a rule allows.

    ``rule``, by default ``Rule(policy=Policy.fetches())``, applies to the URL of each request, also
    of a redirect. A name is looked up once for each connection, which is made to an address that
    was checked; certificates, SNI and Host stay those of the name. If any address of a name is not
    global, no connection is made. ``allow``: networks that are not global and still allowed.
    ``resolver``: a function in the place of the system's resolver. ``options`` are those of
    ``httpx.HTTPTransport``, without ``proxy`` and ``uds``; proxies of the environment are not used.

    Errors: UnknownRule, ValueError, TypeError; ImportError for an unsupported version of httpcore.
    A request raises ``RefusedURL`` or ``RefusedAddress``, which are errors of httpx, too.
    Cost: some 10 µs a request, and a lookup for each connection.

    >>> transport = HTTPTransport(resolver=lambda host, port: ["8.8.8.8", "10.0.0.1"])
    >>> with httpx.Client(transport=transport) as client:
    ...     client.get("http://example.com/")
    Traceback (most recent call last):
    ...
    uriproof.adapters.for_httpx.RefusedAddress: ... 10.0.0.1, which is not global (private)
    """

    _errors = RefusedURL, RefusedAddress


class AsyncHTTPTransport(Guarded, httpx.AsyncHTTPTransport):
    """``HTTPTransport`` for ``httpx.AsyncClient``; names are looked up in a thread."""

    _errors = RefusedURL, RefusedAddress
