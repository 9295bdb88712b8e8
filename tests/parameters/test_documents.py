"""OpenAPI 3.2 and 2.0, and documents in several files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tables import beside

from uriproof.parameters import InvalidDocument, Operation, read_document

pytest.importorskip("openapi_schema_validator")
pytest.importorskip("jsonschema_rs")

JSON, FORM = "application/json", "application/x-www-form-urlencoded"


def v3_2(*parameters: Any, **item: Any) -> Any:
    return {"openapi": "3.2.0", "paths": {"/a": {"get": {"parameters": [*parameters]}, **item}}}


def querystring(media_type: str, schema: Any, **more: Any) -> Any:
    return {"name": "q", "in": "querystring", "content": {media_type: {"schema": schema}}, **more}


def problems(document: Any, path: str = "/a", method: str = "get") -> list[tuple[str, str]]:
    with pytest.raises(InvalidDocument) as caught:
        Operation.from_openapi(document, path, method)
    return [(problem.pointer, problem.message) for problem in caught.value.problems]


SCHEMA = {
    "type": "object",
    "required": ["a"],
    "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"type": "string"}}},
}


@pytest.mark.parametrize(
    ("media_type", "query", "expected"),
    [
        (FORM, "a=1&b=x&b=y+z", {"q": {"a": 1, "b": ["x", "y z"]}}),
        (FORM, "a=x", 2),
        (FORM, "b=x", 0),
        (FORM, "a=%zz", 2),
        (JSON, "%7B%22a%22%3A1%7D", {"q": {"a": 1}}),
        (JSON, "%7B%22a%22%3A%22x%22%7D", 0),
        (JSON, "%7B", 0),
        (JSON, "%zz", 0),
        (JSON, "", {}),
    ],
)
def test_a_querystring_is_one_value(media_type: str, query: str, expected: Any) -> None:
    made = Operation.from_openapi(v3_2(querystring(media_type, SCHEMA)), "/a", "get")
    report = made.check(query=query)
    if isinstance(expected, int):
        assert [v.start for v in report.violations] == [expected]
        assert report.values == {"query": {}}
    else:
        assert (report.values, report.ok) == ({"query": expected}, True)


def test_a_querystring_can_be_required_and_strict() -> None:
    document = v3_2(querystring(FORM, SCHEMA, required=True))
    made = Operation.from_openapi(document, "/a", "get", strict=True)
    assert not made.check(query="").ok
    assert made.check(query="a=1").ok
    assert not made.check(query="a=1&b=x+y").ok


def test_a_querystring_is_alone() -> None:
    own = querystring(JSON, {})
    place = "/paths/~1a/get/parameters/0"
    other = {"name": "b", "in": "query", "schema": {}}
    assert [at for at, _ in problems(v3_2(own, other))] == [place]
    assert [at for at, _ in problems(v3_2(own, {**own, "name": "r"}))] == [place]
    assert [at for at, _ in problems(v3_2(querystring("text/plain", {})))] == [
        f"{place}/content/text~1plain"
    ]
    assert [at for at, _ in problems(v3_2({**own, "content": {}}))] == [f"{place}/content"]
    old = {**v3_2(own), "openapi": "3.1.0"}
    assert problems(old) == [(f"{place}/in", "expected path, query, header or cookie")]


def test_other_methods() -> None:
    def of(name: str) -> Any:
        return {"parameters": [{"name": name, "in": "query", "schema": {"type": "integer"}}]}

    document = v3_2(query=of("a"), additionalOperations={"LINK": of("b")})
    for method, name in {"query": "a", "QUERY": "a", "LINK": "b"}.items():
        made = Operation.from_openapi(document, "/a", method)
        assert made.check(query=f"{name}=1").values == {"query": {name: 1}}
    with pytest.raises(LookupError, match="get, query or LINK"):
        Operation.from_openapi(document, "/a", "link")
    with pytest.raises(LookupError):
        Operation.from_openapi({**document, "openapi": "3.1.0"}, "/a", "query")
    place = "/paths/~1a/additionalOperations/LINK/parameters/0/in"
    document["paths"]["/a"]["additionalOperations"]["LINK"]["parameters"][0]["in"] = "x"
    assert [at for at, _ in problems(document, method="LINK")] == [place]


def v2(*parameters: Any, path: str = "/a", **more: Any) -> Any:
    return {
        "swagger": "2.0",
        "paths": {path: {"post": {"parameters": list(parameters), **more}}},
        "definitions": {
            "Pet": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string", "x-nullable": True},
                    "age": {"type": "integer", "minimum": 0, "exclusiveMinimum": True},
                },
            }
        },
    }


def array(collection: str | None, where: str = "query", **more: Any) -> Any:
    own = {} if collection is None else {"collectionFormat": collection}
    return {"name": "a", "in": where, "type": "array", "items": {"type": "integer"}, **own, **more}


@pytest.mark.parametrize(
    ("collection", "query"),
    [
        (None, "a=1,2"),
        ("csv", "a=1,2"),
        ("ssv", "a=1%202"),
        ("ssv", "a=1+2"),
        ("tsv", "a=1%092"),
        ("pipes", "a=1%7C2"),
        ("multi", "a=1&a=2"),
    ],
)
def test_collection_formats(collection: str | None, query: str) -> None:
    made = Operation.from_openapi(v2(array(collection)), "/a", "post")
    assert made.check(query=query).values == {"query": {"a": [1, 2]}}
    form = Operation.from_openapi(v2(array(collection, "formData"), consumes=[FORM]), "/a", "post")
    body = query.encode()
    assert form.check(body=body, content_type=FORM).values == {"body": {"a": [1, 2]}}
    wrong = form.check(body=b"a=x", content_type=FORM)
    assert [(v.name, v.start, v.end) for v in wrong.violations] == [("a", 2, 3)]


def test_arrays_in_paths_and_headers() -> None:
    made = Operation.from_openapi(
        v2(array("csv", "path", required=True), {**array(None, "header"), "name": "Accept"},
           path="/{a}"), "/{a}", "post",
    )  # fmt: skip
    report = made.check(path="/1,2", headers={"accept": "3, 4"})
    assert report.values == {"path": {"a": [1, 2]}, "header": {"Accept": [3, 4]}, "cookie": {}}


def test_the_body_of_2_0() -> None:
    pet = {"name": "pet", "in": "body", "schema": {"$ref": "#/definitions/Pet"}, "required": True}
    made = Operation.from_openapi(v2(pet), "/a", "post")
    assert made.check(body=b'{"name": null, "age": 1}', content_type=JSON).ok
    report = made.check(body=b'{"name": "a", "age": 0}', content_type=JSON)
    assert [(v.name, v.start) for v in report.violations] == [("/age", 21)]
    assert not made.check(body=b"", content_type=JSON).ok
    assert made.check(body=b"{}", content_type="text/xml").to_problem()["status"] == 415
    xml = Operation.from_openapi(v2(pet, consumes=["text/xml"]), "/a", "post")
    assert xml.check(body=b"<a/>", content_type="text/xml").ok


def test_files_of_2_0_are_not_read() -> None:
    file = {"name": "f", "in": "formData", "type": "file", "required": True}
    made = Operation.from_openapi(v2(file, consumes=["multipart/form-data"]), "/a", "post")
    assert made.check(body=b"--x", content_type="multipart/form-data; boundary=x").ok
    assert not made.check(body=b"").ok


def test_nullable_and_empty_parameters_of_2_0() -> None:
    given = [
        {"name": "n", "in": "query", "type": "integer", "x-nullable": True},
        {"name": "e", "in": "query", "type": "string", "minLength": 1, "allowEmptyValue": True},
        {"name": "r", "in": "query", "type": "boolean", "required": True},
    ]
    made = Operation.from_openapi(v2(*given), "/a", "post")
    assert made.check(query="n=null&r=true").values["query"]["n"] is None
    assert [v.name for v in made.check(query="n=1").violations] == ["r"]


@pytest.mark.parametrize(
    ("parameter", "place"), beside(__file__, "problems_of_2_0_have_their_place")
)
def test_problems_of_2_0_have_their_place(parameter: Any, place: str) -> None:
    path = "/{a}" if parameter.get("in") == "path" else "/a"
    given = v2(parameter, path=path)
    at = f"/paths/{path.replace('/', '~1')}/post/parameters/0{place}"
    assert [pointer for pointer, _ in problems(given, path, "post")] == [at]
    assert len(Operation.from_openapi(given, path, "post", undefined="skip").problems) == 1


def test_a_body_and_form_data_exclude_each_other() -> None:
    both = v2({"name": "b", "in": "body", "schema": {}}, array(None, "formData"))
    assert [at for at, _ in problems(both, method="post")] == ["/paths/~1a/post/parameters/0"]


# Documents in several files

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files below a folder; returns the root."""

    def files(**given: Any) -> Path:
        root = tmp_path / "api"
        for name, content in given.items():
            path = root / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        return root / "root.json"

    return files


