"""The page on this machine: its files, and ``handle`` behind POST /handle.

Owns the HTTP server of ``uriproof teach``, its headers and its bounds. Imports the standard library
and ``handle``. Invariant: only pages of the server's own origin are answered, and only files below
the page's folder, or given by name, are read; a connection has one request, so that no body is ever
read as another one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.message import Message
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socket import SHUT_WR, socket
from socketserver import TCPServer, ThreadingMixIn
from typing import Any
from urllib.parse import unquote

from ..limits import LINGER_SECONDS, MOST_BODY_OCTETS
from .fields import Refused
from .handle import handle

PAGE = Path(__file__).parent / "page"
HOST = "127.0.0.1"
GIVEN = "given/"  # the path of the files of the command line

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types uriproof"
)
"""The content security policy of the page, which a static site has in a ``<meta>``."""

HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'self'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_PLAIN = "text/plain; charset=utf-8"


@dataclass(frozen=True)
class _Reply:
    """A response; ``more`` are headers in addition to those of every answer."""

    status: HTTPStatus
    body: bytes
    kind: str
    more: dict[str, str] = field(default_factory=dict)


def _words(status: HTTPStatus, words: str, **more: str) -> _Reply:
    return _Reply(status, f"{words}\n".encode(), _PLAIN, more)


def _json(status: HTTPStatus, value: object) -> _Reply:
    import json

    return _Reply(status, json.dumps(value).encode("ascii"), "application/json")


class Server(ThreadingMixIn, TCPServer):
    """Listens on 127.0.0.1; a thread answers each connection, so that none waits for another.

    ``port`` 0 is any free one. ``given`` are files that a page can read below ``given/``, by their
    names, each time anew. Errors: OSError, if the port cannot be used.

    >>> with Server(0) as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """

    daemon_threads = True
    request_queue_size = 128  # a page asks for its files at once; the default of 5 makes them wait
    # On Windows this option would let two programs listen on one port.
    allow_reuse_address = sys.platform != "win32"

    def __init__(self, port: int, given: Sequence[Path] = (), page: Path = PAGE) -> None:
        self.given = {path.name: path for path in given}
        self.page = page.resolve()
        super().__init__((HOST, port), _Handler)
        self.port: int = self.socket.getsockname()[1]
        self.hosts = {f"{name}:{self.port}" for name in (HOST, "localhost")}
        self.origins = {f"http://{name}" for name in self.hosts}

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.port}/"

    def shutdown_request(self, request: Any) -> None:
        """Close after reading what the client still sends, within bounds (RFC 9112 §9.6).

        A connection that is closed with octets unread is reset, and a reset can take the answer
        away from a client that has not read it yet.
        """
        connection: socket = request
        try:
            connection.shutdown(SHUT_WR)
            connection.settimeout(LINGER_SECONDS)
            for _ in range(64):  # of 64 KiB: the largest body that is read
                if not connection.recv(65536):
                    break
        except OSError:
            pass  # it is silent, or gone
        self.close_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is not an error; anything else is shown in one line."""
        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError | TimeoutError):
            _report(error)


