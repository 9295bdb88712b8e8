"""WTForms: a validator.

Owns it. Imports WTForms (extra ``wtforms``) and the public face. Invariant: a value stays the
very string that came in.
"""

from __future__ import annotations

from typing import Any

from ..extras import needs
from ..rule import Rule, as_rule, check_bounded

with needs("wtforms"):
    from wtforms.validators import ValidationError

__all__ = ["URIValidator"]


class URIValidator:
    """A validator of the text of a field: ``StringField(validators=[URIValidator()])``.

    ``message`` is shown instead of ``Report.summary``, if given. Errors, of a call:
    ValidationError, with the report as ``report``. Cost: O(n).
    """

    def __init__(self, rule: str | Rule = "URI", message: str | None = None) -> None:
        self.rule: Rule = as_rule(rule)
        self.message = message

    def __call__(self, form: Any, field: Any) -> None:
        text = field.data
        if not isinstance(text, str):
            raise ValidationError(field.gettext("This field is required."))
        if not self.rule.is_valid(text):
            report = check_bounded(self.rule, text)
            error = ValidationError(self.message or report.summary)
            error.report = report
            raise error
