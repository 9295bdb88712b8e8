"""``python -m tests.precision [FORMAT]...``: precision and recall by format, and each miss; and
``python -m tests.precision trees FOLDER``, see ``trees``.

Owns the table. Imports the package it is in. Invariant: exit code 1 where the whole is below the
bound, 2 for a format that there is not.
"""

from __future__ import annotations

import sys
from pathlib import Path

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
    names = "files near expected reported true false missed precision recall"
    rows = [("format", *names.split())]
    whole = Score()
    for name in arguments or formats:
        score = measure(CORPUS / name)
        rows.append(_row(name, score))
        whole += score
    rows.append(_row("all", whole))
    for first, *others in rows:
        print(f"{first:10}", *(f"{one:>9}" for one in others))  # noqa: T201 -- a command
    print(*whole.wrong, sep="\n")  # noqa: T201
    return 0 if min(whole.precision, whole.recall) >= BOUND else 1


def _row(name: str, score: Score) -> tuple[str, ...]:
    false, missed = score.said - score.true, score.expected - score.true
    numbers = (score.files, score.near, score.expected, score.said, score.true, false, missed)
    return (name, *map(str, numbers), f"{score.precision:.1%}", f"{score.recall:.1%}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
