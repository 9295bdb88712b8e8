"""What the tests of scans share: files, the command as a process, and its output as rows.

Owns the helpers. Imports pyarrow. Invariant: the texts are made from a seed, and how many of them
are invalid is known by ``is_valid``.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import uriproof
from uriproof.data.explain import show
from uriproof.data.scan.results import Counts, OfFile

SRC = Path(uriproof.__file__).parent.parent
KINDS = (
    "http://h/{}",
    "http://h{}/a?b=c#d",
    "http://h/a b{}",
    "http://h|{}/",
    "http://me:pw{}@h|/",
)


def texts(number: int, seed: int = 1) -> list[str]:
    """Texts, two of five valid, no two alike."""
    chosen = random.Random(seed)  # noqa: S311 -- texts, no secrets
    return [chosen.choice(KINDS).format(i) for i in range(number)]


def parquet(path: Path, values: Sequence[str | None], rows: int = 1_000) -> Path:
    """A Parquet file with the columns ``id`` and ``url``, and so many rows in a group."""
    table = pa.table({"id": range(len(values)), "url": pa.array(values, pa.string())})
    pq.write_table(table, path, row_group_size=rows)
    return path


def command(*arguments: str | Path) -> list[str]:
    """The command line of a scan as a process of its own."""
    return [sys.executable, "-m", "uriproof", "scan", *map(str, arguments)]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SRC), "PYTHONWARNINGS": "error"}


def scanned(*arguments: str | Path, **settings: Any) -> subprocess.CompletedProcess[str]:
    """A scan that has run."""
    return subprocess.run(
        command(*arguments),
        env=environment(),
        text=True,
        capture_output=True,
        check=False,
        **settings,
    )


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of an output."""
    found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return found


def expected(name: str, values: Sequence[str | None]) -> list[dict[str, Any]]:
    """The rows that the output of a file with these texts has to have."""
    return [
        {
            "file": name,
            "row": row,
            **{field: getattr(v, field) for field in ("start", "end", "component", "production")},
            "kind": v.kind,
            "code": v.code,
            "text": report.text,
            "host": report.components["host"].text if "host" in report.components else None,
        }
        for row, value in enumerate(values)
        if value is not None
        for report in [uriproof.check(value).masked()]
        for v in report.violations
    ]


def counted(texts: Sequence[str | None], file: str = "urls.txt", broken: int = 0) -> Counts:
    """The counts of a file with these texts."""
    return add(Counts(), texts, file, broken)


def add(counts: Counts, texts: Sequence[str | None], file: str, broken: int = 0) -> Counts:
    """Counts, and those of a file with these texts."""
    rule = uriproof.Rule()
    invalid = 0
    for row, text in enumerate(texts):
        if text is not None and not rule.is_valid(text):
            counts.take(file, row, show(rule, text))
            invalid += 1
    counts.files[file] = OfFile(len(texts), sum(t is None for t in texts), invalid, broken)
    return counts
