"""Dask gives the answers of pandas, partition by partition. Dask takes seconds to import."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from rows import rows

from uriproof.data.explain import COMPONENTS, FIELDS

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def dd() -> Any:
    """Dask's frames, with the accessor."""
    found = pytest.importorskip("dask.dataframe", reason="dask is not installed")
    import uriproof.data.for_dask as _

    del _
    return found


def test_a_partition_without_values(dd: Any) -> None:
    chunks = [pd.Series([np.nan, np.nan], name="url"), pd.Series(["http://a/", "b c"], name="url")]
    meta = pd.Series([], dtype=object, name="url")
    given: Any = dd.from_map(lambda number: chunks[number], [0, 1], meta=meta)
    assert given.uri.is_valid().compute(scheduler="sync").to_list() == [pd.NA, pd.NA, True, False]
    assert given.uri.components().compute(scheduler="sync").shape == (4, len(COMPONENTS))


def test_dask_gives_the_answers_of_pandas(dd: Any) -> None:
    texts = rows(1_000)
    series: Any = pd.Series(texts, dtype=object, name="url")
    given: Any = dd.from_pandas(series, npartitions=4)
    assert given.npartitions == 4
    options: Any = {"scheduler": "threads"}
    for rule in ("URI", "URI-reference"):
        pd.testing.assert_series_equal(
            given.uri.is_valid(rule).compute(**options), series.uri.is_valid(rule)
        )
        for method in ("violations", "components"):
            pd.testing.assert_frame_equal(
                getattr(given.uri, method)(rule).compute(**options),
                getattr(series.uri, method)(rule),
            )
    pd.testing.assert_series_equal(
        given.uri.component("host").compute(scheduler="sync"), series.uri.component("host")
    )


def test_dask_knows_the_types_before_it_runs(dd: Any) -> None:
    given: Any = dd.from_pandas(pd.Series(["a:", 7], dtype=object, name="url"), npartitions=2)
    assert given.uri.is_valid().dtype == pd.BooleanDtype()
    assert list(given.uri.violations().columns) == list(FIELDS)
    assert list(given.uri.components().columns) == list(COMPONENTS)


def test_other_types_are_errors_before_anything_runs(dd: Any) -> None:
    arrow = pd.ArrowDtype(pa.list_(pa.string()))
    for series, kind in (
        (pd.Series([1, 2], name="n"), "int64"),
        (pd.Series([np.nan, np.nan], name="n"), "float64"),
        (pd.Series([1, 2], dtype="category", name="n"), "int64"),
        (pd.Series([["a:"], ["b"]], dtype=arrow, name="n"), "list<item: string>"),
    ):
        given: Any = dd.from_pandas(series, npartitions=2)
        for method in ("is_valid", "violations", "components", "fixed"):
            with pytest.raises(TypeError, match=rf"the Series 'n' holds {kind}.*, and text is"):
                getattr(given.uri, method)()
    strings = pd.Series(["a:", "b"], dtype=pd.ArrowDtype(pa.large_string()))
    for own in ("category", "string", object):
        series = strings.astype(own)
        given = dd.from_pandas(series, npartitions=2)
        assert given.uri.is_valid().compute(scheduler="sync").to_list() == [True, False], own
        assert series.uri.is_valid().to_list() == [True, False], own
        unknown: Any = given.astype("category")
        assert unknown.uri.is_valid().compute(scheduler="sync").to_list() == [True, False], kind
