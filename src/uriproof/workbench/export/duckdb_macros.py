"""Macros of DuckDB: a script of plain SQL, for those without Python.

Owns this target, and the SQL that divides a text. Imports RE2's target, whose expressions DuckDB
reads. Invariant: a macro gives the verdict of the rule for every text; it calls only functions that
are built into DuckDB.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...grammar.compiled import Compiled
from ._dividing import Divider, dividing
from ._engines import RE2, Target
from ._expression import plain


def export(compiled: Compiled, rule: str) -> str:
    """The script of a rule. Errors: GrammarLimit. Cost: the size of the rule, flattened."""
    prefix = f"{rule.lower().replace('-', '_')}_"
    valid = verdict(RE2.write(plain(compiled, rule)))
    found = [name for name in _names(compiled, rule) if name in _components(compiled)]
    divided = division(compiled, rule, found)
    macros = [("is_valid(text)", valid)]
    lines = [
        f"-- Texts of the rule {rule} ({compiled.name}): macros for DuckDB 1.3 or later.",
        "--",
        "-- Make them:",
        f"--     duckdb links.duckdb -f {prefix}macros.sql",
        "-- The rows that are invalid:",
        f"--     SELECT url FROM links WHERE NOT {prefix}is_valid(url);",  # noqa: S608 -- a comment
    ]
    if divided:
        lines += [
            f"-- One of {', '.join(found)};",
            "-- null if it is absent, or if the text is invalid:",
            f"--     SELECT {prefix}component(url, '{found[-1]}') FROM links;",  # noqa: S608
        ]
        macros += [
            (
                "components(text)",
                bound("text", "text", f"CASE WHEN {prefix}is_valid(text) THEN {divided} END"),
            ),
            ("component(text, name)", f"struct_extract({prefix}components(text), name)"),
        ]
    lines += [f"\nCREATE OR REPLACE MACRO {prefix}{head} AS\n    {body};" for head, body in macros]
    return "\n".join(lines) + "\n"


def literal(text: str) -> str:
    """A string of SQL.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def verdict(pattern: str, text: str = "text") -> str:
    """The SQL that says whether a text matches an expression of RE2."""
    return f"regexp_matches({text}, {literal(pattern)})"


def division(compiled: Compiled, rule: str, names: Sequence[str]) -> str | None:
    """The SQL of a struct with these components of a valid ``text``; null for one that is absent.

    None for a rule that is read as one component, or whose components RE2 cannot tell apart.
    """
    found = dividing(compiled, rule, RE2)
    if not found or not names:
        return None
    made = ""
    for number, one in reversed([*enumerate(found)]):
        row = f"r{number}"
        places = _places(one, row)
        fields = ", ".join(f"{name}: {places.get(name, 'NULL::VARCHAR')}" for name in names)
        struct = f"{{{fields}}}"
        if made:
            struct = f"CASE WHEN {row}.g1 <> '' THEN {struct} ELSE {made} END"
        for name, inner in one.inner.items():
            struct = bound(f"{row}_{name}", _groups(_place(one, row, name), inner), struct)
        made = bound(row, _groups("text", one), struct)
    return made


def bound(name: str, value: str, body: str) -> str:
    """The body, with a name for a value that is worked out once."""
    return f"list_transform([{value}], lambda {name}: {body})[1]"


def _groups(text: str, one: Divider) -> str:
    names = ", ".join(f"'g{number}'" for number in range(1, one.groups + 1))
    return f"regexp_extract({text}, {literal(one.pattern)}, [{names}])"


def _place(one: Divider, row: str, name: str) -> str:
    group, mark = one.places[name]
    return f"CASE WHEN {row}.g{mark} <> '' THEN {row}.g{group} END" if mark else f"{row}.g{group}"


def _places(one: Divider, row: str) -> dict[str, str]:
    """The SQL of each component."""
    found = {name: _place(one, row, name) for name in one.places}
    for name, inner in one.inner.items():
        found |= _places(inner, f"{row}_{name}")
    return found


def _names(compiled: Compiled, rule: str) -> list[str]:
    """The names that a rule divides its texts into, in text order."""

    def names(one: Divider) -> list[str]:
        return [n for name in one.places for n in (*_inner(one, name), name)]

    def _inner(one: Divider, name: str) -> list[str]:
        return names(one.inner[name]) if name in one.inner else []

    found = dividing(compiled, rule, RE2)
    return names(found[0]) if found else []


def _components(compiled: Compiled) -> frozenset[str]:
    return frozenset(compiled.model.components.values())


TARGET = Target(
    "DuckDB, macros of SQL",
    """\
A script for DuckDB 1.3 or later, for .read or execute. It makes X_is_valid(text), and for
a rule with components X_components(text), a struct, and X_component(text, 'host'), where X is the
rule in lower case; both are null if the text is invalid, and an absent component is null. The
macros stay in the database; CREATE TEMP MACRO would limit them to one connection. Linear in the
text: DuckDB matches with RE2.""",
    export,
)
