"""Operations of OpenAPI documents: what is declared, what a request has, and hostile documents."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from counting import growth
from openapi_documents import INTEGER, JSON, STRING, document, faults, load, parameter, problems
from tables import beside

from uriproof.parameters import InvalidParameters, Operation, Parameter, QuerySpec


@pytest.mark.parametrize(
    ("own", "place"), beside(__file__, "problems_have_their_place_in_the_document")
)
def test_problems_have_their_place_in_the_document(own: Any, place: str) -> None:
    assert problems(document(own)) == [f"/paths/~1a/get/parameters/0{place}"]
    skipped = Operation.from_openapi(document(own, parameter("b")), "/a", "get", undefined="skip")
    assert [p.name for p in skipped.parameters] == ["b"]
    assert len(skipped.problems) == 1


def test_all_problems_at_once() -> None:
    wrong = [parameter(name, style="x") for name in "ac"]
    found = problems(document(parameter("b"), parameter("b"), *wrong))
    assert found == [f"/paths/~1a/get/parameters/{at}" for at in ("1", "2/style", "3/style")]


def test_the_path_and_its_parameters_belong_together() -> None:
    path = "/a/{id}"
    assert problems(document(path=path), path) == ["/paths/~1a~1{id}"]
    optional = document(parameter("id", "path", required=False), path=path)
    assert problems(optional, path) == ["/paths/~1a~1{id}/get/parameters/0/required"]


def test_what_is_no_document() -> None:
    wrong: list[Any] = [{}, {"openapi": 3}, {"swagger": "2.0"}, {"openapi": "3.1.0"}]
    for given in (*wrong, {"openapi": "3.1.0", "paths": 1}):
        assert len(problems(given)) == 1, given


def test_unknown_paths_and_methods() -> None:
    with pytest.raises(LookupError, match="did you mean /a"):
        Operation.from_openapi(document(path="/ab"), "/a", "get")
    with pytest.raises(LookupError, match="no method 'post'; it has get"):
        Operation.from_openapi(document(), "/a", "post")
    with pytest.raises(TypeError, match="document must be a mapping"):
        Operation.from_openapi("{}", "/a", "get")  # type: ignore[arg-type]


PATH = "/pets/{id}.{format}/{tags}"
STRINGS = {"type": "array", "items": STRING}
PETS = document(
    parameter("limit", schema={"$ref": "#/Limit"}),
    parameter("X-Flags", "header", STRINGS),
    parameter("Authorization", "header", required=True),
    parameter("session", "cookie", required=True),
    parameter("where", content={JSON: {}}),
    path=PATH,
    version="3.0.3",
    Limit={"type": "integer", "minimum": 1, "maximum": 50, "nullable": True},
)
PETS["paths"][PATH]["parameters"] = [
    parameter("id", "path", INTEGER, required=True),
    parameter("format", "path", {"enum": ["json", "xml"]}, required=True),
    parameter("tags", "path", STRINGS, required=True, style="label"),
    parameter("limit"),
]
GET = Operation.from_openapi(PETS, PATH, "GET")


def test_a_request() -> None:
    values = GET.require(
        path="/pets/7.json/.a,b%2C",
        query="limit=50&where=%7B%22a%22:%5B1%5D%7D",
        headers=[("x-flags", "a, b"), ("X-Flags", "c"), ("Cookie", "a=1; session=s%3D1")],
    )
    assert values == {
        "path": {"id": 7, "format": "json", "tags": ["a", "b,"]},
        "query": {"limit": 50, "where": {"a": [1]}},
        "header": {"X-Flags": ["a", "b", "c"]},
        "cookie": {"session": "s=1"},
    }


@pytest.mark.parametrize(
    ("given", "location", "fault"), beside(__file__, "what_is_wrong_with_a_request")
)
def test_what_is_wrong_with_a_request(given: Any, location: str, fault: list[Any]) -> None:
    report = GET.check(**given)
    assert faults(report) == [tuple(fault)]
    assert report.violations[0].location == location
    assert report.to_problem()["status"] == 400
    with pytest.raises(InvalidParameters):
        GET.require(**given)


ARRAY = {"type": "array"}
ARRAYS = QuerySpec(Parameter("a", ARRAY), Parameter("b", ARRAY, explode=False))
SLOW = {"uri": "%5E", "date-time": "2024-02-29T23:20:5", "email": "a@"}
FREE = {"type": "object", "properties": {"x": {}}}


@pytest.mark.parametrize(
    ("spec", "piece"),
    [
        *((ARRAYS, one) for one in ("a=1&", "a[", "b=,&", "x&", "%zz&", "&&", "a=%FF&", "b=1,")),
        (QuerySpec(*[Parameter(f"p{at}") for at in range(50)], undeclared="reject"), "q0=1&"),
        (QuerySpec(*[Parameter(f"o{at}", FREE, explode=True) for at in range(50)]), "y=1&"),
        *((QuerySpec(Parameter("q", STRING | {"format": f})), one) for f, one in SLOW.items()),
    ],
)
def test_a_query_is_read_in_linear_time(spec: QuerySpec, piece: str) -> None:
    assert growth(lambda n: lambda: spec.check("q=" + piece * n), 40) < 13


def test_thousands_of_parameters() -> None:
    def reading(n: int) -> Any:
        given = document(*[parameter(f"p{at}") for at in range(n)])
        return lambda: Operation.from_openapi(given, "/a", "get")

    assert growth(reading, 40) < 13


def test_a_report_and_a_problem_have_their_keys() -> None:
    report = Operation("/a.{id}", [Parameter("id", location="path")]).check(path="/b")
    path = report.path
    assert path is not None
    words = 'the segment is not of the form "a.{id}"'
    assert path.drawn() == f"/b\n ^\n1-2 path: {words}"
    [violation] = path.violations
    listed = {"violations": [violation.to_dict()], "more": 0}
    assert path.to_dict() == {"location": "path", "ok": False, **listed}
    problem = {"type": "about:blank", "title": "Bad Request", "status": 400}
    assert report.to_problem() == {**problem, "detail": "1 violation in the request", **listed}


@pytest.mark.parametrize(
    ("schema", "more", "query", "value"),
    [
        *beside(__file__, "queries_and_their_values"),
        ({"type": ["integer", "null"]}, {}, "q=null", None),
        ({"type": "boolean"}, {"allowEmptyValue": True}, "q=", None),
        (INTEGER | {"minimum": 1}, {"allowEmptyValue": True}, "q", None),
    ],
)
def test_queries_and_their_values(schema: Any, more: Any, query: str, value: Any) -> None:
    versions = ["3.1.1", "3.0.3"][: 2 - ("prefixItems" in schema or "patternProperties" in schema)]
    for version in versions:
        operation = load(parameter(schema=schema, **more), version=version, s={"Strings": STRINGS})
        found = operation.check(query=query).values["query"]
        assert found == ({} if value is False and not found else {"q": value})
        assert type(found.get("q", value)) is type(value)


@pytest.mark.parametrize(
    "schema", beside(__file__, "what_cannot_be_read_is_a_problem_of_the_document")
)
def test_what_cannot_be_read_is_a_problem_of_the_document(schema: Any) -> None:
    assert problems(document(parameter(schema=schema))) == ["/paths/~1a/get/parameters/0/schema"]


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
        several = () if is_text else ("q=a&q=b", "q=1&q=2", "q=1&q=b")
        for text in ("q=a", "q=", "q=null", "q=1", *several):
            answer, report = client.get(f"{path}?{text}"), operation.check(query=text)
            assert (answer.status_code == 200) is report.ok, (path, text)
            if report.ok and path != "/6":  # [1] of list[int] | list[str] is ["1"] in FastAPI
                assert report.values["query"] == {"q": answer.json()}, (path, text)
