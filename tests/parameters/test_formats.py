"""Formats and defaults of the schemas of parameters."""

from __future__ import annotations

import datetime
import json
import uuid
from collections.abc import Callable
from functools import partial
from ipaddress import IPv4Address, IPv6Address
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from counting import growth, steps
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof.parameters import InvalidDocument, InvalidSchema, Operation, Parameter, QuerySpec
from uriproof.parameters.formats import FORMATS, conforms
from uriproof.rule import FORMATS as OF_RULES
from uriproof.rule import Rule


def load(schema: Any, version: str = "3.1.1", defs: Any = None, **more: Any) -> Operation:
    parameter = {"name": "q", "in": "query", "schema": schema, **more}
    document = {"openapi": version, "paths": {"/a": {"get": {"parameters": [parameter]}}}}
    return Operation.from_openapi(document | {"s": defs or {}}, "/a", "get")


RIGHT_AND_WRONG: dict[str, tuple[list[Any], list[Any]]] = {
    "int32": ([0, -(2**31), 2**31 - 1, 1.0], [2**31, -(2**31) - 1, 1e300]),
    "int64": ([2**63 - 1], [2**63, -(2**63) - 1]),
    "uint8": ([0, 255], [-1, 256]),
    "float": ([1e38, -3.4028234663852886e38, 0.1], [3.5e38, 10**400]),
    "date": (["2024-02-29", "0000-02-29"], ["2023-02-29", "2023-13-01", "2023-1-1", "20230101"]),
    "time": (
        ["23:20:50Z", "00:00:00.1+00:20", "23:59:60Z", "15:59:60-08:00", "00:29:60+00:30"],
        ["23:20:50", "24:00:00Z", "12:60:00Z", "12:00:61Z", "12:00:60Z", "12:00:00+24:00"],
    ),
    "date-time": (
        ["2024-02-29T23:20:50.52Z", "1990-12-31T15:59:60-08:00", "2024-02-29t00:00:00z"],
        ["2023-02-29T23:20:50Z", "2024-02-29T25:20:50Z", "2024-02-29 23:20:50Z", "2024-02-29"],
    ),
    "uuid": (
        ["2489E9AD-2EE2-8E00-8EC9-32D5F69181C0"],
        ["2489e9ad2ee28e008ec932d5f69181c0", "2489E9AD-2EE2-8E00-8EC9-32D5F69181C"],
    ),
    "ipv4": (["1.0.0.0", "255.255.255.255"], ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4/8"]),
    "ipv6": (["::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"], ["::1%eth0", "[::1]", "1::2::3", "1"]),
    "hostname": (
        ["a", "www.example.com", "xn--bcher-kva.de", "a" * 63, "1.2"],
        ["", "-a", "a-", "a..b", "a_b", "a.", "a" * 64, ".".join(["a" * 60] * 5), "b\u00fccher.de"],
    ),
    "email": (
        ["a@b.c", '"a b"@c.d', "a@[192.0.2.1]", "a+b@localhost"],
        [
            "a",
            "@b",
            "a@",
            "a@b@c",
            "a b@c",
            "a@b\r\n ",
            "(x)a@b",
            ".a@b",
            "a@b=c",
            "a" * 251 + "@b.c",
        ],
    ),
    "uri": (["a:b"], ["a", "http://h/ "]),
    "uri-reference": (["a", ""], ["a^"]),
    "iri": (["http://h/\u00e9"], ["\u00e9"]),
    "iri-reference": (["\u00e9"], ["^"]),
    "uri-template": (["/{a}"], ["/{a"]),
}


@pytest.mark.parametrize("name", RIGHT_AND_WRONG)
def test_what_conforms_to_a_format(name: str) -> None:
    right, wrong = RIGHT_AND_WRONG[name]
    assert [value for value in right if not conforms(value, name)] == []
    assert [value for value in wrong if conforms(value, name)] == []
    others: list[Any] = [None, True, [], {}, 5 if isinstance(right[0], str) else "x"]
    for value in others:
        assert conforms(value, name), "of another type"


@pytest.mark.parametrize(
    "name", ["double", "byte", "binary", "password", "idn-email", "x", 5, None]
)
def test_annotations(name: Any) -> None:
    assert conforms("\0", name)
    assert load({"type": "string", "format": str(name)}).check(query="q=%00").ok


def test_the_table_has_the_formats_of_rules() -> None:
    assert OF_RULES.keys() < FORMATS.keys()


ZONES = st.integers(-1439, 1439).map(lambda n: datetime.timezone(datetime.timedelta(minutes=n)))


@given(st.datetimes(timezones=ZONES))
def test_dates_of_python_conform(moment: datetime.datetime) -> None:
    text = moment.replace(microsecond=0).isoformat()
    if len(text) == 25:  # offsets of former times have seconds
        assert conforms(text, "date-time")
        assert conforms(text[11:], "time")
    assert conforms(text[:10], "date")


@given(st.integers(0, 9999), st.integers(0, 13), st.integers(0, 32))
def test_days_are_those_of_the_calendar(year: int, month: int, day: int) -> None:
    try:
        exists = bool(datetime.date(year % 400 + 400, month, day))
    except ValueError:
        exists = False
    assert conforms(f"{year:04}-{month:02}-{day:02}", "date") is exists


@given(st.uuids(), st.ip_addresses(v=4), st.ip_addresses(v=6))
def test_values_of_python_conform(one: uuid.UUID, four: IPv4Address, six: IPv6Address) -> None:
    assert conforms(str(one), "uuid")
    assert conforms(str(four), "ipv4")
    assert conforms(str(six), "ipv6")
    assert not conforms(str(six), "ipv4")


STYLES = [
    ({}, "q={}"),
    ({"style": "form", "explode": False}, "q={}"),
    ({"content": {"application/json": {}}}, "q=%22{}%22"),
]


@pytest.mark.parametrize("wrap", [lambda s: s, lambda s: {"anyOf": [s, {"type": "null"}]}])
@pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])
@pytest.mark.parametrize(("more", "text"), STYLES)
def test_formats_in_requests(
    more: Any, text: str, version: str, wrap: Callable[[Any], Any]
) -> None:
    if version == "3.0.3" and wrap({}) != {}:
        pytest.skip("OpenAPI 3.0 has no null")
    for name, (right, wrong) in RIGHT_AND_WRONG.items():
        if not isinstance(right[0], str):
            continue
        schema = wrap({"type": "string", "format": name})
        parameter = {"name": "q", "in": "query", "schema": schema, **more}
        if "content" in more:
            del parameter["schema"]
            parameter["content"] = {"application/json": {"schema": schema}}
        document = {"openapi": version, "paths": {"/a": {"get": {"parameters": [parameter]}}}}
        operation = Operation.from_openapi(document, "/a", "get")
        for value, ok in [*((one, True) for one in right), *((one, False) for one in wrong)]:
            written = json.dumps(value)[1:-1] if "content" in more else value
            report = operation.check(query=text.format(quote(written, safe="")))
            assert report.ok is ok, (name, value)
            if ok:
                assert report.values["query"] == {"q": value}


