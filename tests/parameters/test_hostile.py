"""Documents, schemas and requests that were made to break: a clear error, and bounded work."""

from __future__ import annotations

import json
from typing import Any

import pytest
from counting import growth
from openapi_documents import INTEGER, JSON, document, load, parameter, problems
from tables import beside

from uriproof.parameters import (
    InvalidDocument,
    InvalidSchema,
    Operation,
    Parameter,
    QuerySpec,
    UndefinedStyle,
)

pytestmark = pytest.mark.prove


def of(schema: Any, version: str = "3.1.1", **more: Any) -> Operation:
    """In a document with what YAML makes of careless keys."""
    made = document(parameter("a", schema=schema), version=version, **more)
    made[5] = None  # type: ignore[index]
    made["paths"]["/a"] |= {True: 1, "post": None}
    made["paths"]["/a"]["get"]["responses"] = {404: 1}
    return Operation.from_openapi(made, "/a", "get")


@pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])
@pytest.mark.parametrize(
    ("schema", "place"),
    [
        *beside(__file__, "schemas_that_cannot_be_worked_with"),
        ({"type": None}, "/type"),
        ({404: 1}, ""),
        ({True: {}}, ""),
        ({"minLength": None}, "/minLength"),
    ],
)
def test_schemas_that_cannot_be_worked_with(schema: Any, place: str, version: str) -> None:
    with pytest.raises(InvalidDocument) as caught:
        of(schema, version)
    (problem,) = caught.value.problems
    assert problem.pointer == f"/paths/~1a/get/parameters/0/schema{place}"
    with pytest.raises((InvalidSchema, UndefinedStyle)):
        Parameter("a", schema)


def test_what_stands_beside_a_reference_counts() -> None:
    two: Any = {"A": {"$ref": "#/B", "minLength": 2}, "B": {"maxLength": 3, "type": "string"}}
    operation = of({"$ref": "#/A"}, **two)
    codes = [len(operation.check(query=f"a={'x' * n}").violations) for n in range(1, 5)]
    assert codes == [1, 0, 0, 1]
    with pytest.raises(InvalidDocument, match="/A/minLength"):
        of({"$ref": "#/A"}, **two | {"A": {"$ref": "#/B", "minLength": "2"}})


def test_references_to_names_that_are_escaped() -> None:
    own: Any = {"%C3%A9 ~1/": {"type": "integer", "allOf": [{"$ref": "#/b"}]}, "b": {"maximum": 3}}
    operation = of({"$ref": "#/%25C3%25A9%20~01~1"}, **own)
    assert [operation.check(query=text).ok for text in ("a=3", "a=4")] == [True, False]


def test_a_wrong_schema_is_wrong_for_each_that_refers_to_it() -> None:
    own = {"type": "array", "items": {"$ref": "#/N"}}
    made = document(*[parameter(name, schema=own) for name in "ab"], N={"minimum": {}})
    assert problems(made) == ["/N/minimum"] * 2
    skipped = Operation.from_openapi(made, "/a", "get", undefined="skip")
    assert skipped.check(query="a=1&b=1").ok


def test_one_object_in_many_places() -> None:
    """As aliases of YAML make them: small in memory, large as a tree, or endless."""
    bomb: Any = {"type": "string", "minLength": 1}
    for _ in range(30):
        bomb = {"type": "object", "properties": {"a": bomb, "b": bomb}}
    with pytest.raises(InvalidDocument, match="more than 10,000"):
        of({"type": "object", "maxProperties": 2, "items": bomb})
    endless: Any = {"type": "array"}
    endless["items"] = endless
    with pytest.raises(InvalidDocument, match="more than 10,000"):
        of(endless)
    values: Any = ["x"]
    for _ in range(40):
        values = [values, values]
    with pytest.raises(InvalidDocument, match="more than 10,000"):
        of({"enum": ["y", values]})
    (found,) = of({"enum": ["y" * 10_000]}).check(query="a=x").violations
    assert len(found.message) < 200


def test_data_in_a_schema_is_no_schema() -> None:
    data = {"$ref": "http://e.com/", 1: 2}
    own = {"$ref": {"type": "string"}, "$id": {"type": "integer"}}
    spec = of({"type": "object", "properties": own, "example": data, "default": data})
    assert spec.check(query="%24ref=x&%24id=1").values["query"] == {"a": {"$ref": "x", "$id": 1}}


