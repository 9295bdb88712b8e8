"""ASGI and WSGI applications, called without a server.

Owns what a server would pass on. Imports the standard library. Invariant: an application gets
nothing but what a test gives, and what a server always has.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any
from wsgiref.util import setup_testing_defaults


def scope(target: str, headers: Any = ((b"host", b"e.com"),), **more: Any) -> dict[str, Any]:
    """What a server says of a request: by default a GET of HTTP/1.1."""
    path, _, query = target.encode("latin-1").partition(b"?")
    made = {"type": "http", "method": "GET", "http_version": "1.1", "path": "-", "raw_path": path}
    return {**made, "query_string": query, "headers": [*headers], **more}


def call(app: Any, given: dict[str, Any], waiting: list[Any] | None = None) -> list[Any]:
    """What an application sends back if these messages come in, one after the other."""
    sent: list[Any] = []
    waiting = [{"type": "websocket.connect"}] if waiting is None else waiting

    async def receive() -> Any:
        return waiting.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(given, receive, send))
    return sent


def call_wsgi(app: Any, **environ: Any) -> tuple[int, Any]:
    """The status and the JSON of an answer; 0 and the body, if no answer was started."""
    setup_testing_defaults(environ)
    started: list[str] = []

    def start(line: str, fields: Any) -> None:
        assert all(isinstance(each, str) for field in fields for each in field)
        started.append(line)

    body = b"".join(app(environ, start))
    return (int(started[0][:3]), json.loads(body)) if started else (0, body)
