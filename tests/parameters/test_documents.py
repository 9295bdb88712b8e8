"""OpenAPI 3.2 and 2.0, and documents in several files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openapi_documents import FORM, INTEGER, JSON, STRING, document, faults, parameter, problems
from tables import beside

from uriproof.parameters import InvalidDocument, Operation, read_document

pytest.importorskip("openapi_schema_validator")
pytest.importorskip("jsonschema_rs")


def v3_2(*parameters: Any, **item: Any) -> Any:
    return {"openapi": "3.2.0", "paths": {"/a": {"get": {"parameters": [*parameters]}, **item}}}


def querystring(media_type: str, schema: Any, **more: Any) -> Any:
    return {"name": "q", "in": "querystring", "content": {media_type: {"schema": schema}}, **more}


SCHEMA = {
    "type": "object",
    "required": ["a"],
    "properties": {"a": INTEGER, "b": {"type": "array", "items": STRING}},
}


@pytest.mark.parametrize(
    ("media_type", "query", "expected"), beside(__file__, "a_querystring_is_one_value")
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
    for parameters, place in (
        ([own, parameter("b")], ""),
        ([own, {**own, "name": "r"}], ""),
        ([querystring("text/plain", {})], "/content/text~1plain"),
        ([{**own, "content": {}}], "/content"),
    ):
        assert problems(v3_2(*parameters)) == [f"/paths/~1a/get/parameters/0{place}"]
    assert problems({**v3_2(own), "openapi": "3.1.0"}) == ["/paths/~1a/get/parameters/0/in"]


def test_other_methods() -> None:
    link = {"parameters": [parameter("b", schema=INTEGER)]}
    query = {"parameters": [parameter("a", schema=INTEGER)]}
    made = v3_2(query=query, additionalOperations={"LINK": link})
    for method, name in {"query": "a", "QUERY": "a", "LINK": "b"}.items():
        operation = Operation.from_openapi(made, "/a", method)
        assert operation.check(query=f"{name}=1").values == {"query": {name: 1}}
    with pytest.raises(LookupError, match="get, query or LINK"):
        Operation.from_openapi(made, "/a", "link")
    with pytest.raises(LookupError):
        Operation.from_openapi({**made, "openapi": "3.1.0"}, "/a", "query")
    link["parameters"][0]["in"] = "x"
    place = "/paths/~1a/additionalOperations/LINK/parameters/0/in"
    assert problems(made, method="LINK") == [place]


def v2(*parameters: Any, path: str = "/a", **more: Any) -> Any:
    age = INTEGER | {"minimum": 0, "exclusiveMinimum": True}
    pet = {"required": ["name"], "properties": {"name": {**STRING, "x-nullable": True}, "age": age}}
    post = {"parameters": [*parameters], **more}
    return {"swagger": "2.0", "paths": {path: {"post": post}}, "definitions": {"Pet": pet}}


def of_v2(*parameters: Any, path: str = "/a", **more: Any) -> Operation:
    return Operation.from_openapi(v2(*parameters, path=path, **more), path, "post")


def array(collection: str | None, where: str = "query", **more: Any) -> Any:
    own = {} if collection is None else {"collectionFormat": collection}
    return {"name": "a", "in": where, "type": "array", "items": INTEGER, **own, **more}


@pytest.mark.parametrize(
    ("collection", "query"), [(None, "a=1,2"), *beside(__file__, "collection_formats")]
)
def test_collection_formats(collection: str | None, query: str) -> None:
    assert of_v2(array(collection)).check(query=query).values == {"query": {"a": [1, 2]}}
    form = of_v2(array(collection, "formData"), consumes=[FORM])
    assert form.require(body=query.encode(), content_type=FORM) == {"body": {"a": [1, 2]}}
    wrong = form.check(body=b"a=x", content_type=FORM)
    assert faults(wrong) == [("a", 2, 3, "parameter-type")]


def test_arrays_in_paths_and_headers() -> None:
    accept = {**array(None, "header"), "name": "Accept"}
    made = of_v2(array("csv", "path", required=True), accept, path="/{a}")
    report = made.check(path="/1,2", headers={"accept": "3, 4"})
    assert report.values == {"path": {"a": [1, 2]}, "header": {"Accept": [3, 4]}, "cookie": {}}


def test_the_body_of_2_0() -> None:
    pet = {"name": "pet", "in": "body", "schema": {"$ref": "#/definitions/Pet"}, "required": True}
    made = of_v2(pet)
    assert made.check(body=b'{"name": null, "age": 1}', content_type=JSON).ok
    report = made.check(body=b'{"name": "a", "age": 0}', content_type=JSON)
    assert faults(report) == [("/age", 21, 22, "body-schema")]
    assert not made.check(body=b"", content_type=JSON).ok
    assert made.check(body=b"{}", content_type="text/xml").to_problem()["status"] == 415
    xml = of_v2(pet, consumes=["text/xml"])
    assert xml.check(body=b"<a/>", content_type="text/xml").ok


def test_files_of_2_0_are_not_read() -> None:
    file = {"name": "f", "in": "formData", "type": "file", "required": True}
    made = of_v2(file, consumes=["multipart/form-data"])
    assert made.check(body=b"--x", content_type="multipart/form-data; boundary=x").ok
    assert not made.check(body=b"").ok


def test_nullable_and_empty_parameters_of_2_0() -> None:
    made = of_v2(
        {"name": "n", "in": "query", "type": "integer", "x-nullable": True},
        {"name": "e", "in": "query", "type": "string", "minLength": 1, "allowEmptyValue": True},
        {"name": "r", "in": "query", "type": "boolean", "required": True},
    )
    assert made.check(query="n=null&r=true").values["query"]["n"] is None
    assert [v.name for v in made.check(query="n=1").violations] == ["r"]


@pytest.mark.parametrize(("own", "place"), beside(__file__, "problems_of_2_0_have_their_place"))
def test_problems_of_2_0_have_their_place(own: Any, place: str) -> None:
    path = "/{a}" if own.get("in") == "path" else "/a"
    given = v2(own, path=path)
    at = f"/paths/{path.replace('/', '~1')}/post/parameters/0{place}"
    assert problems(given, path, "post") == [at]
    assert len(Operation.from_openapi(given, path, "post", undefined="skip").problems) == 1


def test_a_body_and_form_data_exclude_each_other() -> None:
    both = v2({"name": "b", "in": "body", "schema": {}}, array(None, "formData"))
    assert problems(both, method="post") == ["/paths/~1a/post/parameters/0"]


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


def root(reference: str, **more: Any) -> Any:
    return document({"$ref": reference}, **more)


LIMIT = parameter("limit", schema=INTEGER)


def test_files_below_the_folder_are_read(write: Write) -> None:
    number = {"N": INTEGER | {"maximum": 9}}
    path = write(
        root_json=root("parts/all.json#/limit", components={"schemas": number}),
        parts__all_json={"limit": {**LIMIT, "schema": {"$ref": "./types/n.json#/n"}}},
        parts__types__n_json={"n": {"$ref": "../../root.json#/components/schemas/N"}},
    )
    made = Operation.from_openapi(read_document(path), "/a", "get")
    assert faults(made.check(query="limit=10")) == [("limit", 6, 8, "parameter-schema")]
    assert made.check(query="limit=9").ok


def test_problems_name_the_file(write: Write) -> None:
    path = write(root_json=root("parts/a~b%20c.json#/x~1y"))
    (path.parent / "parts").mkdir()
    wrong = json.dumps({"x/y": {**LIMIT, "style": "matrix"}})
    (path.parent / "parts/a~b c.json").write_text(wrong)
    assert problems(read_document(path)) == ["parts/a~b c.json#/x~1y/style"]


@pytest.mark.parametrize("reference", beside(__file__, "nothing_else_is_read"))
def test_nothing_else_is_read(write: Write, reference: str) -> None:
    path = write(root_json=root(reference), parts__a_json={}, secret_txt=LIMIT)
    outside = path.parent.parent / "secret.json"
    outside.write_text(json.dumps(LIMIT))
    (path.parent / "link.json").symlink_to(outside)
    (path.parent / "folder").symlink_to(outside.parent)
    os.mkfifo(path.parent / "pipe.json")
    assert len(problems(read_document(path))) == 1


def test_circles_of_files_end(write: Write) -> None:
    path = write(root_json=root("a.json"), a_json={"$ref": "b.json"}, b_json={"$ref": "a.json#"})
    with pytest.raises(InvalidDocument, match=r"the reference a\.json# leads to itself"):
        Operation.from_openapi(read_document(path), "/a", "get")


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
    text = '[on, no, 2020-01-01, 1e1, 010, 1:30, -3, true, ~, "1"]'
    found = read_document(write(root_json=root("p.yaml"), p_yaml=text))["x-files"]["p.yaml"]
    assert found == ["on", "no", "2020-01-01", 10.0, "010", "1:30", -3, True, None, "1"]


@pytest.mark.parametrize("text", [*beside(__file__, "hostile_yaml"), "[" * 5000, "a: \0"])
def test_hostile_yaml(write: Write, text: str) -> None:
    pytest.importorskip("yaml")
    path = write(root_json=root("p.yaml"), p_yaml=text)
    with pytest.raises(InvalidDocument, match=r"p\.yaml#"):
        Operation.from_openapi(read_document(path), "/a", "get")
