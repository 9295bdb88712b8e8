"""SQLAlchemy: a type of columns, and a constraint for the database.

Owns both. Imports SQLAlchemy (extra ``sqlalchemy``) and the public face. Invariant: a value stays
the very string that came in, and no error of this module has it.
"""

from __future__ import annotations

from typing import Any

from ..extras import needs
from ..fields import constraint_pattern
from ..report import InvalidURI
from ..rule import Rule, as_rule, check_bounded

with needs("sqlalchemy"):
    from sqlalchemy import CheckConstraint, String, column
    from sqlalchemy.exc import CompileError, DontWrapMixin
    from sqlalchemy.types import TypeDecorator, TypeEngine

__all__ = ["RefusedValue", "URIType", "render_item", "uri_constraint"]

_LENGTH = 2000
"""Of the column, by default."""


class RefusedValue(DontWrapMixin, InvalidURI):
    """Raised for an invalid value. SQLAlchemy does not add the statement's parameters to it."""


class URIType(TypeDecorator[str]):
    """A type of columns: ``mapped_column(URIType("URI-reference"))``; texts are validated.

    A text is validated when a statement stores it. Texts that are compared with the column, as in
    ``like("http:%")``, and texts from the database are not. The length of the column is that of
    the policy by default, or 2,000.

    Errors, when a statement is executed: RefusedValue, with the report; TypeError for what is not
    text. Cost: O(n).
    """

    impl = String
    cache_ok = True

    def __init__(self, rule: str | Rule = "URI", length: int | None = None) -> None:
        self.rule: Rule = as_rule(rule)
        policy = self.rule.policy
        super().__init__(length or (policy and policy.max_length) or _LENGTH)

    def process_bind_param(self, value: Any, dialect: Any) -> str | None:
        if value is None:
            return None
        if not isinstance(value, str):
            raise _NotText(f"the value must be a str, not {type(value).__name__}")
        if not self.rule.is_valid(value):
            raise RefusedValue(check_bounded(self.rule, value))
        return value

    def coerce_compared_value(self, op: Any, value: Any) -> TypeEngine[Any]:
        return self.impl_instance


class _NotText(DontWrapMixin, TypeError):
    """As ``RefusedValue``, of a value that is not text."""


def uri_constraint(name_of_column: str, rule: str | Rule = "URI", *, name: str) -> CheckConstraint:
    """A CHECK constraint: the database accepts the texts in this column that the rule accepts.

    For PostgreSQL, and for SQLite where SQLAlchemy connects, since its expressions are Python's;
    from a ``Rule``, it has only the grammar, not the policy, a query grammar or scheme rules.

    Errors: UnknownRule; GrammarLimit for a rule without a regular expression; TypeError;
    CompileError when it is written for another database.
    """
    pattern = constraint_pattern(as_rule(rule))
    made = CheckConstraint(column(name_of_column, String).regexp_match(pattern), name=name)
    return made.ddl_if(callable_=_is_known)


def _is_known(*_: Any, dialect: Any, **others: Any) -> bool:
    if dialect.name in ("postgresql", "sqlite"):
        return True
    raise CompileError(f"the expressions of {dialect.name} cannot validate URIs")


def render_item(kind: str, item: Any, context: Any) -> str | bool:
    """For Alembic, ``context.configure(render_item=render_item)``: migrations have plain types."""
    return f"sa.String(length={item.length})" if isinstance(item, URIType) else False
