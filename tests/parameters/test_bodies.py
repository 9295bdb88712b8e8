"""Bodies of requests: media types, strict JSON, schemas, form data; hostile bodies."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from counting import growth
from tables import beside

from uriproof.parameters import InvalidDocument, InvalidParameters, Operation, OperationReport
from uriproof.text.strict_json import InvalidJSON, places, read_json

pytest.importorskip("openapi_schema_validator")
pytest.importorskip("jsonschema_rs")

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
PET = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "maxLength": 5},
        "tags": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}},
    },
    "additionalProperties": False,
}


def operation(
    content: Any, version: str = "3.1.1", required: bool = True, **more: Any
) -> Operation:
    body = {"content": content, "required": required}
    schemas = {"Tag": {"type": "integer"}, **more}
    document = {"openapi": version, "paths": {"/a": {"post": {"requestBody": body}}}}
    return Operation.from_openapi(document | {"components": {"schemas": schemas}}, "/a", "post")


def of_json(schema: Any, version: str = "3.1.1", **more: Any) -> Operation:
    return operation({JSON: {"schema": schema}}, version, **more)


def of_form(schema: Any, **encoding: Any) -> Operation:
    return operation({FORM: {"schema": schema, "encoding": encoding}})


def faults(report: OperationReport) -> list[tuple[str, int, int, str]]:
    return [(v.name, v.start, v.end, v.code) for v in report.violations]


def test_a_body_is_typed() -> None:
    pets = of_json(PET)
    report = pets.check(body=b'{"name": "Tom", "tags": [1, 2]}', content_type=JSON)
    assert report.ok
    assert report.values == {"body": {"name": "Tom", "tags": [1, 2]}}
    assert report.body is not None
    assert report.body.location == "body"
    required = {"body": b'{"name": "Tom"}', "content_type": f"{JSON}; charset=UTF-8"}
    assert pets.require(**required)["body"] == {"name": "Tom"}  # type: ignore[arg-type]
    with pytest.raises(InvalidParameters, match="maxLength"):
        pets.require(body=b'{"name": "Tom Cat"}', content_type=JSON)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", ("", 0, 0, "body-required")),
        (b"{", ("", 1, 1, "body-json")),
        (b'{"name": "a",}', ("", 13, 14, "body-json")),
        (b'{"name": "a", "name": "b"}', ("", 14, 15, "body-json")),
        (b'{"name": NaN}', ("", 9, 10, "body-json")),
        (b'{"name": -Infinity}', ("", 9, 10, "body-json")),
        (b'{"name": 1e999}', ("", 9, 10, "body-json")),
        (b'{"name": "\\ud800"}', ("", 9, 10, "body-json")),
        (b'{"\\udfff": 1}', ("", 1, 2, "body-json")),
        (b'{"name": ' + b"1" * 5000 + b"}", ("", 9, 10, "body-json")),
        (b"[" * 65 + b"]" * 65, ("", 64, 65, "body-json")),
        (b"[" * 100_000, ("", 64, 65, "body-json")),
        (b'{"name": "\xc3\xa9\xff"}', ("", 11, 11, "body-encoding")),
        (b'\xef\xbb\xbf{"name": "a"}', ("", 0, 1, "body-encoding")),
        ('{"name": "a"}'.encode("utf-16"), ("", 0, 0, "body-encoding")),
        (b'{"name": "abcdef"}', ("/name", 9, 17, "body-schema")),
        ('{"é": 1, "name": "a"}'.encode(), ("", 0, 21, "body-schema")),
        (b'{"name": "a", "tags": [1, "x"]}', ("/tags/1", 26, 29, "body-schema")),
        (b"{}", ("", 0, 2, "body-schema")),
        (b"null", ("", 0, 4, "body-schema")),
    ],
)
def test_each_fault_of_a_body_has_its_place(
    body: bytes, expected: tuple[str, int, int, str]
) -> None:
    report = of_json(PET).check(body=body, content_type=JSON)
    assert faults(report) == [expected]
    assert report.values == {"body": None}


def test_no_message_has_a_value() -> None:
    report = of_json(PET).check(body=b'{"name": "SECRET", "x": "SECRET"}', content_type=JSON)
    assert not report.ok
    assert "SECRET" not in str(report) + json.dumps(report.to_problem()) + repr(report.body)


@pytest.mark.parametrize(
    ("content_type", "right"),
    [
        *beside(__file__, "other_media_types_are_told_apart"),
        (None, False),
    ],
)
def test_other_media_types_are_told_apart(content_type: str | None, right: bool) -> None:
    made = operation({JSON: {}, "application/merge-patch+json": {}})
    report = made.check(body=b"{}", content_type=content_type)
    assert report.ok is right
    if not right:
        assert [v.code for v in report.violations] == ["body-media-type"]
        assert report.to_problem()["status"] == 415


def test_the_most_specific_media_type_is_taken() -> None:
    made = operation({"*/*": {}, "application/*": {}, JSON: {"schema": {"type": "integer"}}})
    assert made.body is not None
    names = ["text/plain", "application/xml", JSON]
    found = [made.body.find(name) for name in names]
    assert [media and media.name for media in found] == ["*/*", "application/*", JSON]


def test_the_media_type_comes_from_the_headers() -> None:
    made = of_json({"type": "integer"})
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
    nothing = Operation("/a", ())
    assert nothing.check(body=b"x").body is None


def test_a_large_body_is_not_read() -> None:
    made = of_json({"type": "array"})
    report = made.check(body=b"[" + b" " * 100 + b"]", content_type=JSON, max_body=100)
    assert report.to_problem()["status"] == 413
    assert made.check(body=b"[" + b" " * 98 + b"]", content_type=JSON, max_body=100).ok
    with pytest.raises(TypeError, match="octets"):
        made.check(body="[]", content_type=JSON)  # type: ignore[arg-type]


def test_read_only_properties_are_not_required_in_3_0() -> None:
    schema = {
        "type": "object",
        "required": ["id", "key"],
        "properties": {
            "id": {"type": "integer", "readOnly": True},
            "key": {"type": "string", "writeOnly": True},
        },
    }
    made = of_json(schema, "3.0.3")
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


def test_unique_items_are_compared_as_json_schema_says() -> None:
    made = of_json({"type": "array", "uniqueItems": True})
    for body, right in {
        '[1, true, "1", null, [1], {"a": 1}, {"a": 2}]': True,
        "[1, 1.0]": False,
        '[{"a": 1, "b": 2}, {"b": 2, "a": 1.0}]': False,
        "[[1, 2], [2, 1]]": True,
    }.items():
        assert made.check(body=body.encode(), content_type=JSON).ok is right, body


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_alternatives_that_lead_to_the_same_schema_are_compared_once(keyword: str) -> None:
    """Otherwise twice on each level: 2**60 times here."""
    sides = [
        {"properties": {"kind": {"const": kind}, "next": {"$ref": "#/components/schemas/Node"}}}
        for kind in "ab"
    ]
    made = of_json({"$ref": "#/components/schemas/Node"}, Node={keyword: sides})
    body = b'{"kind": "c", "next": ' * 60 + b"1" + b"}" * 60
    report = made.check(body=body, content_type=JSON)
    assert not report.ok
    assert len(report.violations) + report.more < 1000


def test_many_violations_are_counted() -> None:
    made = of_json({"type": "array", "items": {"type": "integer"}})
    report = made.check(body=json.dumps(["x"] * 1000).encode(), content_type=JSON)
    assert (len(report.violations), report.more) == (20, 1)  # and no others are looked for
    assert len(json.dumps(report.to_problem())) < 10_000
    first = made.check(body=b'["x", "y"]', content_type=JSON, max_violations=1)
    assert (len(first.violations), first.more) == (1, 1)


def test_a_schema_that_refers_to_true() -> None:
    for version, allowed in (("3.0.3", True), ("3.1.0", False)):
        made = of_json({"$ref": "#/components/schemas/Any"}, version, Any=allowed)
        assert made.check(body=b"1", content_type=JSON).ok is allowed


def test_numbers_that_cannot_be_calculated_with_are_refused() -> None:
    made = of_json({"multipleOf": 0.01})
    assert not made.check(body=b"1" + b"0" * 400, content_type=JSON).ok


@pytest.mark.parametrize(
    "piece", ['"a",', "[1],", '{"a": 1},', "1.5,", "[[[[1]]]],", '"\\u00e9",'], ids=repr
)
def test_the_work_grows_with_the_body(piece: str) -> None:
    made = of_json({"type": "array", "uniqueItems": True, "items": {"type": "integer"}})

    def prepare(size: int) -> Callable[[], object]:
        body = f"[{piece * size}1]".encode()
        return lambda: made.check(body=body, content_type=JSON)

    assert growth(prepare, 100) < 12


def test_places_of_parts() -> None:
    text = ' {"a" : [1, {"b~/": "x"} ] , "c":2}'
    found = places(text, [("a", 1, "b~/"), ("c",)])
    assert [text[slice(*found[path])] for path in [("a", 1, "b~/"), ("c",)]] == ['"x"', "2"]
    with pytest.raises(InvalidJSON) as caught:
        read_json('[1, {"a": 1, "a": NaN}]')
    assert caught.value.start == 13


CARD = {
    "type": "object",
    "required": ["amount"],
    "properties": {
        "amount": {"type": "integer"},
        "card": {"type": "object", "properties": {"number": {"type": "string"}}},
        "meta": {"type": "object", "properties": {"a": {"type": "integer"}}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "ids": {"type": "array", "items": {"type": "integer"}},
    },
}
ENCODING = {"card": {"style": "deepObject", "explode": True}, "ids": {"explode": False}}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("amount=1", {"amount": 1}),
        ("amount=1&card[number]=4+2", {"amount": 1, "card": {"number": "4 2"}}),
        ("amount=1&card%5Bnumber%5D=4%2B2", {"amount": 1, "card": {"number": "4+2"}}),
        ("amount=1&meta=%7B%22a%22%3A1%7D", {"amount": 1, "meta": {"a": 1}}),
        ("amount=1&tags=a,b&tags=c", {"amount": 1, "tags": ["a,b", "c"]}),
        ("&ids=1,2&&amount=1", {"amount": 1, "ids": [1, 2]}),
        ("amount=1&tags=é", {"amount": 1, "tags": ["é"]}),
        ("amount=1&other=100%", {"amount": 1}),
    ],
)
def test_form_data_is_typed(body: str, expected: dict[str, Any]) -> None:
    report = of_form(CARD, **ENCODING).check(body=body.encode(), content_type=FORM)
    assert (faults(report), report.values["body"]) == ([], expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "amount=x&ids=1,z",
            [("amount", 7, 8, "parameter-type"), ("ids", 15, 16, "parameter-type")],
        ),
        ("amount=1&amount=2", [("amount", 9, 17, "parameter-repeated")]),
        ("tags=%zz&amount=1", [("tags", 5, 6, "parameter-encoding")]),
        ("tags=%ff&amount=1", [("tags", 5, 8, "parameter-encoding")]),
        ("tags=a", [("", 0, 6, "body-schema")]),
        ('amount=1&meta={"a":"x"}', [("meta", 14, 23, "parameter-schema")]),
        ('amount=1&meta={"a":1,"a":2}', [("meta", 14, 27, "parameter-type")]),
    ],
)
def test_faults_of_form_data(body: str, expected: list[Any]) -> None:
    report = of_form(CARD, **ENCODING).check(body=body.encode(), content_type=FORM)
    assert faults(report) == expected


def test_other_properties_of_form_data() -> None:
    closed = of_form({"properties": {"a": {}}, "additionalProperties": False})
    assert faults(closed.check(body=b"a=1&b=2", content_type=FORM)) == [
        ("b", 4, 5, "parameter-unknown")
    ]
    typed = of_form({"properties": {"a": {}}, "additionalProperties": {"type": "integer"}})
    assert typed.check(body=b"a=1&b=2", content_type=FORM).values["body"] == {"a": "1", "b": 2}
    assert faults(typed.check(body=b"b=x", content_type=FORM)) == [("", 2, 3, "parameter-type")]


def test_alternatives_of_form_data() -> None:
    kinds = [
        {"properties": {"kind": {"enum": ["a"]}, "n": {"type": "integer"}}, "required": ["kind"]},
        {"properties": {"kind": {"enum": ["b"]}, "n": {"type": "boolean"}}, "required": ["kind"]},
    ]
    made = of_form({"oneOf": kinds})
    assert made.check(body=b"kind=b&n=true", content_type=FORM).values["body"]["n"] is True
    assert made.check(body=b"kind=a&n=1", content_type=FORM).values["body"]["n"] == 1
    assert not made.check(body=b"kind=a&n=true", content_type=FORM).ok


ITEMS = {"type": "array", "items": {"type": "object"}}
MEDIA: list[tuple[str, Any, str]] = [
    (JSON, 7, ""),
    (JSON, {"schema": 7}, "/schema"),
    (JSON, {"schema": {"type": "string", "minLength": "x"}}, "/schema/minLength"),
    (JSON, {"schema": {"properties": {"a": {"$ref": "#/no"}}}}, "/schema/properties/a"),
    (FORM, {"schema": {"additionalProperties": {"type": "array"}}}, "/schema/additionalProperties"),
    (FORM, {"schema": {"properties": {True: {}}}}, "/schema/properties/True"),
    (
        *(FORM, {"encoding": {"a": {"style": 1}}, "schema": {"properties": {"a": {}}}}),
        "/encoding/a/style",
    ),
    (FORM, {"encoding": 1, "schema": {}}, "/encoding"),
    (FORM, {"schema": {"properties": {"a": ITEMS}}}, "/schema/properties/a"),
]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"$ref": "other.yaml"}, ""),
        ({"content": 1}, ""),
        (7, ""),
        ({"content": {JSON: {}}, "required": "yes"}, "/required"),
        *(
            ({"content": {kind: media}}, f"/content/{kind.replace('/', '~1')}{place}")
            for kind, media, place in MEDIA
        ),
    ],
)
def test_what_cannot_work_is_said_when_the_document_loads(body: Any, place: str) -> None:
    document = {"openapi": "3.1.1", "paths": {"/a": {"post": {"requestBody": body}}}}
    with pytest.raises(InvalidDocument) as caught:
        Operation.from_openapi(document, "/a", "post")
    assert [p.pointer for p in caught.value.problems] == [f"/paths/~1a/post/requestBody{place}"]
    skipped = Operation.from_openapi(document, "/a", "post", undefined="skip")
    for given in (b"{}", b"a=1", b"\xff"):
        for content_type in (JSON, FORM):
            assert skipped.check(body=given, content_type=content_type).to_problem()


def test_defaults_of_form_data() -> None:
    schema = {"properties": {"a": {"type": "integer", "default": 3}, "b": {}}}
    report = of_form(schema).check(body=b"b=1", content_type=FORM)
    assert report.values == {"body": {"a": 3, "b": "1"}}
    assert report.body is not None
    assert report.body.defaults == {"a"}
