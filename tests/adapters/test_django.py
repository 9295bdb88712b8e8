"""Django: forms, models, migrations and the database, and REST framework.

Owns what ``for_django`` and ``for_rest_framework`` promise. Imports Django, with SQLite in memory.
Invariant: the constraint is tried in the database itself.
"""

from __future__ import annotations

import django_project  # noqa: F401 -- before what needs its settings
import pytest
from api_inputs import SECRET, SECRETS, attacks
from django import forms
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, models, transaction
from django.db.migrations.writer import MigrationWriter
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer

import uriproof
from uriproof import Grammar, Policy, is_valid
from uriproof.adapters import for_rest_framework
from uriproof.adapters.for_django import URIConstraint, URIField, URIFormField, URIValidator

HTTPS = uriproof.Rule("URI", policy=Policy(schemes=["https"], max_length=100))


class Link(models.Model):  # type: ignore[misc]  # no types
    url = URIField()
    secure = URIField(rule=HTTPS, blank=True)

    class Meta:
        app_label = "tests"
        constraints = [URIConstraint("url", name="url_is_a_uri")]  # noqa: RUF012 -- as Django has it


@pytest.fixture(scope="module")
def table() -> None:
    with connection.schema_editor() as editor:
        editor.create_model(Link)


def test_the_validator() -> None:
    with pytest.raises(ValidationError) as caught:
        URIValidator()(f"http://me:{SECRET}@h/a b")
    error = caught.value
    assert error.messages == ["This is not a valid URI: path 20: A space is not allowed in a path."]
    assert (error.code, error.params["violations"][0]["code"]) == ("uri_syntax", "path-illegal")


class LinkForm(forms.Form):  # type: ignore[misc]  # no types
    url = URIFormField(rule=uriproof.Rule("URI-reference"))


def test_a_form() -> None:
    text = "../a?b"
    form = LinkForm({"url": text})
    assert form.is_valid()
    assert form.cleaned_data["url"] == text
    for bad in (" ../a", "../a\n", "../a b", ""):
        assert not LinkForm({"url": bad}).is_valid(), bad
    assert "&lt;" in str(LinkForm({"url": "<b>"}))  # what is blamed is escaped


def test_a_model_form() -> None:
    class LinkModelForm(forms.ModelForm):  # type: ignore[misc]  # no types
        class Meta:
            model = Link
            fields = ("url", "secure")

    form = LinkModelForm({"url": "http://h/", "secure": "http://h/"})
    assert "The scheme must be https." in form.errors["secure"][0]
    assert set(form.errors) == {"secure"}
    assert isinstance(form.fields["url"], URIFormField)


@pytest.mark.usefixtures("table")
def test_the_model_and_its_constraint() -> None:
    link = Link(url="HTTP://h/%7e")
    link.full_clean()
    link.save()
    assert Link.objects.get(pk=link.pk).url == "HTTP://h/%7e"
    with pytest.raises(ValidationError) as caught:
        Link(url="http://h/ ").full_clean()
    assert "url" in caught.value.message_dict
    for text in [*attacks(), "http://h/\n", "\nhttp://h/", "http://h/\nx"]:
        if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
            continue  # no text of a database
        try:
            with transaction.atomic():
                Link.objects.create(url=text)
        except IntegrityError:
            assert not is_valid(text), text
        else:
            assert is_valid(text), text


def test_what_migrations_write() -> None:
    with_grammar = uriproof.Rule("IRI", grammar="rfc3987", policy=Policy(forbid=["userinfo"]))
    for rule in (uriproof.Rule(), HTTPS, with_grammar):
        field = URIField(rule=rule)
        _, path, args, options = field.deconstruct()
        assert (path, args) == ("uriproof.adapters.for_django.URIField", [])
        assert options["max_length"] == (100 if rule is HTTPS else 2000)
        assert field.clone().rule == rule
        written, imports = MigrationWriter.serialize(rule)
        assert eval(written, {"uriproof": uriproof}) == rule  # noqa: S307 -- as a migration does
        assert imports == {"import uriproof"}
        written, _ = MigrationWriter.serialize(URIValidator(rule))
        assert written.startswith("uriproof.adapters.for_django.URIValidator(")
    with pytest.raises(ValueError, match="bundled grammars only"):
        MigrationWriter.serialize(uriproof.Rule("a", grammar=Grammar.from_abnf('a = "b"')))
    assert len({URIValidator(), URIValidator(uriproof.Rule()), URIValidator(HTTPS)}) == 2


def test_migrations_have_the_name_of_the_rule_of_a_constraint() -> None:
    (constraint,) = Link._meta.constraints
    options = {"name": "url_is_a_uri"}
    path = "uriproof.adapters.for_django.URIConstraint"
    assert constraint.deconstruct() == (path, ("url", uriproof.Rule()), options)
    written, imports = MigrationWriter.serialize(constraint)
    assert len(written) < 250
    made = eval(written, {"uriproof": uriproof})  # noqa: S307 -- as a migration does
    assert made == constraint == constraint.clone()
    assert "import uriproof.adapters.for_django" in imports
    assert URIConstraint("url", HTTPS, name="x").rule == uriproof.Rule()  # a policy is not in it


class LinkSerializer(serializers.Serializer):  # type: ignore[misc]  # the framework has no types
    url = for_rest_framework.URIField(rule=HTTPS)
    other = for_rest_framework.URIField(required=False, allow_null=True, allow_blank=True)


def test_rest_framework() -> None:
    assert LinkSerializer(data={"url": "https://h/a", "other": None}).is_valid()
    for bad in (" https://h/", "http://h/", "https://h/" + "a" * 100, None, ""):
        assert not LinkSerializer(data={"url": bad}).is_valid(), bad
    assert not LinkSerializer(data={"url": "https://h/", "other": " "}).is_valid()
    serializer = LinkSerializer(data={"url": "https://h/ "})
    assert not serializer.is_valid()
    (detail,) = serializer.errors["url"]
    assert detail.code == "uri_syntax"
    assert "path 10: The space at the end is not part" in detail


class LinkModelSerializer(serializers.ModelSerializer):  # type: ignore[misc]  # no types
    class Meta:
        model = Link
        fields = ("url", "secure")


def test_a_model_serializer_neither_strips_nor_converts() -> None:
    text = "http://h/"
    serializer = LinkModelSerializer(data={"url": text, "secure": ""})
    assert serializer.is_valid(), serializer.errors
    assert serializer.validated_data["url"] is text
    for name, bad in (("url", " http://h/ "), ("url", 5), ("secure", "http://h/")):
        serializer = LinkModelSerializer(data={"url": text, name: bad})
        assert not serializer.is_valid()
        assert list(serializer.errors) == [name]
    assert serializer.fields["secure"].rule == HTTPS


@pytest.mark.parametrize("text", SECRETS)
def test_no_password_is_answered(text: str) -> None:
    serializer = LinkModelSerializer(data={"url": text})
    assert not serializer.is_valid()
    assert SECRET not in f"{serializer.errors!r} {JSONRenderer().render(serializer.errors)!r}"
    form = LinkForm({"url": text})
    if not form.is_valid():  # the field itself has what was sent, to be corrected
        assert SECRET not in f"{form.errors} {form.errors.as_json()} {form.errors.as_data()}"
    with pytest.raises(ValidationError) as caught:
        Link(url=text).full_clean()
    shown = f"{caught.value!r} {caught.getrepr(chain=True, style='value')}"
    assert SECRET not in shown
