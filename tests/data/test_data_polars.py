"""Polars: plans, types and names, in real Polars."""

from __future__ import annotations

import pickle
from datetime import date
from typing import Any

import polars as pl
import pytest
from rows import expected, expected_valid, rows

from uriproof import Rule
from uriproof.data import for_polars
from uriproof.data.columns import COLUMNS

URI = Rule()
URL = pl.col("url")


def column(rule: Rule) -> Any:
    """The verdicts and violations of a rule, as two expressions."""
    return (
        namespace(URL).is_valid(rule).alias("valid"),
        namespace(URL).violations(rule).alias("violations"),
    )


def namespace(expression: Any) -> Any:
    return expression.uri


def frame(texts: Any, kind: Any = pl.String) -> pl.LazyFrame:
    return pl.LazyFrame({"url": texts}, schema={"url": kind})


def test_the_verdict_is_polars_own() -> None:
    """No function of Python is in the plan: ``python_udf`` is how Polars shows one."""
    assert "python_udf" not in frame([]).select(namespace(URL).is_valid()).explain()
    assert "str.contains" in frame([]).select(namespace(URL).is_valid()).explain()
    assert "python_udf" in frame([]).select(namespace(URL).is_valid(Rule(schemes=True))).explain()


@pytest.mark.parametrize("kind", ["Categorical", "Enum"])
def test_columns_of_categories(kind: str) -> None:
    texts = (*dict.fromkeys(rows(300)), "http://a/", "http://a/")
    given = [text for text in dict.fromkeys(texts) if text is not None]
    dtype = pl.Categorical() if kind == "Categorical" else pl.Enum(given)
    column_ = pl.Series(texts, dtype=pl.String).cast(dtype)
    frame_ = pl.DataFrame({"url": column_})
    for engine in ("in-memory", "streaming"):
        got = frame_.lazy().select(*column(URI)).collect(engine=engine)
        assert got["valid"].to_list() == expected_valid(texts, URI)
    hosts = namespace(frame_["url"]).component("host").to_list()
    assert hosts == expected(texts, "component", URI, "host")


def test_a_series() -> None:
    texts = rows(600)
    series: Any = pl.Series("url", texts)
    assert series.uri.is_valid().name == "url"
    assert series.uri.is_valid().to_list() == expected_valid(texts, URI)
    for name in ("violations", "components"):
        assert getattr(series.uri, name)().to_list() == expected(texts, name, URI)
    assert series.slice(100, 50).uri.is_valid().to_list() == expected_valid(texts[100:150], URI)


def test_types_and_names_are_known_before_it_runs() -> None:
    plan = frame([]).select(
        *column(URI), namespace(URL).is_valid(), host=namespace(URL).component("host")
    )
    assert plan.collect_schema() == {
        "valid": pl.Boolean,
        "violations": for_polars.VIOLATIONS,
        "url": pl.Boolean,
        "host": pl.String,
    }
    for name, given in {"violations": [], "components": [], "component": ["host"]}.items():
        assert getattr(namespace(URL), name)(*given).meta.output_name() == "url"


def test_filters_groups_and_several_columns() -> None:
    given = pl.DataFrame({"a": ["http://h/", "x y"], "b": ["x:", None], "n": [1, 2]})
    kept = given.filter(namespace(pl.col("a")).is_valid())
    assert kept["n"].to_list() == [1]
    every = given.select(namespace(pl.col("a", "b")).is_valid())
    assert every.to_dict(as_series=False) == {"a": [True, False], "b": [True, None]}
    hosts = given.group_by(namespace(pl.col("a")).component("host").alias("host")).len()
    assert hosts.sort("len", "host", nulls_last=True)["host"].to_list() == ["h", None]
    counted = given.group_by(pl.lit(1)).agg(namespace(pl.col("a")).is_valid().sum())
    assert counted["a"].to_list() == [1]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1], "i64"),
        ([1.5], "f64"),
        ([True], "bool"),
        ([b"a"], "binary"),
        ([{"a": "a:"}], r"struct\[1\]"),
        ([["a:"]], r"list\[str\]"),
        ([date(2026, 1, 1)], "date"),
        ([object()], "object"),
    ],
)
def test_other_types_are_errors(values: list[Any], kind: str) -> None:
    given = pl.DataFrame({"url": values}).lazy()
    sentence = f"the column holds {kind}, and text is needed: cast it to String first"
    for name in COLUMNS:
        arguments = {"component": ["host"], "parameter": ["q"]}.get(name, [])
        plan = given.select(getattr(namespace(URL), name)(*arguments))
        with pytest.raises(pl.exceptions.InvalidOperationError, match=sentence):
            plan.collect()
    with pytest.raises(pl.exceptions.InvalidOperationError, match=r"cannot check for .* List\(Str"):
        given.select(namespace(pl.all()).is_valid()).collect_schema()
    series = given.collect()["url"]  # any can be looked at, as an editor does
    assert "uri" in dir(series)
    with pytest.raises(TypeError, match=r"the Series 'url' holds .*, and text is needed: cast it"):
        namespace(series).is_valid()


@pytest.mark.parametrize("kind", [pl.Null, pl.Float64, pl.Int8, pl.Date, pl.String, pl.Object])
def test_a_series_without_values_has_no_type(kind: Any) -> None:
    given = pl.Series("url", [None, None], dtype=kind)
    for series in (given, given.head(0)):
        own = namespace(series)
        for made in own.is_valid(), own.violations(), own.component("host"):
            assert made.to_list() == [None] * len(series)


def test_a_plan_can_be_sent_elsewhere() -> None:
    plan = frame(["http://a/", "http://a b/"]).select(*column(URI))
    again = pickle.loads(pickle.dumps(plan))  # noqa: S301 -- its own
    assert again.collect().equals(plan.collect())
