"""Verdicts by the expressions of Polars (regex of Rust).

Imports Polars (extra ``polars``). Invariant: that of the folder; texts that are not UTF-8, and
rules without an expression, go through ``data.arrow``.
"""

from __future__ import annotations

from ....extras import needs
from ...arrow import verdicts as _verdicts
from ...rule import ColumnRule

with needs("data"):
    import pyarrow as pa
with needs("polars"):
    import polars as pl

__all__ = ["verdicts"]


def verdicts(texts: pa.Array, rule: ColumnRule) -> pa.Array:
    """The verdict on each text; null for null."""
    pattern = rule.pattern("rust")
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        pattern = None
    if pattern is None:
        return _verdicts(texts, rule)
    column = pl.Series(texts)
    return column.str.contains(pattern).to_arrow()
