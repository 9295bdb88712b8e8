"""FastAPI: the parameters and the body of a route, as an OpenAPI document declares them.

Owns one dependency. Imports FastAPI (extra ``fastapi``) and the operations of a document.
Invariant: an error has FastAPI's own form, and no value of the request in it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ..extras import needs
from ..limits import LARGEST_READ_BODY
from ..parameters import Operation
from ..parameters.operation import slash

with needs("fastapi"):
    from fastapi import HTTPException, Request
    from fastapi.exceptions import RequestValidationError

__all__ = ["operation"]

_UNREAD = ("body-media-type", "body-too-large")


def operation(
    document: Mapping[str, Any] | Operation,
    path: str | None = None,
    method: str | None = None,
    *,
    max_body: int | None = LARGEST_READ_BODY,
) -> Callable[[Request], Awaitable[dict[str, Any]]]:
    """A dependency that gives the typed values of a request, by location and name.

    ``document`` is an ``Operation``, or a document with the ``path`` and the ``method`` of one. An
    invalid request is FastAPI's RequestValidationError, which it answers with 422: for each
    violation its location and name, its code as the type, and its offsets in the raw text, which
    for a path begin at the path of the operation. The input is left out. A body in another media
    type or longer than ``max_body`` octets is an HTTPException (415, 413). A body that is read can
    be read again by the route; one in a declared media type that is not read stays unread.

    Errors: those of ``Operation.from_openapi``; TypeError.

    >>> from fastapi import Depends, FastAPI
    >>> ids = {"name": "ids", "in": "query", "explode": False,
    ...        "schema": {"type": "array", "items": {"type": "integer"}}}
    >>> document = {"openapi": "3.1.1", "paths": {"/pets": {"get": {"parameters": [ids]}}}}
    >>> app = FastAPI()
    >>> @app.get("/pets")
    ... def pets(values = Depends(operation(document, "/pets", "get"))):
    ...     return values["query"]
    >>> from fastapi.testclient import TestClient
    >>> TestClient(app).get("/pets?ids=1,2").json()
    {'ids': [1, 2]}
    """
    made = document
    if not isinstance(made, Operation):
        if path is None or method is None:
            raise TypeError("path and method must be given with a document")
        made = Operation.from_openapi(made, path, method)
    chosen, segments = made, made.path.count(slash())

    async def values(request: Request) -> dict[str, Any]:
        raw = request.scope["raw_path"].decode("latin-1")
        start = len(raw) - len(slash().join(["", *raw.rsplit(slash(), segments)[1:]]))
        report = chosen.check(
            path=raw[start:],
            query=request.scope["query_string"].decode("latin-1"),
            headers=request.headers.items(),
            body=await _body(request, max_body) if _is_read(chosen, request) else None,
            max_body=max_body,
        )
        problem = report.to_problem()
        if report.ok:
            return report.values
        if report.violations[0].code in _UNREAD:
            raise HTTPException(problem["status"], report.violations[0].message)
        raise RequestValidationError([_error(found) for found in problem["violations"]])

    return values


def _is_read(chosen: Operation, request: Request) -> bool:
    """Whether a body is read; one in no declared media type too, for it might be empty."""
    if chosen.body is None:
        return False
    media = chosen.body.find(request.headers.get("content-type"))
    return media is None or media.is_read


async def _body(request: Request, most: int | None) -> bytes:
    """The body, or more octets than the limit; Starlette keeps it for whoever reads it next."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if most is not None and len(body) > most:
            break
    request._body = bytes(body)
    return request._body


def _error(found: dict[str, Any]) -> dict[str, Any]:
    """A violation in the form of FastAPI's errors."""
    location, name, code = found.pop("location"), found.pop("name"), found.pop("code")
    return {
        "type": code,
        "loc": (location, name) if name else (location,),
        "msg": found.pop("message"),
        "ctx": {key: value for key, value in found.items() if value not in ("", [], None)},
    }
