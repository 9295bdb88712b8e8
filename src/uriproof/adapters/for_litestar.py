"""Litestar: a plugin that validates the arguments of handlers and dependencies.

Owns it. Imports Litestar (extra ``litestar``) and the public face. Invariant: an argument stays the
very string that came in, and no answer of this module has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from ..extras import needs
from ..fields import InvalidFields, check_values, has_rule, keywords, unchecked
from ..rule import Rule

with needs("litestar"):
    from litestar.exceptions import ImproperlyConfiguredException, ValidationException
    from litestar.openapi.spec import OpenAPIType, Schema
    from litestar.plugins import OpenAPISchemaPlugin, ReceiveRoutePlugin

__all__ = ["URIPlugin"]


class URIPlugin(ReceiveRoutePlugin, OpenAPISchemaPlugin):
    """Arguments that are annotated with a ``Rule`` are validated.

    ``Litestar([...], plugins=[URIPlugin()])``. An invalid argument of a handler or a dependency,
    from wherever, is answered with status 400, with the summary and ``Report.details()``. The
    OpenAPI document has the format.

    Errors, when the application is made: ImproperlyConfiguredException for an argument of a class
    that has such fields and does not validate them; TypeError for a ``Rule`` on a type that is not
    text. Cost: O(n) for a request.
    """

    def receive_route(self, route: Any) -> None:
        for handler in getattr(route, "route_handlers", None) or [route.route_handler]:
            data = handler.parsed_data_field
            if data and "data" not in handler.signature_model._fields and has_rule(data.raw):
                words = "validate them in the handler, with Rule.require"
                raise ImproperlyConfiguredException(f"messages are not validated: {words}")
            used = [handler, *handler.resolve_dependencies().values()]
            for model in {one.signature_model: None for one in used}:
                _validate_arguments(model)

    def is_plugin_supported_field(self, field_definition: Any) -> bool:
        return any(isinstance(one, Rule) for one in field_definition.metadata)

    def to_openapi_schema(self, field_definition: Any, schema_creator: Any) -> Schema:
        (rule, *_) = (one for one in field_definition.metadata if isinstance(one, Rule))
        known = keywords(rule)
        most = known.get("maxLength")
        return Schema(type=OpenAPIType.STRING, format=known.get("format"), max_length=most)


def _validate_arguments(model: Any) -> None:
    """Make the model of a function's arguments validate them, once."""
    read = model.parse_values_from_connection_kwargs
    hints = {name: field.raw for name, field in model._fields.items()}
    for kind in (one for hint in hints.values() for one in _parts(hint)):
        if unchecked(kind):
            words = "make uriproof.fields.Checked a base of it"
            raise ImproperlyConfiguredException(f"{kind} does not validate its fields: {words}")
    rules = {name: hint for name, hint in hints.items() if has_rule(hint)}
    if not rules or "parse_values_from_connection_kwargs" in vars(model):
        return

    def validated(connection: Any, kwargs: dict[str, Any]) -> Mapping[str, Any]:
        values: Mapping[str, Any] = read(connection=connection, kwargs=kwargs)
        try:
            check_values({name: (hint, values[name]) for name, hint in rules.items()})
        except InvalidFields as error:
            found = [
                {"key": place, "message": report.summary, **report.details()}
                for place, report in error.reports.items()
            ]
        else:
            return values
        raise ValidationException("An argument is not valid.", extra=found)

    model.parse_values_from_connection_kwargs = staticmethod(validated)


def _parts(hint: Any) -> Iterator[Any]:
    yield hint
    for one in get_args(hint):
        yield from _parts(one)
