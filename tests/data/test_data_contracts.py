"""Functions and tests for engines and tools of data: each row is judged as ``is_valid`` does.

Spark's function is tried in ``test_data_spark``. BigQuery and Trino are not tried: that their
function has the exported expression is all that is known.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from rows import ROWS, expected_valid, rows
from tiers import bound

from uriproof import Rule
from uriproof.workbench.export import export

RULES = Rule(), Rule("URI-reference"), Rule("IRI", grammar="rfc3987")
EACH = pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.name))


def written(rule: Rule, to: str) -> str:
    return export(rule.grammar.compiled, rule.name, to)


@EACH
@bound("count", 1_000, ROWS)
def test_what_dbt_asks_of_duckdb(rule: Rule, count: int) -> None:
    """What its templates leave of the file; dbt itself does nothing else with it."""
    texts = rows(count)
    found = re.search(r"\['duckdb'\] %\}\n(.*?)\n\{% elif", written(rule, "dbt"), re.DOTALL)
    assert found is not None
    sql = found[1].replace("{% raw %}", "").replace("{% endraw %}", "")
    sql = sql.replace("{{ column_name }}", "url")
    with duckdb.connect() as connection:
        table = pa.table({"n": range(len(texts)), "url": pa.array(texts, pa.string())})
        connection.register("given", table)
        query = f"SELECT n FROM given WHERE NOT ({sql}) ORDER BY n"  # noqa: S608
        invalid = [n for (n,) in connection.execute(query).fetchall()]
    assert invalid == [n for n, valid in enumerate(expected_valid(texts, rule)) if valid is False]


@EACH
@bound("count", 1_000, ROWS)
def test_the_patterns_of_great_expectations(rule: Rule, count: int) -> None:
    """In Python's ``re``, with which it searches a column of pandas."""
    suite: dict[str, Any] = json.loads(written(rule, "great-expectations"))
    wanted = {each["type"]: re.compile(each["kwargs"]["regex"]) for each in suite["expectations"]}
    match = wanted.pop("expect_column_values_to_match_regex")
    never = wanted.pop("expect_column_values_to_not_match_regex")
    assert not wanted
    for text, valid in zip(rows(count), expected_valid(rows(count), rule), strict=True):
        if text is not None:
            assert (bool(match.search(text)) and not never.search(text)) == valid, text


@pytest.mark.filterwarnings("ignore::FutureWarning")  # of pyspark, which pandera imports
@EACH
@bound("count", 1_000, ROWS)
def test_the_check_of_pandera(rule: Rule, count: int) -> None:
    pandera: Any = pytest.importorskip("pandera.pandas", reason="pandera is not installed (PyPI)")
    import pandas as pd

    module: dict[str, Any] = {}
    exec(written(rule, "pandera"), module)  # noqa: S102 -- our own
    check = module[f"is_{rule.name.lower().replace('-', '_')}"]
    column = pandera.Column(object, check, nullable=True)
    frame = pd.DataFrame({"url": pd.Series(rows(count), dtype=object)})
    with pytest.raises(pandera.errors.SchemaErrors) as raised:
        pandera.DataFrameSchema({"url": column}).validate(frame, lazy=True)
    wanted = {n for n, valid in enumerate(expected_valid(rows(count), rule)) if valid is False}
    assert {*raised.value.failure_cases["index"]} == wanted


@EACH
@bound("count", 1_000, ROWS)
def test_the_function_of_clickhouse(rule: Rule, count: int, tmp_path: Path) -> None:
    chdb: Any = pytest.importorskip("chdb.session", reason="chdb is not installed (PyPI)")
    texts = rows(count)
    file = tmp_path / "rows.tsv"
    file.write_text("".join("\\N\n" if t is None else f"{t.encode().hex()}\n" for t in texts))
    session = chdb.Session()
    session.query(written(rule, "clickhouse"))
    name = f"{rule.name.lower().replace('-', '_')}_is_valid"
    told = session.query(
        f"SELECT {name}(unhex(h)) FROM file('{file}', TSV, 'h Nullable(String)')",  # noqa: S608
        "TSV",
    )
    known = {"1": True, "0": False, "\\N": None}
    assert [known[line] for line in str(told).split()] == expected_valid(texts, rule)


@EACH
@pytest.mark.parametrize(
    ("to", "engine", "quote", "escape"),
    [
        ("bigquery", "re2", "r'", ("\\x27", "'")),
        ("clickhouse", "re2", "'", ("\\\\", "\\")),
        ("spark-sql", "java", "r'", ("\\x27", "'")),
        ("trino", "java", "'", ("''", "'")),
    ],
)
def test_a_function_has_the_expression_of_its_engine(
    rule: Rule, to: str, engine: str, quote: str, escape: tuple[str, str]
) -> None:
    _, _, rest = written(rule, to).partition(f"text, {quote}")
    literal, _, _ = rest.rpartition("')")
    assert literal.replace(*escape) == written(rule, engine)
