"""The guard of an OpenAPI document: routes, bodies and values, by ASGI, WSGI and FastAPI.

Owns the promises of docs/validate/adapters/openapi.md. Calls the middlewares without a server.
Invariant: whatever is sent, the answer is the application's, or a problem detail without a value.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from io import BytesIO
from typing import Any

import pytest
from api_inputs import SECRET
from calling import call, call_wsgi, scope
from openapi_documents import INTEGER, JSON, STRING, document, parameter
from tables import beside

from uriproof.adapters import for_asgi, for_wsgi
from uriproof.limits import MOST_BASE_PATHS
from uriproof.parameters import Denial, Guard, InvalidDocument, Operation
from uriproof.parameters.guard import Found

ID = parameter("id", "path", INTEGER, required=True)
NAME = [parameter("name", "path", required=True)]
AB = [parameter(name, "path", required=True) for name in "ab"]
PET = {
    "required": ["name"],
    "properties": {"name": STRING | {"maxLength": 20}, "age": INTEGER},
    "additionalProperties": False,
}
QUERIES = [
    parameter("limit", schema=INTEGER | {"maximum": 100}),
    parameter("tags", schema={"type": "array"}, explode=False),
    parameter("X-Trace", "header"),
    parameter("session", "cookie", INTEGER),
]
BODY = {"required": True, "content": {JSON: {"schema": {"$ref": "#/Pet"}}, "image/*": {}}}
DOCUMENT = document(servers=[{"url": "https://api.example.com/v1"}], Pet=PET)
DOCUMENT["paths"] = {
    "/pets": {"get": {"parameters": QUERIES}, "post": {"requestBody": BODY}},
    "/pets/mine": {"get": {}},
    "/pets/{id}": {"parameters": [ID], "get": {}, "delete": {}},
    "/files/{name}.json": {"parameters": NAME, "get": {}},
    "/files/{name}": {"parameters": NAME, "get": {}},
    "/files/{name}/raw": {"parameters": NAME, "delete": {}},
    "/caf\u00e9/{a}-{b}": {"parameters": AB, "get": {}},
    "/old/{id}": {"parameters": [ID], "get": {}},
}
GUARD = Guard(DOCUMENT)
EMPTY: dict[str, Any] = {"path": {}, "query": {}, "header": {}, "cookie": {}}


def names(guard: Guard, method: str, path: str) -> str:
    """The operation, or status and code of a refusal, or nothing."""
    found = guard.find(method, path)
    if isinstance(found, Found):
        return found.name
    return f"{found.status} {found.code}" if found else ""


def denied(guard: Guard, method: str, path: str, query: str = "") -> Denial:
    found = guard.check(method, path, query)
    assert isinstance(found, Denial)
    return found


@pytest.mark.parametrize(("method", "path", "name"), beside(__file__, "routes"))
def test_routes(method: str, path: str, name: str) -> None:
    assert names(GUARD, method, path) == name


def test_denials() -> None:
    """Of all requests to a path that only reports, too."""
    guard = Guard(DOCUMENT, only_report=["/old/*"])
    for method, path in (("PUT", "/v1/old/7"), ("GET", "/v1/old%2F7"), ("GET", "/v1/old/x")):
        assert denied(guard, method, path).only_report
    denial = denied(guard, "PATCH", "/v1/pets")
    assert not denial.only_report
    assert denial.headers == [("Allow", "GET, HEAD, OPTIONS, POST")]
    assert denial.to_problem()["title"] == "Method Not Allowed"
    words = '400 GET /pets/{id}: 9-11 path parameter "id": expected an integer'
    assert denied(guard, "GET", "/v1/pets/7x").summary == words


@pytest.mark.parametrize(("server", "path", "there"), beside(__file__, "servers"))
def test_servers(server: Any, path: str, there: bool) -> None:
    guard = Guard(document(servers=[server]))
    assert (names(guard, "GET", path) == "GET /a") is there


def test_nearest_servers_count() -> None:
    made = document(servers=[{"url": "/all"}])
    made["paths"]["/a"] |= {"servers": [{"url": "/own"}], "put": {"servers": [{"url": "/put"}]}}
    guard = Guard(made)
    assert names(guard, "GET", "/own/a") == "GET /a"
    assert names(guard, "PUT", "/put/a") == "PUT /a"
    assert names(guard, "GET", "/all/a") == ""
    assert names(Guard(made, base_paths=["", "/b/"]), "GET", "/b/a") == "GET /a"


def test_problems_of_documents_are_told_at_once() -> None:
    right = {"servers": [{"url": "/"}]}
    made = document(servers=[7]) | {
        "paths": {
            "/a": {"get": {**right, "parameters": [parameter(style="matrix")]}},
            "/b": {"get": {}},
            "/c/{x}": {"get": right},
            "/d": {"$ref": "#/nowhere"},
            "/e": {**right, "get": {}},
        }
    }
    with pytest.raises(InvalidDocument) as caught:
        Guard(made)
    places = ["/paths/~1a/get/parameters/0/style", "/paths/~1c~1{x}", "/paths/~1d", "/servers/0"]
    assert sorted(problem.pointer for problem in caught.value.problems) == places
    guard = Guard(made, undefined="skip")
    assert guard.problems == caught.value.problems
    assert names(guard, "GET", "/e") == "GET /e"


def test_two_templates_of_the_same_paths_are_a_problem() -> None:
    made = document(parameter("x", "path", required=True), path="/a/{x}")
    other = {"parameters": [parameter("y", "path", required=True)]}
    made["paths"]["/a/{y}"] = {"get": other}
    with pytest.raises(InvalidDocument, match=r"/a/\{x\} is the same path"):
        Guard(made)
    made["paths"]["/a/{y}"] = {"put": other}
    values = Guard(made).check("PUT", "/a/1")
    assert values == {**EMPTY, "path": {"y": "1"}}


def test_hostile_documents() -> None:
    variables = {name: {"enum": [*map(str, range(50))]} for name in "abcd"}
    server = {"url": "/{a}/{b}/{c}/{d}", "variables": variables}
    with pytest.raises(InvalidDocument, match=f"more than {MOST_BASE_PATHS} paths"):
        Guard(document(servers=[server]))
    deep = "/a" * 1000
    guard = Guard(document(path=deep))
    assert names(guard, "GET", deep) == f"GET {deep}"
    assert names(guard, "GET", "/a" * 100_000) == ""
    with pytest.raises(InvalidDocument, match="version"):
        Guard({"paths": {"/a": {"get": {}}}})


def test_settings() -> None:
    with pytest.raises(ValueError, match=r"no path '/pet'; did you mean /pets\?"):
        Guard(DOCUMENT, only_report=["/pet"])
    with pytest.raises(ValueError, match="unknown is"):
        Guard(DOCUMENT, unknown="no")
    with pytest.raises(TypeError, match="document must be a mapping"):
        Guard("x")  # type: ignore[arg-type]
    filters = document(parameter("filter[name]"))
    denied(Guard(filters), "GET", "/a", "filter[name]=x")
    values: Any = Guard(filters, clients="whatwg").check("GET", "/a", "filter[name]=x")
    assert values["query"] == {"filter[name]": "x"}
    with pytest.raises(ValueError, match="mode is"):
        for_wsgi.OpenAPIGuard(simple, DOCUMENT, mode="no")  # type: ignore[arg-type]
    assert names(Guard(DOCUMENT, unknown="refuse"), "GET", "/x") == "404 path-unknown"


def test_any_tree_of_templates_is_searched_once() -> None:
    """Of 2^12 ways through a path of which each segment fits twice, none is walked twice."""
    paths: dict[str, Any] = {}
    for number in range(12):
        both = "".join(f"/{{x{at}}}" if number == at else "/a" for at in range(12))
        x = parameter(f"x{number}", "path", required=True)
        paths[f"{both}/end"] = {"get": {"parameters": [x]}}
    guard = Guard(document() | {"paths": paths})
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
    body = environ["wsgi.input"].read()
    seen = {"values": environ.get("uriproof.values"), "body": body.decode("latin-1")}
    start_response("200 OK", [])
    return [json.dumps(seen).encode()]


def guarded(settings: Any) -> Any:
    """The arguments of a middleware."""
    mode = settings.pop("mode", "on")
    return {"document": Guard(DOCUMENT, **settings) if settings else GUARD, "mode": mode}


def request(method: str, target: str, headers: Any = ()) -> dict[str, Any]:
    fields = [(n.lower().encode(), v.encode("latin-1")) for n, v in dict(headers).items()]
    return scope(target, fields, method=method)


def asgi(method: str, target: str, headers: Any, body: list[bytes], **settings: Any) -> Any:
    waiting = [
        {"type": "http.request", "body": piece, "more_body": at < len(body)}
        for at, piece in enumerate(body or [b""], 1 if body else 0)
    ]
    app = for_asgi.OpenAPIGuard(application, **guarded(settings))
    start, content = call(app, request(method, target, headers), waiting)
    return start["status"], json.loads(content["body"])


class Stream(BytesIO):
    """Like the input of a server, which waits for ever if more is read than there is."""

    def read(self, size: int | None = -1) -> bytes:
        assert size is not None
        assert size <= len(self.getbuffer()) - self.tell(), "it would wait"
        return super().read(size)


def wsgi(method: str, target: str, headers: Any, body: list[bytes], **settings: Any) -> Any:
    fields = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    if "HTTP_CONTENT_TYPE" in fields:
        fields["CONTENT_TYPE"] = fields.pop("HTTP_CONTENT_TYPE")
    fields["wsgi.input"] = Stream(b"".join(body)) if body else BytesIO()
    fields["CONTENT_LENGTH"] = str(sum(map(len, body))) if body else ""
    app = for_wsgi.OpenAPIGuard(simple, **guarded(settings))
    query = target.partition("?")[2]
    return call_wsgi(app, REQUEST_METHOD=method, RAW_URI=target, QUERY_STRING=query, **fields)


both = pytest.mark.parametrize("ask", [asgi, wsgi])
OF_JSON, OF_PNG = {"Content-Type": JSON}, {"Content-Type": "image/png"}


@both
def test_values(ask: Any) -> None:
    headers = {"X-Trace": "t", "Cookie": "session=7; _ga=100%"}
    status, seen = ask("GET", "/v1/pets?limit=7&tags=a,b%2Cc&utm=%zz", headers, [])
    query = {"limit": 7, "tags": ["a", "b,c"]}
    given = {"path": {}, "query": query, "header": {"X-Trace": "t"}, "cookie": {"session": 7}}
    assert (status, seen["values"]) == (200, given)


@both
def test_bodies(ask: Any) -> None:
    pieces = [b'{"name": "Rex",', b' "age": 3}']
    status, seen = ask("POST", "/v1/pets", OF_JSON, pieces)
    assert status == 200
    assert seen["values"]["body"] == {"name": "Rex", "age": 3}
    assert seen["body"].encode() == b"".join(pieces)
    status, problem = ask("POST", "/v1/pets", OF_JSON, [b'{"name": "Rex", "age": "3"}'])
    [found] = problem["violations"]
    assert (status, found["name"], found["start"]) == (400, "/age", 23)
    assert ask("POST", "/v1/pets", OF_JSON, [])[0] == 400
    assert ask("POST", "/v1/pets", {"Content-Type": "text/plain"}, [b"x"])[0] == 415
    assert ask("POST", "/v1/pets", {}, [b"x"])[0] == 415


@both
def test_no_more_of_a_body_is_read_than_the_limit(ask: Any) -> None:
    large = [b'{"name":', b" " * 100, b'"Rex"}']
    status, problem = ask("POST", "/v1/pets", OF_JSON, large, max_body=50)
    assert status == problem["status"] == 413
    assert ask("POST", "/v1/pets", OF_JSON, large, max_body=None)[0] == 200
    reported = ask("POST", "/v1/pets", OF_JSON, large, max_body=50, mode="report")
    assert reported == (200, {"values": None, "body": b"".join(large).decode()})


@both
def test_other_media_types_pass_as_they_come(ask: Any) -> None:
    image = [b"\xff" * 10, b"\xfe" * 100]
    status, seen = ask("POST", "/v1/pets", OF_PNG, image, max_body=5)
    assert status == 200
    assert seen["body"].encode("latin-1") == b"".join(image)
    assert "body" not in seen["values"]


def test_uploads_are_not_collected() -> None:
    """The application is called with the first message, before the second is there."""
    waiting = [{"type": "http.request", "body": b"x", "more_body": True}] * 2

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await receive()

    guard = for_asgi.OpenAPIGuard(slow, DOCUMENT)
    assert call(guard, request("POST", "/v1/pets", OF_PNG), waiting) == []
    assert len(waiting) == 1


def test_a_client_that_goes_is_not_answered() -> None:
    begun = {"type": "http.request", "body": b"{", "more_body": True}
    waiting = [begun, {"type": "http.disconnect"}]
    guard = for_asgi.OpenAPIGuard(application, DOCUMENT)
    assert call(guard, request("POST", "/v1/pets", OF_JSON), waiting) == []
    assert waiting == []


def test_chunked_bodies_in_wsgi() -> None:
    chunked: Any = {"wsgi.input": BytesIO(b'{"name": "Rex"}'), "wsgi.input_terminated": True}
    guard = for_wsgi.OpenAPIGuard(simple, DOCUMENT)
    chunked |= {"REQUEST_METHOD": "POST", "RAW_URI": "/v1/pets", "CONTENT_TYPE": JSON}
    _, seen = call_wsgi(guard, **chunked)
    assert (seen["values"]["body"], seen["body"]) == ({"name": "Rex"}, '{"name": "Rex"}')


def test_without_a_raw_path() -> None:
    given = scope("", path="/v1/pets/7 %", raw_path=None)
    _, content = call(for_asgi.OpenAPIGuard(application, DOCUMENT), given, [])
    (violation,) = json.loads(content["body"])["violations"]
    assert (violation["start"], violation["end"]) == (9, 16)  # of /v1/pets/7%20%25
    guard = for_wsgi.OpenAPIGuard(simple, DOCUMENT)
    _, seen = call_wsgi(guard, SCRIPT_NAME="/v1", PATH_INFO="/caf\xc3\xa9/x-y")
    assert seen["values"]["path"] == {"a": "x", "b": "y"}


@both
def test_modes_and_exceptions(ask: Any, caplog: pytest.LogCaptureFixture) -> None:
    target, old = f"/v1/pets?limit={SECRET}", "/v1/old/x"
    status, problem = ask("GET", target, {}, [])
    assert status == 400
    assert SECRET not in json.dumps(problem)
    assert ask("GET", target, {}, [], mode="off") == (200, {"values": None, "body": ""})
    with caplog.at_level(logging.WARNING, "uriproof.openapi"):
        assert ask("GET", target, {}, [], mode="report")[0] == 200
        assert ask("GET", old, {}, [], only_report=["/old/*"])[0] == 200
        assert ask("GET", old, {}, [], only_report=["/old/{id}"])[0] == 200
        assert ask("GET", old, {}, [], only_report=["/pets"])[0] == 400
    assert [record.message for record in caplog.records] == [
        '400 GET /pets: 6-12 query parameter "limit": expected an integer',
        *['400 GET /old/{id}: 8-9 path parameter "id": expected an integer'] * 2,
    ]


def test_counts() -> None:
    guard = for_wsgi.OpenAPIGuard(simple, DOCUMENT)
    for query in ("limit=x", "limit=1000", ""):
        call_wsgi(guard, RAW_URI="/v1/pets", QUERY_STRING=query)
    call_wsgi(guard, RAW_URI="/v1/pets%2Fx")
    assert guard.counts == {"parameter-type": 1, "parameter-schema": 1, "path-ambiguous": 1}


# FastAPI


def fastapi(document: Any, path: str, method: Any, **more: Any) -> Any:
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
    found = {"type": "parameter-type", "loc": ["query", "limit"], "msg": "expected an integer"}
    assert answer.json() == {"detail": [{**found, "ctx": {"start": 6, "end": 12}}]}
    assert answer.status_code == 422
    client = fastapi(DOCUMENT, "/pets/{id}", "GET")
    assert client.get("/v1/pets/7").json()["values"]["path"] == {"id": 7}
    found = client.get("/v1/pets/7x").json()["detail"][0]
    assert (found["loc"], found["ctx"]) == (["path", "id"], {"start": 6, "end": 8})
    with pytest.raises(TypeError, match="path and method must be given with a document"):
        fastapi(DOCUMENT, "/pets", None)


def test_bodies_in_fastapi() -> None:
    def post(content: bytes, headers: Any = OF_JSON) -> Any:
        return client.post("/v1/pets", content=content, headers=headers)

    client = fastapi(DOCUMENT, "/pets", "POST", max_body=50)
    text = b'{"name": "Rex", "age": 3}'
    read = {**EMPTY, "body": {"name": "Rex", "age": 3}}
    assert post(text).json() == {"values": read, "body": text.decode()}
    answer = post(text[:-1])
    assert (answer.status_code, answer.json()["detail"][0]["type"]) == (422, "body-json")
    assert post(text + b" " * 50).status_code == 413
    assert post(text, {}).status_code == 415
    assert post(b"x" * 60, OF_PNG).json()["body"] == "x" * 60
    operation = Operation.from_openapi(DOCUMENT, "/pets", "post")
    assert fastapi(operation, "/pets", "POST").post("/v1/pets").status_code == 422
