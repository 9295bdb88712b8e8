"""WSGI: requests whose target, Host or query is not valid are answered before the application.

Owns the middleware for Flask, Django and any other WSGI application. Imports the validation of
requests. Invariant: a request that is valid passes unchanged; of one that is not, nothing but
blamed characters is sent back or logged.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING

from ..request import Middleware, Refusal

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

__all__ = ["URIMiddleware"]

_RAW = ("RAW_URI", "REQUEST_URI")
"""The keys of the raw target, which PEP 3333 does not define: gunicorn; waitress, uWSGI and others."""

_OLD = ("HTTP/1.0", "HTTP/0.9")
_JOINED = ","  # between the values of two Host fields (RFC 9110 §5.3); no name of the DNS has one


class URIMiddleware(Middleware):
    """Answers requests that are not valid with 400 or 414 and a problem detail (RFC 9457).

    Like ``for_asgi.URIMiddleware``; the logger is ``uriproof.wsgi``. PEP 3333 decodes the path, so
    that the raw target is known only if the server gives it (gunicorn, waitress, uWSGI); otherwise
    only the query, the Host and the length are validated, and the log says so once. A server joins
    several Host fields, which is refused, or takes one of them.

    Errors: ValueError, TypeError. Spec: RFC 9112 §3.2; RFC 9457; PEP 3333.

    >>> from wsgiref.simple_server import demo_app
    >>> guarded = URIMiddleware(demo_app, mode="report")
    """

    app: WSGIApplication
    logger: logging.Logger = logging.getLogger("uriproof.wsgi")

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        refusal = self._refusal(environ)
        if refusal is not None and self.refuses(refusal):
            return _refuse(start_response, refusal, self.drawing)
        return self.app(environ, start_response)

    def _refusal(self, environ: WSGIEnvironment) -> Refusal | None:
        if self.mode == "off":
            return None
        target, is_query = next((environ[name] for name in _RAW if name in environ), None), False
        if target is None:
            path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
            target, is_query = self.without_raw(path, environ.get("QUERY_STRING", ""))
        host = environ.get("HTTP_HOST")
        return self.rules.refusal(
            environ["REQUEST_METHOD"],
            target,
            [] if host is None else host.split(_JOINED),
            scheme=environ["wsgi.url_scheme"],
            is_query=is_query,
            host_optional=environ.get("SERVER_PROTOCOL") in _OLD,
        )


def _refuse(start_response: StartResponse, refusal: Refusal, drawing: bool) -> Iterable[bytes]:
    import json

    body = json.dumps(refusal.to_problem(drawing), ensure_ascii=True).encode("ascii")
    headers = [
        ("Content-Type", "application/problem+json"),
        ("Content-Length", str(len(body))),
    ]
    start_response(f"{refusal.status} {HTTPStatus(refusal.status).phrase}", headers)
    return [body]
