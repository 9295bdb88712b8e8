"""Parameters that an OpenAPI document declares, with Starlette: run ``python examples/pets.py``.

Needs ``pip install 'uriproof[openapi]' starlette uvicorn``. Then, for instance:

    curl 'localhost:8000/pets/7?tags=small,red%2Cwhite&limit=5'
    curl 'localhost:8000/pets/seven?tags=%zz&limit=500'
    curl -g 'localhost:8000/pets/7?tags=[1]'
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route

from uriproof.adapters.for_asgi import URIMiddleware
from uriproof.parameters import Operation

if TYPE_CHECKING:
    from starlette.requests import Request

STRINGS = {"type": "array", "items": {"type": "string"}}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.1",
    "info": {"title": "Pets", "version": "1"},
    "paths": {
        "/pets/{id}": {
            "get": {
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                    {"name": "tags", "in": "query", "explode": False, "schema": STRINGS},
                    {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}},
                ],
                "responses": {"200": {"description": "What the parameters are."}},
            }
        }
    },
}
GET_PET = Operation.from_openapi(DOCUMENT, "/pets/{id}", "get")


async def pet(request: Request) -> JSONResponse:
    """The values, or a problem detail (RFC 9457) with what is wrong in the raw request."""
    report = GET_PET.check(
        path=request.scope["raw_path"].decode("latin-1"),
        query=request.scope["query_string"].decode("latin-1"),
        headers=request.headers,
    )
    if not report.ok:
        return JSONResponse(report.to_problem(), 400, media_type="application/problem+json")
    return JSONResponse(report.values)


app = Starlette(routes=[Route("/pets/{id}", pet)], middleware=[Middleware(URIMiddleware)])

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000)
    uvicorn.run(app, port=parser.parse_args().port, log_level="warning")