def root(reference: str) -> Any:
    return {"openapi": "3.1.0", "paths": {"/a": {"get": {"parameters": [{"$ref": reference}]}}}}


LIMIT = {"name": "limit", "in": "query", "schema": {"type": "integer"}}


def test_files_below_the_folder_are_read(write: Write) -> None:
    path = write(
        root_json=root("parts/all.json#/limit"),
        parts__all_json={"limit": {**LIMIT, "schema": {"$ref": "./types/n.json#/n"}}},
        parts__types__n_json={"n": {"$ref": "../../root.json#/components/schemas/N"}},
    )
    document = json.loads(path.read_text())
    path.write_text(
        json.dumps(
            {**document, "components": {"schemas": {"N": {"type": "integer", "maximum": 9}}}}
        )
    )
    made = Operation.from_openapi(read_document(path), "/a", "get")
    assert [v.start for v in made.check(query="limit=10").violations] == [6]
    assert made.check(query="limit=9").ok


def test_problems_name_the_file(write: Write) -> None:
    wrong = {**LIMIT, "style": "matrix"}
    path = write(root_json=root("parts/a~b%20c.json#/x~1y"))
    (path.parent / "parts").mkdir()
    (path.parent / "parts/a~b c.json").write_text(json.dumps({"x/y": wrong}))
    [(pointer, message)] = problems(read_document(path))
    assert pointer == "parts/a~b c.json#/x~1y/style"
    assert "matrix" in message