def _report(error: object) -> None:
    """A mistake of this package, in one line for whoever started the server."""
    sys.stderr.write(f"uriproof teach: {type(error).__name__}: {error}\n")


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.0"  # the last with one request a connection
    server_version, sys_version = "uriproof", ""
    timeout = 120  # seconds that a connection can be silent

    def do_GET(self) -> None:
        self._reply(self._found)

    do_HEAD = do_GET  # noqa: N815 -- names of the standard library

    def do_POST(self) -> None:
        self._reply(self._answered)

    def do_OPTIONS(self) -> None:
        self._reply(self._not_allowed)

    do_PUT = do_PATCH = do_DELETE = do_OPTIONS  # noqa: N815

    def _reply(self, answer: Callable[[], _Reply]) -> None:
        """Answer a page of this server; a refusal has the form of ``handle``'s errors."""
        try:
            self._require_own_page()
            self._send(answer())
        except Refused as error:
            words = {"code": error.code, "message": str(error)}
            self._send(_json(error.more["status"], {"do": None, "error": words}))

    def _path(self) -> str:
        return unquote(self.path.partition("?")[0]).removeprefix("/")

    def _require_own_page(self) -> None:
        """Errors: Refused, if another site's page asks, or a name that was led here by its DNS."""
        for name in ("Host", "Origin", "Sec-Fetch-Site"):
            if len(self.headers.get_all(name, [])) > 1:  # which one is meant? (RFC 9112 §3.2)
                words = f"the request has more than one {name}"
                raise Refused("repeated-header", words, status=HTTPStatus.BAD_REQUEST)
        if self.headers.get("Host") not in self.server.hosts:
            words = f"this server answers only to {self.server.url}"
            raise Refused("wrong-host", words, status=HTTPStatus.MISDIRECTED_REQUEST)
        origin = self.headers.get("Origin")
        site = self.headers.get("Sec-Fetch-Site", "same-origin")
        link = self.command in {"GET", "HEAD"} and self.headers.get("Sec-Fetch-Mode") == "navigate"
        strange = origin is not None and origin not in self.server.origins
        if strange or (site not in {"same-origin", "none"} and not link):
            words = "only this server's page can ask"
            raise Refused("wrong-origin", words, status=HTTPStatus.FORBIDDEN)

    def _not_allowed(self) -> _Reply:
        allowed = "POST" if self._path() == "handle" else "GET, HEAD"
        words = f"{self.command} is not answered here; {allowed} is"
        return _words(HTTPStatus.METHOD_NOT_ALLOWED, words, Allow=allowed)

    def _found(self) -> _Reply:
        path = self._path()
        if path == "handle":
            return self._not_allowed()
        if path == "transport.json":
            return _json(HTTPStatus.OK, {"kind": "server"})
        file = self._file(path)
        try:
            if file is not None:
                kind = TYPES.get(file.suffix, _PLAIN)
                return _Reply(HTTPStatus.OK, file.read_bytes(), kind)
        except OSError:
            pass  # it is gone, or a folder
        return _words(HTTPStatus.NOT_FOUND, "this file does not exist; the page is at /")

    def _file(self, path: str) -> Path | None:
        if path.startswith(GIVEN):
            return self.server.given.get(path.removeprefix(GIVEN))
        steps = (path or "index.html").split("/")
        if any(step[:1] in {"", "."} or set(step) & set("\\:\0") for step in steps):
            return None
        file = self.server.page.joinpath(*steps).resolve()
        return file if file.is_relative_to(self.server.page) else None

    def _answered(self) -> _Reply:
        if self._path() != "handle":
            return self._not_allowed()
        import json

        body = self._body()
        try:
            request = json.loads(body)
        except (ValueError, RecursionError):
            words = "the body is not JSON that can be read"
            raise Refused("invalid-request", words, status=HTTPStatus.BAD_REQUEST) from None
        try:
            return _json(HTTPStatus.OK, handle(request))
        except Exception as error:
            _report(error)
            words = f"this is a mistake of uriproof: {type(error).__name__}"
            raise Refused("internal", words, status=HTTPStatus.INTERNAL_SERVER_ERROR) from None

    def _body(self) -> bytes:
        """The body of a request. Errors: Refused."""
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            words = "the body must be application/json"
            raise Refused("invalid-request", words, status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        length = self.headers.get("Content-Length", "").strip()
        if not (length.isascii() and length.isdecimal()):
            words = "the request must state its Content-Length"
            raise Refused("invalid-request", words, status=HTTPStatus.LENGTH_REQUIRED)
        if len(length) > len(str(MOST_BODY_OCTETS)) or int(length) > MOST_BODY_OCTETS:
            words = f"a request has at most {MOST_BODY_OCTETS:,} octets"
            raise Refused("too-long", words, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            words = "the body is shorter than its Content-Length"
            raise Refused("invalid-request", words, status=HTTPStatus.BAD_REQUEST)
        return body

    def _send(self, reply: _Reply) -> None:
        own = {"Content-Type": reply.kind, "Content-Length": str(len(reply.body))}
        self.send_response(reply.status)
        for name, value in (HEADERS | own | reply.more).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """The refusals of the standard library, with the headers of every answer."""
        self.headers = getattr(self, "headers", None) or Message()  # of a request that is not HTTP
        self.request_version = self.protocol_version  # whatever was asked for: with headers
        status = HTTPStatus(code)
        self._send(_words(status, message or status.phrase))

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the reader's input is private."""
