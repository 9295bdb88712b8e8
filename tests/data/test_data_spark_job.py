"""The example of a Spark job, submitted as it is; and workers that lack what they need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rows import expected, expected_valid, rows
from spark import missing

from uriproof import Rule

MISSING = missing()
pytestmark = [pytest.mark.skipif(MISSING is not None, reason=str(MISSING)), pytest.mark.prove]

ROOT = Path(__file__).parent.parent.parent
JOB = ROOT / "examples" / "spark_job.py"
SOME = 2_000


def submitted(
    *arguments: object, conf: tuple[str, ...] = (), **more: str
) -> subprocess.CompletedProcess[str]:
    """The job, on two cores. Java compiles little of it: it ends before that would pay."""
    import pyspark

    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    quick = ("--driver-java-options", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    quiet = ("spark.ui.enabled=false", "spark.driver.host=127.0.0.1", "spark.log.level=ERROR")
    options = [word for one in (*quiet, *conf) for word in ("--conf", one)]
    paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": paths, **more}
    return subprocess.run(
        [submit, "--master", "local[2]", *quick, *options, JOB, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Four files of 500 rows each."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tmp_path / "in"
    folder.mkdir()
    for i in range(4):
        some = slice(i * SOME // 4, (i + 1) * SOME // 4)
        table = pa.table({"n": range(SOME)[some], "url": pa.array(rows()[some])})
        pq.write_table(table, folder / f"{i}.parquet")
    return folder


def test_the_job_goes_on_where_it_was_cut_short(files: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    out = tmp_path / "out"
    given = ["--input", files, "--column", "url", "--output", out, "--batch", "3", "--keep", "n"]
    run = submitted(*given, "--partitions", "2")
    held = Rule()
    lists = expected(rows()[:SOME], "violations", held)
    verdicts = expected_valid(rows()[:SOME], held)
    total = (
        f"4 files, {SOME:,} rows, {verdicts.count(None):,} null, "
        f"{verdicts.count(False):,} invalid, {sum(len(v or []) for v in lists):,} violations"
    )
    assert run.stdout.splitlines()[-1] == total, run.stderr[-3000:]
    assert run.returncode == 1
    found = pq.read_table(out / "violations").to_pylist()
    assert {row["n"] for row in found} == {n for n, v in enumerate(verdicts) if v is False}
    assert len([*(out / "violations" / "batch=1").glob("*.parquet")]) <= 2

    # The second batch was cut short: its counts, which are written last, are missing.
    for path in (out / "counts" / "batch=1").iterdir():
        path.unlink()
    (out / "counts" / "batch=1").rmdir()
    first = {p: p.stat().st_mtime_ns for p in (out / "violations" / "batch=0").iterdir()}
    run = submitted(*given, "--partitions", "2")
    assert [line[:8] for line in run.stdout.splitlines() if line[:5] == "batch"] == ["batch 1:"]
    assert run.stdout.splitlines()[-1] == total
    assert {p: p.stat().st_mtime_ns for p in first} == first


WITHOUT = """
import sys

class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {name!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

if "pyspark.daemon" in " ".join(sys.orig_argv) or "pyspark.worker" in " ".join(sys.orig_argv):
    sys.meta_path.insert(0, Refusing())
"""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("uriproof", "has no uriproof: install it on all workers, or send an environment with"),
        ("pyarrow", "No module named 'pyarrow'"),
    ],
)
def test_a_worker_without_a_package_says_so(
    files: Path, tmp_path: Path, name: str, words: str
) -> None:
    """The workers run another Python: one that does not find the package."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT.format(name=name))
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\nPYTHONPATH="{tmp_path}:$PYTHONPATH" exec "{sys.executable}" "$@"\n'
    )
    python.chmod(0o755)
    run = submitted(
        *("--input", files, "--column", "url", "--output", tmp_path / "out"),
        PYSPARK_PYTHON=str(python),
        PYSPARK_DRIVER_PYTHON=sys.executable,
    )
    assert run.returncode != 0
    assert words in run.stderr, run.stderr[-3000:]
    assert not (tmp_path / "out" / "counts").exists()
