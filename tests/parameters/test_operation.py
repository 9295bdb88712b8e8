"""Operations of OpenAPI documents: what is declared, what a request has, and hostile documents."""

from __future__ import annotations

from collections.abc import Callable
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


def test_a_literal_segment_may_be_encoded() -> None:
    operation = Operation("/caf\u00e9/{id}", [Parameter("id", location="path")])
    assert operation.check(path="/caf%C3%A9/1").ok
    assert not operation.check(path="/caf%C3/1").ok


def test_references_are_never_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*given: Any, **more: Any) -> Any:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr("socket.socket.connect", no_network)
    schema = {"type": "string", "not": {"$ref": "http://127.0.0.1:9/schema.json"}}
    assert problems(document(parameter(schema=schema)))[0].endswith("/parameters/0/schema/not")


def test_a_query_is_read_in_linear_time() -> None:
    spec = QuerySpec(
        Parameter("a", {"type": "array"}), Parameter("b", {"type": "array"}, explode=False)
    )

    def prepare(piece: str) -> Callable[[int], Callable[[], object]]:
        return lambda n: lambda: spec.check(piece * n)

    for piece in ("a=1&", "a[", "b=,&", "x&", "%zz&", "&&", "a=%FF&", "b=1,2,"):
        assert growth(prepare(piece), 40) < 13, piece


def test_thousands_of_parameters() -> None:
    def reading(n: int) -> Any:
        given = document(*[parameter(f"p{at}") for at in range(n)])
        return lambda: Operation.from_openapi(given, "/a", "get")

    assert growth(reading, 40) < 13


@pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])
@pytest.mark.parametrize("own", [{"type": ["integer", "null"]}, INTEGER | {"nullable": True}])
def test_types_of_both_versions_are_read_in_each(own: Any, version: str) -> None:
    operation = load(parameter(schema=own | {"minimum": 1}), version=version)
    assert [operation.check(query=text).ok for text in ("q=1", "q=0")] == [True, False]


def test_what_a_document_says_of_empty_values_and_items_counts() -> None:
    integers = {"type": "array", "items": INTEGER}
    operation = load(
        parameter("a", schema=INTEGER, allowEmptyValue=True), parameter("b", schema=integers)
    )
    assert operation.require(query="a=&b=1&b=2")["query"] == {"a": None, "b": [1, 2]}
    assert faults(operation.check(query="b=1&b=x")) == [("b", 6, 7, "parameter-type")]


@pytest.mark.parametrize(("schema", "right"), beside(__file__, "an_empty_text_as_an_array"))
def test_an_empty_text_as_an_array(schema: Any, right: Any) -> None:
    """Clients join the items of an array, also if there are none."""
    array = parameter(schema={"type": "array", **schema}, explode=False)
    report = load(array).check(query="q=")
    assert report.values["query"] == ({} if right is False else {"q": right})


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


INNER = {"type": "object", "additionalProperties": INTEGER}


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
    operation = load(parameter(schema=schema), version=version, s={"Strings": STRINGS})
    assert operation.require(query=text)["query"] == {"q": value}


@pytest.mark.parametrize(
    ("schema", "more", "text", "value"),
    [
        *beside(__file__, "objects_beside_null_and_other_types"),
        ({"anyOf": [INNER, STRINGS]}, {"style": "deepObject"}, "q%5BR%5D=1", {"R": 1}),
    ],
)
def test_objects_beside_null_and_other_types(schema: Any, more: Any, text: str, value: Any) -> None:
    operation = load(parameter(schema=schema, **({"explode": True} | more)))
    assert operation.require(query=text)["query"] == {"q": value}


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
