"""Macros of DuckDB: a script of plain SQL, for those without Python.

Owns this target, and the SQL that divides a text. Imports RE2's target, whose expressions DuckDB
reads. Invariant: a macro gives the verdict of the rule for every text; it calls only functions that
are built into DuckDB.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...grammar.compiled import Compiled
from ._dividing import Cut, Part, dividing
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
    return _divided("text", found, names, "r", []) if found and names else None


def bound(name: str, value: str, body: str) -> str:
    """The body, with a name for a value that is worked out once."""
    return f"list_transform([{value}], lambda {name}: {body})[1]"


def _divided(
    text: str, cuts: Sequence[Cut], names: Sequence[str], row: str, outer: Sequence[tuple[str, str]]
) -> str:
    """The struct of a text whose part ``text`` is divided by the first that matches.

    ``outer`` has the SQL of the components around that part, by name.
    """
    made = ""
    for number, cut in reversed([*enumerate(cuts)]):
        own = f"{row}{number}"
        places = [(part.name, _place(f"{own}.g{n}", part)) for n, part in enumerate(cut.parts, 1)]
        known = [*outer, *places]
        inner = [n for n, part in enumerate(cut.parts) if part.inner]
        if inner:
            struct = _divided(places[inner[0]][1], cut.parts[inner[0]].inner, names, own, known)
        else:
            by_name = dict(known)
            fields = ", ".join(f"{name}: {by_name.get(name, 'NULL::VARCHAR')}" for name in names)
            struct = f"{{{fields}}}"
        made = f"CASE WHEN {own}.g1 <> '' THEN {struct} ELSE {made} END" if made else struct
        made = bound(own, _groups(text, cut), made)
    return made


def _groups(text: str, cut: Cut) -> str:
    names = ", ".join(f"'g{number}'" for number in range(1, len(cut.parts) + 1))
    return f"regexp_extract({text}, {literal(cut.pattern)}, [{names}])"


def _place(group: str, part: Part) -> str:
    """The SQL of a part without its delimiters; null if it is absent."""
    text = f"substring({group}, {len(part.before) + 1})" if part.before else group
    text = f"left({text}, -{len(part.after)})" if part.after else text
    return f"CASE WHEN {group} <> '' THEN {text} END" if text != group else group


def _names(compiled: Compiled, rule: str) -> list[str]:
    """The names that a rule divides its texts into, in text order."""
    found = dividing(compiled, rule, RE2)
    return [*found[0].places()] if found else []


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
