"""Texts of tables in which what is meant stands between ⟦ and ⟧.

Owns this notation, in which a place is seen instead of counted. Imports the standard library.
"""

from __future__ import annotations

import re
from itertools import accumulate


def unmarked(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without its marks, and the start and the end of what was between each pair.

    >>> unmarked("http://h/a⟦|⟧b⟦⟧")
    ('http://h/a|b', [(10, 11), (12, 12)])
    """
    pieces = re.split("[⟦⟧]", marked)
    ends = [*accumulate(map(len, pieces))]
    return "".join(pieces), [*zip(ends[:-1:2], ends[1::2], strict=True)]
