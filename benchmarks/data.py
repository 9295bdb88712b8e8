"""Millions of rows: the engines side by side, what explanations add, growth and memory.

Owns these figures; imports the engines, each in a process of its own, and the made rows. Invariant:
every job counts what it found, and jobs that answer the same question have to agree, or the run
stops; the rows that a slow loop reads are a part of the same file, and marked.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import psutil
from rich.console import Console
from rich.table import Table

from .data_rows import rows_file
from .goals import Goal

ROWS = 10_000_000
SHORT = 1_000_000
"""Rows that a loop in Python reads: it takes the same time for each."""
SIZES = (1_000_000, 3_000_000, 10_000_000, 30_000_000)
ROUNDS = 3
_PROCESSES = psutil.cpu_count() or 1
_WATCH = 0.02  # seconds between two looks at the memory

Answer = TypeVar("Answer")
Job = Callable[[Path], tuple[float, int]]
"""Of a file: seconds, and the number of invalid rows that was found."""


@dataclass
class Found:
    """By job: rows a second, and the greatest memory of all its processes in MB."""

    rows: dict[str, int] = field(default_factory=dict)
    speed: dict[str, float] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)
    growth: dict[str, dict[int, tuple[float, float]]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


def _best(job: Callable[[], Answer]) -> tuple[float, Answer]:
    """The shortest of a few runs, by the clock: other processes and threads count, too."""
    seconds: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        found = job()
        seconds.append(time.perf_counter() - began)
    return min(seconds), found


def _column(path: Path) -> Any:
    import pyarrow.parquet as pq

    return pq.read_table(path, columns=["url"])["url"]


# Verdicts alone, on a column in memory


def _arrow(path: Path) -> tuple[float, int]:
    import pyarrow.compute as pc

    from uriproof.data import validate

    column = _column(path)
    return _best(lambda: int(pc.sum(pc.invert(validate(column))).as_py()))


def _polars(path: Path) -> tuple[float, int]:
    import polars as pl

    import uriproof.data.for_polars  # noqa: F401 -- registers the namespace

    frame = pl.read_parquet(path, columns=["url"]).lazy()
    invalid: Any = (~pl.col("url").uri.is_valid()).sum()  # type: ignore[attr-defined]
    query = frame.select(invalid)
    return _best(lambda: int(query.collect(engine="streaming").item()))


def _duckdb(path: Path) -> tuple[float, int]:
    import duckdb

    from uriproof.data.for_duckdb import register

    with duckdb.connect() as connection:
        register(connection)
        connection.execute("CREATE TABLE t AS SELECT url FROM read_parquet(?)", [str(path)])
        count = "SELECT count(*) FROM t WHERE NOT uri_is_valid(url)"
        return _best(lambda: int(connection.execute(count).fetchall()[0][0]))


def _pandas(path: Path) -> tuple[float, int]:
    import pandas as pd

    import uriproof.data.for_pandas  # noqa: F401 -- registers the accessor

    series = pd.read_parquet(path, columns=["url"])["url"]
    return _best(lambda: int((~series.uri.is_valid()).sum()))


def _spark(path: Path) -> tuple[float, int]:
    from uriproof.data.for_pyspark import is_valid

    with _session() as spark:
        frame = spark.read.parquet(str(path)).select("url")
        invalid = frame.filter(~is_valid(frame.url))
        return _best(invalid.count)


# With explanations


def _arrow_violations(path: Path) -> tuple[float, int]:
    import pyarrow.compute as pc

    from uriproof.data import violations

    column = _column(path)
    seconds, found = _best(lambda: violations(column, processes=_PROCESSES))
    return seconds, int(pc.count_distinct(pc.struct_field(found, "row")).as_py())


def _spark_violations(path: Path) -> tuple[float, int]:
    from uriproof.data.for_pyspark import violations

    with _session() as spark:
        found = violations(spark.read.parquet(str(path)), "url")
        return _best(lambda: int(found.select("id").distinct().count()))


def _scan(path: Path) -> tuple[float, int]:
    """The command, from its start to its end, a file of violations written."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "violations.parquet")
        words = [sys.executable, "-m", "uriproof", "scan", str(path), "--column", "url"]
        began = time.perf_counter()
        done = subprocess.run(  # noqa: S603 -- this interpreter
            [*words, "--output", str(out)], capture_output=True, text=True, check=False
        )
        seconds = time.perf_counter() - began
        if done.returncode != 1:
            raise SystemExit(done.stderr)
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        rows = pq.read_table(out, columns=["row"])["row"]
        return seconds, int(pc.count_distinct(rows).as_py())


# Beside them: loops in Python, and the engine's own function of URLs


def _loop(refused: Callable[[str], bool]) -> Job:
    def job(path: Path) -> tuple[float, int]:
        texts = _column(path)[:SHORT].to_pylist()
        return _best(lambda: sum(map(refused, texts)))

    return job


def _is_valid_loop(path: Path) -> tuple[float, int]:
    from uriproof import is_valid

    return _loop(lambda text: not is_valid(text))(path)


def _validator_loop(path: Path) -> tuple[float, int]:
    from rfc3986_validator import validate_rfc3986

    return _loop(lambda text: validate_rfc3986(text, rule="URI") is None)(path)


def _can_ada_loop(path: Path) -> tuple[float, int]:
    from can_ada import can_parse

    return _loop(lambda text: not can_parse(text))(path)


def _spark_parse_url(path: Path) -> tuple[float, int]:
    from pyspark.sql import functions

    with _session() as spark:
        frame = spark.read.parquet(str(path)).select("url")
        scheme = functions.try_parse_url(frame.url, functions.lit("PROTOCOL"))
        return _best(frame.filter(scheme.isNull()).count)


