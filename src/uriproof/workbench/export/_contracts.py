"""Targets that put a rule where data is checked: functions of SQL engines, tests of data tools.

Owns these rows. Imports the dialects and documents. Invariant: a function or a test accepts exactly
the texts of the rule, of all that the engine can hold; it needs no uriproof where it runs.
"""

from __future__ import annotations

from collections.abc import Callable

from ...grammar.compiled import Compiled
from ._documents import portable, postgres_verdict
from ._engines import ENGINES, Target
from .duckdb_macros import literal
from .duckdb_macros import verdict as duckdb

_HEAD = "-- Texts of the rule {rule} ({grammar}); NULL for NULL.\n"

_PANDERA = '''\
"""Texts of the rule {rule} ({grammar}), as a check of pandera.

    DataFrameSchema({{"url": Column(str, is_{name}, nullable=True)}})
"""

import re

import pandera.pandas as pa

_PATTERN = re.compile(
    {pattern}
)

is_{name} = pa.Check(
    lambda text: _PATTERN.fullmatch(text) is not None,
    element_wise=True,
    name="{rule}",
    error="a valid {rule}",
)
'''


def _named(rule: str) -> str:
    return rule.lower().replace("-", "_")


def _of(compiled: Compiled, rule: str, engine: str) -> str:
    return ENGINES[engine].export(compiled, rule)


def raw(pattern: str) -> str:
    """A raw string of Spark and BigQuery, in which no quote can be escaped.

    >>> raw("[!']")
    "r'[!\\\\x27]'"
    """
    return "r'" + pattern.replace("'", r"\x27") + "'"


def spark(pattern: str, text: str = "text") -> str:
    """The verdict in Spark's SQL. Bytes that are not UTF-8 are not characters of any rule."""
    return f"is_valid_utf8({text}) AND rlike({text}, {raw(pattern)})"


def _clickhouse(pattern: str, text: str = "text") -> str:
    return f"match({text}, {literal(pattern.replace(chr(0x5C), chr(0x5C) * 2))})"


_VERDICTS: dict[str, tuple[str, Callable[..., str]]] = {
    "bigquery": ("re2", lambda pattern, text="text": f"REGEXP_CONTAINS({text}, {raw(pattern)})"),
    "clickhouse": ("re2", _clickhouse),
    "duckdb": ("re2", duckdb),
    "postgres": ("postgres", postgres_verdict),
    "spark": ("java", spark),
    "trino": ("java", lambda pattern, text="text": f"regexp_like({text}, {literal(pattern)})"),
}
"""The expression that an engine of SQL takes, and the SQL around it."""


def _function(engine: str, form: str) -> Callable[[Compiled, str], str]:
    """The export of a function of SQL."""
    pattern, verdict = _VERDICTS[engine]

    def export(compiled: Compiled, rule: str) -> str:
        body = verdict(_of(compiled, rule, pattern))
        head = _HEAD.format(rule=rule, grammar=compiled.name)
        return head + form.format(name=f"{_named(rule)}_is_valid", body=body) + ";\n"

    return export


def _dbt(compiled: Compiled, rule: str) -> str:
    """A generic test of dbt, for each engine that dbt knows and a target writes for."""
    name = _named(rule)
    lines = [
        f"{{# Texts of the rule {rule} ({compiled.name}): put this file into tests/generic/, and",
        f"   name is_{name} under data_tests of a column. Rows that it returns are invalid. #}}",
        f"{{% test is_{name}(model, column_name) %}}",
        "SELECT {{ column_name }} AS text FROM {{ model }} WHERE NOT (",
    ]
    word = "if"
    for engine, (pattern, verdict) in _VERDICTS.items():
        types = ["spark", "databricks"] if engine == "spark" else [engine]
        sql = verdict(_of(compiled, rule, pattern), "\0")
        column = "{% endraw %}{{ column_name }}{% raw %}"
        lines += [
            f"{{% {word} target.type in {types} %}}",
            "{% raw %}" + sql.replace("\0", column) + "{% endraw %}",
        ]
        word = "elif"
    lines += [
        "{% else %}",
        "{{ exceptions.raise_compiler_error('no expression for ' ~ target.type) }}",
        "{% endif %}",
        ")",
        "{% endtest %}",
    ]
    return "\n".join(lines) + "\n"


