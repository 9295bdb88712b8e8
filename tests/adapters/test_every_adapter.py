"""Every adapter on what strangers send: the verdict of the grammar, bounded work, nothing secret.

Owns what is alike in all adapters. Imports all of them, with their real frameworks. Invariant: an
adapter that is added is missed here by name.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from traceback import format_exception
from typing import Annotated, Any

import attrs
import click
import django_project  # noqa: F401 -- before what needs its settings
import jsonschema
import marshmallow
import msgspec
import pytest
import wtforms
from api_inputs import ENDLESS, HUGE, NO_TEXTS, SECRET, SECRETS, attacks
from click.testing import CliRunner
from django.core.exceptions import ValidationError
from openapi_schema_validator import OAS31Validator
from pydantic import BaseModel
from rest_framework.exceptions import ValidationError as RestError
from tables import beside

from uriproof import Policy, Rule, is_valid
from uriproof.adapters import (
    compat,
    for_command_line,
    for_django,
    for_jsonschema,
    for_marshmallow,
    for_msgspec,
    for_rest_framework,
    for_sqlalchemy,
    for_wtforms,
)
from uriproof.fields import Checked

URI = Rule()


class Model(BaseModel):
    url: Annotated[str, URI]


def pydantic(value: Any) -> Any:
    return Model.model_validate({"url": value}).url


class Struct(msgspec.Struct, Checked):
    url: Annotated[str, URI]


def msgspec_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode({"url": value}), type=Struct).url


def msgspec_struct(value: Any) -> Any:
    return msgspec.convert({"url": value}, type=Struct).url


def msgspec_meta(value: Any) -> Any:
    return msgspec.convert([value], type=list[Annotated[str, for_msgspec.meta(URI)]])[0]


@attrs.define
class Attrs(Checked):
    url: Annotated[str, URI] = attrs.field(validator=attrs.validators.instance_of(str))


SCHEMA = {"type": "string", "format": "uri"}
CHECKER = for_jsonschema.format_checker()


def validating(kind: Any) -> Callable[[Any], Any]:
    def validate(value: Any) -> Any:
        for error in kind(SCHEMA, format_checker=CHECKER).iter_errors(value):
            raise ValueError(error.message) from None
        return value

    return validate


def checking(check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What only raises, as a function that returns its argument."""

    def checked(value: Any) -> Any:
        check(value)
        return value

    return checked


class Schema(marshmallow.Schema):
    url = for_marshmallow.URI(required=True)


def marsh(value: Any) -> Any:
    return Schema().load({"url": value})["url"]


class Form(wtforms.Form):  # type: ignore[misc]  # no types
    url = wtforms.StringField(validators=[for_wtforms.URIValidator()])


def wtf(value: Any) -> Any:
    form = Form(data={"url": value})
    if not form.validate():
        raise ValueError(str(form.errors))
    return form.url.data


@click.command()
@click.argument("url", type=for_command_line.URIType())
def command(url: str) -> None:
    click.echo(repr(url))


def arg(value: Any) -> Any:
    if not isinstance(value, str):
        raise TypeError("arguments are text")
    return for_command_line.URIType()(value)


def rfc3986(value: Any) -> Any:
    if not compat.validate_rfc3986(value):
        raise ValueError("no")
    return value


@dataclass(frozen=True)
class Case:
    """An adapter: what makes a value, or raises; and the errors that its framework has."""

    module: str
    make: Callable[[Any], Any]
    errors: tuple[type[Exception], ...] = (ValueError,)
    same: bool = True


CASES = {
    "pydantic": Case("for_pydantic", pydantic),
    "msgspec JSON": Case("", msgspec_json, (msgspec.ValidationError,), same=False),
    "msgspec": Case("", msgspec_struct, (msgspec.ValidationError,)),
    "msgspec by itself": Case("for_msgspec", msgspec_meta, (msgspec.ValidationError,)),
    "attrs": Case("", lambda value: Attrs(value).url, (ValueError, TypeError)),
    "jsonschema": Case("for_jsonschema", validating(jsonschema.Draft202012Validator)),
    "openapi-schema-validator": Case("for_jsonschema", validating(OAS31Validator)),
    "Django": Case("for_django", checking(for_django.URIValidator()), (ValidationError,)),
    "REST framework": Case(
        "for_rest_framework", for_rest_framework.URIField().run_validation, (RestError,)
    ),
    "SQLAlchemy": Case(
        "for_sqlalchemy",
        partial(for_sqlalchemy.URIType().process_bind_param, dialect=None),
        (ValueError, TypeError),
    ),
    "marshmallow": Case("for_marshmallow", marsh, (marshmallow.ValidationError,)),
    "WTForms": Case("for_wtforms", wtf),
    "Click": Case(
        "for_command_line",
        partial(for_command_line.URIType().convert, param=None, ctx=None),
        (click.BadParameter,),
    ),
    "argparse": Case("for_command_line", arg, (argparse.ArgumentTypeError, TypeError)),
    "rfc3987": Case("compat", checking(partial(compat.parse, rule="URI")), (ValueError, TypeError)),
    "rfc3986-validator": Case("compat", rfc3986, (ValueError, TypeError)),
}
EACH = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@EACH
def test_the_verdict_is_that_of_the_grammar(case: Case) -> None:
    for text in attacks():
        surrogates = any("\ud800" <= c <= "\udfff" for c in text)
        try:
            made = case.make(text)
        except case.errors:
            assert not is_valid(text), text
        except UnicodeEncodeError:
            assert surrogates, text  # no JSON can be made of it
        else:
            assert is_valid(text), text
            assert made is text if case.same else made == text


