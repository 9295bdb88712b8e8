"""Every engine of columns, in its real self: each row has the answer of ``check``, whatever it is.

Owns what is alike in all engines; that of Spark is in ``test_data_spark``. Imports Arrow, pandas,
Polars and DuckDB. Invariant: an engine is one function here, from texts to a column.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeAlias

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from rows import ROWS, expected, rows
from tiers import bound

import uriproof.data.for_pandas
import uriproof.data.for_polars  # noqa: F401 -- both register what they have
from uriproof import Grammar, Rule
from uriproof.data.arrow import made
from uriproof.data.columns import COLUMNS
from uriproof.data.explain import COMPONENTS, FIELDS, violations_of
from uriproof.data.for_duckdb import register
from uriproof.grammar.errors import UnknownRule

Texts: TypeAlias = tuple[str | None, ...]
Engine: TypeAlias = Callable[[Texts, str, "str | Rule", str], list[Any]]
"""Texts, the name of a column, a rule and the value of the column's option: the column."""


def given(name: str, rule: str | Rule, option: str) -> list[Any]:
    """The arguments of a column: those of these that it takes."""
    column = COLUMNS[name]
    return [option] * (column.option is not None) + [rule] * column.by_rule


def arrow(texts: Texts, name: str, rule: str | Rule, option: str) -> list[Any]:
    column = made(COLUMNS[name].asked(*given(name, rule, option)), pa.array(texts, pa.string()))
    return list(column.to_pylist())


def plain(values: Any) -> list[Any]:
    """Values of pandas, with None for NA."""
    return [None if value is pd.NA else value for value in values]


def pandas(texts: Texts, name: str, rule: str | Rule, option: str) -> list[Any]:
    series: Any = pd.Series(texts, dtype=object)
    found = getattr(series.uri, name)(*given(name, rule, option))
    if name == "violations":
        lists: list[Any] = [None if text is None else [] for text in texts]
        for label, *row in found.itertuples():
            lists[label].append(dict(zip(FIELDS, plain(row), strict=True)))
        return lists
    if name == "components":
        columns = zip(*map(plain, found.to_numpy().T), strict=True)
        parts = [dict(zip(COMPONENTS, each, strict=True)) for each in columns]
        absent = dict.fromkeys(COMPONENTS)
        pairs = zip(texts, parts, strict=True)
        return [None if text is None and each == absent else each for text, each in pairs]
    return plain(found)


def polars(texts: Texts, name: str, rule: str | Rule, option: str, *, engine: Any) -> list[Any]:
    url: Any = pl.col("url")
    column = getattr(url.uri, name)(*given(name, rule, option))
    frame = pl.LazyFrame({"url": texts}, schema={"url": pl.String}).select(column)
    return frame.collect(engine=engine).to_series().to_list()


@cache
def registered(rule: str | Rule) -> Any:
    """A connection with the functions of a rule, which take long to be made."""
    connection = duckdb.connect()
    register(connection, rule)
    return connection


def duck(texts: Texts, name: str, rule: str | Rule, option: str) -> list[Any]:
    value = {"normalized": f", level := '{option}'"}.get(name, f", '{option}'" if option else "")
    connection = registered(rule)
    table = pa.table({"n": range(len(texts)), "url": pa.array(texts, pa.string())})
    connection.register("given", table)
    query = f"SELECT uri_{name}(url{value}) FROM given ORDER BY n"  # noqa: S608 -- of this test
    return [value for (value,) in connection.execute(query).fetchall()]


ENGINES: dict[str, Engine] = {
    "Arrow": arrow,
    "pandas": pandas,
    "Polars": partial(polars, engine="in-memory"),
    "Polars, streaming": partial(polars, engine="streaming"),
    "DuckDB": duck,
}
EACH = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
RULES = [
    Rule("URI", schemes=True),
    Rule("URI", query="key-value"),
    Rule("URI-reference"),
    Rule("host"),
    Rule("IRI", grammar="rfc3987"),
    Rule("URI-reference", grammar="rfc2396"),
    Rule("nested", grammar=Grammar.from_abnf('nested = ["(" nested ")"]')),
    Rule("any", grammar=Grammar.from_abnf("any = *%x00-10FFFF")),
]
OPTIONS = {"component": "host", "normalized": "scheme", "parameter": "q"}
ASKED = ("HTTP://H/?a%20b=1&q=x+%C3%A9&q=2", "http://h/?q", "?a+b=%ff&q=", "http://h/?&Q=1 2")
OTHERS = ("(())", "((", "http://é/", "http:x", "mailto:a", "file:///a?b")


def are_right(engine: Engine, texts: Texts, rule: Rule, **options: str) -> None:
    for name in COLUMNS:
        option = (OPTIONS | options).get(name, "")
        assert engine(texts, name, rule, option) == expected(texts, name, rule, option), name


@EACH
@bound("count", 300, ROWS)
def test_every_row_is_answered_as_check_does(engine: Engine, count: int) -> None:
    are_right(engine, (*ASKED, *rows(count)), Rule())


@EACH
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.grammar.name}-{rule.name}")
@bound("count", 100, 500)
def test_other_rules(engine: Engine, rule: Rule, count: int) -> None:
    texts = (*ASKED, *rows(count), *OTHERS)
    are_right(engine, texts, rule, component="path", normalized="host", parameter="a b")


@EACH
@pytest.mark.parametrize("texts", [(), (None,), (None, None, "http://a/"), ("x y",)])
def test_few_rows(engine: Engine, texts: Texts) -> None:
    are_right(engine, texts, Rule())


@EACH
@pytest.mark.parametrize("name", COMPONENTS)
def test_one_component(engine: Engine, name: str) -> None:
    for rule in Rule(), Rule("URI-reference"):
        wanted = expected(rows(300), "component", rule, name)
        assert engine(rows(300), "component", rule, name) == wanted


@EACH
def test_what_there_is_not(engine: Engine) -> None:
    with pytest.raises(UnknownRule, match="did you mean host"):
        engine(("a:",), "is_valid", "hots", "")
    with pytest.raises((ValueError, duckdb.Error), match=r"(?s)hots.*host"):
        engine(("a:",), "component", "URI", "hots")
    with pytest.raises((ValueError, duckdb.Error), match="no level 'hots'; the levels are"):
        engine(("a:",), "normalized", "URI", "hots")


@pytest.mark.parametrize("name", ["DuckDB", "Polars", "Polars, streaming"])
def test_only_rows_that_are_invalid_reach_python(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def watched(rule: Rule, texts: list[str]) -> Any:
        seen.extend(texts)
        return violations_of(rule, texts)

    monkeypatch.setitem(COLUMNS, "violations", COLUMNS["violations"]._replace(function=watched))
    registered.cache_clear()
    ENGINES[name](rows(1_000), "violations", Rule(), "")
    registered.cache_clear()
    verdicts = zip(rows(1_000), expected(rows(1_000), "is_valid", Rule()), strict=True)
    assert sorted(seen) == sorted(
        text for text, valid in verdicts if text is not None and not valid
    )
