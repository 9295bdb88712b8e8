"""WSGI: requests whose target, Host or query is not valid are answered before the application.

Owns the middleware for Flask, Django and any other WSGI application. Imports the validation of
requests. Invariant: a request that is valid passes unchanged; of one that is not, nothing but
blamed characters is sent back or logged.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING

from ..policy import Policy
from ..request import MAX_LENGTH, MODES, Mode, Refusal, RequestRules
from ..text.names import or_list

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

__all__ = ["URIMiddleware"]

logger = logging.getLogger("uriproof.wsgi")

_RAW = ("RAW_URI", "REQUEST_URI")
"""Where servers put the raw target, which PEP 3333 does not define: gunicorn; uWSGI, mod_wsgi."""

_OLD = ("HTTP/1.0", "HTTP/0.9")


class URIMiddleware:
    """Answers requests that are not valid with 400 or 414 and a problem detail (RFC 9457).

    As ``for_asgi.URIMiddleware``, which see; the logger is ``uriproof.wsgi``. PEP 3333 decodes the
    path, so that the raw target is known only where the server gives it (gunicorn, uWSGI,
    mod_wsgi); elsewhere the query and the Host are validated alone. A server joins several Host
    fields or takes one of them: their number is not validated.

    Errors: ValueError, TypeError. Spec: RFC 9112 §3.2; RFC 9457; PEP 3333.

    >>> from wsgiref.simple_server import demo_app
    >>> guarded = URIMiddleware(demo_app, mode="report")
    """

    def __init__(
        self,
        app: WSGIApplication,
        *,
        mode: Mode = "on",
        max_length: int | None = MAX_LENGTH,
        query: str | None = None,
        policy: Policy | None = None,
        drawing: bool = True,
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"mode is one of {or_list(MODES)}, not {mode!r}")
        self.app, self.mode, self.drawing = app, mode, drawing
        self.counts: Counter[str] = Counter()
        self._rules = RequestRules(max_length=max_length, query=query, policy=policy)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        refusal = self._refusal(environ)
        if refusal is not None:
            self.counts.update(refusal.codes)
            if self.mode == "on":
                return _refuse(start_response, refusal, self.drawing)
            logger.warning("%s", refusal.summary, extra={"codes": refusal.codes})
        return self.app(environ, start_response)

    def _refusal(self, environ: WSGIEnvironment) -> Refusal | None:
        if self.mode == "off":
            return None
        raw = next((environ[name] for name in _RAW if name in environ), None)
        host = environ.get("HTTP_HOST")
        return self._rules.refusal(
            environ["REQUEST_METHOD"],
            environ.get("QUERY_STRING", "") if raw is None else raw,
            [] if host is None else [host],
            scheme=environ["wsgi.url_scheme"],
            is_query=raw is None,
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
