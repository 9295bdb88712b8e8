"""Each column of each engine, compared with the functions of single texts on many random rows.

``python tests/data/every_row.py [ROWS]``; by default 300,000, which takes some minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from rows import expected_texts, rows  # noqa: E402
from test_data_engines import (  # noqa: E402
    ENGINES,
    are_right,
    arrow_texts,
    duck_texts,
    pandas_texts,
    polars_texts,
)

from uriproof import Rule  # noqa: E402

MADE = {"Arrow": arrow_texts, "pandas": pandas_texts, "Polars": polars_texts, "DuckDB": duck_texts}


def main(count: int) -> None:
    texts, rule = rows(count), Rule()
    expected = expected_texts(texts, rule, "q", "scheme")
    for name, engine in ENGINES.items():
        are_right(engine, texts, rule)
        sys.stdout.write(f"{name}: {count:,} verdicts, violations and components are equal\n")
        sys.stdout.flush()
    for name, made in MADE.items():
        found = zip(expected, made(texts, rule, "q", "scheme"), strict=True)
        assert dict(found) == expected, name
        sys.stdout.write(f"{name}: {count:,} {', '.join(expected)} are equal\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:])) if sys.argv[1:] else main(300_000)
