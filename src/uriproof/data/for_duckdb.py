"""DuckDB: functions of SQL for a connection.

Owns ``register``. Imports DuckDB and pyarrow (extra ``duckdb``), the rule of a column, what
explains single texts, and the SQL of the export. Invariant: of every row the answer is that of
``is_valid``, ``check`` and its components, and a null row stays null; the verdict is SQL without
Python, and only rows that it refuses are read by Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

from ..arguments import wrong
from ..extras import needs
from ..rule import Rule, as_rule
from ..workbench.export.duckdb_macros import bound, division, literal, verdict
from .columns import COLUMNS, Kind, begins_a_name
from .explain import COMPONENTS, FIELDS

with needs("duckdb"):
    import duckdb  # noqa: F401 -- its absence is an error here, not in a call
    import pyarrow as pa

    from .arrow import VIOLATION, of_present

__all__ = ["register"]

_FIELDS = (f'"{n}" {"INTEGER" if kind is int else "VARCHAR"}' for n, kind in FIELDS.items())
_TYPES: dict[Kind, tuple[str, Any]] = {
    "verdict": ("BOOLEAN", pa.bool_()),
    "violations": (f"STRUCT({', '.join(_FIELDS)})[]", pa.list_(VIOLATION)),
    "components": (
        f"STRUCT({', '.join(f'{name} VARCHAR' for name in COMPONENTS)})",
        pa.struct([(name, pa.string()) for name in COMPONENTS]),
    ),
    "text": ("VARCHAR", pa.string()),
}
"""What a column holds, for DuckDB and for Arrow."""
_NUMBERS = count(1)
"""Of the functions in Python: a database has one name for each, its connections share them."""


def register(connection: Any, rule: str | Rule = "URI", *, prefix: str = "uri_") -> None:
    """Make the functions of a rule for a connection; those of the same prefix are replaced.

    ``uri_is_valid(text)`` is the verdict. ``uri_violations(text)`` is a list, empty for a valid
    text, of structs of ``start`` and ``end``, code points within the text; ``component``,
    ``production``, ``kind`` and ``code``.
    ``uri_components(text)`` is a struct of ``scheme``, ``userinfo``, ``host`` and so on, each null
    if it is absent and empty if it is empty; those of an invalid text are the ones that ``check``
    names. ``uri_component(text, 'host')`` is one of them. ``uri_fixed(text)`` has the fixes of
    ``check``, null if one is not safe; ``uri_normalized(text)`` is ``uriproof.normalize``, null for
    what is not a URI-reference, and can have ``level := 'host'``; ``uri_parameter(text, 'q')`` is
    the first value of that parameter, decoded. All are null for null.

    ``prefix`` is another prefix of these names, so that a connection can have several rules.
    ``rule`` is that of ``uriproof.is_valid``. The functions are temporary: nothing is written to a
    file, which can be open read-only. Another cursor registers its own.

    Errors: UnknownRule, UnknownGrammar; ValueError for a prefix that can begin no name; TypeError.
    Cost: O(n) in all threads of DuckDB, and that of ``check`` for each invalid text; through Python
    for a ``Rule`` with a query grammar, scheme rules or a policy.

    >>> import duckdb
    >>> with duckdb.connect() as connection:
    ...     register(connection)
    ...     connection.sql("SELECT uri_component('http://a:/', 'port')").fetchall()
    [('',)]
    """
    if not hasattr(connection, "create_function"):
        raise wrong("connection", connection, "a connection of DuckDB")
    begins_a_name(prefix)
    held = as_rule(rule)

    def python(function: Callable[..., Iterable[Any]], made: str, type_: Any, *given: str) -> str:
        """The SQL that calls a function in Python, under a name that nothing else has."""
        name = f"uriproof_{next(_NUMBERS)}"
        values = given or ("text",)

        def one(texts: Any) -> Any:
            return of_present(function, type_, texts)

        def two(texts: Any, others: Any) -> Any:
            return of_present(function, type_, texts, others)

        types, called = ["VARCHAR"] * len(values), two if len(values) > 1 else one
        connection.create_function(name, called, types, made, type="arrow", null_handling="special")
        return f"{name}({', '.join(values)})"

    pattern = held.pattern("re2")
    valid = f"{prefix}is_valid(text)"
    for name, column in COLUMNS.items():
        type_, made = _TYPES[column.kind]
        function = column.of_rule(held)
        option = column.option
        if column.accepted == "verdict":
            body = verdict(pattern) if pattern else _cases(type_, python(function, type_, made))
        elif option is None:
            known = {
                "nothing": f"[]::{type_}",
                "text": "text",
                "parts": pattern and division(held.grammar.compiled, held.name, COMPONENTS),
            }[column.accepted]
            cases = [(valid, known)] if known else []
            body = _cases(type_, python(function, type_, made), *cases)
        elif column.accepted == "parts":
            body = f"struct_extract({prefix}components(text), {option.name})"
        elif column.of:
            text = f"{prefix}component(text, {literal(column.of)})"
            body = python(function, type_, made, text, option.name)
        else:
            body = python(function, type_, made, "text", option.name)
        given = ["text"]
        if option is not None:
            default = f" := {literal(option.default)}" if option.default else ""
            given.append(option.name + default)
        _macro(connection, f"{prefix}{name}({', '.join(given)})", body)


def _macro(connection: Any, head: str, body: str) -> None:
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {head} AS {body}")


def _cases(type_: str, otherwise: str, *cases: tuple[str, str]) -> str:
    """The SQL of a value: null for null, else of the first case. DuckDB evaluates a branch only for
    the rows that take it. A macro repeats its argument: random() would differ from case to case.
    """
    rest = " ".join(f"WHEN {condition} THEN {value}" for condition, value in cases)
    body = f"CASE WHEN text IS NULL THEN NULL::{type_} {rest} ELSE {otherwise} END"
    return bound("text", "text", body)
