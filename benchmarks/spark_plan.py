"""Figures for planning a run on Spark: processor time of a row, growth, skew, a killed executor.

    python -m benchmarks.spark_plan --rows 1000000

Owns what docs/data/plan.md counts with. Imports the rows of the other engines, and Spark where it
is used. Invariant: each case is a process of its own, warmed up with other rows; processor time is
that of the JVM and of all Python workers, for wall time says little where other work is done.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .data_rows import rows_file

HERTZ = os.sysconf("SC_CLK_TCK")
WARM_UP = 200_000


def main() -> None:
    """Run each case in a process of its own, and print a line for it."""
    options = _options()
    if options.case:
        print(json.dumps(_measured(options)))  # noqa: T201
        return
    for case in CASES if options.cases is None else options.cases:
        for master in options.masters:
            given = ["--case", case, "--master", master, "--rows", str(options.rows)]
            command = [sys.executable, "-m", "benchmarks.spark_plan", *given]
            subprocess.run(command, check=True)  # noqa: S603


def _measured(options: argparse.Namespace) -> dict[str, Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.log.level": "ERROR",
        "spark.sql.parquet.compression.codec": "zstd",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master(options.master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        work = CASES[options.case]
        work(spark, _input(spark, options.case, WARM_UP, folder), f"{folder}/warm")
        given = _input(spark, options.case, options.rows, folder)
        began, used = time.perf_counter(), _used()
        found = work(spark, given, f"{folder}/out")
        wall = time.perf_counter() - began
        spent = {name: value - used.get(name, 0) for name, value in _used().items()}
        written = sum(p.stat().st_size for p in Path(folder, "out").rglob("*.parquet"))
    spark.stop()
    return {
        "case": options.case,
        "master": options.master,
        "rows": options.rows,
        "found": found,
        "wall s": round(wall, 1),
        "processor s": {name: round(value, 1) for name, value in spent.items()},
        "bytes written": written,
    }


def _input(spark: Any, case: str, rows: int, folder: str) -> str:
    """The file of rows; for half of them invalid, or for skew, one made of it."""
    path = str(rows_file(rows))
    if case == "half invalid":
        made = f"{folder}/half-{rows}"
        frame = spark.read.parquet(path).selectExpr(
            "id", "IF(id % 2 = 0, url, concat(url, ' ')) url"
        )
        frame.write.parquet(made)
        return made
    if case.startswith("skew"):
        made = f"{folder}/skew-{rows}"
        # Every tenth of the rows is a file; the first has invalid rows alone.
        frame = spark.read.parquet(path).selectExpr(
            "id", f"IF(id < {rows // 10}, concat(url, ' '), url) url", f"id * 10 div {rows} file"
        )
        frame.repartition(10, "file").sortWithinPartitions("file").write.partitionBy(
            "file"
        ).parquet(made)
        return made
    return path


def _verdicts(spark: Any, path: str, out: str) -> int:
    from uriproof.data.for_pyspark import is_valid

    return int(spark.read.parquet(path).filter(~is_valid("url")).count())


def _read(spark: Any, path: str, out: str) -> int:
    """What reading alone costs: the column is read, and its lengths are added up."""
    return int(spark.read.parquet(path).selectExpr("sum(length(url)) n").collect()[0].n)


def _explained(spark: Any, path: str, out: str) -> int:
    from uriproof.data.for_pyspark import violations

    violations(spark.read.parquet(path), "url").write.parquet(out)
    return int(spark.read.parquet(out).count())


def _spread(spark: Any, path: str, out: str) -> int:
    """As ``_explained``, but what fails is shuffled first."""
    from uriproof.data.for_pyspark import is_valid, violations

    failing = spark.read.parquet(path).filter(~is_valid("url")).repartition(10)
    violations(failing, "url").write.parquet(out)
    return int(spark.read.parquet(out).count())


def _components(spark: Any, path: str, out: str) -> int:
    from uriproof.data.for_pyspark import components

    frame = spark.read.parquet(path).select(components("url").alias("c"))
    return int(frame.selectExpr("count(c.host) n").collect()[0].n)


CASES: dict[str, Callable[[Any, str, str], int]] = {
    "read": _read,
    "verdicts": _verdicts,
    "explained": _explained,
    "half invalid": _explained,
    "skew": _explained,
    "skew, spread": _spread,
    "components": _components,
}


def _used() -> dict[str, float]:
    """The processor seconds of the JVM and of the workers so far, those that ended included."""
    parents: dict[int, list[int]] = {}
    stats: dict[int, tuple[str, float]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                name, _, rest = (entry / "stat").read_text().partition("(")[2].rpartition(")")
            except OSError:
                continue
            fields = rest.split()
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
            stats[int(entry.name)] = name, sum(map(int, fields[11:15])) / HERTZ
    found: dict[str, float] = {}
    pending = [os.getpid()]
    while pending:
        process = pending.pop()
        pending += parents.get(process, [])
        name, seconds = stats[process]
        kind = "jvm" if name == "java" else "python"
        if process != os.getpid():
            found[kind] = found.get(kind, 0) + seconds
    return found


def _options() -> argparse.Namespace:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("--rows", type=int, default=1_000_000)
    made.add_argument("--masters", nargs="*", default=["local[1]", "local[2]"])
    made.add_argument("--cases", nargs="*", choices=CASES)
    made.add_argument("--case", choices=CASES)
    made.add_argument("--master", default="local[2]")
    return made.parse_args()


if __name__ == "__main__":
    main()
