"""Dask: the accessor ``uri`` of a Series, partition by partition.

Owns the accessor. Imports Dask (extra ``dask``) and that of pandas. Invariant: every method is that
of pandas, on each partition, with its divisions; nothing is computed before it is asked for.

>>> import dask.dataframe, pandas
>>> import uriproof.data.for_dask
>>> urls = dask.dataframe.from_pandas(pandas.Series(["http://a/", "http://a b/"]), npartitions=2)
>>> urls.uri.is_valid().compute(scheduler="sync").tolist()
[True, False]
"""

from __future__ import annotations

from typing import Any

from ..extras import needs

with needs("dask"):
    import dask.dataframe as dd
    import pandas as pd

    from . import for_pandas

__all__ = ["URIAccessor"]

_NOTHING = pd.Series([], dtype=object)
"""The sample from which the types of the results are inferred."""


@dd.extensions.register_series_accessor("uri")  # type: ignore[no-untyped-call]
class URIAccessor:
    """``series.uri``: the methods, arguments and errors of ``uriproof.data.for_pandas``."""

    def __init__(self, series: Any) -> None:
        self._series = series

    def is_valid(self, rule: str = "URI", **options: Any) -> Any:
        """The verdict on each text: a Series of boolean."""
        return self._each("is_valid", rule, **options)

    def violations(self, rule: str = "URI", **options: Any) -> Any:
        """The violations of all rows: a DataFrame, one a row, with the labels of the texts."""
        return self._each("violations", rule, **options)

    def components(self, rule: str = "URI", **options: Any) -> Any:
        """The components of each text: a DataFrame."""
        return self._each("components", rule, **options)

    def component(self, name: str, rule: str = "URI", **options: Any) -> Any:
        """One component of each text: a Series."""
        return self._each("component", name, rule, **options)

    def _each(self, method: str, *arguments: Any, **options: Any) -> Any:
        name = self._series.name
        meta = _call(_NOTHING.rename(name), method, *arguments, **options)
        return self._series.map_partitions(_call, method, *arguments, meta=meta, **options)


def _call(series: pd.Series, method: str, *arguments: Any, **options: Any) -> Any:
    """A method of one partition, in whatever process it is."""
    return getattr(for_pandas.URIAccessor(series), method)(*arguments, **options)
