"""Operations of OpenAPI documents: what is declared, what a request has, and hostile documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest
from counting import growth
from tables import beside

from uriproof.parameters import InvalidDocument, InvalidParameters, Operation, Parameter, QuerySpec


def document(*parameters: Any, path: str = "/a", version: str = "3.1.1", **more: Any) -> Any:
    get = {"parameters": list(parameters), "responses": {}}
    return {"openapi": version, "paths": {path: {"get": get}}, **more}


def query(name: str, **more: Any) -> Any:
    return {"name": name, "in": "query", "schema": {"type": "string"}, **more}


def problems(given: Any, path: str = "/a") -> list[str]:
    with pytest.raises(InvalidDocument) as caught:
        Operation.from_openapi(given, path, "get")
    return [problem.pointer for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("parameter", "place"),
    [
        (query("a", style="matrix"), "/style"),
        (query("a", style=1), "/style"),
        (query("a", style="deepObject", schema={"type": "object"}), "/explode"),
        (query("a", style="spaceDelimited", explode=True, schema={"type": "array"}), "/explode"),
        (query("a", explode="no"), "/explode"),
        (query("a", required="yes"), "/required"),
        ({"name": "a", "in": "body", "schema": {}}, "/in"),
        ({"in": "query", "schema": {}}, "/name"),
        ({"name": "a", "in": "query"}, ""),
        ({"name": "a", "in": "query", "schema": 7}, "/schema"),
        (query("a", content={"text/plain": {}}), "/content"),
        ({"name": "a", "in": "query", "content": {"a/b": {}, "c/d": {}}}, "/content"),
        ({"name": "a", "in": "path", "required": True, "schema": {}}, ""),
        ("a", ""),
        ({"$ref": "https://e.com/openapi.json#/a"}, ""),
        ({"$ref": "other.yaml"}, ""),
        ({"$ref": "#/nowhere"}, ""),
        ({"$ref": "#/paths/~1a/get/parameters/0"}, ""),
        (query("a", schema={"$ref": "#/nowhere"}), "/schema"),
        (query("a", schema={"$ref": "file:///etc/passwd"}), "/schema"),
    ],
)
def test_problems_have_their_place_in_the_document(parameter: Any, place: str) -> None:
    assert problems(document(parameter)) == [f"/paths/~1a/get/parameters/0{place}"]
    skipped = Operation.from_openapi(document(parameter, query("b")), "/a", "get", undefined="skip")
    assert [p.name for p in skipped.parameters] == ["b"]
    assert len(skipped.problems) == 1


def test_all_problems_at_once() -> None:
    given = document(query("a", style="x"), query("b"), query("b"), query("c", style="y"))
    assert problems(given) == [
        f"/paths/~1a/get/parameters/{at}" for at in ("2", "0/style", "3/style")
    ]


def test_the_path_and_its_parameters_belong_together() -> None:
    id_ = {"name": "id", "in": "path", "required": True, "schema": {}}
    assert problems(document(path="/a/{id}"), "/a/{id}") == ["/paths/~1a~1{id}"]
    assert problems(document({**id_, "required": False}, path="/a/{id}"), "/a/{id}") == [
        "/paths/~1a~1{id}/get/parameters/0/required"
    ]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"openapi": 3},
        {"swagger": "2.0"},
        {"openapi": "3.1.0"},
        {"openapi": "3.1.0", "paths": 1},
    ],
)
def test_what_is_no_document(given: Any) -> None:
    assert len(problems(given)) == 1


def test_unknown_paths_and_methods() -> None:
    with pytest.raises(LookupError, match="did you mean /a"):
        Operation.from_openapi(document(path="/ab"), "/a", "get")
    with pytest.raises(LookupError, match="no method 'post'; it has get"):
        Operation.from_openapi(document(), "/a", "post")
    with pytest.raises(TypeError, match="document must be a mapping"):
        Operation.from_openapi("{}", "/a", "get")  # type: ignore[arg-type]


FORMAT = {"enum": ["json", "xml"]}
PETS = {
    "openapi": "3.0.3",
    "components": {
        "parameters": {"Limit": query("limit", schema={"$ref": "#/components/schemas/Limit"})},
        "schemas": {
            "Limit": {"type": "integer", "minimum": 1, "maximum": 50, "nullable": True},
        },
    },
    "paths": {
        "/pets/{id}.{format}/{tags}": {
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                {
                    "name": "format",
                    "in": "path",
                    "required": True,
                    "schema": {"enum": ["json", "xml"]},
                },
                {
                    "name": "tags",
                    "in": "path",
                    "required": True,
                    "style": "label",
                    "schema": {"type": "array", "items": {"type": "string"}},
                },
                query("limit"),
            ],
            "get": {
                "parameters": [
                    {"$ref": "#/components/parameters/Limit"},
                    {"name": "X-Flags", "in": "header", "schema": {"type": "array", "items": {}}},
                    {"name": "Authorization", "in": "header", "required": True, "schema": {}},
                    {"name": "session", "in": "cookie", "required": True, "schema": {}},
                    {"name": "where", "in": "query", "content": {"application/json": {}}},
                ]
            },
        }
    },
}
GET = Operation.from_openapi(PETS, "/pets/{id}.{format}/{tags}", "GET")


def test_a_request() -> None:
    values = GET.require(
        path="/pets/7.json/.a,b%2C",
        query="limit=50&where=%7B%22a%22:[1]%7D".replace("[1]", "%5B1%5D"),
        headers=[("x-flags", "a, b"), ("X-Flags", "c"), ("Cookie", "a=1; session=s%3D1")],
    )
    assert values == {
        "path": {"id": 7, "format": "json", "tags": ["a", "b,"]},
        "query": {"limit": 50, "where": {"a": [1]}},
        "header": {"X-Flags": ["a", "b", "c"]},
        "cookie": {"session": "s=1"},
    }


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"path": "/pets/x.json/.a"}, [("path", "id", 6, 7, "parameter-type")]),
        ({"path": "/pets/7.pdf/.a"}, [("path", "format", 8, 11, "parameter-schema")]),
        ({"path": "/pets/7.json/a"}, [("path", "tags", 13, 13, "parameter-type")]),
        ({"path": "/pets/7/.a"}, [("path", "", 6, 7, "path-template")]),
        ({"path": "/pet/7.json/.a"}, [("path", "", 1, 4, "path-template")]),
        ({"path": "/pets/.json/.a"}, [("path", "id", 6, 6, "parameter-required")]),
        ({"path": "/pets"}, [("path", "", 0, 5, "path-template")]),
        ({"path": "/pets/7.json/.a b"}, [("path", "", 15, 16, "path-illegal")]),
        ({"query": "limit=51"}, [("query", "limit", 6, 8, "parameter-schema")]),
        ({"query": "where=%7B"}, [("query", "where", 6, 9, "parameter-type")]),
        ({"query": "where=NaN"}, [("query", "where", 6, 9, "parameter-type")]),
        ({"cookie": "session"}, []),
        ({"cookie": "a=1"}, [("cookie", "session", 3, 3, "parameter-required")]),
        ({"headers": {}}, [("cookie", "session", 0, 0, "parameter-required")]),
    ],
)
def test_what_is_wrong_with_a_request(given: Any, expected: list[Any]) -> None:
    report = GET.check(**given)
    assert [(v.location, v.name, v.start, v.end, v.code) for v in report.violations] == expected
    assert json.loads(json.dumps(report.to_problem()))["status"] == 400
    if expected:
        with pytest.raises(InvalidParameters):
            GET.require(**given)


def test_a_literal_segment_may_be_encoded() -> None:
    operation = Operation("/caf\u00e9/{id}", [Parameter("id", location="path")])
    assert operation.check(path="/caf%C3%A9/1").ok
    assert not operation.check(path="/caf%C3/1").ok


def test_references_are_never_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*given: Any, **more: Any) -> Any:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr("socket.socket.connect", no_network)
    schema = {"type": "string", "not": {"$ref": "http://127.0.0.1:9/schema.json"}}
    (place,) = problems(document(query("a", schema=schema)))
    assert place == "/paths/~1a/get/parameters/0/schema/not"


def test_a_query_is_read_in_linear_time() -> None:
    spec = QuerySpec(
        Parameter("a", {"type": "array"}), Parameter("b", {"type": "array"}, explode=False)
    )

    def prepare(piece: str) -> Callable[[int], Callable[[], object]]:
        return lambda n: lambda: spec.check(piece * n)

    for piece in ("a=1&", "a[", "b=,&", "x&", "%zz&", "&&", "a=%FF&", "b=1,2,"):
        assert growth(prepare(piece), 40) < 13, piece


def test_thousands_of_parameters() -> None:
    def load(n: int) -> Any:
        given = document(*[query(f"p{at}") for at in range(n)])
        return lambda: Operation.from_openapi(given, "/a", "get")

    assert growth(load, 40) < 13


@pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])
def test_types_of_both_versions_are_read_in_each(version: str) -> None:
    for schema in (
        {"type": ["integer", "null"], "minimum": 1},
        {"type": "integer", "nullable": True, "minimum": 1},
    ):
        operation = Operation.from_openapi(
            document(query("a", schema=schema), version=version), "/a", "get"
        )
        assert operation.check(query="a=1").ok
        assert not operation.check(query="a=0").ok


def test_what_a_document_says_of_empty_values_and_items_counts() -> None:
    items = {"type": "array", "items": {"type": "integer"}}
    given = document(
        query("a", allowEmptyValue=True, schema={"type": "integer"}), query("b", schema=items)
    )
    operation = Operation.from_openapi(given, "/a", "get")
    report = operation.check(query="a=&b=1&b=2")
    assert report.ok
    assert report.values["query"]["b"] == [1, 2]
    assert [(v.start, v.end) for v in operation.check(query="b=1&b=x").violations] == [(6, 7)]


def test_a_report_and_a_problem_have_their_keys() -> None:
    report = Operation("/a.{id}", [Parameter("id", location="path")]).check(path="/b")
    path = report.path
    assert path is not None
    words = 'the segment is not of the form "a.{id}"'
    assert path.drawn() == f"/b\n ^\n1-2 path: {words}"
    [violation] = path.violations
    assert path.to_dict() == {
        "location": "path",
        "ok": False,
        "violations": [violation.to_dict()],
        "more": 0,
    }
    assert report.to_problem() == {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "detail": "1 violation in the request",
        "violations": [violation.to_dict()],
        "more": 0,
    }


STRINGS = {"type": "array", "items": {"type": "string"}}
NULL = {"type": "null"}
INNER = {"type": "object", "additionalProperties": {"type": "integer"}}


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        *beside(__file__, "arrays_beside_null_and_other_types"),
        ({"type": ["integer", "null"]}, "q=null", None),
    ],
)
@pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])
def test_arrays_beside_null_and_other_types(
    schema: Any, text: str, value: Any, version: str
) -> None:
    if version == "3.0.3" and "prefixItems" in schema:
        pytest.skip("OpenAPI 3.0 has no prefixItems")
    given = document(query("q", schema=schema), version=version, s={"Strings": STRINGS})
    assert Operation.from_openapi(given, "/a", "get").require(query=text)["query"] == {"q": value}


@pytest.mark.parametrize(
    ("schema", "more", "text", "value"),
    [
        *beside(__file__, "objects_beside_null_and_other_types"),
        ({"anyOf": [INNER, STRINGS]}, {"style": "deepObject"}, "q%5BR%5D=1", {"R": 1}),
    ],
)
def test_objects_beside_null_and_other_types(schema: Any, more: Any, text: str, value: Any) -> None:
    given = document(query("q", schema=schema, **({"explode": True} | more)))
    assert Operation.from_openapi(given, "/a", "get").require(query=text)["query"] == {"q": value}


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"anyOf": [STRINGS, INNER]}, "/schema"),
        ({"type": "array", "items": {"anyOf": [STRINGS, NULL]}}, "/schema"),
        ({"anyOf": [{"type": "array", "items": {**INNER, "nullable": True}}, NULL]}, "/schema"),
        ({"type": "object", "properties": {"a": {"type": ["array", "null"]}}}, "/schema"),
        ({"type": "array", "prefixItems": [STRINGS]}, "/schema"),
    ],
)
def test_what_cannot_be_read_is_a_problem_of_the_document(schema: Any, place: str) -> None:
    given = document(query("q", schema=schema))
    assert problems(given) == [f"/paths/~1a/get/parameters/0{place}"]


def test_what_fastapi_declares_is_read_as_fastapi_reads_it() -> None:
    """Its own client and application beside an Operation of its own document."""
    fastapi = pytest.importorskip("fastapi")
    pytest.importorskip("httpx2")
    from fastapi.testclient import TestClient

    made = [
        *(list[str] | None, set[int] | None, list[int] | None, tuple[int, str] | None),
        *(list[Literal["a", "b"]] | None, list[str | None] | None, list[int] | list[str] | None),
        *(list[str], str | None, str),
    ]
    app = fastapi.FastAPI()
    for number, annotation in enumerate(made):

        async def read(q: Any) -> Any:
            return sorted(q) if isinstance(q, set) else q

        read.__annotations__ = {"q": Annotated[annotation, fastapi.Query()]}
        app.get(f"/{number}")(read)
    client, own = TestClient(app), app.openapi()
    for path in own["paths"]:
        operation = Operation.from_openapi(own, path, "get")
        is_text = path in ("/8", "/9")
        for text in (
            "q=a",
            "q=",
            "q=null",
            "q=1",
            *("q=a&q=b", "q=1&q=2", "q=1&q=b") * (not is_text),
        ):
            answer, report = client.get(f"{path}?{text}"), operation.check(query=text)
            assert (answer.status_code == 200) is report.ok, (path, text)
            if report.ok and path != "/6":  # [1] of list[int] | list[str] is ["1"] in FastAPI
                assert report.values["query"] == {"q": answer.json()}, (path, text)
