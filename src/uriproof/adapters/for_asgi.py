"""ASGI: requests whose target, Host or query is not valid are answered before the application.

Owns the middleware for FastAPI, Starlette, Django and any other ASGI application. Imports the
validation of requests. Invariant: a request that is valid passes unchanged; of one that is not,
nothing but blamed characters is sent back or logged.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ..request import Middleware, Refusal

__all__ = ["URIMiddleware"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_JSON = (b"content-type", b"application/problem+json")
_OLD = "1.0"  # the version of HTTP in which Host is optional
_OWS = " \t"  # around the value of a field; some servers leave it there (RFC 9110 §5.5)
_SCHEMES = {"http": "http", "websocket": "ws"}  # if a server gives none
_REFUSED = 1008  # RFC 6455 §7.4.1: the message violates a policy


class URIMiddleware(Middleware):
    """Answers requests that are not valid with 400 or 414 and a problem detail (RFC 9457).

    ``mode``: ``on`` refuses, ``report`` only logs, at the level warning of the logger
    ``uriproof.asgi``, ``off`` does nothing. ``counts`` has the number of invalid requests by code,
    ``advised`` that of valid ones with advice. ``max_length``, ``rule`` and ``clients`` as in
    ``RequestRules``; ``drawing`` adds the target with carets to the response, including any secrets
    in its query. WebSockets are refused before they are accepted.

    Offsets are those of octets in the raw target. If a server does not give ``raw_path``, which is
    optional in ASGI, only the query, the Host and the length are validated, and the log says so
    once.

    Errors: ValueError, TypeError. Cost of a valid request: some microseconds.
    Spec: RFC 9112 §3.2; RFC 9457; ASGI 3.0.

    >>> async def application(scope, receive, send): ...
    >>> guarded = URIMiddleware(application, max_length=2000)
    """

    app: Application
    logger: logging.Logger = logging.getLogger("uriproof.asgi")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        if refusal is not None and self.refuses(refusal):
            await _refuse(scope, receive, send, refusal, self.drawing)
        else:
            await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Refusal | None:
        if self.mode == "off" or scope["type"] not in ("http", "websocket"):
            return None
        path, query = scope.get("raw_path"), scope.get("query_string", b"").decode("latin-1")
        if path is None:
            target, is_query = self.without_raw(scope.get("path", ""), query)
        else:
            target, is_query = path.decode("latin-1") + ("?" + query if query else ""), False
        hosts = [
            value.decode("latin-1").strip(_OWS)
            for name, value in scope["headers"]
            if name == b"host"
        ]
        version = scope.get("http_version", "1.1")
        if not version.startswith(
            "1"
        ):  # :authority, and a Host that says the same (RFC 9113 §8.3.1)
            hosts = [*dict.fromkeys(hosts)]
        return self.refusal(
            scope.get("method", "GET"),
            target,
            hosts,
            scheme=scope.get("scheme") or _SCHEMES[scope["type"]],
            is_query=is_query,
            host_optional=version == _OLD,
        )


async def _refuse(
    scope: Scope, receive: Receive, send: Send, refusal: Refusal, drawing: bool
) -> None:
    kind = "http.response"
    if scope["type"] == "websocket":
        await receive()  # websocket.connect
        kind = "websocket.http.response"
        if kind not in (scope.get("extensions") or {}):
            await send({"type": "websocket.close", "code": _REFUSED})
            return
    import json

    problem = refusal.to_problem(drawing)
    body = json.dumps(problem, ensure_ascii=True).encode("ascii")
    headers = [_JSON, (b"content-length", str(len(body)).encode("ascii"))]
    await send({"type": f"{kind}.start", "status": refusal.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