@contextmanager
def _session() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder
    spark = (
        builder.master(f"local[{_PROCESSES}]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "OFF")
        .getOrCreate()
    )
    try:
        yield spark
    finally:
        spark.stop()


VERDICTS: dict[str, Job] = {
    "Arrow: validate": _arrow,
    "Polars: uri.is_valid": _polars,
    "DuckDB: uri_is_valid": _duckdb,
    "pandas: uri.is_valid": _pandas,
    "PySpark: is_valid, Parquet": _spark,
}
EXPLAINED: dict[str, Job] = {
    "Arrow: violations": _arrow_violations,
    "PySpark: violations, Parquet": _spark_violations,
    "uriproof scan, Parquet": _scan,
}
LOOPS: dict[str, Job] = {
    "loop: uriproof is_valid": _is_valid_loop,
    "loop: rfc3986-validator": _validator_loop,
    "loop: can_ada can_parse": _can_ada_loop,
}
OTHERS: dict[str, Job] = {"PySpark: try_parse_url, Parquet": _spark_parse_url}
JOBS = VERDICTS | EXPLAINED | LOOPS | OTHERS
GROWING = ("Arrow: validate", "uriproof scan, Parquet")


def measure() -> Found:
    """All jobs on ten million rows, and two of them on more and fewer. Cost: some five minutes."""
    found = Found()
    counts: dict[str, int] = {}
    for words in JOBS:
        answer, peak = _apart(words, ROWS)
        if "why" in answer:
            found.missing[words] = answer["why"]
            continue
        found.rows[words] = SHORT if words in LOOPS else ROWS
        found.speed[words] = found.rows[words] / answer["seconds"]
        found.memory[words] = peak
        counts[words] = answer["invalid"]
    agreeing = {counts[words] for words in (*VERDICTS, *EXPLAINED) if words in counts}
    if len(agreeing) > 1:
        raise SystemExit(f"the engines differ: {counts}")
    for words in GROWING:
        for size in SIZES if words in found.speed else ():
            answer, peak = _apart(words, size)
            found.growth.setdefault(words, {})[size] = answer["seconds"], peak
    return found


def _apart(words: str, rows: int) -> tuple[dict[str, Any], float]:
    """What a job answers in a process of its own, and the most memory that its processes had."""
    command = [sys.executable, "-m", __name__, words, str(rows_file(rows))]
    with tempfile.TemporaryFile("w+") as answer:
        process = psutil.Popen(command, stdout=answer, stderr=subprocess.DEVNULL)
        most = 0
        while process.poll() is None:
            most = max(most, _resident(process))
            time.sleep(_WATCH)
        answer.seek(0)
        last = answer.read().splitlines()[-1:]
    found = json.loads(last[0]) if last else {"why": f"exit code {process.returncode}"}
    return found, most / 1e6


def _resident(process: psutil.Process) -> int:
    """The resident memory of a process and its children, what they share counted for each."""
    total = 0
    for one in [process, *process.children(recursive=True)]:
        try:
            total += one.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total


def show(console: Console, found: Found) -> None:
    """The tables."""
    base = found.speed.get("loop: rfc3986-validator")
    table = Table(title=f"{ROWS:,} rows, 1 % invalid, on {_PROCESSES} cores")
    for head in ("job", "million rows/s", "x rfc3986-validator", "MB"):
        table.add_column(head, justify="left" if head == "job" else "right")
    for words, speed in found.speed.items():
        mark = f" ({SHORT:,} rows)" if words in LOOPS else ""
        ratio = f"{speed / base:,.1f}" if base else "-"
        memory = f"{found.memory[words]:,.0f}"
        table.add_row(words + mark, f"{speed / 1e6:,.2f}", ratio, memory)
    console.print(table)
    for words, why in found.missing.items():
        console.print(f"Not measured: {words}: {why}")
    grown = Table(title="Growth: million rows a second, and MB")
    grown.add_column("job")
    for size in SIZES:
        grown.add_column(f"{size:,}", justify="right")
    for words, sizes in found.growth.items():
        cells = [f"{n / seconds / 1e6:,.2f}, {mb:,.0f}" for n, (seconds, mb) in sizes.items()]
        grown.add_row(words, *cells)
    console.print(grown)


def goals(found: Found) -> list[Goal]:
    """The figures to reach, on two cores."""
    verdicts = [speed for words, speed in found.speed.items() if words in VERDICTS]
    explained = found.speed.get("Arrow: violations")
    scanned = "uriproof scan, Parquet"
    most = found.growth.get(scanned, {}).get(SIZES[-1], (0.0, None))[1]
    million = "million rows/s"
    best = max(verdicts) / 1e6 if verdicts else None
    speed = found.speed.get(scanned)
    return [
        Goal("verdicts of ten million rows, the best engine", best, 7.0, True, million),
        Goal("with explanations, 1 % invalid", explained and explained / 1e6, 3.0, True, million),
        Goal("scan of a Parquet file", speed and speed / 1e6, 1.5, True, million),
        Goal(f"memory of a scan of {SIZES[-1]:,} rows", most, 1000.0, False, "MB"),
    ]


def _main(words: str, path: str) -> None:
    try:
        seconds, invalid = JOBS[words](Path(path))
    except ImportError as error:
        answer: dict[str, Any] = {"why": str(error)}
    else:
        answer = {"seconds": seconds, "invalid": invalid}
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    _main(*sys.argv[1:])
