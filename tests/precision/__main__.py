"""``python -m tests.precision [FORMAT]...``: precision and recall by format, and each miss; and
``python -m tests.precision trees FOLDER``, see ``trees``.

Owns the table. Imports the package it is in. Invariant: exit code 1 where the whole is below the
bound, 2 for a format that there is not.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from . import CORPUS, Score, measure, trees

BOUND = 0.95


def main(arguments: list[str]) -> int:
    """Measure the formats that are named, all of them by default."""
    if arguments[:1] == ["trees"]:
        return trees.main(Path(*arguments[1:]))
    formats = sorted(path.parent.name for path in CORPUS.glob("*/labels.toml"))
    unknown = [one for one in arguments if one not in formats]
    if unknown:
        print(f"unknown: {' '.join(unknown)}; there are: {' '.join(formats)}", file=sys.stderr)  # noqa: T201
        return 2
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("format")
    for name in (
        "files",
        "near",
        "expected",
        "reported",
        "true",
        "false",
        "missed",
        "precision",
        "recall",
    ):
        table.add_column(name, justify="right")
    whole = Score()
    for name in arguments or formats:
        score = measure(CORPUS / name)
        _row(table, name, score)
        whole += score
    table.add_section()
    _row(table, "all", whole)
    console = Console() if sys.stdout.isatty() else Console(width=100)
    console.print(table)
    for line in whole.wrong:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return 0 if min(whole.precision, whole.recall) >= BOUND else 1


def _row(table: Table, name: str, score: Score) -> None:
    table.add_row(
        name,
        *(str(n) for n in (score.files, score.near, score.expected, score.said, score.true)),
        str(score.said - score.true),
        str(score.expected - score.true),
        f"{score.precision:.1%}",
        f"{score.recall:.1%}",
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
