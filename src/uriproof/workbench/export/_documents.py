"""Targets that are whole documents: a schema, a script, a grammar.

Owns JSON Schema, PostgreSQL's domain, and lark's grammar with the comment that says how to load it.
Imports the dialects; the lark grammars on demand. Invariant: each accepts exactly the texts of the
rule. The pattern of a schema uses only syntax that ECMA-262 with and without the flag u, Python's
``re`` and Rust's ``regex`` read alike, because validators use these (JSON Schema Core 2020-12
§6.4). A domain can be created again, also after the rule has changed.
"""

from __future__ import annotations

from dataclasses import replace

from ...grammar.charset import overlap
from ...grammar.compile.rx import Alt, Rep, Rx, Seq, Set, first
from ...grammar.compiled import Compiled
from ._dialect import SURROGATES
from ._engines import ECMASCRIPT, POSTGRES, Target, escape
from ._expression import linear, plain
from .duckdb_macros import literal

_BMP = 0xFFFF
_LINE_FEED = ((0x0A, 0x0A),)

_DIALECT = replace(
    ECMASCRIPT,
    name="JSON Schema",
    point=lambda point: escape(point) if point <= _BMP else chr(point),
    lacks=SURROGATES,
)

_SCRIPT = """\
-- A domain for texts of the rule {rule} ({grammar}): PostgreSQL 10 or later.
--
-- Make it:
--     psql -v ON_ERROR_STOP=1 -d links -f {file}.sql
-- A column of a new table:
--     CREATE TABLE links (url {name} NOT NULL);
-- A column that has rows: from now on new rows are validated; then the others, while others write.
-- An invalid row is an error, which names the constraint {check}.
--     ALTER TABLE links ADD CONSTRAINT url_is_valid CHECK (url::{name} = url) NOT VALID;
--     ALTER TABLE links VALIDATE CONSTRAINT url_is_valid;
-- The rows that are invalid (PostgreSQL 16 or later):
--     SELECT url FROM links WHERE NOT pg_input_is_valid(url, '{name}');
--
-- Running this again replaces the check; columns of the domain are validated against the new one.

BEGIN;

SET LOCAL standard_conforming_strings = on;

DO $$
BEGIN
    CREATE DOMAIN {name} AS text;
EXCEPTION
    WHEN duplicate_object THEN
        RAISE NOTICE 'the domain exists: its check is replaced';
END
$$;

ALTER DOMAIN {name} DROP CONSTRAINT IF EXISTS {check};
ALTER DOMAIN {name} ADD CONSTRAINT {check} CHECK (
    {body}
);

COMMIT;
"""


def _json_schema(compiled: Compiled, rule: str) -> str:
    """The document, with two spaces of indent. Errors: GrammarLimit. Cost: that of the pattern."""
    from json import dumps

    found = compiled.rule(rule)
    document: dict[str, object] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": rule,
    }
    if found.gloss:
        document["description"] = found.gloss
    section = f", section {found.section}" if found.section else ""
    document["$comment"] = f"{found.grammar}{section}; written by uriproof grammar export"
    document["type"] = "string"
    document["pattern"], refused = portable(compiled, rule)
    if refused:
        document["not"] = {"pattern": refused}
    return dumps(document, indent=2) + "\n"


def portable(compiled: Compiled, rule: str) -> tuple[str, str]:
    """A pattern that many engines read alike, and one of texts that it must not match, or "".

    "$" also matches before a final line feed in Python. Errors: GrammarLimit.
    """
    expression = linear(compiled, rule)
    ends = overlap(first(_reversed(expression)), _LINE_FEED)
    return _DIALECT.write(expression), "" if ends else r"\n$"


def _reversed(rx: Rx) -> Rx:
    """The expression of the same texts, read from their ends."""
    match rx:
        case Seq(items):
            return Seq(tuple(map(_reversed, reversed(items))))
        case Alt(items):
            return Alt(tuple(map(_reversed, items)))
        case Rep(item, least, most):
            return Rep(_reversed(item), least, most)
        case Set():
            return rx


def postgres_verdict(pattern: str, text: str = "text") -> str:
    """The SQL that says whether a text matches; a collation would change the meaning of classes."""
    return f"""{text} COLLATE "C" ~ {literal(pattern)}"""


def _postgres_domain(compiled: Compiled, rule: str) -> str:
    """The script of a rule. Errors: GrammarLimit. Cost: the size of the rule, flattened."""
    name = rule.lower().replace("-", "_")
    return _SCRIPT.format(
        rule=rule,
        grammar=compiled.name,
        file=name,
        # In quotation marks: a rule of a user's grammar might have the name of a word of SQL.
        name=f'"{name}"',
        check=f'"{name}_check"',
        body=postgres_verdict(POSTGRES.write(plain(compiled, rule)), "VALUE"),
    )


def _lark(compiled: Compiled, rule: str) -> str:
    """The grammar with a comment that says how to load it.

    Errors: GrammarLimit. Cost: that of the automaton, and of lark on some thousand texts.
    """
    from ...grammar.compile.lark_parser import lark_grammar
    from ...grammar.compile.to_lark import LALR, rule_identifier

    start = f'start="{rule_identifier(rule)}", parser="{LALR}"'
    return (
        f"// {compiled.name} {rule}\n"
        f"// Lark(text, {start}, keep_all_tokens=True)\n\n{lark_grammar(compiled, rule)}"
    )


DOCUMENTS = {
    "json-schema": Target(
        "JSON Schema 2020-12, a document",
        """\
For any validator of draft 6 or later. The pattern uses only syntax that ECMAScript, Python
and Rust read alike; code points above U+FFFF stand for themselves in it. In Python, "$" also
matches before a final line feed: if the rule accepts no text that ends with one, "not" excludes it
for every engine. Code points above U+FFFF need the flag u, or an engine that counts in code points;
lone surrogates, which most validators cannot hold, are left out. For the cost see ecmascript.""",
        _json_schema,
    ),
    "lark": Target(
        "lark, the Python parser",
        """\
The comment in its first lines says how to load it. Rules have names that are valid in
Python: lower case, "_" for "-". It is for LALR(1), linear in the text: leaves are terminals that
look ahead. A rule that LALR(1) cannot decide has none; parse gives its trees.""",
        _lark,
    ),
    "postgres-domain": Target(
        "PostgreSQL, a domain with a CHECK",
        """\
A script for psql -v ON_ERROR_STOP=1 -f: a domain over text, named after the rule in
lower case, with an underscore for a hyphen. Its comments show how to use it for a new column, and
for one with rows. If run again, it replaces the CHECK and validates the columns of that domain.
The database must be UTF8 for code points above U+007F; texts cannot hold U+0000. Like every
domain, it accepts null.""",
        _postgres_domain,
    ),
}
