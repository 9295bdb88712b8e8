"""Scans that are interrupted: killed, interrupted from the keyboard, and by what they cannot write.

Owns the tests of what is kept. Invariant of all: what is gone on with has the same rows as a scan
that was never interrupted, each once.
"""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

pytest.importorskip("pyarrow")

from scans import expected, parquet, rows, scanned, started, texts
from tiers import quick

ROWS = 8_000
pytestmark = pytest.mark.posix


@pytest.fixture(scope="module")
def values() -> list[str]:
    return texts(ROWS)


@pytest.fixture
def file(tmp_path: Path, values: list[str]) -> Path:
    return parquet(tmp_path / "urls.parquet", values, 80)


def wait_for(condition: object, process: subprocess.Popen[str], seconds: float = 120) -> None:
    """Wait until a condition, a function, is true. Fails if the process ends before."""
    assert callable(condition)
    end = monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert monotonic() < end
        sleep(0.005)


def lines(state: Path) -> int:
    journal = state / "journal.jsonl"
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def workers(process: subprocess.Popen[str]) -> Iterator[int]:
    """The processes that read chunks."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            call = (entry / "cmdline").read_bytes()
        except (OSError, IndexError):
            continue
        if parent == process.pid and b"spawn_main" in call:
            yield int(entry.name)


@pytest.mark.parametrize("jobs", quick(["2", "1"]))
def test_a_killed_scan_goes_on(jobs: str, file: Path, tmp_path: Path, values: list[str]) -> None:
    out, state = tmp_path / "out.parquet", tmp_path / "out.parquet.scan"
    out.write_bytes(b"what was there before")
    call = (file, "--out", out, "--jobs", jobs)
    for least in (10, 30):
        process = started(*call)
        wait_for(lambda least=least: lines(state) >= least, process)
        process.kill()
        process.communicate()
    assert out.read_bytes() == b"what was there before"
    # As a disk might have it after a failure of power: the last line is not whole.
    with (state / "journal.jsonl").open("a") as journal:
        journal.write('{"done":[[0,1')
    (state / "part-000000-000000001.parquet.1.partial").write_bytes(b"half")
    done = scanned(*call, "--summary-format", "json")
    assert done.returncode == 1
    assert "rows were done before; the scan goes on" in done.stderr
    assert '"rows": 8000,' in done.stdout
    assert rows(out) == expected(str(file), values)
    assert not state.exists()


def test_an_interrupted_scan_says_how_to_go_on(
    file: Path, tmp_path: Path, values: list[str]
) -> None:
    out, state = tmp_path / "out.parquet", tmp_path / "kept"
    call = (file, "--out", out, "--state", state, "--jobs", "2")
    process = started(*call)
    wait_for(lambda: lines(state) >= 10, process)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=60)
    assert (process.returncode, shown) == (130, "")
    assert said.startswith("uriproof: interrupted; ")
    assert said.endswith(f"are done and kept in {state}: the same command goes on after them\n")
    assert "Traceback" not in said
    assert not out.exists()
    assert scanned(*call).returncode == 1
    assert rows(out) == expected(str(file), values)


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are found in /proc")
def test_a_process_that_is_killed_is_replaced(
    file: Path, tmp_path: Path, values: list[str]
) -> None:
    out, state = tmp_path / "out.parquet", tmp_path / "out.parquet.scan"
    process = started(file, "--out", out, "--jobs", "2")
    wait_for(lambda: lines(state) >= 10, process)
    victim = next(workers(process))
    os.kill(victim, signal.SIGKILL)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 1, said
    assert rows(out) == expected(str(file), values)


@pytest.mark.parametrize("jobs", quick(["1", "2"]))
def test_nothing_is_lost_where_there_is_no_room(
    jobs: str, tmp_path: Path, file: Path, values: list[str]
) -> None:
    import resource

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

    out, state = tmp_path / "out.parquet", tmp_path / "out.parquet.scan"
    call = (file, "--out", out, "--jobs", jobs)
    failed = scanned(*call, preexec_fn=little_room)
    assert (failed.returncode, failed.stdout) == (2, "")
    assert "File too large" in failed.stderr
    assert "the same command goes on after them" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert not out.exists()
    assert lines(state) > 1
    assert scanned(*call).returncode == 1
    assert rows(out) == expected(str(file), values)


def test_the_state_of_another_scan_is_not_used(file: Path, tmp_path: Path) -> None:
    out, state = tmp_path / "out.parquet", tmp_path / "out.parquet.scan"
    process = started(file, "--out", out, "--jobs", "1")
    wait_for(lambda: lines(state) >= 5, process)
    other = scanned(file, "--out", out, "--jobs", "1")
    assert other.returncode == 2
    assert f"{state}: another scan works in this folder" in other.stderr
    process.kill()
    process.communicate()
    changed = scanned(file, "--out", out, "-r", "URI-reference")
    assert changed.returncode == 2
    assert "its rule is URI, and not URI-reference; delete it" in changed.stderr
    os.utime(file, (1, 1))
    changed = scanned(file, "--out", out)
    assert f"changed since it began: {file}; delete it" in changed.stderr
    (state / "journal.jsonl").write_text("nothing of ours\n")
    assert "line 1 is no line of a scan's journal" in scanned(file, "--out", out).stderr
    strange = tmp_path / "photos"
    strange.mkdir()
    (strange / "cat.jpeg").write_bytes(b"")
    refused = scanned(file, "--out", out, "--state", strange)
    assert refused.returncode == 2
    assert f"{strange}: a folder with other files in it" in refused.stderr
    assert sorted(p.name for p in strange.iterdir() if p.name != "lock") == ["cat.jpeg"]


def test_a_text_file_goes_on_too(tmp_path: Path) -> None:
    file, out = tmp_path / "urls.txt.gz", tmp_path / "out.parquet"
    values = [f"http://h/{'a' * 90}/{i}{'|' * (i % 50 == 0)}" for i in range(200_000)]
    file.write_bytes(gzip.compress("\n".join(values).encode(), 1))
    call = (file, "--out", out, "--jobs", "2")
    process = started(*call)
    wait_for(lambda: lines(tmp_path / "out.parquet.scan") >= 2, process)
    process.kill()
    process.communicate()
    done = scanned(*call)
    assert "rows were done before" in done.stderr
    assert [row["row"] for row in rows(out)] == list(range(0, 200_000, 50))
