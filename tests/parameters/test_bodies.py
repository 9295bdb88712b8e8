"""Bodies of requests: media types, strict JSON, schemas, form data; hostile bodies."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from counting import growth
from openapi_documents import FORM, INTEGER, JSON, STRING, document, faults, load, problems
from tables import beside

from uriproof.parameters import InvalidParameters, Operation

pytest.importorskip("openapi_schema_validator")
pytest.importorskip("jsonschema_rs")

PET = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": STRING | {"maxLength": 5},
        "tags": {"type": "array", "items": {"$ref": "#/schemas/Tag"}},
    },
    "additionalProperties": False,
}


def operation(
    content: Any, version: str = "3.1.1", required: bool = True, **more: Any
) -> Operation:
    body = {"content": content, "required": required}
    return load(body=body, version=version, schemas={"Tag": INTEGER, **more})


def of_json(schema: Any, version: str = "3.1.1", **more: Any) -> Operation:
    return operation({JSON: {"schema": schema}}, version, **more)


def of_form(schema: Any, **encoding: Any) -> Operation:
    return operation({FORM: {"schema": schema, "encoding": encoding}})


def test_a_body_is_typed() -> None:
    pets = of_json(PET)
    given = {"body": b'{"name": "Tom", "tags": [1, 2]}', "content_type": f"{JSON}; charset=UTF-8"}
    assert pets.require(**given) == {"body": {"name": "Tom", "tags": [1, 2]}}  # type: ignore[arg-type]
    with pytest.raises(InvalidParameters, match="maxLength"):
        pets.require(body=b'{"name": "Tom Cat"}', content_type=JSON)


@pytest.mark.parametrize(
    ("body", "name", "start", "end", "code"),
    [
        *beside(__file__, "each_fault_of_a_body_has_its_place"),
        ('{"name": ' + "1" * 5000 + "}", "", 9, 10, "body-json"),
        ("[" * 100_000, "", 64, 65, "body-json"),
        (b'{"name": "\xc3\xa9\xff"}', "", 11, 11, "body-encoding"),
        ('{"name": "a"}'.encode("utf-16"), "", 0, 0, "body-encoding"),
    ],
)
def test_each_fault_of_a_body_has_its_place(
    body: str | bytes, name: str, start: int, end: int, code: str
) -> None:
    octets = body.encode() if isinstance(body, str) else body
    report = of_json(PET).check(body=octets, content_type=JSON)
    assert faults(report) == [(name, start, end, code)]
    assert report.values == {"body": None}


def test_no_message_has_a_value() -> None:
    report = of_json(PET).check(body=b'{"name": "SECRET", "x": "SECRET"}', content_type=JSON)
    assert not report.ok
    assert "SECRET" not in str(report) + json.dumps(report.to_problem()) + repr(report.body)


@pytest.mark.parametrize(
    ("content_type", "right"), [*beside(__file__, "other_media_types"), (None, False)]
)
def test_other_media_types_are_told_apart(content_type: str | None, right: bool) -> None:
    made = operation({JSON: {}, "application/merge-patch+json": {}})
    report = made.check(body=b"{}", content_type=content_type)
    assert [v.code for v in report.violations] == ([] if right else ["body-media-type"])
    assert report.to_problem()["status"] == (400 if right else 415)


def test_the_most_specific_media_type_is_taken() -> None:
    made = operation({"*/*": {}, "application/*": {}, JSON: {"schema": INTEGER}}).body
    assert made is not None
    names = ["text/plain", "application/xml", JSON]
    found = [made.find(name) for name in names]
    assert [media and media.name for media in found] == ["*/*", "application/*", JSON]


def test_the_media_type_comes_from_the_headers() -> None:
    made = of_json(INTEGER)
    assert made.check(body=b"1", headers={"Content-Type": JSON}).ok
    twice = [("content-type", JSON), ("content-type", "text/plain")]
    assert not made.check(body=b"1", headers=twice).ok


def test_what_is_not_read_is_passed_on() -> None:
    made = operation({"multipart/form-data": {"schema": PET}, JSON: {}}, required=False)
    body = b"--x\r\n\xff"
    report = made.check(body=body, content_type="multipart/form-data; boundary=x")
    assert report.ok
    assert report.values["body"] is body
    assert made.check(body=b"", content_type=JSON).body is None
    assert made.check(content_type=JSON).body is None
    assert Operation("/a", ()).check(body=b"x").body is None


def test_a_large_body_is_not_read() -> None:
    made = of_json({"type": "array"})
    report = made.check(body=b"[" + b" " * 100 + b"]", content_type=JSON, max_body=100)
    assert report.to_problem()["status"] == 413
    assert made.check(body=b"[" + b" " * 98 + b"]", content_type=JSON, max_body=100).ok
    with pytest.raises(TypeError, match="octets"):
        made.check(body="[]", content_type=JSON)  # type: ignore[arg-type]


def test_read_only_properties_are_not_required_in_3_0() -> None:
    own = {"id": INTEGER | {"readOnly": True}, "key": STRING | {"writeOnly": True}}
    made = of_json({"type": "object", "required": ["id", "key"], "properties": own}, "3.0.3")
    assert made.check(body=b'{"key": "a"}', content_type=JSON).ok
    assert not made.check(body=b'{"id": 1}', content_type=JSON).ok


@pytest.mark.parametrize("value", [["a"], {"b": 1}, "../../paths", "T", None])
def test_a_discriminator_is_a_hint(value: object) -> None:
    schema = {
        "oneOf": [{"type": "object", "properties": {"kind": {"type": "string"}}}],
        "discriminator": {"propertyName": "kind", "mapping": {"T": "#/nowhere"}},
    }
    body = json.dumps({"kind": value}).encode()
    assert of_json(schema, "3.0.3").check(body=body, content_type=JSON).ok is isinstance(value, str)


@pytest.mark.parametrize(
    ("schema", "body", "right"),
    [
        *beside(__file__, "values_and_their_schemas"),
        ({"multipleOf": 0.01}, "1" + "0" * 400, False),  # which cannot be calculated with
    ],
)
def test_values_and_their_schemas(schema: Any, body: str, right: bool) -> None:
    assert of_json(schema).check(body=body.encode(), content_type=JSON).ok is right


@pytest.mark.parametrize(("schema", "body", "words"), beside(__file__, "what_a_schema_demands"))
def test_what_a_schema_demands(schema: Any, body: str, words: str) -> None:
    assert str(of_json(schema).check(body=body.encode(), content_type=JSON)) == words


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_alternatives_that_lead_to_the_same_schema_are_compared_once(keyword: str) -> None:
    """Otherwise twice on each level: 2**60 times here."""
    sides = [
        {"properties": {"kind": {"const": kind}, "next": {"$ref": "#/schemas/Node"}}}
        for kind in "ab"
    ]
    made = of_json({"$ref": "#/schemas/Node"}, Node={keyword: sides})
    body = b'{"kind": "c", "next": ' * 60 + b"1" + b"}" * 60
    report = made.check(body=body, content_type=JSON)
    assert not report.ok
    assert len(report.violations) + report.more < 1000


def test_many_violations_are_counted() -> None:
    made = of_json({"type": "array", "items": INTEGER})
    report = made.check(body=json.dumps(["x"] * 1000).encode(), content_type=JSON)
    assert (len(report.violations), report.more) == (20, 1)  # and no others are looked for
    assert len(json.dumps(report.to_problem())) < 10_000
    first = made.check(body=b'["x", "y"]', content_type=JSON, max_violations=1)
    assert (len(first.violations), first.more) == (1, 1)


def test_a_schema_that_refers_to_true() -> None:
    for version, allowed in (("3.0.3", True), ("3.1.0", False)):
        made = of_json({"$ref": "#/schemas/Any"}, version, Any=allowed)
        assert made.check(body=b"1", content_type=JSON).ok is allowed


@pytest.mark.parametrize(
    "piece", ['"a",', "[1],", '{"a": 1},', "1.5,", "[[[[1]]]],", '"\\u00e9",'], ids=repr
)
def test_the_work_grows_with_the_body(piece: str) -> None:
    made = of_json({"type": "array", "uniqueItems": True, "items": INTEGER})

    def prepare(size: int) -> Callable[[], object]:
        body = f"[{piece * size}1]".encode()
        return lambda: made.check(body=body, content_type=JSON)

    assert growth(prepare, 100) < 12


CARD = {
    "required": ["amount"],
    "properties": {
        "amount": INTEGER,
        "card": {"type": "object", "properties": {"number": STRING}},
        "meta": {"type": "object", "properties": {"a": INTEGER}},
        "tags": {"type": "array", "items": STRING},
        "ids": {"type": "array", "items": INTEGER},
    },
}
ENCODING = {"card": {"style": "deepObject", "explode": True}, "ids": {"explode": False}}


@pytest.mark.parametrize(("body", "expected"), beside(__file__, "form_data_is_typed"))
def test_form_data_is_typed(body: str, expected: dict[str, Any]) -> None:
    report = of_form(CARD, **ENCODING).check(body=body.encode(), content_type=FORM)
    assert (faults(report), report.values["body"]) == ([], expected)


@pytest.mark.parametrize(("body", "expected"), beside(__file__, "faults_of_form_data"))
def test_faults_of_form_data(body: str, expected: list[list[Any]]) -> None:
    report = of_form(CARD, **ENCODING).check(body=body.encode(), content_type=FORM)
    assert faults(report) == [tuple(fault) for fault in expected]


def test_other_properties_of_form_data() -> None:
    closed = of_form({"properties": {"a": {}}, "additionalProperties": False})
    found = closed.check(body=b"a=1&b=2", content_type=FORM)
    assert faults(found) == [("b", 4, 5, "parameter-unknown")]
    typed = of_form({"properties": {"a": {}}, "additionalProperties": INTEGER})
    assert typed.check(body=b"a=1&b=2", content_type=FORM).values["body"] == {"a": "1", "b": 2}
    assert faults(typed.check(body=b"b=x", content_type=FORM)) == [("", 2, 3, "parameter-type")]


def test_alternatives_of_form_data() -> None:
    types = {"a": INTEGER, "b": {"type": "boolean"}}
    kinds = [
        {"properties": {"kind": {"enum": [name]}, "n": own}, "required": ["kind"]}
        for name, own in types.items()
    ]
    made = of_form({"oneOf": kinds})
    assert made.check(body=b"kind=b&n=true", content_type=FORM).values["body"]["n"] is True
    assert made.check(body=b"kind=a&n=1", content_type=FORM).values["body"]["n"] == 1
    assert not made.check(body=b"kind=a&n=true", content_type=FORM).ok


@pytest.mark.parametrize(
    ("body", "place"),
    [
        *beside(__file__, "what_cannot_work_is_said_when_the_document_loads"),
        (
            {"content": {FORM: {"schema": {"properties": {True: {}}}}}},
            "/content/application~1x-www-form-urlencoded/schema/properties/True",
        ),
    ],
)
def test_what_cannot_work_is_said_when_the_document_loads(body: Any, place: str) -> None:
    made = document(body=body)
    assert problems(made, method="post") == [f"/paths/~1a/post/requestBody{place}"]
    skipped = Operation.from_openapi(made, "/a", "post", undefined="skip")
    for given in (b"{}", b"a=1", b"\xff"):
        for content_type in (JSON, FORM):
            assert skipped.check(body=given, content_type=content_type).to_problem()


def test_defaults_of_form_data() -> None:
    schema = {"properties": {"a": INTEGER | {"default": 3}, "b": {}}}
    report = of_form(schema).check(body=b"b=1", content_type=FORM)
    assert report.values == {"body": {"a": 3, "b": "1"}}
    assert report.body is not None
    assert report.body.defaults == {"a"}
    empty = of_form(schema).check(body=b"", content_type=FORM)  # one without fields
    assert empty.values == {"body": {"a": 3}}
