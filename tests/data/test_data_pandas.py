"""pandas: labels, types of text, what is missing, and what is no text."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from rows import expected, expected_valid, rows

import uriproof.data.for_pandas  # noqa: F401 -- registers the accessor
from uriproof import Rule
from uriproof.data.explain import FIELDS

URI = Rule()
KINDS: dict[str, Any] = {
    "object": object,
    "str": "str",
    "string": "string",
    "python": pd.StringDtype("python"),
    "arrow": pd.ArrowDtype(pa.string()),
    "large": pd.ArrowDtype(pa.large_string()),
    "category": "category",
}


def plain(values: Any) -> list[Any]:
    """A column of pandas as a list, with None for NA."""
    return [None if value is pd.NA else value for value in values]


def labeled(texts: Any, labels: Any, rule: Rule) -> list[tuple[Any, ...]]:
    """The violations as rows, each with the label of its text."""
    found = zip(labels, expected(texts, "violations", rule), strict=True)
    return [(label, *one.values()) for label, each in found for one in each or ()]


def got(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    assert list(frame.columns) == list(FIELDS)
    return [tuple(plain(row)) for row in frame.itertuples()]


def test_labels_names_and_types() -> None:
    texts = rows(300)
    index = pd.Index(range(300, 0, -1), name="key")
    series: Any = pd.Series(texts, index=index, name="url", dtype=object)
    valid = series.uri.is_valid()
    assert valid.index.equals(index)
    assert (valid.name, valid.dtype) == ("url", pd.BooleanDtype())
    assert series.uri.component("host").name == "host"
    assert plain(valid) == expected_valid(texts, URI)
    assert got(series.uri.violations()) == labeled(texts, index, URI)
    assert series.uri.components().index.equals(index)


@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_every_type_of_text(kind: str) -> None:
    texts = rows(400)
    series: Any = pd.Series(texts, dtype=object).astype(KINDS[kind])
    assert plain(series.uri.is_valid()) == expected_valid(texts, URI)
    assert got(series.uri.violations()) == labeled(texts, range(400), URI)
    part = series[series.uri.is_valid().fillna(False)]
    assert part.uri.is_valid().all()
    assert got(part.uri.violations()) == []
    assert list(part.uri.components().index) == list(part.index)


def test_every_value_that_is_missing() -> None:
    series: Any = pd.Series(["http://a/", None, np.nan, pd.NA, pd.NaT, "x y"], dtype=object)
    assert plain(series.uri.is_valid()) == [True, None, None, None, None, False]
    assert {*series.uri.violations().index} == {5}
    assert plain(series.uri.component("host")) == ["a", None, None, None, None, None]


def test_labels_of_two_levels_that_repeat() -> None:
    several = pd.MultiIndex.from_tuples([(1, "a"), (1, "b"), (1, "b")], names=["n", "m"])
    labels: Any = pd.Series(["http://a/", "a b", "http://h/?x y"], index=several)
    assert [*labels.uri.violations().index.unique()] == [(1, "b")]
    assert labels.uri.is_valid().index.equals(several)


def holds(kind: str, name: str = "None") -> str:
    return f"the Series {name} holds {kind}, and text is needed"


@pytest.mark.parametrize(
    ("series", "words"),
    [
        (pd.Series(["a:b", None, 7, "x"]), "row 2 of " + holds("int")),
        (pd.Series(["a:", b"b"], name="u"), "row 1 of " + holds("bytes", "'u'")),
        (pd.Series([["a", "b"]], index=["x"]), "row 'x' of " + holds("list")),
        (pd.Series([None, 1.5], dtype=object), "row 1 of " + holds("float")),
        (pd.Series([1, 2], name="n"), holds("int64", "'n'")),
        (pd.Series([1], dtype="Int64"), holds("Int64")),
        (pd.Series([1.5, np.nan]), holds("float64")),
        (pd.Series([True]), holds("bool")),
        (pd.Series(pd.to_datetime(["2026-11-23"])), "the Series None holds datetime64"),
        (pd.Series([1, 2], dtype="category"), holds("int64")),
        (pd.Series([1], dtype=pd.ArrowDtype(pa.int8())), holds("int8[pyarrow]")),
        (pd.Series(["a:", "b\udc80"], dtype=object), "holds the lone surrogate U+DC80"),
    ],
    ids=str,
)
def test_what_is_no_text(series: Any, words: str) -> None:
    """Any Series can be looked at, as an editor does: only a call says what is wrong."""
    assert "uri" in dir(series)
    assert hasattr(series, "uri")
    with pytest.raises((TypeError, ValueError), match=re.escape(words)):
        series.uri.is_valid()


def test_a_row_of_a_table_keeps_its_value() -> None:
    table: Any = pd.DataFrame({"uri": ["http://a/", "x y"], "n": [1, 2]}, index=["b", "uri"])
    assert table.apply(lambda row: row.uri, axis=1).tolist() == ["http://a/", "x y"]
    assert table[["uri"]].iloc[0].uri == "http://a/"


def test_values_that_change_are_read_again() -> None:
    series: Any = pd.Series(["http://a/", "http://b/"])
    kept = series.uri  # as pandas 2 keeps it
    assert kept.is_valid().all()
    series.iloc[0] = "http://a b/"
    assert plain(kept.is_valid()) == [False, True]
    assert [*kept.violations().index] == [0]
    assert plain(kept.component("host")) == ["a b", "b"]
    series.index, series.name = ["x", "y"], "url"
    assert ([*kept.is_valid().index], kept.is_valid().name) == (["x", "y"], "url")
    assert [*kept.components().index] == ["x", "y"]


@pytest.mark.parametrize(
    "kind",
    [*KINDS.values(), "float64", "Int64", "boolean", "datetime64[ns]", pd.ArrowDtype(pa.null())],
    ids=str,
)
def test_a_chunk_without_values_has_no_type(kind: Any) -> None:
    """What ``read_csv(chunksize=…)`` makes of rows without URLs."""
    missing: Any = pd.Series([None, None], dtype=object)
    missing = missing.astype(kind) if kind != "null[pyarrow]" else pd.Series([None] * 2, dtype=kind)
    for series in (missing, missing[:0]):
        assert plain(series.uri.is_valid()) == [None] * len(series)
        assert series.uri.is_valid().dtype == pd.BooleanDtype()
        assert len(series.uri.violations()) == 0
        assert plain(series.uri.component("host")) == [None] * len(series)
        assert len(series.uri.components()) == len(series)
