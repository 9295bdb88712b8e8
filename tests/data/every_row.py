"""Each column of each engine, compared with the functions of single texts on many random rows.

``python tests/data/every_row.py [ROWS]``; by default 300,000, which takes some minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from rows import rows  # noqa: E402
from test_data_engines import ENGINES, are_right  # noqa: E402

from uriproof import Rule  # noqa: E402


def main(count: int = 300_000) -> None:
    for name, engine in ENGINES.items():
        are_right(engine, rows(count), Rule())
        sys.stdout.write(f"{name}: {count:,} rows are equal in each column\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
