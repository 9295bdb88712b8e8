"""Annotated fields, marshmallow, WTForms, Typer: what each promises beside the verdict.

Owns that. Imports the frameworks. Invariant: values are compared by identity where they can be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from functools import partial
from typing import Annotated, Any, NamedTuple

import attrs
import marshmallow
import msgspec
import pytest
import typer
import wtforms
from api_inputs import attacks
from typer.testing import CliRunner

from uriproof import Policy, Report, Rule, fields
from uriproof.adapters import for_marshmallow, for_msgspec, for_pydantic, for_wtforms
from uriproof.adapters.for_command_line import URIType
from uriproof.fields import Checked, InvalidFields, check_fields, with_validators

URI = Annotated[str, Rule()]


class Hook(msgspec.Struct, Checked):
    url: URI
    more: list[URI] = msgspec.field(default_factory=list)
    ports: dict[Annotated[str, Rule("port")], URI | None] = msgspec.field(default_factory=dict)
    other: for_pydantic.URIReference | None = None


def test_msgspec() -> None:
    hook = msgspec.json.decode(
        b'{"url": "http://h/", "ports": {"80": "a:b", "81": null}}', type=Hook
    )
    assert hook.ports == {"80": "a:b", "81": None}
    bad = b'[{"url": "http://h/ ", "more": ["a:b", "c"], "ports": {"x": "y"}, "other": "/ "}]'
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(bad, type=list[Hook])
    assert str(caught.value).startswith("url: not a valid URI: path 9: The space at the end")
    assert str(caught.value).endswith("- at `$[0]`")
    cause = caught.value.__cause__
    assert isinstance(cause, InvalidFields)
    assert list(cause.reports) == ["url", "more[1]", "ports[…]", "other"]
    with pytest.raises(msgspec.ValidationError, match="Expected `str`, got `int`"):
        msgspec.json.decode(b'{"url": 1}', type=Hook)


def test_many_invalid_fields_are_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidFields) as caught:
        Hook("a:b", more=["x"] * 1000)
    assert len(caught.value.reports) == 20
    read: list[str] = []

    def counted(rule: Rule, text: str) -> Report:
        read.append(text)
        return rule.check(text)

    ports: dict[str, str | None] = {f"x{number}": "a:b" for number in range(1000)}
    monkeypatch.setattr(fields, "check_bounded", counted)
    with pytest.raises(InvalidFields) as caught:
        Hook("a:b", ports=ports)
    assert list(caught.value.reports) == ["ports[…]"]
    assert len(read) == 20


@attrs.define
class Page(Checked):
    url: URI
    tags: tuple[URI, ...] = ()


@dataclass
class Record(Checked):
    url: URI
    note: str = ""
    links: set[URI] = field(default_factory=set)


class Made(msgspec.Struct, frozen=True):
    def __post_init__(self) -> None:
        """Of another base: it does not know of the other."""


class ByAnother(Made, Checked, frozen=True):
    url: URI


class ByItsOwn(Checked, msgspec.Struct, tag="own"):
    url: URI

    def __post_init__(self) -> None:
        """As most write it: without super()."""


@dataclass(slots=True)
class WithSlots(Checked):
    url: URI
    seed: InitVar[int] = 0

    def __post_init__(self, seed: int) -> None:
        assert seed == 0


@attrs.define
class WithHook(Page):
    def __attrs_post_init__(self) -> None:
        """Of its own."""


@pytest.mark.parametrize("kind", [Page, Record, ByAnother, ByItsOwn, WithSlots, WithHook])
def test_a_checked_class_cannot_forget(kind: type[Page]) -> None:
    text = "a:b"
    assert kind(text).url is text
    with pytest.raises(InvalidFields, match="url: not a valid URI"):
        kind("x")
    assert kind(None).url is None  # type: ignore[arg-type]  # for the framework's own validators


class Unchecked(msgspec.Struct):
    url: URI
    next: Unchecked | None = None


@dataclass
class Between:
    inner: dict[str, Unchecked]


class Outer(msgspec.Struct, Checked):
    between: list[Between] = []


class Last(NamedTuple):
    url: URI


@attrs.define(field_transformer=with_validators)
class WithTuple:
    url: URI
    last: Last | None = None


@pytest.mark.parametrize(
    ("make", "name"), [(Outer, "Unchecked"), (partial(WithTuple, "a:b"), "Last")]
)
def test_what_is_in_a_checked_class_must_be_checked(make: Callable[[], object], name: str) -> None:
    for _ in range(2):  # not the first time only
        with pytest.raises(TypeError, match=f"{name} does not validate its fields: make uriproof"):
            make()


@attrs.define(field_transformer=with_validators)
class Changing:
    url: URI
    count: int = attrs.field(default=0, validator=attrs.validators.instance_of(int))
    next: Changing | None = None


def test_attrs_when_a_field_is_set() -> None:
    page = Changing("a:b")
    setting, evolving = partial(setattr, page, "url"), lambda url: attrs.evolve(page, url=url)
    for change in (Changing, setting, evolving):
        with pytest.raises(InvalidFields, match="url: not a valid URI"):
            change("x")
    with pytest.raises(TypeError, match="count"):
        page.count = "x"  # type: ignore[assignment]
    assert page.url == "a:b"


def test_msgspec_by_itself() -> None:
    """Its expressions are those of Python."""
    for rule in (Rule("IRI", grammar="rfc3987"), Rule("URI-Template", grammar="rfc6570")):
        kind = list[Annotated[str, for_msgspec.meta(rule)]]
        for text in [*attacks(), "http://h/\n", ""]:
            try:
                msgspec.convert([text], kind)
            except msgspec.ValidationError:
                assert not rule.is_valid(text), text
            else:
                assert rule.is_valid(text), text


HTTPS = Rule(policy=Policy(schemes=["https"], max_length=99))


class Link(msgspec.Struct, Checked):
    url: Annotated[str, HTTPS, for_msgspec.meta(HTTPS, enforce=False)]


def test_the_json_schema_of_msgspec() -> None:
    with pytest.raises(ValueError, match=r"one expression cannot say Rule\('URI', policy="):
        for_msgspec.meta(HTTPS)
    (made,) = msgspec.json.schema_components([Link])[1].values()
    assert made["properties"]["url"] == {"type": "string", "format": "uri", "maxLength": 99}
    with pytest.raises(msgspec.ValidationError, match="The scheme must be https"):
        msgspec.json.decode(b'{"url": "http://h/"}', type=Link)
    short = for_msgspec.meta(Rule(policy=Policy(max_length=9)))
    assert (short.max_length, short.extra_json_schema) == (9, {"format": "uri", "maxLength": 9})


@pytest.mark.parametrize("kind", [int, bytes, str | int], ids=str)
def test_a_type_that_is_not_text_is_an_error(kind: Any) -> None:
    @dataclass
    class Wrong:
        value: object

    Wrong.__annotations__["value"] = dict[str, list[Annotated[kind, Rule()]]] | None
    with pytest.raises(TypeError, match="Rule is for text, not for"):
        check_fields(Wrong(None))


class Schema(marshmallow.Schema):
    url = for_marshmallow.URI(Rule(policy=Policy(schemes=["https"])), required=True)
    home = marshmallow.fields.String(validate=for_marshmallow.URIValidator())


def test_marshmallow() -> None:
    text = "https://h/"
    assert Schema().load({"url": text})["url"] is text
    assert Schema().dump({"url": text}) == {"url": text}
    errors = Schema().validate({"url": "http://h/", "home": "x"})
    assert errors["url"] == ["not an allowed URI: scheme 0: The scheme must be https."]
    assert "scheme" in errors["home"][0]
    assert Schema().validate({"url": b"https://h/"}) == {"url": ["Not a valid string."]}
    with pytest.raises(marshmallow.ValidationError) as caught:
        for_marshmallow.URIValidator()("x")
    assert caught.value.report.violations  # type: ignore[attr-defined]


def test_wtforms() -> None:
    class Form(wtforms.Form):  # type: ignore[misc]  # no types
        url = wtforms.StringField(validators=[for_wtforms.URIValidator(message="No.")])
        home = wtforms.StringField(validators=[for_wtforms.URIValidator(Rule("URI-reference"))])

    form = Form(data={"url": "http://h/", "home": ".."})
    assert form.validate()
    form = Form(data={"url": "x", "home": "a b"})
    assert not form.validate()
    assert form.errors["url"] == ["No."]
    assert form.errors["home"][0].startswith("not a valid URI-reference: path 1:")


def test_typer() -> None:
    def get(
        url: Annotated[str, typer.Argument(parser=URIType())],
        ports: Annotated[list[str] | None, typer.Option(parser=URIType("port"))] = None,
    ) -> None:
        typer.echo(f"{url} {ports}")

    app = typer.Typer()
    app.command()(get)
    runner = CliRunner()
    assert runner.invoke(app, ["http://h/", "--ports", "80"]).output == "http://h/ ['80']\n"
    for arguments, name, words in (
        (["http://me:S3KRET@h/a b"], "url", "not a valid URI: path 20: A space is not allowed"),
        (["a:b", "--ports", "8x"], "--ports", "not a valid port: port 1: A port has digits only."),
    ):
        failed = runner.invoke(app, arguments)
        assert failed.exit_code == 2
        shown = " ".join(failed.output.replace("│", " ").split())
        assert f"Invalid value for '{name}': {words}" in shown
        assert "Traceback" not in shown
        assert "S3KRET" not in f"{shown} {failed.exception!r}"