@pytest.mark.parametrize(
    ("schema", "text", "blamed"),
    [
        ({"type": "integer", "format": "int32"}, "q=2147483648", (2, 12, "parameter-schema")),
        ({"type": "array", "items": {"format": "date"}}, "q=2023-02-28&q=x", (15, 16, None)),
        ({"type": "object", "properties": {"a": {"format": "uuid"}}}, "a=x", (2, 3, None)),
        ({"type": "string", "format": "uri"}, "q=http://h/a%20b", (12, 15, "path-illegal")),
        ({"type": "string", "format": "uri"}, "q=http://h/a+b", (12, 13, "path-illegal")),
        ({"type": "string", "format": "uri"}, "q=%68ttp://h/%C3%A9%5E", (13, 22, "path-illegal")),
        ({"type": "string", "format": "uri"}, "q=%F0%9F%98%80:", (2, 14, "scheme-illegal")),
        ({"type": "string", "format": "uri"}, "q=http://h/%25z", (11, 14, "path-bad-escape")),
        ({"type": "string", "format": "uri"}, "q=a", (2, 2, "scheme-missing")),
        ({"type": "array", "items": {"format": "uri"}}, "q=a:b&q=a:%5E", (10, 13, "path-illegal")),
        ({"anyOf": [{"format": "uri", "type": "string"}, {"type": "null"}]}, "q=a:^", None),
    ],
)
def test_where_a_format_is_not_kept(schema: Any, text: str, blamed: Any) -> None:
    [violation] = load(schema).check(query=text).violations
    if blamed is not None:
        start, end, code = blamed
        assert (violation.start, violation.end) == (start, end)
        assert code is None or violation.code == code, violation
    assert violation.fix is None or blamed is None


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
    operation = Operation("/", [Parameter("X", {"format": "uri", "type": "string"}, "header")])
    assert operation.check(headers={"X": " http://h/%41 "}).ok
    [violation] = operation.check(headers={"X": " http://h/^"}).violations
    assert (violation.start, violation.end) == (10, 11)


