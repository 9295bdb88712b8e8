"""Scans that are interrupted: killed, interrupted from the keyboard, and by what they cannot write.

Owns the tests of what is kept. Invariant of all: what is gone on with has the same rows as a scan
that was never interrupted, each once.
"""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pyarrow.parquet as pq
import pytest
from scans import expected, parquet, rows, scanned, started, texts

from uriproof import Rule
from uriproof.data.scan import summary
from uriproof.data.scan.journal import Journal
from uriproof.data.scan.read import Chunk
from uriproof.data.scan.run import Interrupted, Options, Result, ScanError, Tick, scan
from uriproof.data.scan.summary import Counts
from uriproof.data.scan.work import Done

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


@pytest.mark.prove
@pytest.mark.parametrize("jobs", ["2", "1"])
def test_a_killed_scan_goes_on(jobs: str, file: Path, tmp_path: Path, values: list[str]) -> None:
    out, state = tmp_path / "out.parquet", tmp_path / "out.parquet.scan"
    out.write_bytes(b"what was there before")
    call = (file, "--output", out, "--jobs", jobs)
    for least in (10, 30):
        process = started(*call)
        wait_for(lambda least=least: lines(state) >= least, process)
        process.kill()
        process.communicate()
    assert out.read_bytes() == b"what was there before"
    # As a disk might have it after a failure of power: the last line is not whole.
    with (state / "journal.jsonl").open("a") as journal:
        journal.write('{"done":[[0,1')
    (state / ".part-000000-000000001.parquet.1.uriproof-partial").write_bytes(b"half")
    done = scanned(*call, "--format", "json")
    assert done.returncode == 1
    assert "rows were done before; the scan resumes after them" in done.stderr
    assert '"rows": 8000,' in done.stdout
    assert rows(out) == expected(str(file), values)
    assert not state.exists()


@pytest.mark.prove
def test_an_interrupted_scan_says_how_to_go_on(
    file: Path, tmp_path: Path, values: list[str]
) -> None:
    out, state = tmp_path / "out.parquet", tmp_path / "kept"
    call = (file, "--output", out, "--state", state, "--jobs", "2")
    process = started(*call)
    wait_for(lambda: lines(state) >= 10, process)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=60)
    assert (process.returncode, shown) == (130, "")
    assert said.startswith("uriproof: interrupted; ")
    assert said.endswith(f"are done and kept in {state}: the same command resumes after them\n")
    assert "Traceback" not in said
    assert not out.exists()
    assert scanned(*call).returncode == 1
    assert rows(out) == expected(str(file), values)


@pytest.mark.prove
@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are found in /proc")
def test_a_process_that_is_killed_ends_the_scan_which_goes_on(
    file: Path, tmp_path: Path, values: list[str]
) -> None:
    out, state = tmp_path / "out.parquet", tmp_path / "out.parquet.scan"
    process = started(file, "--output", out, "--jobs", "2")
    wait_for(lambda: lines(state) >= 10, process)
    victim = next(workers(process))
    os.kill(victim, signal.SIGKILL)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 2, said
    assert "a process of the scan was killed, perhaps for lack of memory: try fewer" in said
    assert "Traceback" not in said
    assert scanned(file, "--output", out, "--jobs", "2").returncode == 1
    assert rows(out) == expected(str(file), values)


@pytest.mark.prove
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_nothing_is_lost_where_there_is_no_room(
    jobs: str, tmp_path: Path, file: Path, values: list[str]
) -> None:
    import resource

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

    out, state = tmp_path / "out.parquet", tmp_path / "out.parquet.scan"
    call = (file, "--output", out, "--jobs", jobs)
    failed = scanned(*call, preexec_fn=little_room)
    assert (failed.returncode, failed.stdout) == (2, "")
    assert "File too large" in failed.stderr
    assert "the same command resumes after them" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert not out.exists()
    assert lines(state) > 1
    assert scanned(*call).returncode == 1
    assert rows(out) == expected(str(file), values)


@pytest.mark.prove
def test_the_state_of_another_scan_is_not_used(file: Path, tmp_path: Path) -> None:
    out, state = tmp_path / "out.parquet", tmp_path / "out.parquet.scan"
    process = started(file, "--output", out, "--jobs", "1")
    wait_for(lambda: lines(state) >= 5, process)
    other = scanned(file, "--output", out, "--jobs", "1")
    assert other.returncode == 2
    assert f"{state}: another scan works in this folder" in other.stderr
    process.kill()
    process.communicate()
    changed = scanned(file, "--output", out, "-r", "URI-reference")
    assert changed.returncode == 2
    assert "its rule is URI, and not URI-reference; delete it" in changed.stderr
    os.utime(file, (1, 1))
    changed = scanned(file, "--output", out)
    assert f"changed since it began: {file}; delete it" in changed.stderr
    (state / "journal.jsonl").write_text("nothing of ours\n")
    assert "line 1 is not a line of a scan's journal" in scanned(file, "--output", out).stderr
    strange = tmp_path / "photos"
    strange.mkdir()
    (strange / "cat.jpeg").write_bytes(b"")
    refused = scanned(file, "--output", out, "--state", strange)
    assert refused.returncode == 2
    assert f"{strange}: a folder with other files in it" in refused.stderr
    assert sorted(p.name for p in strange.iterdir() if p.name != "lock") == ["cat.jpeg"]


