"""Formats and defaults of the schemas of parameters."""

from __future__ import annotations

import datetime
import json
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from counting import steps
from hypothesis import given
from hypothesis import strategies as st
from openapi_documents import INTEGER, JSON, STRING, document, faults, load, parameter, problems
from tables import beside

from uriproof.parameters import InvalidSchema, Operation, Parameter, QuerySpec
from uriproof.parameters.formats import FORMATS, conforms
from uriproof.rule import Rule

CONFORMING = beside(__file__, "what_conforms_to_a_format")
VERSIONS = pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])


@pytest.mark.parametrize(("name", "right", "wrong"), CONFORMING)
def test_what_conforms_to_a_format(name: str, right: list[Any], wrong: list[Any]) -> None:
    assert [value for value in right if not conforms(value, name)] == []
    assert [value for value in wrong if conforms(value, name)] == []
    others: list[Any] = [None, True, [], {}, 5 if isinstance(right[0], str) else "x"]
    assert all(conforms(value, name) for value in others), "of another type"


def test_the_longest_names_and_numbers() -> None:
    label = "a" * 60
    labels = f"{label}." * 4
    for name, right, wrong in (
        ("hostname", f"{label}123", f"{label}1234"),
        ("hostname", f"{labels}a", f"{labels}1234567890"),
        ("email", "a" * 250 + "@b.c", "a" * 251 + "@b.c"),
        ("float", -3.4028234663852886e38, 10**400),
    ):
        assert (conforms(right, name), conforms(wrong, name)) == (True, False), name


def test_annotations() -> None:
    for name in ("double", "byte", "password", "idn-email", "x", 5, None):
        assert conforms("\0", name)
        assert load(parameter(schema=STRING | {"format": str(name)})).check(query="q=%00").ok


@given(st.integers(0, 9999), st.integers(0, 13), st.integers(0, 32))
def test_days_are_those_of_the_calendar(year: int, month: int, day: int) -> None:
    try:
        exists = bool(datetime.date(year % 400 + 400, month, day))
    except ValueError:
        exists = False
    assert conforms(f"{year:04}-{month:02}-{day:02}", "date") is exists


@VERSIONS
@pytest.mark.parametrize("in_json", [False, True])
def test_formats_in_requests(in_json: bool, version: str) -> None:
    """By this package alone, and by the library."""
    for name, right, wrong in CONFORMING:
        own = STRING | {"format": name}
        for schema in (own, {"allOf": [own]}) if isinstance(right[0], str) else ():
            media = parameter(content={JSON: {"schema": schema}})
            operation = load(media if in_json else parameter(schema=schema), version=version)
            for value in right + wrong:
                text = quote(json.dumps(value) if in_json else value, safe="")
                report = operation.check(query=f"q={text}")
                assert report.ok is (value in right), (name, value)
                assert report.values["query"] == ({"q": value} if report.ok else {})


@pytest.mark.parametrize(
    ("schema", "text", "start", "end", "code"), beside(__file__, "where_a_format_is_not_kept")
)
def test_where_a_format_is_not_kept(
    schema: Any, text: str, start: int, end: int, code: str
) -> None:
    [violation] = load(parameter(schema=schema)).check(query=text).violations
    assert (violation.start, violation.end, violation.code) == (start, end, code)
    assert violation.fix is None or code == "query-illegal"


@given(st.text(max_size=20))
def test_uri_formats_are_blamed_where_the_rule_blames(text: str) -> None:
    """Each raw span, decoded, is what the report of the decoded text blames."""
    try:
        raw = quote(text, safe="/:")
    except UnicodeEncodeError:
        return
    spec = QuerySpec(Parameter("q", {"type": "string", "format": "uri-reference"}))
    report, alone = spec.check(f"q={raw}"), Rule("URI-reference").check(text)
    assert report.ok is alone.ok
    ends = [2]
    for character in text:
        ends.append(ends[-1] + len(quote(character, safe="/:")))
    expected = [(ends[v.start], ends[v.end], v.code) for v in alone.violations]
    assert [(v.start, v.end, v.code) for v in report.violations] == expected


def test_a_header_is_not_decoded() -> None:
    operation = load(parameter("X", "header", STRING | {"format": "uri"}))
    assert operation.check(headers={"X": " http://h/%41 "}).ok
    found = operation.check(headers={"X": " http://h/^"})
    assert faults(found) == [("X", 10, 11, "path-illegal")]


def test_formats_need_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "jsonschema", None)
    dates = {"type": "array", "items": STRING | {"format": "date", "default": "2024-02-29"}}
    assert not load(parameter(schema=dates)).check(query="q=2023-02-29").ok
    in_json = QuerySpec(Parameter("q", dates, content=JSON))
    assert not in_json.check("q=%5B%222023-02-29%22%5D").ok
    assert in_json.check("q=%5B%222024-02-29%22%5D").ok


