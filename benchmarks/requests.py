"""Requests: parameters by an OpenAPI document, the middleware, and the service.

Owns these three; imports openapi-core and uvicorn, where they are installed, and the clock.
Invariant: both readers of parameters get the same request, openapi-core with its query already
parsed, and what each makes of it is compared with what is stated here.
"""

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from .goals import Goal
from .timing import Job, medians

OURS, GUARD, CORE = "uriproof", "uriproof, guard", "openapi-core"
TEN, BODY = "ten parameters", "ten parameters and a body"
WITHOUT, WITH = "application alone", "behind the middleware"
HOSTS, TRUSTED = "behind it, with a policy on hosts", "Starlette's TrustedHostMiddleware"
URLS = Path(__file__).parent.parent.parent / "shared" / "data" / "urls-48k.txt"
_LINES = 5000  # of a request to the service
_REQUESTS = 16  # that many are sent, from four threads


def _of(name: str, location: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": name, "in": location, "schema": schema, **more}


_ITEMS = {"type": "array", "items": {"type": "string"}}
_OBJECT = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}
PARAMETERS = [
    _of("id", "path", {"type": "integer"}, required=True),
    _of("ids", "query", {"type": "array", "items": {"type": "integer"}}, explode=False),
    _of("tag", "query", _ITEMS),
    _of("filter", "query", _OBJECT, style="deepObject", explode=True),
    _of("limit", "query", {"type": "integer", "minimum": 1, "maximum": 100}),
    _of("offset", "query", {"type": "integer", "minimum": 0}),
    _of("sort", "query", {"type": "string", "enum": ["asc", "desc"]}),
    _of("q", "query", {"type": "string", "maxLength": 80}),
    _of("X-Request-ID", "header", {"type": "string"}),
    _of("session", "cookie", {"type": "string"}),
]
PATH = "/users/{id}/items"
_ID = [_of("id", "path", {"type": "integer"}, required=True)]
_JSON = "application/json"
_TAGS = {"type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 10}
_USER = {
    "type": "object",
    "required": ["name", "age"],
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "age": {"type": "integer"},
        "tags": _TAGS,
    },
    "additionalProperties": False,
}
USER = {"name": "Ada", "age": 36, "tags": ["a", "b", "c"]}
QUERY = "ids=1,2,3&tag=x&tag=y&filter%5Ba%5D=z&filter%5Bb%5D=3&limit=10&offset=0&sort=asc&q=a%20b"
VALUES = {
    "path": {"id": 7},
    "query": {
        "ids": [1, 2, 3],
        "tag": ["x", "y"],
        "filter": {"a": "z", "b": 3},
        "limit": 10,
        "offset": 0,
        "sort": "asc",
        "q": "a b",
    },
    "header": {"X-Request-ID": "r1"},
    "cookie": {"session": "s1"},
}
# An array of strings without explode, and what a query comes to; None where it is no valid one.
ARRAYS: dict[str, list[str] | None] = {"f=a,b%2Cc": ["a", "b,c"], "f=%zz": None}


@dataclass(frozen=True)
class Requests:
    """Seconds of one request by table and tool, what each made of arrays, reports a second."""

    seconds: dict[str, dict[str, float]]
    read: dict[str, dict[str, object]]
    reports: float | None
    missing: list[str]


def measure() -> Requests:
    """Readers and middleware in interleaved rounds, and a service on this machine."""
    missing: list[str] = []
    readers: dict[str, Callable[..., Any]] = {OURS: _ours, GUARD: _guard}
    try:
        import openapi_core  # noqa: F401

        readers[CORE] = _core
    except ImportError as error:
        missing.append(str(error.name))
    jobs: dict[str, Job] = {}
    bodies: dict[str, Job] = {}
    read: dict[str, dict[str, object]] = {}
    for tool, make in readers.items():
        jobs[tool] = job = make(PARAMETERS, PATH, "/users/7/items", QUERY)
        if (found := job()) != VALUES:
            raise SystemExit(f"{tool} reads the ten parameters as {found!r}")
        if tool != OURS:
            bodies[tool] = job = make(PARAMETERS, PATH, "/users/7/items", QUERY, USER)
            if job() != USER:
                raise SystemExit(f"{tool} reads the body as {job()!r}")
        own = [_of("f", "query", _ITEMS, explode=False)]
        read[tool] = {
            query: (made["query"]["f"] if (made := make(own, "/a", "/a", query)()) else None)
            for query in ARRAYS
        }
    reports = None
    try:
        reports = _served()
    except ImportError as error:
        missing.append(str(error.name))
    return Requests(
        {TEN: medians(jobs), BODY: medians(bodies), "middleware": medians(_middleware())},
        read,
        reports,
        missing,
    )