@pytest.mark.prove
def test_a_text_file_goes_on_too(tmp_path: Path) -> None:
    file, out = tmp_path / "urls.txt.gz", tmp_path / "out.parquet"
    values = [f"http://h/{'a' * 90}/{i}{'|' * (i % 50 == 0)}" for i in range(200_000)]
    file.write_bytes(gzip.compress("\n".join(values).encode(), 1))
    call = (file, "--output", out, "--jobs", "2")
    process = started(*call)
    wait_for(lambda: lines(tmp_path / "out.parquet.scan") >= 2, process)
    process.kill()
    process.communicate()
    done = scanned(*call)
    assert "rows were done before" in done.stderr
    assert [row["row"] for row in rows(out)] == list(range(0, 200_000, 50))


FEW = 800


class Kept:
    """A scan of few rows in this process, that is stopped when half of them are done."""

    def __init__(self, folder: Path) -> None:
        self.values = texts(FEW)
        self.file = parquet(folder / "few.parquet", self.values, 80)
        self.out, self.state = folder / "o.parquet", folder / "o.parquet.scan"
        self.said: list[str] = []

    def run(self, tick: Callable[[Tick], None] = lambda _: None) -> Result:
        self.said.clear()
        about = {"rule": "URI", "grammar": "rfc3986"}  # as of the command
        options = Options(out=str(self.out), processes=1, about=about)
        return scan(
            [str(self.file)],
            Rule(),
            options,
            notify=lambda words, _: self.said.append(words),
            tick=tick,
        )

    def stop(self) -> None:
        def tick(now: Tick) -> None:
            if now.rows >= FEW // 2:
                raise KeyboardInterrupt

        with pytest.raises(Interrupted):
            self.run(tick)
        assert len(self.parts) == 5

    @property
    def parts(self) -> list[Path]:
        return sorted(self.state.glob("part-*"))

    def is_right(self) -> None:
        """All rows are in the output, each once, and the counts are theirs."""
        counts = self.run().counts
        wanted = expected(str(self.file), self.values)
        assert rows(self.out) == wanted
        assert (counts.rows, counts.violations) == (FEW, len(wanted))
        assert not self.state.exists()


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    found = Kept(tmp_path)
    found.stop()
    return found


def cut(part: Path) -> None:
    part.write_bytes(part.read_bytes()[:-9])


def flip(part: Path) -> None:
    """Octets within a page, where only its checksum tells."""
    raw = bytearray(part.read_bytes())
    raw[len(raw) // 3] ^= 0xFF
    part.write_bytes(raw)


def fewer_rows(part: Path) -> None:
    table = pq.read_table(part)
    pq.write_table(table.slice(1), part)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "lost": Path.unlink,
    "empty": lambda part: part.write_bytes(b""),
    "cut": cut,
    "garbage": lambda part: part.write_bytes(b"PAR1" + bytes(range(256)) * 9 + b"PAR1"),
    "flipped": flip,
    "fewer rows": fewer_rows,
    "other columns": lambda part: pq.write_table(pq.read_table(part).drop(["fix"]), part),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_part_that_is_not_whole_is_made_again(damage: str, kept: Kept) -> None:
    for part in kept.parts[1:3]:
        DAMAGE[damage](part)
    kept.is_right()
    assert kept.said == [
        "400 rows were done before; the scan resumes after them",
        "2 parts of the output are lost or damaged: their rows are read again",
    ]


@pytest.mark.parametrize("damage", ["lost", "cut"])
def test_a_part_that_is_lost_while_it_works(damage: str, kept: Kept) -> None:
    def tick(now: Tick) -> None:
        if now.rows == FEW:
            DAMAGE[damage](kept.parts[3])

    name = kept.parts[3].name
    with pytest.raises(ScanError, match=f"{name} is lost or damaged; 800 rows are done and kept"):
        kept.run(tick)
    assert not kept.out.exists()
    kept.is_right()


def test_a_lost_part_is_never_the_exit_code_of_invalid_texts(kept: Kept) -> None:
    kept.parts[0].unlink()
    kept.file.chmod(0o000)
    kept.file.unlink()
    ended = scanned(kept.file, "--output", kept.out)
    assert (ended.returncode, "Traceback" in ended.stderr) == (2, False)
    assert not kept.out.exists()


@pytest.mark.parametrize("left", [None, b"", b'{"sca', b'{"scan":{}}'])
def test_without_its_journal_a_scan_begins_again(left: bytes | None, kept: Kept) -> None:
    """Parts are there, one more than the scan will write."""
    journal = kept.state / "journal.jsonl"
    journal.unlink() if left is None else journal.write_bytes(left)
    kept.parts[0].rename(kept.state / "part-000000-000000999.parquet")
    kept.is_right()
    assert kept.said == []


def test_a_journal_that_is_cut_short(kept: Kept) -> None:
    journal = kept.state / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])
    kept.is_right()
    assert kept.said == ["320 rows were done before; the scan resumes after them"]


