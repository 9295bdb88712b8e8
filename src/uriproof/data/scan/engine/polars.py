"""Verdicts by the expressions of Polars (regex of Rust).

Imports Polars (extra ``polars``). Invariant: that of the folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....extras import needs

if TYPE_CHECKING:
    import pyarrow as pa

with needs("polars"):
    import polars as pl

__all__ = ["TO", "matched"]

TO = "rust"


def matched(texts: pa.Array, pattern: str) -> pa.Array:
    """Whether each text matches."""
    return pl.Series(texts).str.contains(pattern).to_arrow()