def test_formats_need_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "jsonschema", None)
    schema = {
        "type": "array",
        "items": {"type": "string", "format": "date", "default": "2024-02-29"},
    }
    assert not load(schema).check(query="q=2023-02-29").ok
    json_ = Parameter("q", schema, content="application/json")
    assert not QuerySpec(json_).check("q=%5B%222023-02-29%22%5D").ok
    assert QuerySpec(json_).check("q=%5B%222024-02-29%22%5D").ok


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
@pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])
def test_what_needs_no_library_agrees_with_the_library(version: str) -> None:
    random = Random(5)  # noqa: S311 -- the same cases each time
    for _ in range(100):
        schema, text = random_schema(random, 3), json.dumps(random_value(random, 3))
        found = []
        for made in (schema, {"allOf": [schema]}):
            content = {"application/json": {"schema": made}}
            parameter = {"name": "q", "in": "query", "content": content}
            document = {"openapi": version, "paths": {"/": {"get": {"parameters": [parameter]}}}}
            operation = Operation.from_openapi(document, "/", "get")
            found.append(operation.check(query=f"q={quote(text)}").ok)
        assert found[0] is found[1], (schema, text)


def test_a_format_is_checked_in_linear_time() -> None:
    for name, piece in (("uri", "a:%5E"), ("date-time", "2024-02-29T23:20:50.1"), ("email", "a@")):
        spec = QuerySpec(Parameter("q", {"type": "string", "format": name}))
        assert growth(partial(_checking, spec, piece), 100) < 13, name


def _checking(spec: QuerySpec, piece: str, times: int) -> Callable[[], object]:
    return lambda: spec.check("q=" + piece * times)


@pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        *beside(__file__, "defaults_of_absent_parameters"),
        ({"type": "string", "nullable": True, "default": None}, None),
        ({"default": None}, ...),
        ({"type": "string", "default": None}, ...),
        ({"anyOf": [{"type": "integer", "default": 1}, {"type": "string"}]}, ...),
        ({"type": "object", "properties": {"a": {"default": "x"}}}, ...),
    ],
)
def test_defaults_of_absent_parameters(schema: Any, value: Any, version: str) -> None:
    defs = {"A": {"$ref": "#/s/B"}, "B": {"type": "string", "enum": ["a", "b"], "default": "b"}}
    operation = load(schema, version, defs)
    report = operation.check(query="").query
    assert report is not None
    assert report.ok
    assert dict(report.values) == ({} if value is ... else {"q": value})
    assert report.defaults == (frozenset() if value is ... else {"q"})


def test_a_default_is_not_given() -> None:
    """And each request has its own copy."""
    schema = {"type": "array", "items": {"type": "string"}, "default": ["a"]}
    operation = Operation(
        "/",
        [
            Parameter("q", schema),
            Parameter("X-H", schema, "header"),
            Parameter("c", schema, "cookie"),
        ],
    )
    report = operation.check(query="", headers={})
    assert report.values == {
        "query": {"q": ["a"]},
        "header": {"X-H": ["a"]},
        "cookie": {"c": ["a"]},
    }
    assert [one.defaults for one in report.reports] == [{"q"}, {"X-H"}, {"c"}]
    report.values["query"]["q"].append("b")
    given_ = operation.check(query="q=a", headers={"x-h": "a", "cookie": "c=a"})
    assert given_.values == operation.check(query="", headers={}).values
    assert [one.defaults for one in given_.reports] == [set(), set(), set()]
    assert not QuerySpec(Parameter("q", {"default": "a"}, required=True)).check("").ok
    wrong = QuerySpec(Parameter("q", {"type": "integer", "default": 1})).check("q=x")
    assert not wrong.values
    assert not wrong.defaults