@pytest.mark.parametrize(
    "line",
    [b"\xff\0\xfe", b"[]", b"7", b'{"done":[[0,0,1]]}', b'{"scan":[]}', b"[" * 100_000, b"{}"],
)
@pytest.mark.parametrize("at", [0, 1])
def test_a_journal_of_something_else_is_refused(line: bytes, at: int, kept: Kept) -> None:
    journal = kept.state / "journal.jsonl"
    found = journal.read_bytes().split(b"\n")
    found[at] = line
    journal.write_bytes(b"\n".join(found))
    with pytest.raises(ScanError, match=r"is not a line of a scan's journal|state of another"):
        kept.run()
    assert len(kept.parts) == 5


def test_links_are_refused(kept: Kept, tmp_path: Path) -> None:
    elsewhere = kept.state.rename(tmp_path / "elsewhere")
    kept.state.symlink_to(elsewhere)
    with pytest.raises(ScanError, match=r"o\.parquet\.scan: a link; name the folder itself"):
        kept.run()
    kept.state.unlink()
    elsewhere.rename(kept.state)
    for name in ("part-000000-000000001.parquet", "journal.jsonl", "lock"):
        own = tmp_path / "own"
        own.write_bytes(b"of someone else")
        (kept.state / name).unlink()
        (kept.state / name).symlink_to(own)
        # The journal is the file whose place says whether the folder leads out of its tree.
        why = "a link leads out of" if name == "journal.jsonl" else "not a file that a scan wrote"
        with pytest.raises(ScanError, match=why):
            kept.run()
        assert own.read_bytes() == b"of someone else"
        (kept.state / name).unlink()


def test_parts_of_other_programs_stay(kept: Kept, tmp_path: Path) -> None:
    """Spark's output has names that begin as ours do."""
    folder = tmp_path / "spark"
    folder.mkdir()
    (folder / "part-00000-1b.parquet").write_bytes(b"theirs")
    options = Options(state=str(folder), processes=1)
    with pytest.raises(ScanError, match="a folder with other files in it"):
        scan([str(kept.file)], Rule(), options, notify=lambda words, _: kept.said.append(words))
    (kept.state / "part-00000-1b.parquet").write_bytes(b"theirs")
    kept.run()
    for one in folder, kept.state:
        assert (one / "part-00000-1b.parquet").read_bytes() == b"theirs"


def test_standard_input_is_not_gone_on_with(tmp_path: Path) -> None:
    """Nobody knows whether it is the same."""
    call: list[str] = ["-", "--state", str(tmp_path / "s"), "--report", "/dev/full"]
    assert scanned(*call, input="http://a/\n").returncode == 2
    again = scanned(*call, input="http://b c/\n")
    assert again.returncode == 2
    assert "changed since it began: -; delete it to begin again" in again.stderr


def test_hosts_do_not_depend_on_which_chunk_is_done_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summary, "MOST_HOSTS", 7)
    random = Random(3)  # noqa: S311 -- hosts, no secrets

    def done(number: int) -> tuple[Chunk, int, Done]:
        chosen = Random(number)  # noqa: S311
        hosts = Counter(f"h{chosen.randrange(40)}" for _ in range(30))
        counts = Counts({"a.txt": summary.OfFile(30, 0, 30)}, hosts=hosts)
        return Chunk(0, number, 30 * number, 30, None), number, Done(counts)

    totals: list[dict[str, Any]] = []
    for order in (range(23), range(22, -1, -1), random.sample(range(23), 23)):
        state = tmp_path / f"state{len(totals)}"
        for some in (order[:9], order[9:10], order[10:]):  # as of three runs
            journal = Journal(str(state))
            with journal.opened({"files": []}):
                for number in some:
                    journal.add(*done(number))
        totals.append(journal.total().to_dict())
    assert totals[0]["missed"] > 0
    assert totals[0] == totals[1] == totals[2]
