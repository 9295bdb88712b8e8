"""The styles of OpenAPI on the raw text: its own table of examples, and what departs from it."""

from __future__ import annotations

from typing import Any

import pytest

from uriproof.parameters import (
    InvalidParameters,
    Operation,
    Parameter,
    QuerySpec,
    UndefinedStyle,
)
from uriproof.parameters.styles import shape

COLORS = ["blue", "black", "brown"]
RGB = {"R": 100, "G": 200, "B": 150}
ARRAY = {"type": "array", "items": {"type": "string"}}
OBJECT = {"type": "object", "additionalProperties": {"type": "integer"}}
SCHEMAS: dict[str, Any] = {"string": {"type": "string"}, "array": ARRAY, "object": OBJECT}
VALUES: dict[str, Any] = {"string": "blue", "array": COLORS, "object": RGB}

# OpenAPI 3.1.1 §4.8.12.6, "Style Examples", without the question mark.
TABLE = [
    ("path", "matrix", False, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
    (
        *("path", "matrix", True, ";color=blue"),
        *(";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
    ),
    ("path", "label", False, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
    ("path", "label", True, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
    ("path", "simple", False, "blue", "blue,black,brown", "R,100,G,200,B,150"),
    ("path", "simple", True, "blue", "blue,black,brown", "R=100,G=200,B=150"),
    ("header", "simple", False, "blue", "blue,black,brown", "R,100,G,200,B,150"),
    ("header", "simple", True, "blue", "blue, black,brown", "R=100,G=200,B=150"),
    (
        *("query", "form", False, "color=blue"),
        *("color=blue,black,brown", "color=R,100,G,200,B,150"),
    ),
    (
        *("query", "form", True, "color=blue"),
        *("color=blue&color=black&color=brown", "R=100&G=200&B=150"),
    ),
    (
        *("query", "spaceDelimited", False, None),
        *("color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
    ),
    (
        *("query", "pipeDelimited", False, None),
        *("color=blue%7Cblack%7cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
    ),
    (
        *("query", "deepObject", True, None, None),
        "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
    ),
    ("cookie", "form", False, "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
]
CASES = [
    pytest.param(location, style, explode, kind, text, id=f"{location}-{style}-{explode}-{kind}")
    for location, style, explode, *texts in TABLE
    for kind, text in zip(SCHEMAS, texts, strict=True)
    if text is not None
]


def read(location: Any, parameter: Parameter, text: str, strict: bool) -> Any:
    operation = Operation("/{color}" if location == "path" else "/", [parameter], strict=strict)
    ways: dict[str, dict[str, Any]] = {
        "path": {"path": f"/{text}"},
        "query": {"query": text},
        "header": {"headers": {"Color": text}},
        "cookie": {"cookie": f"a=1; {text}; b=2"},
    }
    report = operation.check(**ways[location])
    assert report.ok, str(report)
    return report.values[location]["color"]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("location", "style", "explode", "kind", "text"), CASES)
def test_the_examples_of_the_specification(
    location: Any, style: str, explode: bool, kind: str, text: str, strict: bool
) -> None:
    parameter = Parameter("color", SCHEMAS[kind], location, style=style, explode=explode)
    text = text.replace(" ", "") if strict else text
    assert read(location, parameter, text, strict) == VALUES[kind]


@pytest.mark.parametrize("kind", ["array", "object"])
@pytest.mark.parametrize(
    ("style", "explode"),
    [("spaceDelimited", True), ("pipeDelimited", True), ("deepObject", False)],
)
def test_combinations_that_are_undefined(style: str, explode: bool, kind: str) -> None:
    assert shape(style, kind, explode) is None
    with pytest.raises(UndefinedStyle, match=f"style {style} with explode"):
        Parameter("color", SCHEMAS[kind], style=style, explode=explode)


@pytest.mark.parametrize(
    ("location", "style"),
    [("path", "form"), ("query", "matrix"), ("header", "form"), ("cookie", "deepObject")],
)
def test_styles_that_a_location_does_not_have(location: Any, style: str) -> None:
    with pytest.raises(UndefinedStyle, match=f"not '{style}'"):
        Parameter("color", "string", location, style=style)


def blamed(spec: QuerySpec, query: str) -> list[tuple[str, int, int, str]]:
    return [(v.name, v.start, v.end, v.code) for v in spec.check(query).violations]


SPEC = QuerySpec(
    Parameter("ids", ARRAY, explode=False),
    Parameter("tag", {"type": "array", "items": {"type": "integer"}}),
    Parameter("limit", "integer"),
    Parameter("deep", OBJECT, style="deepObject", explode=True),
)


def test_delimiters_are_read_before_escapes() -> None:
    values = SPEC.require("ids=a,b%2Cc&tag=1&tag=2&deep%5Bx%5D=3")
    assert values == {"ids": ["a", "b,c"], "tag": [1, 2], "deep": {"x": 3}}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("ids=a,%zz", [("ids", 6, 7, "query-bad-escape")]),
        ("ids=\\", [("ids", 4, 5, "query-illegal")]),
        ("limit=1#b", [("limit", 7, 8, "query-illegal")]),
        (
            "tag=1&tag=x&tag=y",
            [("tag", 10, 11, "parameter-type"), ("tag", 16, 17, "parameter-type")],
        ),
        ("limit=1&ids=a&limit=2", [("limit", 14, 21, "parameter-repeated")]),
        ("ids=a%FFb,c", [("ids", 5, 8, "parameter-encoding")]),
        ("deep%5Bx%5D=1&deep%5Bx%5D=2", [("deep", 14, 25, "parameter-repeated")]),
        ("deep[x]=1", [("deep", 4, 5, "query-illegal"), ("deep", 6, 7, "query-illegal")]),
        ("limit=" + "9" * 5000, [("limit", 6, 5006, "parameter-type")]),
        ("limit=", [("limit", 6, 6, "parameter-type")]),
        ("limit", [("limit", 5, 5, "parameter-type")]),
        ("limit=\u0663", [("limit", 6, 7, "query-illegal")]),
    ],
)
def test_what_is_wrong_in_raw_offsets(
    query: str, expected: list[tuple[str, int, int, str]]
) -> None:
    assert blamed(SPEC, query) == expected


def test_a_violation_has_what_the_grammar_says() -> None:
    (found,) = SPEC.check("ids=a b").violations
    assert found.production == "query"
    assert found.fix == (5, 6, "%20")
    assert found.section.startswith("RFC 3986")


def test_form_data_by_default_and_the_style_alone_if_strict() -> None:
    parameters = Parameter("q", "string"), Parameter("u", "string")
    query = "q=a+b&u=http://x/?y&&"
    assert dict(QuerySpec(*parameters).check(query).values) == {"q": "a b", "u": "http://x/?y"}
    strict = QuerySpec(*parameters, strict=True)
    assert [(v.name, v.start) for v in strict.check(query).violations] == [
        ("q", 3),
        *[("u", at) for at in (12, 16)],
        *[("", 20), ("", 21)],
    ]
    reserved = QuerySpec(Parameter("u", "string", allow_reserved=True), strict=True)
    assert reserved.require("u=http://x/?y") == {"u": "http://x/?y"}


def test_undeclared_parameters() -> None:
    limit = Parameter("limit", "integer")
    report = QuerySpec(limit).check("limi=1&x=%20")
    assert report.ok
    assert report.undeclared == (("limi", "1"), ("x", " "))
    found = QuerySpec(limit, undeclared="reject").check("limi=1").violations
    assert [(v.code, v.start, v.end) for v in found] == [("parameter-unknown", 0, 4)]
    assert found[0].message.endswith("did you mean limit?")


def test_required_parameters_are_missing_where_the_query_ends() -> None:
    spec = QuerySpec(Parameter("a", required=True), Parameter("b", required=True))
    assert blamed(spec, "a=%zz") == [
        ("a", 2, 3, "query-bad-escape"),
        ("b", 5, 5, "parameter-required"),
    ]


def test_no_value_is_in_a_message() -> None:
    spec = QuerySpec(
        Parameter("pin", {"type": "integer", "maximum": 9}),
        Parameter("name", {"type": "string", "pattern": "^[a-z]+$"}),
    )
    report = spec.check("pin=hunter2&name=S3cret")
    assert len(report.violations) == 2
    with pytest.raises(InvalidParameters) as caught:
        spec.require("pin=hunter2&name=S3cret")
    for said in (str(report), repr(report), str(report.to_dict()), str(caught.value)):
        assert "hunter2" not in said
        assert "S3cret" not in said
    assert "hunter2" in report.drawn()


@pytest.mark.parametrize(
    ("grammar", "query", "expected"),
    [
        ("key-value", "a=1&b", [("b", 5, 5)]),
        ("key-value", "a=1&&b=2", [("", 4, 4)]),
        ("key-value", "a=", [("a", 2, 2)]),
        ("parameters", "a&b=2", []),
        ("parameters", "a&", [("", 2, 2)]),
        ("form-urlencoded", "a=%7E&b=~", [("b", 8, 9)]),
        ("form-serializer", "a=%7E&b=%2a", [("b", 10, 11)]),
        ("form-serializer", "", []),
    ],
)
def test_queries_of_another_grammar(
    grammar: str, query: str, expected: list[tuple[str, int, int]]
) -> None:
    found = QuerySpec(Parameter("a"), grammar=grammar).check(query).violations
    assert [(v.name, v.start, v.end) for v in found] == expected


def test_two_parameters_of_one_name() -> None:
    with pytest.raises(ValueError, match="two parameters are named 'a'"):
        QuerySpec(Parameter("a"), Parameter("a"))


@pytest.mark.parametrize("wrong", [b"a=1", None, 1])
def test_a_query_is_a_text(wrong: Any) -> None:
    with pytest.raises(TypeError, match="query must be a str"):
        SPEC.check(wrong)