def random_schema(random: Random, depth: int) -> dict[str, Any]:
    kinds = ["integer", "number", "string", "null", "array", "object", ["string", "null"]]
    made: dict[str, Any] = {"type": random.choice(kinds)} if random.random() < 0.8 else {}
    if random.random() < 0.3:
        made["format"] = random.choice([*FORMATS, "x"])
    if random.random() < 0.1:
        made["nullable"] = True
    if depth and random.random() < 0.5:
        made["items"] = random_schema(random, depth - 1)
    if depth and random.random() < 0.5:
        made["properties"] = {name: random_schema(random, depth - 1) for name in "ab"}
    return made


def random_value(random: Random, depth: int) -> Any:
    if depth and random.random() < 0.3:
        return [random_value(random, depth - 1) for _ in range(random.randint(0, 3))]
    if depth and random.random() < 0.4:
        return {name: random_value(random, depth - 1) for name in random.sample("abc", 2)}
    return random.choice([1, 1.0, 2**40, 1.5, True, None, "", "a", "a:b", "2024-02-29", "::1"])


@pytest.mark.prove
@VERSIONS
def test_what_needs_no_library_agrees_with_the_library(version: str) -> None:
    random = Random(5)  # noqa: S311 -- the same cases each time
    for _ in range(100):
        schema, text = random_schema(random, 3), json.dumps(random_value(random, 3))
        plain, by_library = (
            load(parameter(content={JSON: {"schema": made}}), version=version)
            for made in (schema, {"allOf": [schema]})
        )
        query = f"q={quote(text)}"
        assert plain.check(query=query).ok is by_library.check(query=query).ok, (schema, text)


@VERSIONS
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        *beside(__file__, "defaults_of_absent_parameters"),
        (STRING | {"nullable": True, "default": None}, None),
        ({"default": None}, ...),
        (STRING | {"default": None}, ...),
        ({"anyOf": [INTEGER | {"default": 1}, STRING]}, ...),
        ({"type": "object", "properties": {"a": {"default": "x"}}}, ...),
    ],
)
def test_defaults_of_absent_parameters(schema: Any, value: Any, version: str) -> None:
    defs = {"A": {"$ref": "#/s/B"}, "B": STRING | {"enum": ["a", "b"], "default": "b"}}
    report = load(parameter(schema=schema), version=version, s=defs).check(query="").query
    assert report is not None
    assert report.ok
    assert dict(report.values) == ({} if value is ... else {"q": value})
    assert report.defaults == (frozenset() if value is ... else {"q"})


def test_a_default_is_not_given() -> None:
    """And each request has its own copy."""
    schema = {"type": "array", "items": STRING, "default": ["a"]}
    own = Parameter("q", schema), Parameter("H", schema, "header"), Parameter("c", schema, "cookie")
    operation = Operation("/", own)
    values = {"query": {"q": ["a"]}, "header": {"H": ["a"]}, "cookie": {"c": ["a"]}}
    absent = operation.check(query="", headers={})
    assert absent.values == values
    assert [one.defaults for one in absent.reports] == [{"q"}, {"H"}, {"c"}]
    absent.values["query"]["q"].append("b")
    given_ = operation.check(query="q=a", headers={"h": "a", "cookie": "c=a"})
    assert given_.values == operation.check(query="", headers={}).values == values
    assert [one.defaults for one in given_.reports] == [set(), set(), set()]
    assert not QuerySpec(Parameter("q", {"default": "a"}, required=True)).check("").ok
    wrong = QuerySpec(Parameter("q", INTEGER | {"default": 1})).check("q=x")
    assert not wrong.values
    assert not wrong.defaults


def test_defaults_in_json() -> None:
    inner = {"a": INTEGER | {"default": 1}, "b": STRING}
    schema = {"type": "array", "items": {"properties": {"o": {"properties": inner}}}}
    spec = QuerySpec(Parameter("q", schema, content=JSON))
    text = quote('[{"o":{}},{}]')
    assert spec.require(f"q={text}") == {"q": [{"o": {"a": 1}}, {}]}


def test_schemas_that_meet_a_value_twice_at_each_level() -> None:
    """Of 60 levels: both ways of validation, and the defaults, must not double at each."""
    below: Any = {"next": {"$ref": "#/s/A"}, "a": {"format": "date"}, "b": {"default": 1}}
    plain = {"A": {"properties": below, "$ref": "#/s/B"}, "B": {"properties": below}}
    both = {"A": {"allOf": [{"properties": below}, {"properties": below}]}}
    for defs in (plain, both):
        operation = load(body={"content": {JSON: {"schema": {"$ref": "#/s/A"}}}}, s=defs)
        text = '{"next":' * 60 + '{"a":"x"}' + "}" * 60
        assert not operation.check(body=text.encode(), content_type=JSON).ok
        right = text.replace('"x"', '"2024-02-29"').encode()
        found = operation.require(body=right, content_type=JSON)["body"]
        for _ in range(60):
            assert found["b"] == 1
            found = found["next"]
        assert found == {"a": "2024-02-29", "b": 1}


