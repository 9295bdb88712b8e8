"""pandas: the accessor ``uri`` of a Series.

Owns the accessor. Imports pandas (extra ``pandas``) and the columns of Arrow. Invariant: of every
row the answer is that of ``is_valid``, ``check`` and its components; a missing value stays missing,
and rows keep their labels.

>>> import pandas
>>> import uriproof.data.for_pandas
>>> urls = pandas.Series(["http://a/", "http://a b/", None], index=["x", "y", "z"])
>>> urls.uri.is_valid().tolist()
[True, False, <NA>]
>>> urls.uri.violations()[["start", "end", "component", "code"]].to_dict("index")
{'y': {'start': 8, 'end': 9, 'component': 'host', 'code': 'host-illegal'}}
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from ..extras import needs
from ..rule import Rule
from .arrow import made, texts_of, violations
from .columns import Asked, methods
from .explain import COMPONENTS, FIELDS

with needs("pandas"):
    import pandas as pd
    import pyarrow as pa

__all__ = ["URIAccessor"]

_TEXT = pd.StringDtype()
_TYPES = {pa.bool_(): pd.BooleanDtype(), pa.string(): _TEXT, pa.large_string(): _TEXT}.get


@methods(lambda accessor, asked: accessor._made(asked))
class URIAccessor:
    """``series.uri``, on a Series of strings: of the type object, str, string, Arrow or category.

    It has a method for each row of ``COLUMNS``, whose result has the index of the Series, and NA
    for a missing value: a Series, or a DataFrame of components. All are made in Arrow.

    >>> urls = pd.Series(["http://a/b c", "http://a b/"])
    >>> urls[~urls.uri.is_valid()].uri.fixed().tolist()
    ['http://a/b%20c', <NA>]

    A Series without values can have any type: an empty chunk of a file is one of floats.

    Errors, of the methods: TypeError for a Series of something else, which names its type; for one
    of mixed types, the first row that holds no string.
    """

    def __init__(self, series: pd.Series) -> None:
        # Nothing is rejected here: dir() and hasattr() come by, on every Series. Nothing is
        # read either: pandas 2 keeps this object with the Series, whose values can change.
        self._series = series

    def violations(self, rule: str | Rule = "URI", *, processes: int = 1) -> pd.DataFrame:
        """The violations of all rows, as ``uriproof.check`` reports them: a DataFrame, one a row.

        Its index has the label of the text, once for each violation, so that it joins the frame
        that the Series is from. Its columns are ``start`` and ``end``, code points within the
        text; ``component``, ``production``, ``kind`` and ``code``. Arguments as ``is_valid``;
        ``processes`` explain at the same time.

        Cost: that of ``is_valid``, and that of ``check`` for each invalid text.

        >>> pd.Series(["http://a/", "http://h/?a b"]).uri.violations().loc[1, "code"]
        'query-illegal'
        """
        found = violations(_column(self._series), rule, processes=processes)
        rows, *fields = found.flatten()
        return _frame(fields, FIELDS).set_axis(self._series.index.take(rows.to_numpy()))

    def _made(self, asked: Asked) -> pd.Series | pd.DataFrame:
        """The column that is asked for: a Series with the same index and name, or a DataFrame."""
        series, found = self._series, made(asked, _column(self._series))
        if asked.column.kind == "components":
            return _frame(found.flatten(), COMPONENTS).set_axis(series.index)
        name = asked.option if asked.names else series.name
        return _frame([found], ["made"])["made"].set_axis(series.index).rename(name)


@pd.api.extensions.register_series_accessor("uri")  # type: ignore[untyped-decorator]
def _accessor(series: pd.Series) -> Any:
    """The accessor, or the value of a label: ``row.uri``, of a table with a column of that name."""
    return series["uri"] if "uri" in series.index else URIAccessor(series)


def _frame(columns: Iterable[Any], names: Iterable[str]) -> pd.DataFrame:
    """Columns of Arrow in the types of pandas that have NA."""
    frame: pd.DataFrame = pa.table(list(columns), names=list(names)).to_pandas(types_mapper=_TYPES)
    return frame


def _column(series: pd.Series) -> Any:
    """The texts of a Series as Arrow. Errors: TypeError; ValueError for a lone surrogate."""
    if not series.notna().any():
        return pa.nulls(len(series), pa.large_string())
    refuse_type(series)
    if isinstance(series.dtype, pd.ArrowDtype):
        return texts_of(pa.chunked_array(series.array.__arrow_array__()))
    given = series.astype(object)
    if pd.api.types.infer_dtype(given, skipna=True) not in ("string", "empty"):
        _refuse_values(given)
        given = given.where(given.notna(), None)
    try:
        return texts_of(pa.array(given, pa.large_string(), from_pandas=True))
    except UnicodeEncodeError:
        _refuse_values(given)
        raise


def refuse_type(series: pd.Series) -> None:
    """Errors: TypeError for a Series of a type that holds no text. Its values are not read."""
    kind = series.dtype
    if isinstance(kind, pd.CategoricalDtype):
        kind = kind.categories.dtype
    is_text = pd.api.types.is_object_dtype(kind) or isinstance(kind, pd.StringDtype)
    if isinstance(kind, pd.ArrowDtype):
        with suppress(TypeError):
            is_text = texts_of(pa.nulls(0, kind.pyarrow_dtype)) is not None
    if not is_text:
        raise TypeError(
            f"the Series {series.name!r} holds {kind}, and text is needed: "
            'cast it with astype("string") first'
        )


def _refuse_values(series: pd.Series) -> None:
    """Errors: TypeError or ValueError for the first row that holds no text, with its label."""
    for label, value in series.items():
        row = f"row {label!r} of the Series {series.name!r} holds"
        if isinstance(value, str):
            try:
                value.encode()
            except UnicodeEncodeError as error:
                lone = f"the lone surrogate U+{ord(value[error.start]):04X}"
                words = "which is not text: drop it, or encode it as UTF-8 first"
                raise ValueError(f"{row} {lone}, {words}") from None
        elif not (pd.api.types.is_scalar(value) and pd.isna(value)):
            raise TypeError(f"{row} {type(value).__name__}, and text is needed")
