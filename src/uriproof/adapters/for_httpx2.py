"""httpx2: the transports of ``for_httpx``, for this library.

Owns the transports and their errors. Imports httpx2 (extra ``httpx2``) and ``_outbound``.
Invariant: that of ``for_httpx``.
"""

from __future__ import annotations

from ..extras import needs
from ..report import InvalidURI
from ._outbound import ForbiddenAddress, Guarded

with needs("httpx2"):
    import httpx2

__all__ = ["AsyncHTTPTransport", "HTTPTransport", "RefusedAddress", "RefusedURL"]


class RefusedURL(InvalidURI, httpx2.UnsupportedProtocol):
    """The rule does not allow the URL of a request; ``report`` has the violations."""

    _request = None


class RefusedAddress(ForbiddenAddress, httpx2.ConnectError):
    """The host of a request leads to an address that is not global."""

    _request = None


class HTTPTransport(Guarded, httpx2.HTTPTransport):
    """For ``httpx2.Client``: as the one in ``for_httpx``."""

    _errors = RefusedURL, RefusedAddress


class AsyncHTTPTransport(Guarded, httpx2.AsyncHTTPTransport):
    """For ``httpx2.AsyncClient``: as the one in ``for_httpx``."""

    _errors = RefusedURL, RefusedAddress