@VERSIONS
@pytest.mark.parametrize(
    ("schema", "place"),
    [
        *beside(__file__, "a_wrong_default_is_a_problem_of_the_document"),
        ({"type": "array", "uniqueItems": True, "default": ["\ud800", "a"]}, "/default"),
    ],
)
def test_a_wrong_default_is_a_problem_of_the_document(
    schema: Any, place: str, version: str
) -> None:
    made = document(parameter(schema=schema), version=version)
    assert problems(made) == [f"/paths/~1a/get/parameters/0/schema{place}"]
    with pytest.raises(InvalidSchema, match="default is not valid"):
        Parameter("q", schema)


@given(
    st.dictionaries(st.sampled_from("abcd"), st.integers(-9, 9)),
    st.dictionaries(st.sampled_from("abcd"), st.integers(-9, 9)),
)
def test_defaults_never_replace_what_is_given(defaults: Any, sent: Any) -> None:
    properties = {name: INTEGER | {"default": value} for name, value in defaults.items()}
    schema = {"type": "object", "properties": properties, "additionalProperties": INTEGER}
    spec = QuerySpec(Parameter("q", schema, style="deepObject", explode=True))
    text = "&".join(f"q%5B{name}%5D={value}" for name, value in sent.items())
    assert spec.require(text) == ({"q": defaults | sent} if sent else {})


@pytest.mark.parametrize(
    ("pattern", "right", "wrong"),
    [
        *beside(__file__, "patterns_of_ecma_262"),
        (r"^(a+)+$", "a" * 5000, "a" * 5000 + "b"),
        (r"^(?=(a+)+$)", "a", "a" * 5000 + "b"),
    ],
)
def test_patterns_of_ecma_262(pattern: str, right: str, wrong: str) -> None:
    """What Python's own module reads otherwise, or for ever; in every place of a schema."""
    own = STRING | {"pattern": pattern}
    referred = {"not": {"not": {"$ref": "#/s/a"}}}
    for version in ("3.0.3", "3.1.1"):
        for schema in (own, referred, {"type": "array", "items": own}):
            operation = load(parameter(schema=schema), version=version, s={"a": own})
            assert operation.check(query=f"q={quote(right)}").ok
            assert not operation.check(query=f"q={quote(wrong)}").ok


@pytest.mark.parametrize(
    "pattern", ["(", "[^]", "\\k<n>", "\ud800", "[\\w-.]", "x{2,1}", "\\Z", "(?#x)", "a**"]
)
def test_patterns_that_are_not_supported(pattern: str) -> None:
    strings = {"type": "array", "items": STRING | {"pattern": pattern}}
    [pointer] = problems(document(parameter(schema=strings)))
    assert pointer.endswith("/schema/items/pattern")
    with pytest.raises(InvalidSchema, match="this pattern is not supported"):
        Parameter("q", strings)


def test_a_number_in_json_that_is_whole() -> None:
    spec = QuerySpec(Parameter("q", INTEGER, content=JSON))
    assert spec.require("q=1.0") == {"q": 1.0}
    assert not spec.check("q=1.5").ok


NUMBERS = {"type": "array", "items": INTEGER | {"maximum": 9}}
URIS = {"type": "array", "items": STRING | {"format": "uri"}}


@pytest.mark.parametrize(
    ("own", "right", "wrong"),
    [
        *((Parameter("q", NUMBERS), "q=1&", text) for text in ("q=99&", "q=x&", "q=^&", "q=%zz&")),
        *((Parameter("q", URIS), "q=a:b&", text) for text in ("q=a^&", "q=a&", "q=%FF&")),
        *((Parameter("q", URIS, explode=False), "a:b,", text) for text in ("a^,", "a,", "%FF,")),
        *((Parameter("q", NUMBERS, content="a/json"), "1,", text) for text in ("99,", '"",')),
        (Parameter("q", NUMBERS, style="pipeDelimited", explode=False), "1%7C", "x%7C"),
    ],
)
def test_a_wrong_request_costs_at_most_three_times_a_right_one(
    own: Parameter, right: str, wrong: str
) -> None:
    """Of as many parts each, of which 20 are explained."""
    spec = QuerySpec(own)

    def text(part: str) -> str:
        separator = "%7C" if part.endswith("%7C") else part[-1]
        whole = separator.join([part.removesuffix(separator)] * 400)
        if own.content is not None:
            return f"q={quote(f'[{whole}]')}"
        return whole if part.startswith("q=") else f"q={whole}"

    assert spec.check(text(right)).ok
    report = spec.check(text(wrong))
    assert len(report.violations) == 20
    assert report.more > 0
    assert steps(lambda: spec.check(text(wrong))) < 3 * steps(lambda: spec.check(text(right)))


@pytest.mark.parametrize("text", ["^" * 20_000, "%zz" * 9_000, "%FF" * 9_000, "a%20" * 9_000])
def test_a_long_value_is_not_explained(text: str) -> None:
    spec = QuerySpec(Parameter("q", {"type": "string", "format": "uri"}))
    [violation] = spec.check(f"q={text}").violations
    assert violation.name == "q"
    assert steps(lambda: spec.check(f"q={text}")) < 20 * len(text)