def _pandera(compiled: Compiled, rule: str) -> str:
    return _PANDERA.format(
        rule=rule,
        grammar=compiled.name,
        name=_named(rule),
        pattern=ascii(_of(compiled, rule, "regex")),
    )


def _great_expectations(compiled: Compiled, rule: str) -> str:
    from json import dumps

    pattern, refused = portable(compiled, rule)
    wanted = [("expect_column_values_to_match_regex", pattern)]
    if refused:
        wanted.append(("expect_column_values_to_not_match_regex", refused))
    expectations = [
        {"type": kind, "kwargs": {"column": "url", "regex": regex}} for kind, regex in wanted
    ]
    return dumps({"name": rule, "expectations": expectations}, indent=2) + "\n"


CONTRACTS = {
    "bigquery": Target(
        "BigQuery, a function of SQL",
        """\
A temporary function, X_is_valid(text), where X is the rule in lower case: put it before
a query; without TEMP and with the name of a dataset it stays. Linear in the text: BigQuery matches
with RE2. Written after its manual, and not tried on BigQuery.""",
        _function(
            "bigquery", "CREATE TEMP FUNCTION {name}(text STRING) RETURNS BOOL AS (\n    {body}\n)"
        ),
    ),
    "clickhouse": Target(
        "ClickHouse, a function of SQL",
        """\
A function, X_is_valid(text), where X is the rule in lower case. It stays in the server. Linear
in the text: ClickHouse matches with RE2.""",
        _function("clickhouse", "CREATE OR REPLACE FUNCTION {name} AS (text) ->\n    {body}"),
    ),
    "dbt": Target(
        "dbt, a generic test",
        """\
A file for tests/generic/ of a project, whose test is_X, where X is the rule in lower case,
goes under data_tests of a column. It writes the SQL of BigQuery, ClickHouse, DuckDB, PostgreSQL,
Spark or Trino, whichever the project has; it was run on DuckDB. A NULL is not invalid.""",
        _dbt,
    ),
    "great-expectations": Target(
        "Great Expectations, a suite",
        """\
JSON for ExpectationSuite(**json.load(file)), on a column called url: change the name in it. The
pattern uses only syntax that Python, RE2 and Rust read alike; if the rule accepts no text that ends
with a line feed, before which "$" also matches in Python, a second expectation excludes it.""",
        _great_expectations,
    ),
    "pandera": Target(
        "pandera, a Python module with a check",
        """\
A module with the check is_X, where X is the rule in lower case, for a Column of pandera. It needs
only pandera. Linear in the text; each text is matched by Python's re, for which see regex.""",
        _pandera,
    ),
    "spark-sql": Target(
        "Spark SQL, a function",
        """\
A temporary function, X_is_valid(text), where X is the rule in lower case, for Spark 4.0 or
later: the JVM evaluates it, without Python. For the cost see java.""",
        _function(
            "spark",
            "CREATE OR REPLACE TEMPORARY FUNCTION {name}(text STRING) RETURNS BOOLEAN\n"
            "    RETURN {body}",
        ),
    ),
    "trino": Target(
        "Trino, a function of SQL",
        """\
A function, X_is_valid(text), where X is the rule in lower case, for the current schema of a
catalog that stores functions, or after WITH in a query. For the cost see java. Written after its
manual, and not tried on Trino.""",
        _function(
            "trino",
            "CREATE OR REPLACE FUNCTION {name}(text VARCHAR) RETURNS BOOLEAN\n    RETURN {body}",
        ),
    ),
}
