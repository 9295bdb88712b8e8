"""Applications behind the middleware, for real servers: they answer with what arrived, as JSON.

With a policy on hosts, and drawings; a request with the field ``Plain`` meets neither.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from uriproof import Rule
from uriproof.adapters.for_asgi import URIMiddleware
from uriproof.adapters.for_wsgi import URIMiddleware as WSGIMiddleware
from uriproof.policy import Policy


async def _asgi(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        while (message := await receive())["type"] != "lifespan.shutdown":
            await send({"type": f"{message['type']}.complete"})
        await send({"type": "lifespan.shutdown.complete"})
        return
    body = json.dumps({"query": scope["query_string"].decode("latin-1")}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def _wsgi(environ: Any, start_response: Any) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps({"query": environ["QUERY_STRING"]}).encode()]


_OPTIONS: list[dict[str, Any]] = [
    {"rule": Rule(policy=Policy(hosts=["e.com"])), "drawing": True},
    {"max_length": 2000},
]
_asgis = [URIMiddleware(_asgi, **options) for options in _OPTIONS]
_wsgis = [WSGIMiddleware(_wsgi, **options) for options in _OPTIONS]


async def asgi(scope: Any, receive: Any, send: Any) -> None:
    await _asgis[b"plain" in dict(scope.get("headers", ()))](scope, receive, send)


def wsgi(environ: Any, start_response: Any) -> Iterable[bytes]:
    return _wsgis["HTTP_PLAIN" in environ](environ, start_response)
