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
from typing import Any

from ..extras import needs
from ..rule import Rule
from .arrow import components, fixed, normalized, parameter, texts_of, validate, violations
from .explain import COMPONENTS, FIELDS, LEVEL, known

with needs("pandas"):
    import pandas as pd
    import pyarrow as pa

__all__ = ["URIAccessor"]

_TEXT = pd.StringDtype()
_TYPES = {pa.bool_(): pd.BooleanDtype(), pa.string(): _TEXT, pa.large_string(): _TEXT}.get


class URIAccessor:
    """``series.uri``, on a Series of strings: of the type object, str, string, Arrow or category.

    A Series without values can have any type: an empty chunk of a file is one of floats.

    Errors, of the methods: TypeError for a Series of something else, which names its type; for one
    of mixed types, the first row that holds no string.
    """

    def __init__(self, series: pd.Series) -> None:
        # Nothing is rejected here: dir() and hasattr() come by, on every Series. Nothing is
        # read either: pandas 2 keeps this object with the Series, whose values can change.
        self._series = series

    def is_valid(self, rule: str | Rule = "URI") -> pd.Series:
        """The verdict on each text: a Series of boolean, with the same index and name.

        A missing value stays one: NA. The arguments and errors are those of
        ``uriproof.is_valid``. Cost: O(n), in Arrow; through Python for a ``Rule`` with a query
        grammar, scheme rules or a policy.

        >>> urls = pd.Series(["http://a/", "http://a b/"])
        >>> urls[~urls.uri.is_valid()].tolist()
        ['http://a b/']
        """
        return self._series_of(validate(_column(self._series), rule))

    def violations(self, rule: str | Rule = "URI", *, processes: int = 1) -> pd.DataFrame:
        """The violations of all rows, as ``uriproof.check`` reports them: a DataFrame, one a row.

        Its index has the label of the text, once for each violation, so that it joins the frame
        that the Series is from. Its columns are ``start`` and ``end``, code points within the
        text; ``component``, ``production``, ``kind``, ``code``; and ``fix``, the replacement that
        is safe, or NA. Arguments as ``is_valid``; ``processes`` explain at the same time.

        Cost: that of ``is_valid``, and that of ``check`` for each invalid text.

        >>> pd.Series(["http://a/", "http://h/?a b"]).uri.violations().loc[1, "fix"]
        '%20'
        """
        found = violations(_column(self._series), rule, processes=processes)
        rows, *fields = found.flatten()
        return _frame(fields, FIELDS).set_axis(self._series.index.take(rows.to_numpy()))

    def components(self, rule: str | Rule = "URI") -> pd.DataFrame:
        """The components of each text: a DataFrame with the same index.

        A component that a text does not have is NA, an empty one is empty (RFC 3986 §5.3). Those
        of an invalid text are the ones that ``check`` names; of a missing value all are NA.
        Arguments and errors as ``is_valid``. Cost: O(n).

        >>> pd.Series(["http://a:/"]).uri.components().loc[0, ["host", "port", "query"]].tolist()
        ['a', '', <NA>]
        """
        found = components(_column(self._series), rule)
        return _frame(found.flatten(), COMPONENTS).set_axis(self._series.index)

    def component(self, name: str, rule: str | Rule = "URI") -> pd.Series:
        """One component of each text, with the same index; see ``components``.

        Errors: ValueError for a name that is not a component.

        >>> pd.Series(["http://a/", "urn:b"]).uri.component("host").tolist()
        ['a', <NA>]
        """
        return self.components(rule)[known(name)]

    def fixed(self, rule: str | Rule = "URI") -> pd.Series:
        """Each text with the fixes of ``check``; NA if a violation has no safe fix.

        >>> pd.Series(["http://a/b c", "http://a b/"]).uri.fixed().tolist()
        ['http://a/b%20c', <NA>]
        """
        return self._series_of(fixed(_column(self._series), rule))

    def normalized(self, level: str = LEVEL) -> pd.Series:
        """Each text in its normal form, as ``uriproof.normalize``; NA if it is not a URI-reference.

        >>> pd.Series(["HTTP://A:80", "a b"]).uri.normalized().tolist()
        ['http://a/', <NA>]
        """
        return self._series_of(normalized(_column(self._series), level))

    def parameter(self, name: str, rule: str | Rule = "URI") -> pd.Series:
        """The first value of a parameter of each query, decoded as in ``URI.query_pairs``.

        >>> pd.Series(["http://a/?q=x+y", "urn:b"]).uri.parameter("q").tolist()
        ['x y', <NA>]
        """
        return self._series_of(parameter(_column(self._series), name, rule))

    def _series_of(self, found: Any) -> pd.Series:
        """A column of Arrow, with the labels and the name of the Series."""
        made = _frame([found], ["made"])["made"]
        return made.set_axis(self._series.index).rename(self._series.name)


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
    kind = series.dtype
    if isinstance(kind, pd.ArrowDtype):
        return texts_of(pa.chunked_array(series.array.__arrow_array__()))
    if isinstance(kind, pd.CategoricalDtype):
        kind = kind.categories.dtype
    if not (pd.api.types.is_object_dtype(kind) or isinstance(kind, pd.StringDtype)):
        raise TypeError(
            f"the Series {series.name!r} holds {kind}, and text is needed: "
            'cast it with astype("string") first'
        )
    given = series.astype(object)
    if pd.api.types.infer_dtype(given, skipna=True) not in ("string", "empty"):
        _refuse_what_is_no_text(given)
        given = given.where(given.notna(), None)
    try:
        return texts_of(pa.array(given, pa.large_string(), from_pandas=True))
    except UnicodeEncodeError:
        raise _no_utf8(series) from None


def _refuse_what_is_no_text(series: pd.Series) -> None:
    """Errors: TypeError for the first row that holds no string, with its label and type."""
    for label, value in series.items():
        if not isinstance(value, str) and not (pd.api.types.is_scalar(value) and pd.isna(value)):
            raise TypeError(
                f"row {label!r} of the Series {series.name!r} holds {type(value).__name__}, "
                "and text is needed"
            )


def _no_utf8(series: pd.Series) -> ValueError:
    """The first row that holds a lone surrogate."""
    for label, value in series.items():
        found = [c for c in value if "\ud800" <= c <= "\udfff"] if isinstance(value, str) else []
        if found:
            return ValueError(
                f"row {label!r} of the Series {series.name!r} holds the lone surrogate "
                f"U+{ord(found[0]):04X}, which is not text: drop it, or encode it as UTF-8 first"
            )
    raise AssertionError("no row holds a surrogate")