@pytest.mark.parametrize("reference", beside(__file__, "nothing_else_is_read"))
def test_nothing_else_is_read(write: Write, reference: str, monkeypatch: Any) -> None:
    path = write(root_json=root(reference), parts__a_json={}, secret_txt=LIMIT)
    outside = path.parent.parent / "secret.json"
    outside.write_text(json.dumps(LIMIT))
    (path.parent / "link.json").symlink_to(outside)
    (path.parent / "folder").symlink_to(outside.parent)
    os.mkfifo(path.parent / "pipe.json")
    assert len(problems(read_document(path))) == 1


def test_circles_of_files_end(write: Write) -> None:
    path = write(root_json=root("a.json"), a_json={"$ref": "b.json"}, b_json={"$ref": "a.json#"})
    [(_, message)] = problems(read_document(path))
    assert message == "the reference a.json# leads to itself"


def test_all_wrong_files_are_said_at_once(write: Write) -> None:
    path = write(
        root_json={"a": {"$ref": "a.json"}, "b": {"$ref": "b.json"}}, a_json="{", b_json=""
    )
    with pytest.raises(InvalidDocument) as caught:
        read_document(path)
    assert sorted(problem.pointer for problem in caught.value.problems) == ["a.json#", "b.json#"]
    for text in ("[]", "[" * 100_000, '"a"', "\xff"):
        path.write_text(text, "latin-1")
        with pytest.raises(InvalidDocument, match=r"root\.json#"):
            read_document(path)
    with pytest.raises(FileNotFoundError):
        read_document(path.parent / "none.json")


def test_limits_of_files(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(
        root_json={str(n): {"$ref": f"{n}.json"} for n in range(9)},
        **{f"{n}_json": {} for n in range(9)},
    )
    assert len(read_document(path)["x-files"]) == 9
    monkeypatch.setattr("uriproof.parameters.openapi.files.MOST_DOCUMENT_FILES", 5)
    with pytest.raises(InvalidDocument, match="more than 5 files"):
        read_document(path)
    monkeypatch.setattr("uriproof.parameters.openapi.files.LARGEST_DOCUMENT", 100)
    with pytest.raises(InvalidDocument, match="more than 100 octets"):
        read_document(path)


def test_yaml_is_read_as_version_1_2(write: Write) -> None:
    pytest.importorskip("yaml")
    path = write(
        root_json=root("p.yaml#/a"),
        p_yaml="""
a: {name: on, in: query, schema: {enum: [no, 2020-01-01, 1e1, 010, 1:30, -3, true, ~, "1"]}}
""",
    )
    document = read_document(path)
    found = document["x-files"]["p.yaml"]["a"]
    assert found["name"] == "on"
    expected = ["no", "2020-01-01", 10.0, "010", "1:30", -3, True, None, "1"]
    assert found["schema"]["enum"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [*a]",
        "a: &a [1]\nb: &b [*a, *a]\nc: [*b, *b]",
        "a: !!python/object:os.system {}",
        "a: [",
        "? [a]\n: 1",
        "[" * 5000,
        "a: \x00",
        "*x",
        "a: !!int x",
        "<<: {a: 1}",
        "",
    ],
)
def test_hostile_yaml(write: Write, text: str) -> None:
    pytest.importorskip("yaml")
    path = write(root_json=root("p.yaml"), p_yaml=text)
    with pytest.raises(InvalidDocument, match=r"p\.yaml#"):
        Operation.from_openapi(read_document(path), "/a", "get")
