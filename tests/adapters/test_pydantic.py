"""The pydantic types, in pydantic itself.

Owns what ``for_pydantic`` promises of fields. Imports pydantic. Invariant: values are compared by
identity.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from api_inputs import SECRET
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from uriproof import URI, Grammar, Policy, UnknownRule, check
from uriproof.adapters import for_pydantic as types
from uriproof.adapters.for_pydantic import Matches

TYPES: dict[str, tuple[Any, list[str], list[str]]] = {
    "URI": (types.URI, ["http://a/b?c#d", "urn:x:y"], ["/a", "http://a b/", ""]),
    "URIReference": (types.URIReference, ["/a", "", "http://a/"], ["/a b"]),
    "AbsoluteURI": (types.AbsoluteURI, ["http://a/"], ["http://a/#b", "/a"]),
    "RelativeReference": (types.RelativeReference, ["../a", ""], ["http://a/"]),
    "HttpURI": (types.HttpURI, ["http://a/", "HTTPS://a"], ["ftp://a/", "http:/a", "http:///a"]),
    "IRI": (types.IRI, ["http://é/"], ["/é"]),
    "IRIReference": (types.IRIReference, ["/é"], ["/é é"]),
    "URITemplate": (types.URITemplate, ["http://a/{b}"], ["http://a/{b"]),
    "URN": (types.URN, ["urn:isbn:1"], ["http://a/", "urn:1"]),
}


@pytest.mark.parametrize(("type_", "valid", "invalid"), TYPES.values(), ids=TYPES)
def test_types(type_: Any, valid: list[str], invalid: list[str]) -> None:
    adapter = TypeAdapter(type_)
    for text in valid:
        assert adapter.validate_python(text) is text
        assert adapter.validate_json(json.dumps(text)) == text
        assert adapter.dump_json(text) == json.dumps(text, ensure_ascii=False).encode()
    for text in invalid:
        with pytest.raises(ValidationError):
            adapter.validate_python(text)


def errors(type_: Any, value: Any) -> list[dict[str, Any]]:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(type_).validate_python(value)
    return json.loads(caught.value.json())  # type: ignore[no-any-return]


def test_an_error_has_all_violations_as_json() -> None:
    text = "http://example.com/a b?x=[1]#f#g"
    (error,) = errors(types.URI, text)
    assert error["type"] == "uri_syntax"
    assert error["msg"] == check(text).summary
    violations = error["ctx"]["violations"]
    assert [(v["start"], v["component"]) for v in violations] == [
        (20, "path"), (25, "query"), (27, "query"), (30, "fragment"),
    ]  # fmt: skip
    assert violations[0]["expected"] == ["pchar"]
    assert error["ctx"]["more"] == 0


def test_braces_in_a_message_are_data() -> None:
    text = "http://h:{rule}{more}{summary}{0}"
    (error,) = errors(types.URI, text)
    assert "{rule}{more}{summary}" in error["msg"]
    assert error["msg"] == error["ctx"]["summary"] == check(text).summary


def test_a_policy() -> None:
    policy = Policy(schemes=["https"], require=["query"], max_length=40)
    type_ = Annotated[str, Matches("URI", policy=policy)]
    (error,) = errors(type_, "http://h/")
    assert error["type"] == "uri_policy"
    codes = [v["code"] for v in error["ctx"]["violations"]]
    assert codes == ["scheme-forbidden", "query-missing"]
    (error,) = errors(type_, "http://h/ ")
    assert error["type"] == "uri_syntax"
    (error,) = errors(type_, "https://h/?" + "a" * 40)
    assert [v["code"] for v in error["ctx"]["violations"]] == ["too-long"]
    assert TypeAdapter(type_).json_schema() == {"type": "string", "format": "uri", "maxLength": 40}


def test_any_production_of_any_grammar() -> None:
    digits = Grammar.from_abnf("pair = 2DIGIT")
    assert TypeAdapter(Annotated[str, Matches("pair", digits)]).validate_python("12") == "12"
    assert (
        TypeAdapter(Annotated[str, Matches("query", "key-value")]).validate_python("a=1") == "a=1"
    )
    with pytest.raises(UnknownRule):
        Matches("hots")


def test_json_schema() -> None:
    formats = {
        "URI": "uri", "URIReference": "uri-reference", "AbsoluteURI": "uri",
        "RelativeReference": "uri-reference", "HttpURI": "uri", "IRI": "iri",
        "IRIReference": "iri-reference", "URITemplate": "uri-template", "URN": "uri",
    }  # fmt: skip
    for name, (type_, _, _) in TYPES.items():
        assert TypeAdapter(type_).json_schema() == {"type": "string", "format": formats[name]}
    made = TypeAdapter(Annotated[str, Matches("port", pattern=True)]).json_schema()
    assert made == {"type": "string", "pattern": "^(?:[0-9]*)$", "not": {"pattern": "\\n$"}}


def test_other_constraints_are_kept() -> None:
    type_ = Annotated[str, Matches("URI"), Field(max_length=10, description="Where")]
    assert errors(type_, "http://h/abcdef")[0]["type"] == "too_long"
    assert TypeAdapter(type_).json_schema()["maxLength"] == 10
    stripped = Annotated[str, StringConstraints(strip_whitespace=True), Matches("URI")]
    assert TypeAdapter(stripped).validate_python(" a:b ") == "a:b"
    both = Annotated[str, Matches("URI"), Matches("absolute-URI")]
    assert TypeAdapter(both).validate_python("a:b") == "a:b"
    assert errors(both, "a:b#c")[0]["ctx"]["rule"] == "absolute-URI"


@pytest.mark.parametrize("source", [bytes, int, str | None])
def test_of_other_types_only_a_text_is_one(source: Any) -> None:
    value = {bytes: b"a:b", int: 1}.get(source)
    assert errors(Annotated[source, Matches("URI")], value)[0]["type"] == "string_type"


def test_what_can_be_parsed() -> None:
    with pytest.raises(ValueError, match="must match URI, URI-reference or absolute-URI, not host"):
        TypeAdapter(Annotated[URI, types.Parsed("host")])


class Page(BaseModel):
    url: types.ParsedURI
    base: types.ParsedURIReference | None = None


def test_the_parsed_form() -> None:
    text = "HTTP://Me@Example.com:80/a?b#c"
    page = Page(url=text, base="../x")  # type: ignore[arg-type]
    assert isinstance(page.url, URI)
    assert (page.url.host, page.url.port, page.url.path) == ("Example.com", 80, "/a")
    assert page.url == text
    assert page.model_dump_json() == f'{{"url":"{text}","base":"../x"}}'
    assert Page.model_validate(page.model_dump()) == page
    with pytest.raises(ValidationError, match="path 10"):
        Page(url="http://h/a b")  # type: ignore[arg-type]
    assert Page.model_json_schema()["properties"]["url"]["format"] == "uri"


class Quiet(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True)
    url: types.URI


def test_what_came_in_can_be_left_out() -> None:
    with pytest.raises(ValidationError) as caught:
        Quiet(url=f"http://me:{SECRET}@h/ ")
    assert SECRET not in str(caught.value)
    assert SECRET in str(caught.value.errors())
    assert SECRET not in str(types.without_input(caught.value.errors()))
