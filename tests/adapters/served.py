"""Applications behind the middleware, for real servers: they answer with what arrived, as JSON."""

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
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close"})
        return
    body = json.dumps({"query": scope["query_string"].decode("latin-1")}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def _wsgi(environ: Any, start_response: Any) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps({"query": environ["QUERY_STRING"]}).encode()]


_RULE = Rule(policy=Policy(hosts=["e.com"]))

asgi = URIMiddleware(_asgi, max_length=2000)
wsgi = WSGIMiddleware(_wsgi, max_length=2000)
asgi_of_hosts = URIMiddleware(_asgi, rule=_RULE, drawing=True)
wsgi_of_hosts = WSGIMiddleware(_wsgi, rule=_RULE, drawing=True)
