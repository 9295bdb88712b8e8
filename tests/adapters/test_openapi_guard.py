"""The guard of an OpenAPI document: routes, bodies and values, by ASGI, WSGI and FastAPI.

Owns the promises of docs/validate/adapters/openapi.md. Calls the middlewares without a server.
Invariant: whatever is sent, the answer is the application's, or a problem detail without a value.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable
from io import BytesIO
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from api_inputs import SECRET
from tables import beside

from uriproof.adapters import for_asgi, for_wsgi
from uriproof.limits import MOST_BASE_PATHS
from uriproof.parameters import Denial, Guard, InvalidDocument, Operation
from uriproof.parameters.guard import Found

INTEGER = {"type": "integer"}


def of(name: str, location: str, schema: Any, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": location, "schema": schema, **more}


ID = of("id", "path", INTEGER, required=True)
NAME = [of("name", "path", {"type": "string"}, required=True)]
AB = [of(name, "path", {"type": "string"}, required=True) for name in "ab"]
PET = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string", "maxLength": 20}, "age": INTEGER},
    "additionalProperties": False,
}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.1",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://api.example.com/v1"}],
    "components": {"schemas": {"Pet": PET}},
    "paths": {
        "/pets": {
            "get": {
                "parameters": [
                    of("limit", "query", {**INTEGER, "maximum": 100}),
                    of("tags", "query", {"type": "array"}, explode=False),
                    of("X-Trace", "header", {"type": "string"}),
                    of("session", "cookie", INTEGER),
                ]
            },
            "post": {
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Pet"}},
                        "image/*": {},
                    },
                }
            },
        },
        "/pets/mine": {"get": {}},
        "/pets/{id}": {"parameters": [ID], "get": {}, "delete": {}},
        "/files/{name}.json": {"parameters": NAME, "get": {}},
        "/files/{name}": {"parameters": NAME, "get": {}},
        "/files/{name}/raw": {"parameters": NAME, "delete": {}},
        "/caf\u00e9/{a}-{b}": {"parameters": AB, "get": {}},
        "/old/{id}": {"parameters": [ID], "get": {}},
    },
}


GUARD = Guard(DOCUMENT)


def names(guard: Guard, method: str, path: str) -> str:
    """The operation, or status and code of a refusal, or nothing."""
    found = guard.find(method, path)
    if isinstance(found, Found):
        return found.name
    return f"{found.status} {found.code}" if found else ""


@pytest.mark.parametrize(("method", "path", "name"), beside(__file__, "routes"))
def test_routes(method: str, path: str, name: str) -> None:
    assert names(GUARD, method, path) == name


def test_all_requests_to_a_path_that_only_reports_pass() -> None:
    guard = Guard(DOCUMENT, only_report=["/old/*"])
    for method, path in (("PUT", "/v1/old/7"), ("GET", "/v1/old%2F7"), ("GET", "/v1/old/x")):
        denial = guard.check(method, path)
        assert isinstance(denial, Denial)
        assert denial.only_report
    denial = guard.check("PUT", "/v1/pets")
    assert isinstance(denial, Denial)
    assert not denial.only_report


def test_methods_that_are_allowed() -> None:
    denial = Guard(DOCUMENT).find("PATCH", "/v1/pets")
    assert isinstance(denial, Denial)
    assert denial.headers == [("Allow", "GET, HEAD, OPTIONS, POST")]
    assert denial.to_problem()["title"] == "Method Not Allowed"


@pytest.mark.parametrize(
    ("server", "path", "there"),
    [
        ({"url": "/"}, "/a", True),
        ({"url": "v2/"}, "/v2/a", True),
        ({"url": "https://{region}.e.com:{port}/x"}, "/x/a", True),
        ({"url": "/{base}", "variables": {"base": {"default": "v2"}}}, "/v3/a", True),
        ({"url": "/{base}", "variables": {"base": {"enum": ["v1", "v2/b"]}}}, "/v2/b/a", True),
        ({"url": "/{base}", "variables": {"base": {"enum": ["v1", "v2"]}}}, "/v3/a", False),
        ({"url": "{s}/v1", "variables": {"s": {"default": "http://h"}}}, "/v1/a", True),
    ],
)
def test_servers(server: Any, path: str, there: bool) -> None:
    document = {"openapi": "3.1.1", "servers": [server], "paths": {"/a": {"get": {}}}}
    assert (names(Guard(document), "GET", path) == "GET /a") is there


def test_nearest_servers_count() -> None:
    item = {"servers": [{"url": "/own"}], "get": {}, "put": {"servers": [{"url": "/put"}]}}
    document = {"openapi": "3.1.1", "servers": [{"url": "/all"}], "paths": {"/a": item}}
    guard = Guard(document)
    assert names(guard, "GET", "/own/a") == "GET /a"
    assert names(guard, "PUT", "/put/a") == "PUT /a"
    assert names(guard, "GET", "/all/a") == ""
    assert names(Guard(document, base_paths=["", "/b/"]), "GET", "/b/a") == "GET /a"


def test_a_template_of_a_server_is_read_with_offsets_of_the_whole_path() -> None:
    guard = Guard(DOCUMENT)
    denial = guard.check("GET", "/v1/pets/7x")
    assert isinstance(denial, Denial)
    assert denial.summary == '400 GET /pets/{id}: 9-11 path parameter "id": expected an integer'


def test_problems_of_documents_are_told_at_once() -> None:
    wrong = {"name": "q", "in": "query", "style": "matrix", "schema": {}}
    document: dict[str, Any] = {
        "openapi": "3.1.1",
        "servers": [7],
        "paths": {
            "/a": {"get": {"servers": [{"url": "/"}], "parameters": [wrong]}},
            "/b": {"get": {}},
            "/c/{x}": {"get": {"servers": [{"url": "/"}]}},
            "/d": {"$ref": "#/nowhere"},
            "/e": {"servers": [{"url": "/"}], "get": {}},
        },
    }
    with pytest.raises(InvalidDocument) as caught:
        Guard(document)
    assert {p.pointer for p in caught.value.problems} == {
        "/paths/~1a/get/parameters/0/style",
        "/servers/0",
        "/paths/~1c~1{x}",
        "/paths/~1d",
    }
    guard = Guard(document, undefined="skip")
    assert guard.problems == caught.value.problems
    assert names(guard, "GET", "/e") == "GET /e"


def test_two_templates_of_the_same_paths_are_a_problem() -> None:
    x, y = of("x", "path", {}, required=True), of("y", "path", {}, required=True)
    paths = {"/a/{x}": {"get": {"parameters": [x]}}, "/a/{y}": {"get": {"parameters": [y]}}}
    with pytest.raises(InvalidDocument, match=r"/a/\{x\} is the same path"):
        Guard({"openapi": "3.1.1", "paths": paths})
    del paths["/a/{y}"]["get"]
    paths["/a/{y}"]["put"] = {"parameters": [y]}
    assert Guard({"openapi": "3.1.1", "paths": paths}).check("PUT", "/a/1") == {
        "path": {"y": "1"},
        "query": {},
        "header": {},
        "cookie": {},
    }


def test_hostile_documents() -> None:
    variables = {name: {"enum": [*map(str, range(50))]} for name in "abcd"}
    server = {"url": "/{a}/{b}/{c}/{d}", "variables": variables}
    many = {"openapi": "3.1.1", "servers": [server], "paths": {"/a": {"get": {}}}}
    with pytest.raises(InvalidDocument, match=f"more than {MOST_BASE_PATHS} paths"):
        Guard(many)
    deep = "/a" * 5000
    guard = Guard({"openapi": "3.1.1", "paths": {deep: {"get": {}}}})
    assert names(guard, "GET", deep) == f"GET {deep}"
    assert names(guard, "GET", "/a" * 100_000) == ""
    with pytest.raises(InvalidDocument, match="version"):
        Guard({"paths": {"/a": {"get": {}}}})


def test_clients() -> None:
    queries = [of("filter[name]", "query", {"type": "string"})]
    document = {"openapi": "3.1.1", "paths": {"/a": {"get": {"parameters": queries}}}}
    assert isinstance(Guard(document).check("GET", "/a", "filter[name]=x"), Denial)
    values = Guard(document, clients="whatwg").check("GET", "/a", "filter[name]=x")
    assert isinstance(values, dict)
    assert values["query"] == {"filter[name]": "x"}


def test_settings() -> None:
    with pytest.raises(ValueError, match=r"no path '/pet'; did you mean /pets\?"):
        Guard(DOCUMENT, only_report=["/pet"])
    with pytest.raises(ValueError, match="unknown is"):
        Guard(DOCUMENT, unknown="no")
    with pytest.raises(TypeError, match="document must be a mapping"):
        Guard("x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="mode is"):
        for_wsgi.OpenAPIGuard(simple, DOCUMENT, mode="no")  # type: ignore[arg-type]
    assert names(Guard(DOCUMENT, unknown="refuse"), "GET", "/x") == "404 path-unknown"


def test_any_tree_of_templates_is_searched_once() -> None:
    """Of 2^12 ways through a path of which each segment fits twice, none is walked twice."""
    paths: dict[str, Any] = {}
    for number in range(12):
        both = "".join(f"/{{x{at}}}" if number == at else "/a" for at in range(12))
        x = of(f"x{number}", "path", {"type": "string"}, required=True)
        paths[f"{both}/end"] = {"get": {"parameters": [x]}}
    guard = Guard({"openapi": "3.1.1", "paths": paths})
    assert names(guard, "GET", "/a" * 12 + "/no") == ""
    assert names(guard, "GET", "/a" * 11 + "/b/end") == "GET " + "/a" * 11 + "/{x11}/end"


# The middlewares. Each way of calling gives the status, the JSON, and what the application saw.


async def application(scope: Any, receive: Any, send: Any) -> None:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    seen = {"values": scope.get("uriproof.values"), "body": body.decode("latin-1")}
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps(seen).encode()})


def simple(environ: Any, start_response: Any) -> Iterable[bytes]:
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or -1))
    seen = {"values": environ.get("uriproof.values"), "body": body.decode("latin-1")}
    start_response("200 OK", [])
    return [json.dumps(seen).encode()]


def guarded(settings: Any) -> Any:
    """The arguments of a middleware."""
    own = {key: value for key, value in settings.items() if key != "mode"}
    return {
        "document": Guard(DOCUMENT, **own) if own else GUARD,
        "mode": settings.get("mode", "on"),
    }


def asgi(method: str, target: str, headers: Any, body: list[bytes], **settings: Any) -> Any:
    path, _, query = target.encode("latin-1").partition(b"?")
    scope = {
        "type": "http",
        "method": method,
        "raw_path": path,
        "path": "-",
        "query_string": query,
        "headers": [(n.lower().encode(), v.encode("latin-1")) for n, v in headers.items()],
    }
    waiting = [
        {"type": "http.request", "body": piece, "more_body": at < len(body)}
        for at, piece in enumerate(body or [b""], 1 if body else 0)
    ]
    sent: list[Any] = []

    async def receive() -> Any:
        return waiting.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    app = for_asgi.OpenAPIGuard(application, **guarded(settings))
    asyncio.run(app(scope, receive, send))
    if not sent:
        return 0, None
    return sent[0]["status"], json.loads(sent[1]["body"])


class Stream(BytesIO):
    """Like the input of a server, which waits for ever if more is read than there is."""

    def read(self, size: int | None = -1) -> bytes:
        assert size is not None
        assert size <= len(self.getbuffer()) - self.tell(), "it would wait"
        return super().read(size)


def wsgi(method: str, target: str, headers: Any, body: list[bytes], **settings: Any) -> Any:
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "RAW_URI": target,
        "QUERY_STRING": target.partition("?")[2],
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
        "wsgi.input": Stream(b"".join(body)),
        "CONTENT_LENGTH": str(sum(map(len, body))) if body else "",
    }
    if "HTTP_CONTENT_TYPE" in environ:
        environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE")
    if not body:
        environ["wsgi.input"] = BytesIO()
    setup_testing_defaults(environ)
    status: list[str] = []

    def answer(line: str, fields: Any) -> Any:
        status.append(line)
        assert all(isinstance(each, str) for field in fields for each in field)

    app = for_wsgi.OpenAPIGuard(simple, **guarded(settings))
    start_response: Any = answer
    found = b"".join(app(environ, start_response))
    return int(status[0][:3]), json.loads(found)


both = pytest.mark.parametrize("call", [asgi, wsgi])
JSON = {"Content-Type": "application/json"}


@both
def test_values(call: Any) -> None:
    headers = {"X-Trace": "t", "Cookie": "session=7; _ga=100%"}
    status, seen = call("GET", "/v1/pets?limit=7&tags=a,b%2Cc&utm=%zz", headers, [])
    assert status == 200
    assert seen["values"] == {
        "path": {},
        "query": {"limit": 7, "tags": ["a", "b,c"]},
        "header": {"X-Trace": "t"},
        "cookie": {"session": 7},
    }


@both
def test_bodies(call: Any) -> None:
    pieces = [b'{"name": "Rex",', b' "age": 3}']
    status, seen = call("POST", "/v1/pets", JSON, pieces)
    assert status == 200
    assert seen["values"]["body"] == {"name": "Rex", "age": 3}
    assert seen["body"].encode() == b"".join(pieces)
    status, problem = call("POST", "/v1/pets", JSON, [b'{"name": "Rex", "age": "3"}'])
    assert status == 400
    assert [(v["name"], v["start"], v["code"]) for v in problem["violations"]] == [
        ("/age", 23, "body-schema")
    ]
    assert call("POST", "/v1/pets", JSON, [b'{"name": '])[0] == 400
    assert call("POST", "/v1/pets", JSON, [])[0] == 400
    assert call("POST", "/v1/pets", {"Content-Type": "text/plain"}, [b"x"])[0] == 415
    assert call("POST", "/v1/pets", {}, [b"x"])[0] == 415


def test_an_empty_form_is_one_without_fields() -> None:
    form = {"application/x-www-form-urlencoded": {"schema": {"type": "object"}}}
    post = {"post": {"requestBody": {"required": True, "content": form}}}
    guard = Guard({"openapi": "3.1.1", "paths": {"/a": post}})
    values = guard.check("POST", "/a", headers={"Content-Type": next(iter(form))})
    assert isinstance(values, dict)
    assert values["body"] == {}
    assert isinstance(guard.check("POST", "/a"), Denial)


@both
def test_no_more_of_a_body_is_read_than_the_limit(call: Any) -> None:
    large = [b'{"name":', b" " * 100, b'"Rex"}']
    status, problem = call("POST", "/v1/pets", JSON, large, max_body=50)
    assert status == problem["status"] == 413
    assert call("POST", "/v1/pets", JSON, large, max_body=None)[0] == 200
    status, seen = call("POST", "/v1/pets", JSON, large, max_body=50, mode="report")
    assert status == 200
    assert seen == {"values": None, "body": b"".join(large).decode()}


@both
def test_other_media_types_pass_as_they_come(call: Any) -> None:
    image = [b"\xff" * 10, b"\xfe" * 100]
    status, seen = call("POST", "/v1/pets", {"Content-Type": "image/png"}, image, max_body=5)
    assert status == 200
    assert seen["body"].encode("latin-1") == b"".join(image)
    assert "body" not in seen["values"]


def test_uploads_are_not_collected() -> None:
    """The application is called with the first message, before the second is there."""
    asked: list[int] = []

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        assert len(asked) == 1
        await receive()
        assert len(asked) == 1

    async def receive() -> Any:
        asked.append(1)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def send(message: Any) -> None:
        raise AssertionError

    scope = {"type": "http", "method": "POST", "raw_path": b"/v1/pets", "path": "-"}
    scope |= {"query_string": b"", "headers": [(b"content-type", b"image/png")]}
    asyncio.run(for_asgi.OpenAPIGuard(slow, DOCUMENT)(scope, receive, send))
    assert len(asked) == 1


def test_a_client_that_goes_is_not_answered() -> None:
    sent: list[Any] = []
    waiting = [
        {"type": "http.request", "body": b"{", "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Any:
        return waiting.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "raw_path": b"/v1/pets", "path": "-"}
    scope |= {"query_string": b"", "headers": [(b"content-type", b"application/json")]}
    asyncio.run(for_asgi.OpenAPIGuard(application, DOCUMENT)(scope, receive, send))
    assert (sent, waiting) == ([], [])


def test_chunked_bodies_in_wsgi() -> None:
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "RAW_URI": "/v1/pets",
        "CONTENT_TYPE": "application/json",
        "wsgi.input": BytesIO(b'{"name": "Rex"}'),
        "wsgi.input_terminated": True,
    }
    setup_testing_defaults(environ)
    (body,) = for_wsgi.OpenAPIGuard(simple, DOCUMENT)(environ, lambda *_: None)  # type: ignore[arg-type]
    assert json.loads(body)["values"]["body"] == {"name": "Rex"}
    assert json.loads(body)["body"] == '{"name": "Rex"}'


def test_without_a_raw_path() -> None:
    scope = {"type": "http", "method": "GET", "path": "/v1/pets/7 %"}
    guard = for_asgi.OpenAPIGuard(application, DOCUMENT)
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(guard({**scope, "query_string": b"", "headers": []}, None, send))  # type: ignore[arg-type]
    (violation,) = json.loads(sent[1]["body"])["violations"]
    assert (violation["start"], violation["end"]) == (9, 16)  # of /v1/pets/7%20%25
    environ: dict[str, Any] = {"SCRIPT_NAME": "/v1", "PATH_INFO": "/caf\xc3\xa9/x-y"}
    setup_testing_defaults(environ)
    (body,) = for_wsgi.OpenAPIGuard(simple, DOCUMENT)(environ, lambda *_: None)  # type: ignore[arg-type]
    assert json.loads(body)["values"]["path"] == {"a": "x", "b": "y"}


@both
def test_modes_and_exceptions(call: Any, caplog: pytest.LogCaptureFixture) -> None:
    target = f"/v1/pets?limit={SECRET}"
    status, problem = call("GET", target, {}, [])
    assert status == 400
    assert SECRET not in json.dumps(problem)
    assert call("GET", target, {}, [], mode="off") == (200, {"values": None, "body": ""})
    with caplog.at_level(logging.WARNING, "uriproof.openapi"):
        assert call("GET", target, {}, [], mode="report")[0] == 200
        assert call("GET", "/v1/old/x", {}, [], only_report=["/old/*"])[0] == 200
        assert call("GET", "/v1/old/x", {}, [], only_report=["/old/{id}"])[0] == 200
        assert call("GET", "/v1/old/x", {}, [], only_report=["/pets"])[0] == 400
    assert [record.message for record in caplog.records] == [
        '400 GET /pets: 6-12 query parameter "limit": expected an integer',
        *['400 GET /old/{id}: 8-9 path parameter "id": expected an integer'] * 2,
    ]


def test_counts() -> None:
    guard = for_wsgi.OpenAPIGuard(simple, DOCUMENT)
    for target in ("/v1/pets?limit=x", "/v1/pets?limit=1000", "/v1/pets%2Fx", "/v1/pets"):
        environ = {"REQUEST_METHOD": "GET", "RAW_URI": target}
        environ["QUERY_STRING"] = target.partition("?")[2]
        setup_testing_defaults(environ)
        guard(environ, lambda *_: None)  # type: ignore[arg-type]
    assert guard.counts == {"parameter-type": 1, "parameter-schema": 1, "path-ambiguous": 1}


# FastAPI


def fastapi(document: Any, path: str, method: str, **more: Any) -> Any:
    pytest.importorskip("fastapi")
    from fastapi import Depends, FastAPI, Request
    from fastapi.testclient import TestClient

    from uriproof.adapters import for_fastapi

    app = FastAPI()
    read = for_fastapi.operation(document, path, method, **more)

    async def route(request: Request, values: Any = Depends(read)) -> Any:  # noqa: B008 -- FastAPI
        return {"values": values, "body": (await request.body()).decode("latin-1")}

    route.__annotations__["request"] = Request
    app.add_api_route(f"/v1{path}", route, methods=[method])
    return TestClient(app, raise_server_exceptions=True)


def test_fastapi() -> None:
    client = fastapi(DOCUMENT, "/pets", "GET")
    answer = client.get("/v1/pets?limit=7&tags=a,b%2Cc")
    assert answer.json()["values"]["query"] == {"limit": 7, "tags": ["a", "b,c"]}
    answer = client.get(f"/v1/pets?limit={SECRET}")
    assert answer.status_code == 422
    assert answer.json() == {
        "detail": [
            {
                "type": "parameter-type",
                "loc": ["query", "limit"],
                "msg": "expected an integer",
                "ctx": {"start": 6, "end": 12},
            }
        ]
    }
    client = fastapi(DOCUMENT, "/pets/{id}", "GET")
    assert client.get("/v1/pets/7").json()["values"]["path"] == {"id": 7}
    found = client.get("/v1/pets/7x").json()["detail"][0]
    assert (found["loc"], found["ctx"]) == (["path", "id"], {"start": 6, "end": 8})


def test_bodies_in_fastapi() -> None:
    client = fastapi(DOCUMENT, "/pets", "POST", max_body=50)
    text = b'{"name": "Rex", "age": 3}'
    answer = client.post("/v1/pets", content=text, headers=JSON)
    assert answer.json()["values"]["body"] == {"name": "Rex", "age": 3}
    assert answer.json()["body"] == text.decode()
    answer = client.post("/v1/pets", content=text[:-1], headers=JSON)
    assert (answer.status_code, answer.json()["detail"][0]["type"]) == (422, "body-json")
    assert client.post("/v1/pets", content=text + b" " * 50, headers=JSON).status_code == 413
    assert client.post("/v1/pets", content=text).status_code == 415
    image = client.post("/v1/pets", content=b"x" * 60, headers={"Content-Type": "image/png"})
    assert image.json()["body"] == "x" * 60
    operation = Operation.from_openapi(DOCUMENT, "/pets", "post")
    assert fastapi(operation, "/pets", "POST").post("/v1/pets").status_code == 422


def test_an_empty_text_is_an_empty_array_if_an_empty_item_is_not_right() -> None:
    """Clients join the items of an array, also if there are none."""
    items = {"x": {"enum": ["a"]}, "y": INTEGER, "z": {"type": "string"}}
    queries = [
        of(name, "query", {"type": "array", "items": schema}, explode=False)
        for name, schema in items.items()
    ]
    queries.append(of("least", "query", {"type": "array", "items": INTEGER, "minItems": 1}))
    queries[-1]["explode"] = False
    guard = Guard({"openapi": "3.1.1", "paths": {"/a": {"get": {"parameters": queries}}}})
    values = guard.check("GET", "/a", "x=&y=&z=")
    assert isinstance(values, dict)
    assert values["query"] == {"x": [], "y": [], "z": [""]}
    assert isinstance(guard.check("GET", "/a", "least="), Denial)


@pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])
def test_nullable_is_also_read_in_documents_of_a_newer_version(version: str) -> None:
    """As OpenAI's document has it, of version 3.1: nobody writes it who does not mean it."""
    schema = {"type": "object", "properties": {"n": {**INTEGER, "nullable": True}}}
    content = {"application/json": {"schema": schema}}
    document = {
        "openapi": version,
        "paths": {"/a": {"post": {"requestBody": {"content": content}}}},
    }
    values = Guard(document).check("POST", "/a", "", JSON, b'{"n": null}')
    assert isinstance(values, dict)
    assert values["body"] == {"n": None}
    assert isinstance(Guard(document).check("POST", "/a", "", JSON, b'{"n": ""}'), Denial)
