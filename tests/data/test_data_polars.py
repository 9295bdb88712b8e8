"""Polars: plans, types and names, in real Polars."""

from __future__ import annotations

import pickle
from datetime import date
from typing import Any

import polars as pl
import pytest
from rows import as_rows, expected_components, expected_valid, expected_violations, rows

from uriproof import Rule
from uriproof.data import for_polars
from uriproof.data.columns import COLUMNS
from uriproof.data.explain import COMPONENTS, violations_of

URI = Rule()
URL = pl.col("url")
ENGINES = ("in-memory", "streaming")


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


@pytest.mark.parametrize("name", COMPONENTS)
def test_one_component(name: str) -> None:
    texts = rows(500)
    for rule in ("URI", "URI-reference"):
        got = frame(texts).select(namespace(URL).component(name, rule)).collect().to_series()
        expected = expected_components(texts, Rule(rule))
        assert got.to_list() == [each and each[name] for each in expected]
    with pytest.raises(ValueError, match="'hots' is not a component; use scheme"):
        namespace(URL).component("hots")


def test_the_verdict_is_polars_own() -> None:
    """No function of Python is in the plan: ``python_udf`` is how Polars shows one."""
    assert "python_udf" not in frame([]).select(namespace(URL).is_valid()).explain()
    assert "str.contains" in frame([]).select(namespace(URL).is_valid()).explain()
    assert "python_udf" in frame([]).select(namespace(URL).is_valid(Rule(schemes=True))).explain()


@pytest.mark.parametrize("engine", ENGINES)
def test_only_rows_that_are_invalid_reach_python(
    engine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def watched(rule: Rule, texts: list[str]) -> Any:
        seen.extend(texts)
        return violations_of(rule, texts)

    monkeypatch.setitem(COLUMNS, "violations", COLUMNS["violations"]._replace(function=watched))
    texts = rows(1_000)
    frame(texts).select(namespace(URL).violations()).collect(engine=engine)
    invalid = [text for text in texts if text is not None and not URI.is_valid(text)]
    assert sorted(seen) == sorted(invalid)


@pytest.mark.parametrize("kind", ["Categorical", "Enum"])
def test_columns_of_categories(kind: str) -> None:
    texts = (*dict.fromkeys(rows(300)), "http://a/", "http://a/")
    given = [text for text in dict.fromkeys(texts) if text is not None]
    dtype = pl.Categorical() if kind == "Categorical" else pl.Enum(given)
    column_ = pl.Series(texts, dtype=pl.String).cast(dtype)
    frame_ = pl.DataFrame({"url": column_})
    for engine in ENGINES:
        got = frame_.lazy().select(*column(URI)).collect(engine=engine)  # type: ignore[call-overload]
        assert got["valid"].to_list() == expected_valid(texts, URI)
    assert frame_["url"].uri.component("host").to_list() == [  # type: ignore[attr-defined]
        each and each["host"] for each in expected_components(texts, URI)
    ]


def test_a_series() -> None:
    texts = rows(600)
    series: Any = pl.Series("url", texts)
    assert series.uri.is_valid().name == "url"
    assert series.uri.is_valid().to_list() == expected_valid(texts, URI)
    lists = [as_rows(each) for each in series.uri.violations().to_list()]
    assert lists == expected_violations(texts, URI)
    assert series.uri.components().to_list() == expected_components(texts, URI)
    assert series.slice(100, 50).uri.is_valid().to_list() == expected_valid(texts[100:150], URI)


def test_a_column_of_nulls() -> None:
    given = pl.DataFrame({"url": [None, None]})
    assert given.select(namespace(URL).is_valid()).to_series().to_list() == [None, None]
    assert given["url"].uri.is_valid().to_list() == [None, None]  # type: ignore[attr-defined]


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
    names = [
        method().meta.output_name()
        for method in (
            namespace(URL).is_valid,
            namespace(URL).violations,
            namespace(URL).components,
            lambda: namespace(URL).component("host"),
        )
    ]
    assert names == ["url"] * 4


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
    with pytest.raises(TypeError, match=r"the Series 'url' holds .*, and text is needed: cast it"):
        namespace(given.collect()["url"]).is_valid()


@pytest.mark.parametrize("kind", [pl.Null, pl.Float64, pl.Int8, pl.Date, pl.String, pl.Object])
def test_a_series_without_values_has_no_type(kind: Any) -> None:
    given = pl.Series("url", [None, None], dtype=kind)
    for series in (given, given.head(0)):
        assert hasattr(series, "uri")
        assert namespace(series).is_valid().to_list() == [None] * len(series)
        assert namespace(series).violations().to_list() == [None] * len(series)
        assert namespace(series).component("host").to_list() == [None] * len(series)


def test_other_series_can_be_looked_at() -> None:
    for values in ([1], [1.5], [True], [b"a"], [["a"]], [{"a": 1}]):
        series = pl.Series(values)
        assert "uri" in dir(series)
        assert hasattr(series, "uri")


def test_a_plan_can_be_sent_elsewhere() -> None:
    plan = frame(["http://a/", "http://a b/"]).select(*column(URI))
    again = pickle.loads(pickle.dumps(plan))  # noqa: S301 -- its own
    assert again.collect().equals(plan.collect())
