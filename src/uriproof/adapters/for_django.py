"""Django: a validator, fields of forms and models, and a constraint for the database.

Owns them. Imports Django (extra ``django``), the public face and the exports. Invariant: a value
stays the same string, and the code in a migration makes the same validator.
"""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any

from ..extras import needs
from ..fields import constraint_pattern
from ..rule import Rule, as_rule, check_bounded

with needs("django"):
    from django import forms
    from django.apps import apps
    from django.core.exceptions import ValidationError
    from django.db import models
    from django.db.migrations.serializer import BaseSerializer
    from django.db.migrations.writer import MigrationWriter
    from django.utils.deconstruct import deconstructible
    from django.utils.translation import gettext_lazy

__all__ = ["URIConstraint", "URIField", "URIFormField", "URIValidator"]

_LENGTH = 2000
"""Of the column of a model's field, by default."""


@deconstructible
class URIValidator:
    """A validator of text: ``CharField(validators=[URIValidator()])``.

    Errors, of a call: ValidationError, of the code ``uri_syntax``; its message has
    ``Report.summary``, its ``params`` are ``Report.details()``. Cost: O(n).
    """

    message = gettext_lazy("This is %(summary)s")
    code = "uri_syntax"

    def __init__(self, rule: str | Rule = "URI") -> None:
        self.rule: Rule = as_rule(rule)

    def __call__(self, value: Any) -> None:
        if not isinstance(value, str):
            raise ValidationError(gettext_lazy("Enter a text."), code="invalid")
        if not self.rule.is_valid(value):
            report = check_bounded(self.rule, value)
            params = {"summary": report.summary, **report.details()}
            raise ValidationError(self.message, code=self.code, params=params)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, URIValidator) and self.rule == other.rule

    def __hash__(self) -> int:
        return hash(self.rule)


class URIFormField(forms.CharField):
    """A field of a form. White space at the ends is not removed: it is not part of a URI."""

    def __init__(self, *, rule: str | Rule = "URI", **options: Any) -> None:
        super().__init__(**{"strip": False, **options})
        self.validators.append(URIValidator(rule))


class URIField(models.CharField):
    """A field of a model: ``URIField(rule="URI-reference")``.

    ``max_length`` is that of the policy by default, or 2,000. As Django has it, ``full_clean`` and
    forms validate, ``save`` does not: ``URIConstraint`` makes the database do it.
    """

    def __init__(self, *args: Any, rule: str | Rule = "URI", **options: Any) -> None:
        self.rule: Rule = as_rule(rule)
        policy = self.rule.policy
        options.setdefault("max_length", (policy and policy.max_length) or _LENGTH)
        super().__init__(*args, **options)

    @cached_property
    def validators(self) -> list[Any]:
        """Not among those of the options, for migrations write these."""
        return [*super().validators, URIValidator(self.rule)]

    def contribute_to_class(self, *args: Any, **options: Any) -> None:
        """With REST framework, its adapter is loaded, or a ModelSerializer takes a CharField."""
        super().contribute_to_class(*args, **options)
        if apps.is_installed("rest_framework"):
            import_module(f"{__package__}.for_rest_framework").serialize(URIField)

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        return name, path, args, {**options, "rule": self.rule}

    def formfield(self, **options: Any) -> Any:
        return super().formfield(**{"form_class": URIFormField, "rule": self.rule, **options})


class URIConstraint(models.CheckConstraint):
    """A CHECK constraint: the database accepts the texts in this field that the rule accepts.

    For PostgreSQL and SQLite, with the lookup ``regex``; from a ``Rule``, it has only the grammar,
    not the policy, a query grammar or scheme rules. A field that can be blank needs a rule that
    accepts the empty text. Migrations have the name of the rule, not its expression. Errors:
    UnknownRule; GrammarLimit for a rule without a regular expression.
    """

    def __init__(self, field: str, rule: str | Rule = "URI", *, name: str, **options: Any) -> None:
        held = as_rule(rule)
        self.field, self.rule = field, Rule(held.name, grammar=held.grammar)
        super().__init__(
            condition=models.Q(**{f"{field}__regex": constraint_pattern(self.rule)}),
            name=name,
            **{
                "violation_error_message": f"This is not a valid {held.name}.",
                "violation_error_code": URIValidator.code,
                **options,
            },
        )

    def deconstruct(self) -> Any:
        path, _, options = super().deconstruct()
        return path, (self.field, self.rule), {k: options[k] for k in options if k != "condition"}


class _Serializer(BaseSerializer):
    """The form of the validation in migrations. Errors: ValueError."""

    def serialize(self) -> tuple[str, set[str]]:
        rule: Rule = self.value
        if not all(one.bundled for one in (rule.grammar, rule.query) if one is not None):
            raise ValueError("a migration can hold bundled grammars only; give one by its name")
        written = repr(rule).replace(", policy=Policy(", ", policy=uriproof.Policy(", 1)
        return f"uriproof.{written}", {"import uriproof"}


MigrationWriter.register_serializer(Rule, _Serializer)