def _document(parameters: list[Any], path: str) -> dict[str, Any]:
    """A document with an operation for each method: ``post`` takes a user as JSON."""
    get: dict[str, Any] = {"responses": {"200": {"description": "-"}}}
    body = {"required": True, "content": {"application/json": {"schema": _USER}}}
    post = {**get, "requestBody": body}
    return {
        "openapi": "3.0.3",
        "info": {"title": "-", "version": "1"},
        "servers": [{"url": "http://h"}],
        "paths": {path: {"parameters": parameters, "get": get, "post": post}},
    }


def _ours(parameters: list[Any], template: str, path: str, query: str) -> Job:
    from uriproof.parameters import Operation

    operation = Operation.from_openapi(_document(parameters, template), template, "get")
    headers = {"X-Request-ID": "r1", "Cookie": "session=s1"}

    def job() -> object:
        report = operation.check(path=path, query=query, headers=headers)
        return report.values if report.ok else None

    return job


def _guard(parameters: list[Any], template: str, path: str, query: str, body: object = None) -> Job:
    """The middleware's work: to find the operation among others, and to read the request."""
    from uriproof.parameters.guard import Guard

    document = _document(parameters, template)
    document["paths"] |= {f"/other{at}/{{id}}": {"get": {"parameters": _ID}} for at in range(100)}
    guard = Guard(document)
    headers = [("X-Request-ID", "r1"), ("Cookie", "session=s1"), ("Content-Type", _JSON)]
    method, octets = ("GET", b"") if body is None else ("POST", json.dumps(body).encode())

    def job() -> object:
        values = guard.check(method, path, query, headers, octets)
        if not isinstance(values, dict):
            return None
        return values if body is None else values["body"]

    return job


def _core(parameters: list[Any], template: str, path: str, query: str, body: object = None) -> Job:
    from openapi_core import OpenAPI
    from openapi_core.contrib.werkzeug import WerkzeugOpenAPIRequest
    from openapi_core.unmarshalling.request import V30RequestUnmarshaller
    from werkzeug.test import EnvironBuilder
    from werkzeug.wrappers import Request

    spec = OpenAPI.from_dict(_document(parameters, template)).spec
    headers = {"X-Request-ID": "r1", "Cookie": "session=s1"}
    built = EnvironBuilder(
        path,
        "http://h",
        query_string=query,
        headers=[*headers.items()],
        method="GET" if body is None else "POST",
        json=body,
    )
    request = WerkzeugOpenAPIRequest(Request(built.get_environ()))
    unmarshaller = V30RequestUnmarshaller(spec)

    def job() -> object:
        result = unmarshaller.unmarshal(request)
        if result.errors:
            return None
        if body is not None:
            return result.body
        locations = ("path", "query", "header", "cookie")
        return {name: dict(getattr(result.parameters, name)) for name in locations}

    return job


def _middleware() -> dict[str, Job]:
    """One valid request to an application that answers nothing, alone and behind the middleware."""
    from uriproof import Policy, Rule
    from uriproof.adapters.for_asgi import URIMiddleware

    async def application(scope: Any, receive: Any, send: Any) -> None:
        pass

    scope = {
        "type": "http",
        "method": "GET",
        "raw_path": b"/users/7/items",
        "query_string": QUERY.encode(),
        "headers": [
            (b"host", b"api.example.com"),
            (b"user-agent", b"curl/8"),
            (b"accept", b"*/*"),
            (b"x-request-id", b"r1"),
        ],
    }

    def job(app: Any) -> Job:
        def one() -> None:
            try:
                app(scope, None, None).send(None)
            except StopIteration:
                return

        return one

    of_hosts = Rule(policy=Policy(hosts=["api.example.com"]))
    jobs = {
        WITHOUT: job(application),
        WITH: job(URIMiddleware(application)),
        HOSTS: job(URIMiddleware(application, rule=of_hosts)),
    }
    with suppress(ImportError):  # it reads the Host alone
        from starlette.middleware.trustedhost import TrustedHostMiddleware

        jobs[TRUSTED] = job(TrustedHostMiddleware(application, ["api.example.com"]))
    return jobs


