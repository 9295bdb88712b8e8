"""Verdicts by the expressions of Arrow (RE2).

Imports pyarrow (extra ``data``). Invariant: that of the folder.
"""

from __future__ import annotations

from ....extras import needs

with needs("data"):
    import pyarrow as pa
    import pyarrow.compute as pc

__all__ = ["TO", "matched"]

TO = "re2"


def matched(texts: pa.Array, pattern: str) -> pa.Array:
    """Whether each text matches."""
    return pc.match_substring_regex(texts, pattern)
