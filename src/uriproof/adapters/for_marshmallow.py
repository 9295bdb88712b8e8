"""marshmallow: a validator and a field.

Owns both. Imports marshmallow (extra ``marshmallow``) and the public face. Invariant: a value
stays the very string that came in.
"""

from __future__ import annotations

from typing import Any

from ..extras import needs
from ..rule import Rule, as_rule, check_bounded

with needs("marshmallow"):
    from marshmallow import ValidationError, fields, validate

__all__ = ["URI", "URIValidator"]


class URIValidator(validate.Validator):
    """A validator of text: ``fields.String(validate=URIValidator())``.

    Errors, of a call: ValidationError, whose messages are those of ``Report.summary``; the report
    is its ``report``. Cost: O(n).

    >>> URIValidator("port")("80")
    '80'
    """

    def __init__(self, rule: str | Rule = "URI") -> None:
        self.rule: Rule = as_rule(rule)

    def __call__(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise ValidationError("Not a valid string.")
        if not self.rule.is_valid(value):
            report = check_bounded(self.rule, value)
            error = ValidationError(report.summary)
            error.report = report  # type: ignore[attr-defined]
            raise error
        return value


class URI(fields.String):
    """A field: ``URI(Rule("IRI", grammar="rfc3987"), required=True)``; octets are not text.

    >>> from marshmallow import Schema
    >>> class Hook(Schema):
    ...     url = URI("URI-reference")
    >>> Hook().validate({"url": "/a b"})
    {'url': ['not a valid URI-reference: path 2: A space is not allowed in a path.']}
    """

    def __init__(self, rule: str | Rule = "URI", **options: Any) -> None:
        super().__init__(**options)
        self.validators.insert(0, URIValidator(rule))

    def _deserialize(self, value: Any, *args: Any, **options: Any) -> Any:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        return value
