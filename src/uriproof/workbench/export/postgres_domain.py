"""A domain of PostgreSQL: a script that makes a type whose values the rule accepts.

Owns this target. Imports the target of PostgreSQL's expressions. Invariant: the domain accepts
exactly the texts of the rule, whatever the collation; the script may be run again, as it is or
after the rule has changed.
"""

from __future__ import annotations

from ...grammar.compiled import Compiled
from ._engines import TARGETS

TITLE = "PostgreSQL, a domain with a CHECK"
NOTE = """A script for psql -v ON_ERROR_STOP=1 -f: a domain over text, whose name is the rule in
lower case, with an underscore for a hyphen. Its comments show how to use it for a new column, and
for one that has rows. Run again, it replaces the CHECK, and validates the columns of that domain
against it. The database has to be UTF8 for code points above U+007F; texts hold no U+0000. As every
domain, it accepts null."""

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
    VALUE COLLATE "C" ~ '{pattern}'
);

COMMIT;
"""


def export(compiled: Compiled, rule: str) -> str:
    """The script of a rule. Errors: GrammarLimit. Cost: the size of the rule, flattened."""
    name = rule.lower().replace("-", "_")
    return _SCRIPT.format(
        rule=rule,
        grammar=compiled.name,
        file=name,
        # In quotation marks: a rule of somebody's grammar may be called as a word of SQL.
        name=f'"{name}"',
        check=f'"{name}_check"',
        pattern=TARGETS["postgres"].export(compiled, rule).replace("'", "''"),
    )
