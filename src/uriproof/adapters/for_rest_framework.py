"""Django REST framework: a field of a serializer.

Owns it. Imports the framework (extra ``rest-framework``) and the public face. Invariant: a
value stays the very string that came in.
"""

from __future__ import annotations

from typing import Any

from ..extras import needs
from ..rule import Rule, as_rule, check_bounded

with needs("rest-framework"):
    from rest_framework import serializers

__all__ = ["URIField", "serialize"]


class URIField(serializers.CharField):
    """A field: ``url = URIField(rule="URI-reference")``; only text is text.

    The detail of an error has the code ``uri_syntax``. Numbers and octets are refused, which a
    ``CharField`` takes, and white space at the ends is not cut off.
    """

    def __init__(self, *, rule: str | Rule | None = None, **options: Any) -> None:
        """Without a rule, that of a validator among the options, as ModelSerializer has it."""
        known = [getattr(one, "rule", None) for one in options.get("validators") or ()]
        self.rule: Rule = as_rule(rule or next(filter(None, known), "URI"))
        super().__init__(**{"trim_whitespace": False, **options})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if not self.rule.is_valid(data):
            summary = check_bounded(self.rule, data).summary
            raise serializers.ValidationError(summary, code="uri_syntax")
        text: str = data
        return text


def serialize(kind: type) -> None:
    """Make each ModelSerializer use this field for a model's field of that type, and for subtypes.

    The model's field ``uriproof.adapters.for_django.URIField`` does it by itself if
    ``rest_framework`` is among the installed apps.
    """
    serializers.ModelSerializer.serializer_field_mapping.setdefault(kind, URIField)