INNER = {"a": {"type": "integer", "default": 1}, "b": {"type": "string"}}


@pytest.mark.parametrize(
    ("more", "text", "value"),
    [
        ({"style": "deepObject", "explode": True}, "q%5Bb%5D=x", {"a": 1, "b": "x"}),
        ({"style": "deepObject", "explode": True}, "q%5Ba%5D=2", {"a": 2}),
        ({}, "b=x", {"a": 1, "b": "x"}),
        ({"explode": False}, "q=b,x", {"a": 1, "b": "x"}),
    ],
)
@pytest.mark.parametrize(
    "wrap",
    [
        lambda s: s,
        lambda s: {"allOf": [s]},
        lambda s: {"anyOf": [s, {"type": "null"}]},
        lambda s: {"allOf": [{"type": "object"}, {"oneOf": [s]}]},
    ],
)
def test_defaults_of_properties(more: Any, text: str, value: Any, wrap: Any) -> None:
    operation = load(wrap({"type": "object", "properties": INNER}), **more)
    assert operation.require(query=text)["query"] == {"q": value}
    assert operation.require(query="")["query"] == {}


def test_defaults_in_json() -> None:
    schema = {
        "type": "array",
        "items": {"type": "object", "properties": {"o": {"properties": INNER}}},
    }
    spec = QuerySpec(Parameter("q", schema, content="application/json"))
    assert spec.require('q=%5B%7B"o":%7B%7D%7D,%7B%7D%5D'.replace('"', "%22"))["q"] == [
        {"o": {"a": 1}},
        {},
    ]


def test_schemas_that_meet_a_value_twice_at_each_level() -> None:
    below: Any = {"next": {"$ref": "#/s/A"}, "a": {"format": "date"}}
    defs = {"A": {"properties": below, "$ref": "#/s/B"}, "B": {"properties": below}}
    schema = {"application/json": {"schema": {"$ref": "#/s/A"}}}
    parameter = {"name": "q", "in": "query", "content": schema}
    document = {
        "openapi": "3.1.0",
        "paths": {"/a": {"get": {"parameters": [parameter]}}},
        "s": defs,
    }
    operation = Operation.from_openapi(document, "/a", "get")
    text = '{"next":' * 60 + '{"a":"x"}' + "}" * 60
    assert not operation.check(query=f"q={quote(text)}").ok
    assert operation.check(query=f"q={quote(text.replace('x', '2024-02-29'))}").ok


def test_defaults_in_a_body() -> None:
    """Also where schemas meet a value on two ways, at each of its levels."""
    node: Any = {"properties": {"next": {"$ref": "#/s/Node"}, **INNER}}
    document = {
        "openapi": "3.1.0",
        "s": {"Node": {"allOf": [node, {"properties": {"next": {"$ref": "#/s/Node"}}}]}},
        "paths": {
            "/a": {
                "post": {
                    "requestBody": {
                        "content": {"application/json": {"schema": {"$ref": "#/s/Node"}}}
                    }
                }
            }
        },
    }
    operation = Operation.from_openapi(document, "/a", "post")
    body = b'{"next": ' * 60 + b"{}" + b"}" * 60
    found = operation.require(body=body, content_type="application/json")["body"]
    for _ in range(60):
        assert found["a"] == 1
        found = found["next"]
    assert found == {"a": 1}


@pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])
@pytest.mark.parametrize(
    ("schema", "place"), beside(__file__, "a_wrong_default_is_a_problem_of_the_document")
)
def test_a_wrong_default_is_a_problem_of_the_document(
    schema: Any, place: str, version: str
) -> None:
    with pytest.raises(InvalidDocument) as caught:
        load(schema, version)
    [problem] = caught.value.problems
    assert problem.pointer == f"/paths/~1a/get/parameters/0/schema{place}"
    assert "default is not valid" in problem.message
    with pytest.raises(InvalidSchema):
        Parameter("q", schema)


