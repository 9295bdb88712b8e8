"""WSGI: requests that are not valid are answered before the application.

Owns the middlewares for Flask, Django and any other WSGI application: for targets, and for the
operations of an OpenAPI document. Imports the validation of requests. Invariant: a request that is
valid passes unchanged; of one that is not, nothing but blamed characters is sent back or logged.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from io import BufferedReader, BytesIO, RawIOBase
from typing import TYPE_CHECKING, Any

from ..parameters.guard import Denial, Found, Guard
from ..percent.encode import encode
from ..request import Middleware, Mode, Refusal, Refusing

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

__all__ = ["OpenAPIGuard", "URIMiddleware"]

_RAW = ("RAW_URI", "REQUEST_URI")
"""The keys of the raw target, which PEP 3333 does not define: gunicorn; uWSGI, mod_wsgi."""

_OLD = ("HTTP/1.0", "HTTP/0.9")
_JOINED = ","  # between the values of two Host fields (RFC 9110 §5.3); no name of the DNS has one


class URIMiddleware(Middleware):
    """Answers requests that are not valid with 400 or 414 and a problem detail (RFC 9457).

    Like ``for_asgi.URIMiddleware``; the logger is ``uriproof.wsgi``. PEP 3333 decodes the path, so
    that the raw target is known only if the server gives it (gunicorn, uWSGI, mod_wsgi); otherwise
    only the query, the Host and the length are validated, and the log says so once. A server joins
    several Host fields, which is refused, or takes one of them.

    Errors: ValueError, TypeError. Spec: RFC 9112 §3.2; RFC 9457; PEP 3333.

    >>> from wsgiref.simple_server import demo_app
    >>> guarded = URIMiddleware(demo_app, mode="report")
    """

    app: WSGIApplication
    logger: logging.Logger = logging.getLogger("uriproof.wsgi")

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        refusal = self._refusal(environ)
        if refusal is not None and self.refuses(refusal.codes, refusal.summary):
            return _refuse(start_response, refusal.to_problem(self.drawing))
        return self.app(environ, start_response)

    def _refusal(self, environ: WSGIEnvironment) -> Refusal | None:
        if self.mode == "off":
            return None
        target, is_query = next((environ[name] for name in _RAW if name in environ), None), False
        if target is None:
            path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
            target, is_query = self.without_raw(path, environ.get("QUERY_STRING", ""))
        host = environ.get("HTTP_HOST")
        return self.refusal(
            environ["REQUEST_METHOD"],
            target,
            [] if host is None else host.split(_JOINED),
            scheme=environ["wsgi.url_scheme"],
            is_query=is_query,
            host_optional=environ.get("SERVER_PROTOCOL") in _OLD,
        )


class OpenAPIGuard(Refusing):
    """Answers requests that an OpenAPI document does not allow with a problem detail (RFC 9457).

    Like ``for_asgi.OpenAPIGuard``; the values are in ``environ["uriproof.values"]``. If a server
    does not give the raw target, the decoded path is encoded again, in which an encoded slash is a
    plain one.

    Errors: those of ``Guard``.

    >>> from wsgiref.simple_server import demo_app
    >>> guarded = OpenAPIGuard(demo_app, {"openapi": "3.1.1", "paths": {}}, mode="report")
    """

    app: WSGIApplication
    logger: logging.Logger = logging.getLogger("uriproof.openapi")

    def __init__(
        self, app: WSGIApplication, document: Mapping[str, Any] | Guard, *, mode: Mode = "on"
    ) -> None:
        super().__init__(app, mode=mode)
        self.guard: Guard = document if isinstance(document, Guard) else Guard(document)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        answer = None if self.mode == "off" else self._answer(environ)
        if isinstance(answer, Denial):
            if self.refuses(answer.codes, answer.summary, answer.only_report):
                return _refuse(start_response, answer.to_problem(), answer.headers)
        elif answer is not None:
            environ["uriproof.values"] = answer
        return self.app(environ, start_response)

    def _answer(self, environ: WSGIEnvironment) -> dict[str, Any] | Denial | None:
        target = next((environ[name] for name in _RAW if name in environ), None)
        if target is None:
            octets = f"{environ.get('SCRIPT_NAME', '')}{environ.get('PATH_INFO', '')}"
            target = encode(octets.encode("latin-1"), "path-abempty", minimal=True)
        found = self.guard.find(environ["REQUEST_METHOD"], target.partition("?")[0])
        if not isinstance(found, Found):
            return found
        headers = _fields(environ)
        wanted = self.guard.octets(found, headers)
        body = None if wanted == 0 else _body(environ, wanted)
        return self.guard.read(found, environ.get("QUERY_STRING", ""), headers, body)


_CONTENT = ("CONTENT_TYPE", "CONTENT_LENGTH")


def _fields(environ: WSGIEnvironment) -> list[tuple[str, str]]:
    """The header fields; a server replaces each hyphen in a name (RFC 3875 §4.1.18)."""
    names = [name for name in environ if name.startswith("HTTP_")]
    fields = [(name[len("HTTP_") :].replace("_", "-"), environ[name]) for name in names]
    return fields + [(n.replace("_", "-"), environ[n]) for n in _CONTENT if environ.get(n)]


def _body(environ: WSGIEnvironment, wanted: int | None) -> bytes:
    """So many octets of a body, or all of it; the application reads them again."""
    length = environ.get("CONTENT_LENGTH") or ""
    whole = int(length) if length.isdecimal() and len(length) < _DIGITS else None
    if whole is None and not environ.get("wsgi.input_terminated"):
        return b""  # PEP 3333: nothing can be read beyond the length
    stream = environ["wsgi.input"]
    known = [number for number in (whole, wanted) if number is not None]
    body: bytes = stream.read(*[min(known)] * bool(known))
    left = None if whole is None else whole - len(body)
    environ["wsgi.input"] = BufferedReader(_Replayed(body, stream, left))
    return body


_DIGITS = 20  # of a length: no body has more octets


class _Replayed(RawIOBase):
    """What was read of a stream, and then what is left of it: so many octets, or all."""

    def __init__(self, body: bytes, stream: Any, left: int | None) -> None:
        self._body = BytesIO(body)
        self._stream = stream
        self._left = left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        octets = self._body.read(len(buffer))
        if not octets and self._left != 0:
            most = len(buffer) if self._left is None else min(len(buffer), self._left)
            octets = self._stream.read(most)
            self._left = None if self._left is None else self._left - len(octets)
        buffer[: len(octets)] = octets
        return len(octets)


def _refuse(
    start_response: StartResponse,
    problem: Mapping[str, Any],
    more: Iterable[tuple[str, str]] = (),
) -> Iterable[bytes]:
    import json

    body = json.dumps(problem, ensure_ascii=True).encode("ascii")
    headers = [
        ("Content-Type", "application/problem+json"),
        ("Content-Length", str(len(body))),
        *more,
    ]
    start_response(f"{problem['status']} {problem['title']}", headers)
    return [body]
