"""Verdicts by the expressions of DuckDB (RE2).

Imports DuckDB (extra ``duckdb``). Invariant: that of the folder.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ....extras import needs

with needs("duckdb"):
    import duckdb
    import pyarrow as pa

__all__ = ["TO", "matched"]

TO = "re2"


def matched(texts: pa.Array, pattern: str) -> pa.Array:
    """Whether each text matches."""
    connection = _connection()
    connection.register("texts", pa.table({"text": texts}))
    try:
        made = connection.sql(
            "SELECT regexp_matches(text, $1) AS valid FROM texts", params=[pattern]
        ).to_arrow_table()
    finally:
        connection.unregister("texts")
    return pa.concat_arrays(made.column("valid").chunks or [pa.array([], pa.bool_())])


@cache
def _connection() -> Any:
    """A database of this process, in memory, which keeps the order of rows."""
    return duckdb.connect(config={"threads": 1, "preserve_insertion_order": True})
