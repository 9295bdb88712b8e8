"""marshmallow: a validator and a field.

Owns both. Imports marshmallow (extra ``marshmallow``) and ``matches``. Invariant: a value
stays the very string that came in.
"""

from __future__ import annotations

from typing import Any

from ..extras import needs
from ..matches import Matches

with needs("marshmallow"):
    from marshmallow import ValidationError, fields, validate

__all__ = ["URI", "URIValidator"]


class URIValidator(validate.Validator):
    """A validator of text: ``fields.String(validate=URIValidator())``.

    Errors, of a call: ValidationError, whose messages are those of ``Report.summary``; the report
    is its ``report``. Cost: O(n).

    >>> URIValidator(Matches("port"))("80")
    '80'
    """

    def __init__(self, matches: Matches | None = None) -> None:
        self.matches = matches or Matches()

    def __call__(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise ValidationError("Not a valid string.")
        if not self.matches.is_valid(value):
            report = self.matches.check(value)
            error = ValidationError(report.summary)
            error.report = report  # type: ignore[attr-defined]
            raise error
        return value

    def _repr_args(self) -> str:
        return f"matches={self.matches!r}"


class URI(fields.String):
    """A field: ``URI(Matches("IRI", "rfc3987"), required=True)``; octets are no text.

    >>> from marshmallow import Schema
    >>> class Hook(Schema):
    ...     url = URI(Matches("URI-reference"))
    >>> Hook().validate({"url": "/a b"})
    {'url': ['not a valid URI-reference: path 2: U+0020 SPACE is not allowed here in the path \
(segment-nz); expected pchar']}
    """

    def __init__(self, matches: Matches | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.validators.insert(0, URIValidator(matches))

    def _deserialize(self, value: Any, *args: Any, **options: Any) -> Any:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        return value
