"""The ASGI application of the service.

Owns the routes and the metrics; the OpenAPI document is a file. Imports Starlette and
prometheus_client (extra ``serve``), and the answers to lines. Invariant: no answer waits for data
that the client has not sent yet, and nothing of a request outlives it.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from .. import __version__
from ..text.problem import problem
from .limits import MULTIPROC, Limits
from .lines import CODES, Broken, answer, lines_of, too_slow

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

_LINES = "application/x-ndjson"
_TURN = 0.02  # seconds of work for one request before others have their turn
_LAST = 5  # seconds beyond the limit for the line that says so to be read


def application() -> Starlette:
    """The application with the limits of the environment: the factory that a server starts."""
    limits = Limits.from_environment()
    _forget_dead_workers()
    answer(b'"http://a b/"', 1, limits)  # loads the grammar: the first client need not wait for it
    return make_application(limits)


def _forget_dead_workers() -> None:
    """What a worker had open when it was killed is not open: another one starts in its place."""
    if MULTIPROC not in os.environ or os.name != "posix":
        return
    for file in Path(os.environ[MULTIPROC]).glob("gauge_live*.db"):
        try:
            os.kill(int(file.stem.rpartition("_")[2]), 0)  # 0 only asks whether it lives
        except ProcessLookupError:
            file.unlink(missing_ok=True)


def make_application(limits: Limits | None = None) -> Starlette:
    """The application: ``POST /check``, ``GET /health``, ``/metrics`` and ``/openapi.json``."""
    return _Service(limits or Limits()).app


class _Answers(StreamingResponse):
    """A response that is sent while the body of the request still arrives.

    Starlette's own waits for the client to leave, and would mistake the body for that. A client
    that reads nothing also holds the connection for this many ``seconds``.
    """

    seconds = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The server closes a connection that is not answered in full; at shutdown it cancels these.
        with suppress(TimeoutError, asyncio.CancelledError):
            async with asyncio.timeout(self.seconds + _LAST):
                await self.stream_response(send)


class _Service:
    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.registry = CollectorRegistry()
        self.reports = Counter(
            *("uriproof_reports", "Reports made, by verdict.", ["ok"]), registry=self.registry
        )
        self.errors = Counter(
            *("uriproof_errors", "Lines and requests refused, by code.", ["code"]),
            registry=self.registry,
        )
        self.open = Gauge(
            *("uriproof_requests_open", "Requests that are being answered."),
            registry=self.registry,
            multiprocess_mode="livesum",
        )
        self.app = Starlette(
            routes=[
                Route("/check", self.check, methods=["POST"]),
                Route("/health", self.health),
                Route("/metrics", self.metrics),
                Route("/openapi.json", self.document),
            ]
        )
        self.app.router.redirect_slashes = False  # to a URL that is made of the Host

    async def check(self, request: Request) -> Response:
        announced = request.headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > self.limits.body:
            self.errors.labels("body-too-large").inc()
            detail = f"the body has more than {self.limits.body:,} octets"
            return JSONResponse(problem(413, detail), 413, media_type="application/problem+json")
        answers = _Answers(self._answers(request), media_type=_LINES)
        answers.seconds = self.limits.seconds
        return answers

    async def _answers(self, request: Request) -> AsyncIterator[bytes]:
        end = monotonic() + self.limits.seconds
        with self.open.track_inprogress():
            try:
                async for lines in lines_of(aiter(request.stream()), self.limits, end):
                    waiting = deque(lines)
                    while waiting:
                        if monotonic() > end:
                            raise too_slow(self.limits, waiting[0][0])
                        yield await asyncio.to_thread(self._turn, waiting)
            except Broken as broken:
                yield self._line(broken.made)
            except ClientDisconnect:
                return

    def _turn(self, waiting: deque[tuple[int, bytes]]) -> bytes:
        """The answers to the first lines that wait; in a thread, for one line can take seconds."""
        ready: list[bytes] = []
        turn = monotonic() + _TURN
        while waiting and monotonic() < turn:
            number, line = waiting.popleft()
            ready.append(self._line(answer(line, number, self.limits)))
        return b"".join(ready)

    def _line(self, made: dict[str, Any]) -> bytes:
        if "error" in made:
            self.errors.labels(made["error"]["code"]).inc()
        else:
            self.reports.labels(str(made["ok"]).lower()).inc()
        return json.dumps(made, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"

    async def health(self, request: Request) -> Response:
        return JSONResponse({"status": "ok", "version": __version__})

    async def metrics(self, request: Request) -> Response:
        registry = self.registry
        if MULTIPROC in os.environ:  # the sums of all worker processes, from the files they share
            MultiProcessCollector(registry := CollectorRegistry())  # type: ignore[no-untyped-call]
        return Response(generate_latest(registry), media_type="text/plain; version=0.0.4")

    async def document(self, request: Request) -> Response:
        return JSONResponse(openapi(self.limits))


def openapi(limits: Limits) -> dict[str, Any]:
    """The OpenAPI document of the service: the file, with the limits and the codes."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name("openapi.json").read_bytes())
    found["info"]["version"] = __version__
    line, answer = (found["components"]["schemas"][name]["oneOf"] for name in ("Line", "Answer"))
    line[1]["properties"]["text"]["maxLength"] = limits.length
    answer[1]["properties"]["error"]["properties"]["code"]["enum"] = [*CODES]
    return found