@given(
    st.dictionaries(st.sampled_from("abcd"), st.integers(-9, 9)),
    st.dictionaries(st.sampled_from("abcd"), st.integers(-9, 9)),
)
def test_defaults_never_replace_what_is_given(defaults: Any, sent: Any) -> None:
    properties = {name: {"type": "integer", "default": value} for name, value in defaults.items()}
    schema = {
        "type": "object",
        "properties": properties,
        "additionalProperties": {"type": "integer"},
    }
    spec = QuerySpec(Parameter("q", schema, style="deepObject", explode=True))
    text = "&".join(f"q%5B{name}%5D={value}" for name, value in sent.items())
    assert spec.require(text) == ({"q": defaults | sent} if sent else {})


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ("boolean", None),
        ("integer", None),
        ("string", ""),
        ({"minimum": 1, "type": "integer"}, None),
    ],
)
def test_empty_values_that_are_allowed(schema: Any, value: Any) -> None:
    for text in ("q=", "q"):
        assert QuerySpec(Parameter("q", schema, allow_empty=True)).require(text) == {"q": value}
    assert not QuerySpec(Parameter("q", "integer")).check("q=").ok
    array = Parameter("q", {"type": "array", "items": {"type": "integer"}}, allow_empty=True)
    assert QuerySpec(array).require("q=") == {"q": []}
    assert not QuerySpec(array).check("q=&q=1").ok


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
    own = {"type": "string", "pattern": pattern}
    referred = {"not": {"not": {"$ref": "#/s/a"}}}
    for version in ("3.0.3", "3.1.1"):
        for schema in (own, {"allOf": [own]}, referred, {"type": "array", "items": own}):
            operation = load(schema, version, {"a": own})
            assert operation.check(query=f"q={quote(right)}").ok
            assert not operation.check(query=f"q={quote(wrong)}").ok


@pytest.mark.parametrize(
    "pattern",
    ["(", "[^]", "\\k<n>", "\ud800", "[\\w-.]", "x{2,1}", "\\Z", "(?#x)", "(?P=x)", "a**"],
)
def test_patterns_that_are_not_supported(pattern: str) -> None:
    with pytest.raises(InvalidDocument, match="this pattern is not supported") as caught:
        load({"type": "array", "items": {"type": "string", "pattern": pattern}})
    assert caught.value.problems[0].pointer.endswith("/schema/items/pattern")


def test_a_number_that_is_whole() -> None:
    for schema in ({"const": 1.0}, {"enum": [1.0, 2.5]}, {"type": "number"}):
        assert QuerySpec(Parameter("q", schema)).require("q=1.0") == {"q": 1.0}
    spec = QuerySpec(Parameter("q", {"type": "integer"}, content="application/json"))
    assert spec.require("q=1.0") == {"q": 1.0}
    assert not spec.check("q=1.5").ok


def test_a_union_is_blamed_for_the_alternative_that_was_meant() -> None:
    string = {"type": "string", "maxLength": 1}
    [violation] = load({"anyOf": [string, {"type": "null"}]}).check(query="q=ab").violations
    assert violation.message == 'its schema demands "maxLength": 1'
    strings = {"type": "array", "items": string}
    [violation] = load({"anyOf": [strings, {"type": "null"}]}).check(query="q=a&q=bc").violations
    assert (violation.start, violation.end) == (6, 8)


NUMBERS = {"type": "array", "items": {"type": "integer", "maximum": 9}}
URIS = {"type": "array", "items": {"type": "string", "format": "uri"}}


@pytest.mark.parametrize(
    ("parameter", "right", "wrong"),
    [
        *((Parameter("q", NUMBERS), "q=1&", text) for text in ("q=99&", "q=x&", "q=^&", "q=%zz&")),
        *((Parameter("q", URIS), "q=a:b&", text) for text in ("q=a^&", "q=a&", "q=%FF&")),
        *((Parameter("q", URIS, explode=False), "a:b,", text) for text in ("a^,", "a,", "%FF,")),
        *((Parameter("q", NUMBERS, content="a/json"), "1,", text) for text in ("99,", '"",')),
        (Parameter("q", NUMBERS, style="pipeDelimited", explode=False), "1%7C", "x%7C"),
    ],
)
def test_a_wrong_request_costs_at_most_three_times_a_right_one(
    parameter: Parameter, right: str, wrong: str
) -> None:
    """Of as many parts each, of which 20 are explained."""
    spec = QuerySpec(parameter)

    def text(part: str) -> str:
        separator = "%7C" if part.endswith("%7C") else part[-1]
        whole = separator.join([part.removesuffix(separator)] * 400)
        if parameter.content is not None:
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
