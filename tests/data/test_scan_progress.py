"""The line of progress: what it shows of a scan, and that it is one line of a terminal.

Owns the tests of ``Progress.scanned``. Invariant: the clock and the terminal are the test's.
"""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from uriproof.cli import _progress
from uriproof.cli._progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def line(self) -> str:
        """What is on the terminal's last line now."""
        return self.getvalue().rpartition("\r\x1b[K")[2]


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(_progress, "monotonic", made)
    return made


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    made = Terminal()
    monkeypatch.setattr(_progress, "sys", SimpleNamespace(stderr=made))
    return made


def columns(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(_progress, "_columns", lambda: number)


def test_rows_speed_time_left_and_invalid_rows(
    clock: Clock, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns(monkeypatch, 100)
    progress = Progress()
    clock.now += 10
    progress.scanned(2_000_000, 1_234, 0.25)
    bar = terminal.line[10 : terminal.line.index("]")]
    assert bar.rstrip() == "#" * (len(bar) // 4)
    words = "2,000,000 rows, 200,000 a second, 0:00:30 left, 1,234 invalid"
    assert terminal.line == f"scanning [{bar}]  25%  {words}"
    progress.close()
    assert terminal.line == ""


def test_without_a_share_there_is_no_bar_and_no_time_left(clock: Clock, terminal: Terminal) -> None:
    progress = Progress()
    clock.now += 10
    progress.scanned(50, 0, None)
    assert terminal.line == "scanning 50 rows, 5 a second, 0 invalid"


def test_nothing_is_known_yet(clock: Clock, terminal: Terminal) -> None:
    progress = Progress()
    clock.now += 10
    progress.scanned(0, 0, 0.0)
    assert terminal.line.endswith("  0%  0 rows, 0 invalid")


@pytest.mark.parametrize("number", [10, 40, 80, 200])
@pytest.mark.parametrize("share", [None, 0.0, 0.999, 1.0, 1.5])
def test_it_is_one_line(
    number: int,
    share: float | None,
    clock: Clock,
    terminal: Terminal,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns(monkeypatch, number)
    progress = Progress()
    clock.now += 10
    progress.scanned(10**10, 10**8, share)
    assert len(terminal.line) < number
    assert ("100%" in terminal.line) == (share is not None and share >= 1 and number > 20)


def test_it_waits_and_it_needs_a_terminal(clock: Clock, terminal: Terminal) -> None:
    progress = Progress()
    progress.scanned(1, 0, 0.1)
    assert terminal.getvalue() == ""
    clock.now += 1
    progress.scanned(1, 0, 0.1)
    shown = terminal.getvalue()
    progress.scanned(2, 0, 0.2)  # a moment later
    assert terminal.getvalue() == shown != ""


def test_a_pipe_gets_nothing(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr(_progress, "sys", SimpleNamespace(stderr=pipe))
    progress = Progress()
    clock.now += 10
    progress.scanned(1, 0, 0.1)
    progress.close()
    assert pipe.getvalue() == ""


def test_a_check_shows_its_bar_as_before(
    clock: Clock, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns(monkeypatch, 80)
    progress = Progress()
    seen = []
    for item in progress.over([1, 2, 1], 4, int, often=1):
        clock.now += 1
        seen.append((item, terminal.line))
    assert seen[0] == (1, "")
    assert seen[1] == (2, f"checking [{'#' * 7:<30}]  25%")
    assert seen[2] == (1, f"checking [{'#' * 22:<30}]  75%")
    assert terminal.line == ""
