"""The domain of PostgreSQL: its script runs in psql, and accepts what ``is_valid`` accepts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest
from engines.postgres import Run, psql_missing, server
from rows import ROWS, expected_valid, rows
from tiers import bound

from uriproof import Rule
from uriproof.grammar import registry
from uriproof.workbench.export import export

pytestmark = pytest.mark.prove  # it starts a server

URI = Rule()
DOMAIN = export(registry.load("rfc3986"), "URI", "postgres-domain")
TABLE = "DROP TABLE IF EXISTS links; CREATE TABLE links (url text);"
ACCEPTS = """
CREATE OR REPLACE FUNCTION accepts(t text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM t::uri;
    RETURN '1';
EXCEPTION WHEN check_violation THEN
    RETURN '0';
END $$;
"""


@pytest.fixture(scope="module")
def psql() -> Iterator[Run]:
    reason = psql_missing()
    if reason:
        pytest.skip(reason)
    with server() as run:
        yield run


def copied(texts: Sequence[str | None]) -> str:
    """The lines of COPY that hold the texts."""
    escapes = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"})
    written = (r"\N" if text is None else text.translate(escapes) for text in texts)
    return "\n".join([*(f"{n}\t{text}" for n, text in enumerate(written)), r"\."])


def suggested(script: str) -> list[str]:
    """The statements that the comments of the script show."""
    return re.findall(r"^--     ((?:ALTER|CREATE|SELECT) .*;)$", script, re.MULTILINE)


@bound("count", 1_000, ROWS)
def test_the_domain_accepts_what_is_valid(psql: Run, count: int) -> None:
    texts = rows(count, nul=False)
    psql(DOMAIN)
    found = psql(
        ACCEPTS,
        "DROP TABLE IF EXISTS given; CREATE TABLE given (n int, t text); COPY given FROM STDIN;",
        copied(texts),
        "SELECT string_agg(CASE WHEN t IS NULL THEN '-' ELSE accepts(t) END, '' ORDER BY n)"
        " FROM given;",
    )
    letters = {None: "-", True: "1", False: "0"}
    wanted = "".join(letters[verdict] for verdict in expected_valid(texts, URI))
    assert found.stdout.strip() == wanted


def test_the_script_may_be_run_again(psql: Run) -> None:
    grammar = registry.compile_abnf('uri = 1*"a"\n')
    assert psql(DOMAIN).returncode == 0
    assert "exists" in psql(DOMAIN).stderr
    psql(export(grammar, "uri", "postgres-domain"))
    assert psql("SELECT 'aaa'::uri;").stdout == "aaa\n"
    assert 'check constraint "uri_check"' in psql("SELECT 'a:b'::uri;", check=False).stderr
    psql(DOMAIN)
    assert psql("SELECT 'a:b'::uri;").stdout == "a:b\n"


def test_what_the_script_suggests(psql: Run) -> None:
    create, add, validate, *_, select = suggested(DOMAIN)
    psql(DOMAIN, "DROP TABLE IF EXISTS links;", create, "INSERT INTO links VALUES ('http://a/');")
    refused = psql("INSERT INTO links VALUES ('http://a b/');", check=False)
    assert 'value for domain uri violates check constraint "uri_check"' in refused.stderr
    # A rule that refuses what a column holds does not replace the one that there is.
    narrow = export(registry.compile_abnf('uri = 1*"a"\n'), "uri", "postgres-domain")
    assert "contains values that violate" in psql(narrow, check=False).stderr
    assert psql("SELECT count(*) FROM links;").stdout == "1\n"
    # A column that has rows
    psql(TABLE, "INSERT INTO links VALUES ('http://a/'), ('http://a b/'), (NULL);", add)
    assert psql("INSERT INTO links VALUES ('a b');", check=False).returncode != 0
    if int(psql("SHOW server_version_num;").stdout) >= 16_00_00:  # which has pg_input_is_valid
        assert psql(select).stdout == "http://a b/\n"
    assert "uri_check" in psql(validate, check=False).stderr
    psql("DELETE FROM links WHERE url = 'http://a b/';", validate, "DROP TABLE links;")


def test_names_and_texts_that_sql_has_a_meaning_for(psql: Run) -> None:
    grammar = registry.compile_abnf('select = 1*( "\'" / "$$" / "\\" / %x2E ) / %x1F600\n')
    script = export(grammar, "select", "postgres-domain")
    psql(script)
    for text, valid in {"'": 1, "$$.": 1, "\\": 1, "\U0001f600": 1, "$": 0, "a": 0, "": 0}.items():
        doubled = text.replace("'", "''")
        assert (psql(f"SELECT '{doubled}'::\"select\";", check=False).returncode == 0) == valid
