"""ASGI: requests that are not valid are answered before the application.

Owns the middlewares for FastAPI, Starlette, Django and any other ASGI application: for targets, and
for the operations of an OpenAPI document. Imports the validation of requests. Invariant: a request
that is valid passes unchanged; of one that is not, nothing but blamed characters is sent back or
logged.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any

from ..parameters.guard import Denial, Found, Guard
from ..percent.encode import encode
from ..request import Middleware, Mode, Refusal, Refusing

__all__ = ["OpenAPIGuard", "URIMiddleware"]

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
        if refusal is not None and self.refuses(refusal.codes, refusal.summary):
            await _refuse(scope, receive, send, refusal.to_problem(self.drawing))
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


class OpenAPIGuard(Refusing):
    """Answers requests that an OpenAPI document does not allow with a problem detail (RFC 9457).

    ``document`` is a document, or a ``Guard`` of one, which has settings. Of a valid request,
    ``scope["uriproof.values"]`` has the values by location, of the types of their
    schemas. A body is read only if its operation declares one in its media type, and then replayed
    as it came. ``mode`` and ``counts`` as in ``URIMiddleware``, which belongs in front of it; the
    logger is ``uriproof.openapi``.

    Errors: those of ``Guard``. Cost of a valid request: O(n), less than a millisecond for
    ten parameters.

    >>> async def application(scope, receive, send): ...
    >>> guarded = OpenAPIGuard(application, {"openapi": "3.1.1", "paths": {}}, mode="report")
    """

    app: Application
    logger: logging.Logger = logging.getLogger("uriproof.openapi")

    def __init__(
        self, app: Application, document: Mapping[str, Any] | Guard, *, mode: Mode = "on"
    ) -> None:
        super().__init__(app, mode=mode)
        self.guard: Guard = document if isinstance(document, Guard) else Guard(document)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.mode == "off" or scope["type"] != "http":
            return await self.app(scope, receive, send)
        answer: Any = self.guard.find(scope["method"], _path(scope))
        if isinstance(found := answer, Found):
            headers = _fields(scope)
            body = None
            if (wanted := self.guard.octets(found, headers)) != 0:
                messages = await _body(receive, wanted)
                if messages[-1]["type"] != "http.request":
                    return None  # the client has gone: nobody waits for an answer
                receive = _replayed(messages, receive)
                body = b"".join([message.get("body", b"") for message in messages])
            query = scope.get("query_string", b"").decode("latin-1")
            answer = self.guard.read(found, query, headers, body)
        if isinstance(answer, Denial):
            if self.refuses(answer.codes, answer.summary, answer.only_report):
                return await _refuse(scope, receive, send, answer.to_problem(), answer.headers)
        elif answer is not None:
            scope = {**scope, "uriproof.values": answer}
        return await self.app(scope, receive, send)


def _path(scope: Scope) -> str:
    """The raw path, or the decoded one encoded again, if the server gives no other."""
    raw = scope.get("raw_path")
    return (
        encode(scope["path"], "path-abempty", minimal=True)
        if raw is None
        else raw.decode("latin-1")
    )


def _fields(scope: Scope) -> list[tuple[str, str]]:
    headers = [
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]
    ]
    return [(name, value.strip(_OWS)) for name, value in headers]


async def _body(receive: Receive, wanted: int | None) -> list[Message]:
    """The messages of a body: all, or until it has so many octets, or until the client has gone."""
    messages = [await receive()]
    octets = len(messages[-1].get("body", b""))
    while messages[-1].get("more_body") and (wanted is None or octets < wanted):
        messages.append(await receive())
        octets += len(messages[-1].get("body", b""))
    return messages


def _replayed(messages: list[Message], receive: Receive) -> Receive:
    """What an application receives: the messages that were read, and then the next ones."""
    left = iter(messages)

    async def replay() -> Message:
        message = next(left, None)
        return await receive() if message is None else message

    return replay


async def _refuse(
    scope: Scope,
    receive: Receive,
    send: Send,
    problem: Mapping[str, Any],
    more: Iterable[tuple[str, str]] = (),
) -> None:
    kind = "http.response"
    if scope["type"] == "websocket":
        await receive()  # websocket.connect
        kind = "websocket.http.response"
        if kind not in (scope.get("extensions") or {}):
            await send({"type": "websocket.close", "code": _REFUSED})
            return
    import json

    body = json.dumps(problem, ensure_ascii=True).encode("ascii")
    headers = [_JSON, (b"content-length", str(len(body)).encode("ascii"))]
    headers += [(name.lower().encode("ascii"), value.encode("ascii")) for name, value in more]
    await send({"type": f"{kind}.start", "status": problem["status"], "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