def _served() -> float:
    """Reports a second of ``uriproof serve --workers 2``; its clients run on the same machine."""
    import uvicorn  # noqa: F401

    texts = URLS.read_text("utf-8-sig").splitlines() if URLS.exists() else _made()
    bodies = [
        "\n".join(map(json.dumps, texts[at : at + _LINES])).encode()
        for at in range(0, min(len(texts), _LINES * 8), _LINES)
    ]
    with _service() as address:

        def post(number: int) -> int:
            request = urllib.request.Request(  # noqa: S310 -- this machine
                f"{address}/check", bodies[number % len(bodies)], method="POST"
            )
            with urllib.request.urlopen(request, timeout=120) as response:  # noqa: S310
                return len(response.read().splitlines())

        with ThreadPoolExecutor(4) as pool:
            sum(pool.map(post, range(4)))  # what is built on the first call is not measured
            began = time.perf_counter()
            answered = sum(pool.map(post, range(_REQUESTS)))
            return answered / (time.perf_counter() - began)


def _made() -> list[str]:
    return [f"https://example.com/{at}/a%20b?q={at}&x=[{at}]" for at in range(40_000)]


@contextmanager
def _service() -> Iterator[str]:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uriproof", "serve", "--workers", "2", "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)  # noqa: S603 -- our own
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{address}/health", timeout=5).close()  # noqa: S310
                break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(60)


def show(console: Console, found: Requests) -> None:
    """Tables of microseconds, and what was made of the arrays."""
    table = Table(title="An operation of OpenAPI: microseconds a request; x is times uriproof")
    for head in ("tool", TEN, "x", *ARRAYS):
        table.add_column(head, justify="left" if head == "tool" else "right")
    for tool, seconds in found.seconds[TEN].items():
        cells = [f"{seconds * 1e6:.1f}", f"{seconds / found.seconds[TEN][OURS]:.1f}"]
        for query, wanted in ARRAYS.items():
            made = found.read[tool][query]
            shown = "refused" if made is None else json.dumps(made)
            cells.append(f"{'right' if made == wanted else 'wrong'}: {shown}")
        table.add_row(tool, *[cell.replace("[", r"\[") for cell in cells])
    console.print(table)
    table = Table(title="Ten parameters and a body of JSON: microseconds a request")
    table.add_column("tool")
    table.add_column("µs", justify="right")
    for name, seconds in found.seconds[BODY].items():
        table.add_row(name, f"{seconds * 1e6:.1f}")
    console.print(table)
    table = Table(title="ASGI: microseconds a valid request; more than the application alone")
    table.add_column("application")
    table.add_column("µs", justify="right")
    table.add_column("more", justify="right")
    asgi = found.seconds["middleware"]
    for name, seconds in asgi.items():
        table.add_row(name, f"{seconds * 1e6:.2f}", f"{(seconds - asgi[WITHOUT]) * 1e6:.2f}")
    console.print(table)
    if found.reports is not None:
        console.print(
            f"uriproof serve --workers 2: {found.reports:,.0f} reports a second, with its clients "
            "on the same processors"
        )
    if found.missing:
        console.print("Not installed, so not measured: " + ", ".join(found.missing))


def goals(found: Requests) -> list[Goal]:
    """What is asked for of valid requests."""
    ten, asgi = found.seconds[TEN], found.seconds["middleware"]
    times = ten[CORE] / ten[OURS] if CORE in ten else None
    bodies = found.seconds[BODY]
    guards = [each[CORE] / each[GUARD] if CORE in each else None for each in (ten, bodies)]
    most = (asgi[WITH] - asgi[WITHOUT]) * 1e6
    return [
        Goal("ten parameters of OpenAPI, to openapi-core", times, 10.0, True, "times as fast"),
        Goal("the guard, ten parameters, to openapi-core", guards[0], 20.0, True, "times as fast"),
        Goal(
            "the guard, with a body of JSON, to openapi-core",
            guards[1],
            20.0,
            True,
            "times as fast",
        ),
        Goal("the middleware, a valid request", most, 15.0, False, "µs"),
    ]