@pytest.mark.parametrize("depth", [20, 5000])
@pytest.mark.parametrize("keyword", ["allOf", "anyOf"])
def test_schemas_that_double(keyword: str, depth: int) -> None:
    """A schema of two times the next, and so on: small to write, and large to apply."""
    two = [{keyword: [{"$ref": f"#/s/{at + 1}"}] * 2} for at in range(depth)]
    with pytest.raises(InvalidDocument, match=r"schemas apply|levels of schemas|more than 10,000"):
        of({"$ref": "#/s/0"}, s=[*two, {}])


@pytest.mark.parametrize("keyword", ["allOf", "items", "not"])
def test_schemas_that_are_deep(keyword: str) -> None:
    made: Any = INTEGER
    for _ in range(5000):
        made = {keyword: [made] if keyword == "allOf" else made, "minLength": 1}
    with pytest.raises(InvalidDocument, match=r"levels|deeply"):
        of(made)


def test_a_document_is_read_in_linear_time() -> None:
    limit = INTEGER | {"maximum": 9}

    def shared(n: int) -> Any:
        schemas = {f"s{at}": {"type": "object", "properties": {"a": limit}} for at in range(n)}
        every = {"anyOf": [{"$ref": f"#/s/s{at}"} for at in range(n)]}
        content = {"a/json": {"schema": {"$ref": "#/e"}}}
        many = [parameter(f"p{at}", content=content) for at in range(4)]
        made = document(*many, s=schemas, e=every)
        return lambda: Operation.from_openapi(made, "/a", "get")

    assert growth(shared, 10) < 13


def test_a_template_is_matched_in_linear_time() -> None:
    names = "abcdef"
    template = "/" + "-".join(f"{{{name}}}" for name in names) + ".json"
    operation = Operation(template, [Parameter(name, location="path") for name in names])
    values = operation.require(path="/1-2-3-4-5-6-7.json")["path"]
    assert values == dict(zip(names, ["1", "2", "3", "4", "5", "6-7"], strict=True))
    assert growth(lambda n: lambda: operation.check(path="/" + "-" * n), 400) < 13
    assert not operation.check(path="/-.json").ok


def test_values_that_are_deep() -> None:
    tree = {"type": "array", "items": {"$ref": "#/tree"}, "maxItems": 3}
    operation = load(parameter("a", content={JSON: {"schema": tree}}), tree=tree)
    assert operation.check(query="a=%5B%5B%5D%5D").values["query"] == {"a": [[]]}
    for depth in (300, 100_000):
        report = operation.check(query="a=" + "%5B" * depth + "%5D" * depth)
        assert [v.end - v.start for v in report.violations] in ([], [depth * 6])


def test_headers_of_the_wrong_type() -> None:
    wrong: list[Any] = [[("a",)], [("a", "b", "c")], [1], "ab", b"ab", 5, [None], ["ab"]]
    for headers in (*wrong, {"a": None}):
        with pytest.raises(TypeError, match=r"headers|value must be"):
            of({}).check(headers=headers)


@pytest.mark.parametrize(
    ("text", "blamed"), beside(__file__, "names_that_begin_as_a_deep_object_are_not_lost")
)
def test_names_that_begin_as_a_deep_object_are_not_lost(text: str, blamed: Any) -> None:
    """``o[a][b]=2`` is a filter that somebody wants applied, not a parameter of another name."""
    deep = Parameter("o", "object", style="deepObject", explode=True, required=True)
    spec = QuerySpec(deep, Parameter("p"))
    report = spec.check(text)
    assert [(v.name, [v.start, v.end]) for v in report.violations] == [("o", blamed)]
    assert not report.values
    assert spec.check("o%5Ba%5D=1&oo=2&p%5Ba%5D=3").undeclared == (("oo", "2"), ("p[a]", "3"))


OWN = (Parameter("q"), Parameter("session", location="cookie"), Parameter("X-A", location="header"))


@pytest.mark.parametrize(
    "extra", ["utm=%E9", "utm=100%", "filter[name]=x", "a|b={", "%FF=1", "%", "\u00e9=\ud800", "[]"]
)
def test_what_nothing_declares_refuses_no_request(extra: str) -> None:
    for query in (f"q=1&{extra}", f"{extra}&q=1"):
        report = QuerySpec(OWN[0]).check(query)
        assert (report.ok, dict(report.values)) == (True, {"q": "1"})
        assert len(report.undeclared) == 1
        assert not QuerySpec(OWN[0], undeclared="reject").check(query).ok
        assert not QuerySpec(OWN[0], strict=True).check(query).ok
        if extra != "utm=%E9":  # whose grammar knows octets, and not what they mean
            assert not QuerySpec(OWN[0], grammar="form-serializer").check(query).ok


