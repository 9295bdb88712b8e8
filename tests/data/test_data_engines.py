"""Every engine of columns, in its real self: each row has the answer of ``check``, whatever it is.

Owns what is alike in all engines. Imports Arrow, pandas, Polars and DuckDB. Invariant: an engine is
one function here, from texts and a rule to what it says of each text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from rows import (
    ROWS,
    as_rows,
    expected_components,
    expected_texts,
    expected_valid,
    expected_violations,
    rows,
)
from tiers import bound

import uriproof.data.for_pandas
import uriproof.data.for_polars  # noqa: F401 -- both register what they have
from uriproof import Grammar, Rule
from uriproof.data import components, fixed, normalized, parameter, validate
from uriproof.data.arrow import of_each, texts_of
from uriproof.data.explain import COMPONENTS, Row
from uriproof.data.for_duckdb import register
from uriproof.grammar.errors import UnknownRule

Texts: TypeAlias = Sequence[str | None]
Answers: TypeAlias = tuple[
    list[bool | None], list[list[Row] | None], list[dict[str, str | None] | None]
]
"""The verdict, the violations and the components of each text; None for a null."""

Engine: TypeAlias = Callable[[Texts, "str | Rule"], Answers]


def arrow(texts: Texts, rule: str | Rule) -> Answers:
    column = texts_of(pa.array(texts, pa.string()))
    valid = validate(column, rule).to_pylist()
    lists = of_each(column, rule if isinstance(rule, Rule) else Rule(rule)).to_pylist()
    return valid, [*map(as_rows, lists)], components(column, rule).to_pylist()


def plain(values: Any) -> list[Any]:
    """Values of pandas, with None for NA."""
    return [None if value is pd.NA else value for value in values]


def pandas(texts: Texts, rule: str | Rule) -> Answers:
    series: Any = pd.Series(texts, dtype=object)
    lists: list[list[Row] | None] = [None if text is None else [] for text in texts]
    for label, *found in series.uri.violations(rule).itertuples():
        lists[label].append(tuple(plain(found)))
    divided = zip(*map(plain, series.uri.components(rule).to_numpy().T), strict=True)
    made = [dict(zip(COMPONENTS, each, strict=True)) for each in divided]
    absent = dict.fromkeys(COMPONENTS)
    parts = [
        None if text is None and each == absent else each
        for text, each in zip(texts, made, strict=True)
    ]
    return plain(series.uri.is_valid(rule)), lists, parts


def polars(texts: Texts, rule: str | Rule, *, engine: Any) -> Answers:
    url: Any = pl.col("url")
    frame = pl.LazyFrame({"url": texts}, schema={"url": pl.String}).select(
        url.uri.is_valid(rule),
        url.uri.violations(rule).alias("violations"),
        url.uri.components(rule).alias("components"),
    )
    valid, lists, parts = (column.to_list() for column in frame.collect(engine=engine))
    return valid, [*map(as_rows, lists)], parts


def duck(texts: Texts, rule: str | Rule) -> Answers:
    with duckdb.connect() as connection:
        register(connection, rule)
        given = pa.table({"n": range(len(texts)), "url": pa.array(texts, pa.string())})
        connection.register("given", given)
        found = connection.execute(
            "SELECT uri_is_valid(url), uri_violations(url), uri_components(url) FROM given"
            " ORDER BY n"
        ).fetchall()
    return [a for a, _, _ in found], [as_rows(b) for _, b, _ in found], [c for _, _, c in found]


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


def are_right(engine: Engine, texts: tuple[str | None, ...], rule: Rule) -> None:
    valid, lists, parts = engine(texts, rule)
    assert valid == expected_valid(texts, rule)
    assert lists == expected_violations(texts, rule)
    assert parts == expected_components(texts, rule)


@EACH
@bound("count", 300, ROWS)
def test_every_row_is_answered_as_check_does(engine: Engine, count: int) -> None:
    are_right(engine, rows(count), Rule())


@EACH
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.grammar.name}-{rule.name}")
@bound("count", 100, 500)
def test_other_rules(engine: Engine, rule: Rule, count: int) -> None:
    texts = (*rows(count), "(())", "((", "http://é/", "http:x", "mailto:a", "file:///a?b")
    are_right(engine, texts, rule)


@EACH
@pytest.mark.parametrize("texts", [(), (None,), (None, None, "http://a/"), ("x y",)])
def test_few_rows(engine: Engine, texts: tuple[str | None, ...]) -> None:
    are_right(engine, texts, Rule())


@EACH
def test_a_rule_that_there_is_not(engine: Engine) -> None:
    with pytest.raises(UnknownRule, match="did you mean host"):
        engine(["a:"], "hots")


def arrow_texts(texts: Texts, rule: Rule, name: str, level: str) -> list[list[str | None]]:
    column = pa.array(texts, pa.string())
    made = fixed(column, rule), normalized(column, level), parameter(column, name, rule)
    return [each.to_pylist() for each in made]


def pandas_texts(texts: Texts, rule: Rule, name: str, level: str) -> list[list[str | None]]:
    column: Any = pd.Series(texts, dtype=object)
    made = (
        column.uri.fixed(rule),
        column.uri.normalized(level),
        column.uri.parameter(name, rule),
    )
    return [*map(plain, made)]


def polars_texts(texts: Texts, rule: Rule, name: str, level: str) -> list[list[str | None]]:
    url: Any = pl.col("url")
    frame = pl.LazyFrame({"url": texts}, schema={"url": pl.String}).select(
        url.uri.fixed(rule).alias("fixed"),
        url.uri.normalized(level).alias("normalized"),
        url.uri.parameter(name, rule).alias("parameter"),
    )
    return [column.to_list() for column in frame.collect(engine="streaming")]


def duck_texts(texts: Texts, rule: Rule, name: str, level: str) -> list[list[str | None]]:
    with duckdb.connect() as connection:
        register(connection, rule)
        given = pa.table({"n": range(len(texts)), "url": pa.array(texts, pa.string())})
        connection.register("given", given)
        found = connection.execute(
            "SELECT uri_fixed(url), uri_normalized(url, level := $level), uri_parameter(url, $name)"
            " FROM given ORDER BY n",
            {"name": name, "level": level},
        ).fetchall()
    return [list(column) for column in zip(*found, strict=True)]


@pytest.mark.parametrize("engine", [arrow_texts, pandas_texts, polars_texts, duck_texts])
@pytest.mark.parametrize(
    ("rule", "name", "level"),
    [(Rule(), "q", "scheme"), (Rule("URI-reference", schemes=True), "a b", "host")],
    ids=["URI", "schemes"],
)
@bound("count", 400, ROWS)
def test_fixed_normalized_and_parameters(
    engine: Callable[..., list[list[str | None]]], rule: Rule, name: str, level: str, count: int
) -> None:
    asked = "HTTP://H/?a%20b=1&q=x+%C3%A9&q=2", "http://h/?q", "?a+b=%ff&q=", "http://h/?&Q=1 2"
    texts = (*asked, *rows(count))
    expected = expected_texts(texts, rule, name, level)
    found = dict(zip(expected, engine(texts, rule, name, level), strict=True))
    assert found == expected
    assert all(len({*column}) > 2 for column in found.values())


def test_a_level_that_there_is_not() -> None:
    series: Any = pd.Series(["a:"])
    url: Any = pl.col("url")
    for made in series.uri.normalized, url.uri.normalized:
        with pytest.raises(ValueError, match="no level 'hots'; the levels are"):
            made("hots")
