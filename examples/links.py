"""A service that keeps links, with FastAPI: run ``python examples/links.py``.

Needs ``pip install 'uriproof[pydantic]' fastapi uvicorn``. Then, for instance:

    curl -s localhost:8000/links -H 'content-type: application/json' \
        -d '{"title": "A", "url": "http://example.com/a b"}'
"""

from __future__ import annotations

import argparse
from typing import Annotated, Any

import uvicorn
from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BaseModel

from uriproof import Policy, Rule
from uriproof.adapters.for_pydantic import without_input

PublicURI = Annotated[str, Rule("URI", policy=Policy.fetches())]
Inside = Annotated[str, Rule("URI-reference", policy=Policy.redirects())]

app = FastAPI(title="Links")
links: list[Link] = []


class Link(BaseModel):
    title: str
    url: PublicURI


@app.post("/links", status_code=201)
def add(link: Link) -> Link:
    links.append(link)
    return link


@app.get("/links")
def all_links() -> list[Link]:
    return links


@app.get("/go")
def go(to: Annotated[Inside, Query()]) -> RedirectResponse:
    return RedirectResponse(to)


@app.exception_handler(RequestValidationError)
async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
    """A problem detail (RFC 9457) without what came in, which may hold a password."""
    problem: dict[str, Any] = {
        "type": "about:blank",
        "title": "Unprocessable Content",
        "status": 422,
        "errors": without_input(error.errors()),
    }
    return JSONResponse(problem, 422, media_type="application/problem+json")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000)
    uvicorn.run(app, port=parser.parse_args().port, log_level="warning")
