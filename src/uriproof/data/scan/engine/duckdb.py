"""Verdicts by the expressions of DuckDB (RE2).

Imports DuckDB (extra ``duckdb``). Invariant: that of the folder; texts that are not UTF-8, and
rules without an expression, go through ``data.arrow``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ....extras import needs
from ...arrow import verdicts as _verdicts
from ...rule import ColumnRule

with needs("data"):
    import pyarrow as pa
with needs("duckdb"):
    import duckdb

__all__ = ["verdicts"]


def verdicts(texts: pa.Array, rule: ColumnRule) -> pa.Array:
    """The verdict on each text; null for null."""
    pattern = rule.pattern("re2")
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        pattern = None
    if pattern is None:
        return _verdicts(texts, rule)
    connection = _connection()
    connection.register("texts", pa.table({"text": texts}))
    try:
        made = connection.sql(
            "SELECT regexp_matches(text, $1) AS valid FROM texts", params=[pattern]
        ).to_arrow_table()
    finally:
        connection.unregister("texts")
    found = made.column("valid").combine_chunks()
    return found if isinstance(found, pa.Array) else pa.concat_arrays(found.chunks)


@cache
def _connection() -> Any:
    """A database of this process, in memory, which keeps the order of rows."""
    return duckdb.connect(config={"threads": 1, "preserve_insertion_order": True})
