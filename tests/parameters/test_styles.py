"""The styles of OpenAPI on the raw text: its own table of examples, and what departs from it."""

from __future__ import annotations

from typing import Any

import pytest
from openapi_documents import faults
from tables import beside

from uriproof.parameters import InvalidParameters, Operation, Parameter, QuerySpec, UndefinedStyle

COLORS = ["blue", "black", "brown"]
RGB = {"R": 100, "G": 200, "B": 150}
ARRAY = {"type": "array", "items": {"type": "string"}}
OBJECT = {"type": "object", "additionalProperties": {"type": "integer"}}
SCHEMAS: dict[str, Any] = {"string": {"type": "string"}, "array": ARRAY, "object": OBJECT}
VALUES: dict[str, Any] = {"string": "blue", "array": COLORS, "object": RGB}

TABLE = beside(__file__, "the_examples_of_the_specification")
CASES = [
    pytest.param(location, style, explode, kind, text, id=f"{location}-{style}-{explode}-{kind}")
    for location, style, explode, *texts in TABLE
    for kind, text in zip(SCHEMAS, texts, strict=True)
    if text
]


def sent(location: str, parameter: Parameter, text: str, strict: bool) -> Any:
    """The value of a parameter that is sent as this text."""
    template = f"/{{{parameter.name}}}" if location == "path" else "/"
    ways: dict[str, dict[str, Any]] = {
        "path": {"path": f"/{text}"},
        "query": {"query": text},
        "header": {"headers": {parameter.name.title(): text}},
        "cookie": {"cookie": f"session=1; {text}; last=2"},
    }
    report = Operation(template, [parameter], strict=strict).check(**ways[location])
    assert report.ok, (text, str(report))
    return report.values[location][parameter.name]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("location", "style", "explode", "kind", "text"), CASES)
def test_the_examples_of_the_specification(
    location: Any, style: str, explode: bool, kind: str, text: str, strict: bool
) -> None:
    parameter = Parameter("color", SCHEMAS[kind], location, style=style, explode=explode)
    text = text.replace(" ", "") if strict else text
    assert sent(location, parameter, text, strict) == VALUES[kind]


@pytest.mark.parametrize(
    ("location", "style", "explode", "words"), beside(__file__, "styles_that_are_not_defined")
)
def test_styles_that_are_not_defined(location: Any, style: str, explode: bool, words: str) -> None:
    for kind in ("array", "object"):
        with pytest.raises(UndefinedStyle, match=words):
            Parameter("color", SCHEMAS[kind], location, style=style, explode=explode)


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
        *beside(__file__, "what_is_wrong_in_raw_offsets"),
        ("limit=" + "9" * 5000, [["limit", 6, 5006, "parameter-type"]]),
    ],
)
def test_what_is_wrong_in_raw_offsets(query: str, expected: list[list[Any]]) -> None:
    assert faults(SPEC.check(query)) == [tuple(fault) for fault in expected]


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
    found = [(v.name, v.start) for v in strict.check(query).violations]
    assert found == [("q", 3), ("u", 12), ("u", 16), ("", 20), ("", 21)]
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
    expected = [("a", 2, 3, "query-bad-escape"), ("b", 5, 5, "parameter-required")]
    assert faults(spec.check("a=%zz")) == expected


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
    ("grammar", "query", "expected"), beside(__file__, "queries_of_another_grammar")
)
def test_queries_of_another_grammar(grammar: str, query: str, expected: list[Any]) -> None:
    found = QuerySpec(Parameter("a"), grammar=grammar).check(query).violations
    assert [[v.name, v.start, v.end] for v in found[:1]] == ([expected] if expected else [])


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="two parameters are named 'a'"):
        QuerySpec(Parameter("a"), Parameter("a"))
    for wrong in (b"a=1", None, 1):
        with pytest.raises(TypeError, match="query must be a str"):
            SPEC.check(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='undeclared is "ignore" or "reject"'):
        QuerySpec(undeclared="no")
    with pytest.raises(TypeError, match="must be parameters of a query"):
        QuerySpec(Parameter("a", location="cookie"))
    with pytest.raises(ValueError, match="location is one of path, query, header or cookie"):
        Parameter("a", location="body")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a JSON Schema or the name of a type"):
        Parameter("a", 1)  # type: ignore[arg-type]
