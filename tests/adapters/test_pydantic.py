"""The pydantic types, in pydantic itself.

Owns what ``for_pydantic`` promises of fields. Imports pydantic. Invariant: values are compared by
identity.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, NewType, Optional

import pytest
from api_inputs import SECRET
from pydantic import (
    AfterValidator,
    AnyUrl,
    BaseModel,
    Field,
    SecretStr,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)
from tables import beside

from uriproof import URI, Grammar, Policy, Rule, check
from uriproof.adapters import for_pydantic as types


@pytest.mark.parametrize(("name", "format_", "valid", "invalid"), beside(__file__, "types"))
def test_types(name: str, format_: str, valid: list[str], invalid: list[str]) -> None:
    adapter: TypeAdapter[str] = TypeAdapter(getattr(types, name))
    for text in valid:
        assert adapter.validate_python(text) is text
        assert adapter.validate_json(json.dumps(text)) == text
        assert adapter.dump_json(text) == json.dumps(text, ensure_ascii=False).encode()
    for text in invalid:
        with pytest.raises(ValidationError):
            adapter.validate_python(text)
    length = {"maxLength": 2083} if name == "HttpURI" else {}
    assert adapter.json_schema() == {"type": "string", "format": format_, **length}


def errors(type_: Any, value: object) -> list[dict[str, Any]]:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(type_).validate_python(value)
    return json.loads(caught.value.json())  # type: ignore[no-any-return]


def test_an_error_has_all_violations_as_json() -> None:
    text = "http://example.com/a b?x=[1]#f#g"
    (error,) = errors(types.URI, text)
    assert error["type"] == "uri_syntax"
    assert error["msg"] == check(text).summary
    violations = error["ctx"]["violations"]
    assert [v["start"] for v in violations] == [20, 25, 27, 30]
    assert violations[0]["expected"] == ["pchar", '"/"']
    assert error["ctx"]["more"] == 0
    text = "http://h/?a={}{}"  # braces in a message are data
    (error,) = errors(types.URI, text)
    assert '"{}{}"' in error["msg"]
    assert error["msg"] == error["ctx"]["summary"] == check(text).summary


def test_a_policy() -> None:
    policy = Policy(schemes=["https"], require=["query"], max_length=40)
    type_ = Annotated[str, Rule("URI", policy=policy)]
    for text, kind, codes in (
        ("http://h/", "uri_policy", ["scheme-forbidden", "query-missing"]),
        ("https://h/ ?a", "uri_syntax", ["path-illegal"]),
        ("https://h/?" + "a" * 40, "uri_policy", ["too-long"]),
    ):
        (error,) = errors(type_, text)
        found = [violation["code"] for violation in error["ctx"]["violations"]]
        assert (error["type"], found) == (kind, codes)
    assert TypeAdapter(type_).json_schema() == {"type": "string", "format": "uri", "maxLength": 40}


def test_any_production_of_any_grammar() -> None:
    digits = Grammar.from_abnf("pair = 2DIGIT")
    assert TypeAdapter(Annotated[str, Rule("pair", grammar=digits)]).validate_python("12") == "12"
    optional = TypeAdapter(Annotated[str | None, Rule()]).json_schema()
    assert optional == {"anyOf": [{"type": "string", "format": "uri"}, {"type": "null"}]}


def test_other_constraints_are_kept() -> None:
    type_ = Annotated[str, Rule("URI"), Field(max_length=10, description="Where")]
    assert errors(type_, "http://h/abcdef")[0]["type"] == "too_long"
    assert TypeAdapter(type_).json_schema()["maxLength"] == 10
    stripped = Annotated[str, StringConstraints(strip_whitespace=True), Rule("URI")]
    assert TypeAdapter(stripped).validate_python(" a:b ") == "a:b"
    both = Annotated[str, Rule("URI"), Rule("absolute-URI")]
    assert TypeAdapter(both).validate_python("a:b") == "a:b"
    assert errors(both, "a:b#c")[0]["ctx"]["rule"] == "absolute-URI"


class Inner(BaseModel):
    kind: Literal["inner"] = "inner"
    url: Annotated[str | None, Rule()] = None
    urls: list[Annotated[str, Rule()]] = []
    named: dict[str, Annotated[Optional[str], Rule()]] = {}  # noqa: UP045 -- both spellings


class Other(BaseModel):
    kind: Literal["other"] = "other"


class Outer(BaseModel):
    inner: Annotated[Inner | Other, Field(discriminator="kind")]
    more: list[Inner] = []


def test_every_place_in_a_model_is_validated_and_named() -> None:
    url = "http://me:S3KRET@h/ "
    inner: Any = {"kind": "inner", "url": url, "urls": ["a:b", url], "named": {"a": None, "b": url}}
    found = errors(Outer, {"inner": inner, "more": [{}, {"url": url}]})
    assert [one["loc"] for one in found] == [
        ["inner", "inner", "url"], ["inner", "inner", "urls", 1], ["inner", "inner", "named", "b"],
        ["more", 1, "url"],
    ]  # fmt: skip
    assert {one["input"] for one in found} == {"http://me:******@h/ "}
    assert Outer.model_validate({"inner": {"kind": "inner"}}).inner.url is None  # type: ignore[union-attr]


class Assigned(BaseModel, validate_assignment=True):
    url: types.URI = Field(description="Where")


def test_a_field_that_is_set() -> None:
    made = Assigned(url="a:b")
    with pytest.raises(ValidationError, match="uri_syntax") as caught:
        made.url = f"http://me:{SECRET}@h/ "
    assert SECRET not in str(caught.value)
    assert made.url == "a:b"


def test_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = pytest.importorskip("pydantic_settings")

    class Settings(settings.BaseSettings):  # type: ignore[misc,name-defined]
        dsn: Annotated[str, Rule()]

    monkeypatch.setenv("DSN", f"http://me:{SECRET}@h/ ")
    with pytest.raises(ValidationError, match="uri_syntax") as caught:
        Settings()
    assert SECRET not in f"{caught.value} {caught.value.errors()} {caught.value.json()}"


def annotated(source: Any) -> Any:
    return Annotated[source, Rule()]


def test_types_that_are_not_text_are_errors_of_the_model() -> None:
    wrong: list[Any] = [int, bytes, list[str], dict[str, str], str | int, SecretStr, Literal[1]]
    for source in (*wrong, bytes | None):
        with pytest.raises(TypeError, match="Rule is for text, not for"):
            TypeAdapter(annotated(source))
    with pytest.raises(TypeError, match=r"write Annotated\[str, Rule\(...\)\]"):
        TypeAdapter(Rule())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="URI, URI-reference or absolute-URI, not of host"):
        TypeAdapter(Annotated[URI, Rule("host")])


def test_of_other_values_only_a_text_is_one() -> None:
    values: list[tuple[Any, Any]] = [(str, b"a:b"), (str | None, b"a:b"), (str | None, 1), (Any, 1)]
    for source, value in (*values, (Any, ["a:b"]), (AnyUrl, "http://h/")):
        assert errors(annotated(source), value)[0]["type"] == "string_type"


def test_types_of_text() -> None:
    sources: list[Any] = [str, Any, NewType("NewType", str), Literal["a:b", "c"]]
    for source in (*sources, Annotated[AnyUrl, AfterValidator(str)]):
        adapter: TypeAdapter[Any] = TypeAdapter(annotated(source))
        assert adapter.validate_python("a:b") == "a:b"
        with pytest.raises(ValidationError):
            adapter.validate_python("c")


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


class Pair(BaseModel):
    url: types.URI
    other: int


def test_what_another_field_shows_can_be_left_out() -> None:
    with pytest.raises(ValidationError) as caught:
        Pair.model_validate({"url": f"http://me:{SECRET}@h/"})
    assert SECRET in str(caught.value.errors())  # the field is missing in all that came in
    assert SECRET not in str(types.without_input(caught.value.errors()))