@pytest.mark.parametrize(
    ("cookie", "session"), beside(__file__, "cookies_are_not_percent_encoded_by_everybody")
)
def test_cookies_are_not_percent_encoded_by_everybody(cookie: str, session: str) -> None:
    """RFC 6265 §4.1.1 has no escapes; the style of OpenAPI has: what can be decoded is."""
    operation = Operation("/", OWN)
    assert operation.require(cookie=cookie)["cookie"] == {"session": session}
    strict = Operation("/", OWN, strict=True).check(cookie=cookie)
    assert strict.ok is (session in ("1", "a b"))


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("control", ["\r\nSet-Cookie: b", "\n", "\r", "\0", "\x1b", "\x7f"])
def test_control_characters_in_fields(control: str, strict: bool) -> None:
    operation = Operation("/", OWN, strict=strict)
    start = 1
    for given in ({"headers": {"X-A": f"a{control}b"}}, {"headers": {"X-A": f" {control}"}}):
        [found] = operation.check(**given).violations[:1]  # type: ignore[arg-type]
        assert (found.name, found.start, found.code) == ("X-A", start, "field-value-illegal")
        assert found.section.startswith("RFC 9110")
    for cookie in (f"session=a{control}", f"other=a{control}; session=1", f"session=1; {control}"):
        report = operation.check(cookie=cookie)
        assert not report.ok
        assert report.values["cookie"] == {}
        assert not operation.check(headers={"cookie": cookie}).ok
    assert Operation("/", OWN).check(headers={"X-A": "\ta\u00e9 \tb "}).ok


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("template", "style", "segments"), beside(__file__, "a_path_parameter_is_no_dot_segment")
)
def test_a_path_parameter_is_no_dot_segment(
    template: str, style: str, segments: list[str], strict: bool
) -> None:
    names = [name for name in "pq" if f"{{{name}}}" in template]
    own = [Parameter(name, location="path", style=style) for name in names]
    operation = Operation(template, own, strict=strict)
    for segment in segments:
        [found] = operation.check(path=f"/f/{segment}").violations
        assert (found.name, found.code) == ("p", "path-template")
        assert found.section == "RFC 3986 §6.2.2.3"
    assert Operation("/f/{p}", [Parameter("p", location="path")]).check(path="/f/...").ok


@pytest.mark.parametrize(
    ("template", "path", "values"), beside(__file__, "literals_of_a_template_are_equivalent")
)
def test_literals_of_a_template_match_what_is_equivalent(
    template: str, path: str, values: dict[str, str]
) -> None:
    """RFC 3986 §6.2.2.2: an escape of an unreserved character is that character, and no other."""
    operation = Operation(template, [Parameter(name, location="path") for name in "pq"])
    assert operation.check(path=path).values["path"] == values


def test_what_is_sent_back_is_bounded() -> None:
    array = {"type": "array", "items": {"type": "integer"}}
    own = [Parameter("b"), Parameter("n", array), Parameter("h", location="header")]
    for options in ({}, {"undeclared": "reject"}, {"strict": True}):
        operation = Operation("/{p}", own, **options)
        for text in ("b=x&", "x1=1&", "b=[x&", "n=x&", "b=%FFa%FF&", "[=&", "x" * 19_999):
            long = (text * (20_000 // len(text)))[:-1] + "=x"
            report = operation.check(query=long, path=f"/{long}", headers={"h": "\0a" * 1000})
            for made in (report.to_problem(), *[one.to_dict() for one in report.reports]):
                assert len(json.dumps(made)) <= 10_240
            assert len(str(report)) <= 10_240
            assert report.more + len(report.violations) >= 1_000
            assert report.to_problem()["more"] == report.more + max(len(report.violations) - 20, 0)


def test_the_limit_on_violations() -> None:
    spec = QuerySpec(Parameter("b"), undeclared="reject")
    text = "b=[x]&x=1&b=%FF&y[=2&" * 30
    every = spec.check(text, max_violations=None)
    assert every.more == 0
    for most in (1, 5, 200):
        report = spec.check(text, max_violations=most)
        assert report.violations == every.violations[:most]
        assert 120 <= report.more + len(report.violations) <= len(every.violations)
    assert len(spec.check(text).violations) == 20
    with pytest.raises(ValueError, match="max_violations must be at least 1"):
        spec.check(text, max_violations=0)
