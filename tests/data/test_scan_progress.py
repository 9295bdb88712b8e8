"""The line of progress: what it shows of a scan, and that it is one line of a terminal.

Owns the tests of ``Progress.scanned``. Invariant: the clock and the terminal are the test's.
"""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest
from commands import Run
from scans import parquet, texts

from uriproof.cli import _progress
from uriproof.cli._progress import Progress


class Terminal(io.StringIO):
    now, step = 100.0, 0.0
    columns = 100

    def clock(self) -> float:
        self.now += self.step
        return self.now

    def isatty(self) -> bool:
        return True

    @property
    def line(self) -> str:
        """What is on the terminal's last line now."""
        return self.getvalue().rpartition("\r\x1b[K")[2]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    made = Terminal()
    monkeypatch.setattr(_progress, "monotonic", made.clock)
    monkeypatch.setattr(_progress, "sys", SimpleNamespace(stderr=made))
    monkeypatch.setattr(_progress, "_columns", lambda: made.columns)
    return made


TWO = "2,000,000 rows, 200,000 a second, 0:00:30 left, 1,234 invalid"


@pytest.mark.parametrize(
    ("rows", "invalid", "share", "line"),
    [
        (2_000_000, 1_234, 0.25, f"scanning [{'#' * 5:<20}]  25%  {TWO}"),
        (50, 0, None, "scanning 50 rows, 5 a second, 0 invalid"),
        (0, 0, 0.0, f"scanning [{' ' * 30}]   0%  0 rows, 0 invalid"),
    ],
)
def test_what_it_says(
    terminal: Terminal, rows: int, invalid: int, share: float | None, line: str
) -> None:
    progress = Progress()
    progress.scanned(1, 0, 0.1)
    assert terminal.getvalue() == ""  # it waits
    terminal.now += 10
    progress.scanned(rows, invalid, share)
    progress.scanned(rows + 1, invalid, share)  # a moment later
    assert terminal.line == line
    progress.close()
    assert terminal.line == ""


@pytest.mark.parametrize("columns", [10, 40, 80, 200])
@pytest.mark.parametrize("share", [None, 0.0, 0.999, 1.0, 1.5])
def test_it_is_one_line(terminal: Terminal, columns: int, share: float | None) -> None:
    terminal.columns = columns
    progress = Progress()
    terminal.now += 10
    progress.scanned(10**10, 10**8, share)
    assert len(terminal.line) < columns
    assert ("100%" in terminal.line) == (share is not None and share >= 1 and columns > 20)


def test_a_pipe_gets_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    progress = Progress()
    terminal.now += 10
    progress.scanned(1, 0, 0.1)
    progress.close()
    assert terminal.getvalue() == ""


def test_a_check_shows_its_bar(terminal: Terminal) -> None:
    terminal.columns = 80
    seen = []
    for item in Progress().over([1, 2, 1], 4, int, often=1):
        terminal.now += 1
        seen.append((item, terminal.line))
    assert seen == [
        (1, ""),
        (2, f"checking [{'#' * 7:<30}]  25%"),
        (1, f"checking [{'#' * 22:<30}]  75%"),
    ]
    assert terminal.line == ""


def test_a_scan_shows_it(terminal: Terminal, tmp_path: Path, run: Run) -> None:
    terminal.step = 1.0
    file = parquet(tmp_path / "a.parquet", texts(300), 100)
    assert run("scan", str(file)).err == ""
    assert "scanning [" in terminal.getvalue()
    assert "invalid" in terminal.getvalue()
    assert terminal.line == ""