@EACH
def test_an_error_holds_no_password(case: Case) -> None:
    for text in SECRETS:
        with pytest.raises(case.errors) as caught:
            case.make(text)
        error: Any = caught.value
        shown = f"{error!r} {error.args} {''.join(format_exception(error))}"
        if case.make is pydantic:
            shown = f"{error} {error.errors()} {error.json()} {''.join(format_exception(error))}"
        assert SECRET not in shown, text


@EACH
def test_what_is_no_text_is_an_error_of_the_framework(case: Case) -> None:
    for value in NO_TEXTS:
        if case.make is msgspec_json and isinstance(value, bytes | bytearray):
            continue  # msgspec writes octets as Base64
        with pytest.raises(case.errors):
            case.make(value)


@EACH
def test_of_a_huge_text_no_more_is_explained_than_can_be_read(case: Case) -> None:
    """And nothing of a megabyte: that would take a hundred times as long as the verdict."""
    for text in (HUGE, ENDLESS):
        with pytest.raises(case.errors) as caught:
            case.make(text)
        if case.make is not pydantic:  # which has all as data, too
            assert len(str(caught.value)) < 10_000
        if text is ENDLESS and case.make not in (msgspec_meta, rfc3986):  # these have no words
            assert "the text has 1,000,018 characters" in str(caught.value)[:1000]
        assert SECRET not in str(caught.value)


def test_the_violations_in_an_error_of_pydantic_are_bounded() -> None:
    with pytest.raises(ValueError, match="uri_syntax") as caught:
        pydantic(HUGE)
    (error,) = caught.value.errors()  # type: ignore[attr-defined]
    assert (len(error["ctx"]["violations"]), error["ctx"]["more"]) == (20, 8_000 - 20)


def test_no_adapter_is_missing() -> None:
    package = import_module("uriproof.adapters")
    # They take no text: see test_middleware, test_openapi_guard and test_httpx.
    others = {"for_hypothesis", "for_asgi", "for_fastapi", "for_wsgi", "for_litestar"}
    others |= {"for_httpx", "for_httpx2", "_outbound"}
    found = {m.name for m in iter_modules(package.__path__)} - others
    assert found <= {case.module for case in CASES.values()}, "add it to CASES"


def test_a_policy_is_applied_by_each_in_its_way() -> None:
    https = Rule(policy=Policy(schemes=["https"], max_length=50))
    checker = for_jsonschema.format_checker({"uri": https})
    validator = jsonschema.Draft202012Validator(SCHEMA, format_checker=checker)
    for check in (
        https.require,
        for_django.URIValidator(https),
        for_rest_framework.URIField(rule=https).run_validation,
        for_marshmallow.URIValidator(https),
        for_command_line.URIType(https),
        validator.validate,
    ):
        check("https://h/")
        for text in ("http://h/", "https://h/" + "a" * 50):
            with pytest.raises(Exception, match="not an allowed URI"):
                check(text)


def test_click_and_argparse_on_a_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    runner, bad = CliRunner(), "http://me:S3KRET@h/ "
    parser = argparse.ArgumentParser()
    parser.add_argument("url", type=for_command_line.URIType())
    words = "not a valid URI: path 19: The space at the end"
    assert runner.invoke(command, ["http://h/"]).output == "'http://h/'\n"
    failed = runner.invoke(command, [bad])
    assert parser.parse_args(["http://h/"]).url == "http://h/"
    with pytest.raises(SystemExit) as caught:
        parser.parse_args([bad])
    assert failed.exit_code == caught.value.code == 2
    for shown in (failed.output, capsys.readouterr().err):
        assert words in shown
        assert SECRET not in shown


def test_the_interfaces_of_other_packages() -> None:
    found = {"scheme": "http", "authority": "me@h:", "path": "/a", "query": "b", "fragment": None}
    assert compat.parse("http://me@h:/a?b", "URI") == found
    assert compat.match("é", "ireg_name")
    assert not compat.match("é", "reg_name")
    assert compat.validate_rfc3986("a", rule="URI_reference")
    with pytest.raises(ValueError, match="rule must be"):
        compat.validate_rfc3986("a", rule="IRI")


@pytest.mark.parametrize(
    ("module", "library"), beside(__file__, "a_missing_framework_is_named_with_its_extra")
)
def test_a_missing_framework_is_named_with_its_extra(
    module: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"uriproof.adapters.{module}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    for known in [*sys.modules]:
        if known.partition(".")[0] == library:
            monkeypatch.delitem(sys.modules, known)
    monkeypatch.setitem(sys.modules, library, None)
    extra = module.removeprefix("for_").replace("_", "-")
    with pytest.raises(ImportError, match=rf'is not installed: pip install "uriproof\[{extra}\]"'):
        import_module(name)
