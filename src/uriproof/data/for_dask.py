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

from functools import partial
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
    """``series.uri``: the methods, arguments and errors of ``uriproof.data.for_pandas``.

    Whether a partition has values is not known before it is computed, so that a Series of numbers
    is a TypeError at once, even if all of them are missing.
    """

    def __init__(self, series: Any) -> None:
        self._series = series

    def __getattr__(self, method: str) -> Any:
        if method.startswith("_") or not hasattr(for_pandas.URIAccessor, method):
            raise AttributeError(f"the accessor uri has no attribute {method!r}")
        return partial(self._each, method)

    def __dir__(self) -> list[str]:
        return [name for name in dir(for_pandas.URIAccessor) if name[0] != "_"]

    def _each(self, method: str, *arguments: Any, **options: Any) -> Any:
        for_pandas.refuse_type(self._series._meta)
        name = self._series.name
        meta = _call(_NOTHING.rename(name), method, *arguments, **options)
        return self._series.map_partitions(_call, method, *arguments, meta=meta, **options)


def _call(series: pd.Series, method: str, *arguments: Any, **options: Any) -> Any:
    """A method of one partition, in whatever process it is."""
    return getattr(for_pandas.URIAccessor(series), method)(*arguments, **options)
