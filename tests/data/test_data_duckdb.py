"""DuckDB: connections, macros and types, in real DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from rows import ROWS, expected, expected_valid, rows
from tiers import FEW_GRAMMARS, bound, quick

from uriproof import Rule
from uriproof.data.for_duckdb import register
from uriproof.grammar import registry
from uriproof.workbench.export import export


@pytest.fixture
def connection() -> Iterator[Any]:
    with duckdb.connect() as made:
        yield made


def asked(connection: Any, texts: Sequence[str | None], *columns: str) -> list[tuple[Any, ...]]:
    """What the expressions say of each text, in order."""
    given = pa.table({"n": range(len(texts)), "url": pa.array(texts, pa.string())})
    connection.register("given", given)
    found: list[tuple[Any, ...]] = connection.execute(
        f"SELECT {', '.join(columns)} FROM given ORDER BY n"  # noqa: S608 -- of these tests
    ).fetchall()
    return found


@bound("count", 300, ROWS)
def test_the_exported_macros_need_no_python(connection: Any, count: int) -> None:
    texts = rows(count)
    for rule, prefix in (("URI", "uri"), ("URI-reference", "uri_reference")):
        script = export(registry.load("rfc3986"), rule, "duckdb-macros")
        connection.execute(script)
        connection.execute(script)
        found = asked(connection, texts, f"{prefix}_is_valid(url)", f"{prefix}_components(url)")
        verdicts = expected_valid(texts, Rule(rule))
        parts = zip(verdicts, expected(texts, "components", Rule(rule)), strict=True)
        assert found == [(valid, parted if valid else None) for valid, parted in parts]
    functions = connection.execute(
        "SELECT DISTINCT function_type FROM duckdb_functions() WHERE NOT internal"
    ).fetchall()
    assert functions == [("macro",)]


@pytest.mark.parametrize("name", quick(registry.names(), among=FEW_GRAMMARS))
def test_every_grammar_has_macros(connection: Any, name: str) -> None:
    grammar = registry.load(name)
    if not grammar.regular(grammar.start):
        pytest.skip("not regular")
    connection.execute(export(grammar, grammar.start, "duckdb-macros"))
    held = Rule(grammar.start, grammar=name)
    texts = rows(300)
    prefix = grammar.start.lower().replace("-", "_")
    found = asked(connection, texts, f"{prefix}_is_valid(url)")
    assert [verdict for (verdict,) in found] == expected_valid(texts, held)


def test_the_verdict_is_no_function_of_python(connection: Any) -> None:
    register(connection)
    plan = connection.execute("EXPLAIN SELECT uri_is_valid(t) FROM (VALUES ('a')) v(t)").fetchall()
    assert "uriproof_" not in str(plan)
    assert "regexp_matches" in str(plan)


def test_it_may_be_registered_again_and_with_other_rules(connection: Any) -> None:
    register(connection)
    register(connection, "port")
    register(connection, "URI", prefix="is_")
    (row,) = asked(
        connection,
        ["HTTP:80"],
        *("uri_is_valid(url)", "is_is_valid(url)", "is_violations(url)", "uri_normalized(url)"),
    )
    assert row == (False, True, [], "http:80")
    register(connection)
    assert asked(connection, ["80"], "uri_is_valid(url)") == [(False,)]
    with connection.cursor() as cursor:
        register(cursor, "host")
        assert cursor.execute("SELECT uri_is_valid('80'), uri_violations('[')[1].kind").fetchall()
        assert asked(connection, ["80"], "len(uri_violations(url))") == [(1,)]


def test_a_file_that_is_read_only(tmp_path: Path) -> None:
    path = str(tmp_path / "links.duckdb")
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE links AS SELECT unnest(['http://a/', 'a b', NULL]) AS url")
        register(connection)
        connection.execute("CREATE TABLE kept AS SELECT * FROM links WHERE uri_is_valid(url)")
    with duckdb.connect(path, read_only=True) as connection:
        register(connection)
        register(connection)
        found = connection.execute("SELECT uri_is_valid(url), len(uri_violations(url)) FROM links")
        assert found.fetchall() == [(True, 0), (False, 2), (None, None)]
        flat = connection.execute(
            'SELECT url, v.start, v."end" FROM (SELECT url, unnest(uri_violations(url)) AS v'
            " FROM links)"
        )
        assert flat.fetchall() == [("a b", 0, 0), ("a b", 1, 2)]
        assert connection.execute("SELECT count(*) FROM kept").fetchall() == [(1,)]


@bound("count", 100, 500)
def test_all_threads_give_the_same_answers(connection: Any, count: int) -> None:
    register(connection)
    texts = rows(count)
    connection.execute("SET threads = 4")
    given = pa.table({"n": range(len(texts)), "url": pa.array(texts)})
    connection.register("few", given)
    connection.execute("CREATE TABLE many AS SELECT n, url FROM few, range(200) AS again(i)")
    found = connection.execute(
        "SELECT n, bool_and(uri_is_valid(url)), count(DISTINCT uri_is_valid(url)) FROM many"
        " WHERE url IS NOT NULL GROUP BY n ORDER BY n"
    ).fetchall()
    verdicts = enumerate(expected_valid(texts, Rule()))
    assert found == [(n, valid, 1) for n, valid in verdicts if valid is not None]


def test_other_types_are_errors(connection: Any) -> None:
    register(connection)
    register(connection, Rule(schemes=True), prefix="schemes_")
    for name in ("uri_is_valid", "uri_violations", "uri_components"):
        for value in ("42", "DATE '2024-01-01'", "'a'::BLOB", "['a']"):
            with pytest.raises(duckdb.BinderException, match="add explicit type casts"):
                connection.execute(f"SELECT {name}({value})")
    kinds = "SELECT uri_is_valid(u) FROM (SELECT 'a:b'::ENUM ('a:b', 'c') AS u)"
    assert connection.execute(kinds).fetchall() == [(True,)]


def test_wrong_calls(connection: Any) -> None:
    for prefix, words in (("a-b", "prefix: 'a-b' is not letters"), ("1", "prefix: '1'")):
        with pytest.raises(ValueError, match=words):
            register(connection, prefix=prefix)
    with pytest.raises(TypeError, match="prefix must be a str"):
        register(connection, prefix=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="connection must be a connection of DuckDB, not str"):
        register("links.duckdb")


def test_an_argument_is_evaluated_once() -> None:
    """A macro repeats its argument, and a volatile one would differ from place to place."""
    by_chance = "CASE WHEN random() < 0.5 THEN 'a:' ELSE 'http://a b/' END"
    with duckdb.connect() as connection:
        register(connection)
        found = connection.execute(
            f"SELECT len(uri_violations({by_chance})), uri_components({by_chance}) "  # noqa: S608
            "FROM range(4000)"
        ).fetchall()
    counts = [count for count, _ in found]
    # Evaluated twice, a quarter would have violations: 1,000, and not 2,000.
    assert 1_700 < sum(counts) < 2_300
    assert {one["scheme"] for _, one in found} == {"a", "http"}
    assert {(one["scheme"], one["host"]) for _, one in found} == {("a", None), ("http", "a b")}
