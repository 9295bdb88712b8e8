"""An API whose inputs are validated: run ``python examples/api.py``.

Needs ``pip install 'uriproof[fastapi,httpx,openapi]' uvicorn``. Then, for instance:

    curl 'localhost:8000/pets/7?tags=small,red%2Cwhite'
    curl 'localhost:8000/pets/seven?limit=500'
    curl 'localhost:8000/pets/7?tags=%zz'
    curl 'localhost:8000/pets/7?limit=5' -H 'Host: evil.com'
    curl localhost:8000/hooks --json '{"url": "https://example.com/hook"}'
    curl localhost:8000/hooks --json '{"url": "https://example.com/a b"}'
    curl localhost:8000/hooks --json '{"url": "http://169.254.169.254/latest/"}'

The last one is a URI, but the server does not request it. To see a call that arrives, allow your
own machine: ``python examples/api.py --allow localhost``, and register a hook that is this server.

    curl localhost:8000/hooks --json '{"url": "http://localhost:8000/pets/7"}'
"""

from __future__ import annotations

import argparse
import logging
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI, HTTPException, Request
from pydantic import BaseModel

from uriproof import Policy, Rule, UriproofError
from uriproof.adapters.for_asgi import OpenAPIGuard, URIMiddleware
from uriproof.adapters.for_httpx import AsyncHTTPTransport
from uriproof.adapters.for_pydantic import HttpURI

LOGGER = logging.getLogger("hooks")
STRINGS = {"type": "array", "items": {"type": "string"}}
LIMIT = {"type": "integer", "maximum": 100, "default": 10}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.1",
    "info": {"title": "Pets", "version": "1"},
    "paths": {
        "/pets/{id}": {
            "get": {
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                    {"name": "tags", "in": "query", "explode": False, "schema": STRINGS},
                    {"name": "limit", "in": "query", "schema": LIMIT},
                ],
                "responses": {"200": {"description": "What the parameters are."}},
            }
        },
    },
}


class Hook(BaseModel):
    """What is called: the type refuses all that is not an http or https URI with a host."""

    url: HttpURI


def make_app(allow: str | None = None) -> FastAPI:
    """The API. ``allow``: ``localhost``, so that hooks may be on this machine."""
    local = Rule(policy=Policy(schemes=["http"], hosts=["localhost"])) if allow else None
    networks = ["127.0.0.0/8", "::1"] if allow else []
    app = FastAPI()
    # The last one is the first to see a request.
    app.add_middleware(OpenAPIGuard, document=DOCUMENT)
    hosts = ["localhost", "127.0.0.1"]
    app.add_middleware(URIMiddleware, rule=Rule(policy=Policy(hosts=hosts)))

    @app.get("/pets/{id}")
    async def pet(request: Request) -> Any:
        """The values that the guard has read."""
        return request.scope["uriproof.values"]

    @app.post("/hooks", status_code=201)
    async def register(hook: Hook) -> dict[str, Any]:
        """Call the hook once: it and its redirects, only at addresses that are global."""
        transport = AsyncHTTPTransport(local, allow=networks)
        async with httpx.AsyncClient(transport=transport, timeout=5) as client:
            try:
                answer = await client.get(hook.url, follow_redirects=True)
            except UriproofError as error:  # where names lead is told to the log, not to the client
                LOGGER.warning("hook refused: %s", error)
                raise HTTPException(400, "this server does not call that URL") from error
            except httpx.HTTPError as error:
                raise HTTPException(502, "the hook does not answer") from error
        return {"url": hook.url, "status": answer.status_code}

    return app


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--allow", choices=["localhost"])
    given = parser.parse_args()
    uvicorn.run(make_app(given.allow), port=given.port, log_level="warning")
