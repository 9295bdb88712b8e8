"""Waiting for files to change."""

import threading
from pathlib import Path

import pytest

from uriproof.lint.files.cache import FOLDER
from uriproof.lint.files.watch import changes

pytest.importorskip("watchfiles", reason="the extra watch is not installed")


def test_what_changes_is_told_and_what_uriproof_writes_is_not(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    seen = changes([str(tmp_path), str(tmp_path / "not there")])
    told: list[list[str]] = []
    done = threading.Event()

    def wait() -> None:
        told.append(next(seen))
        done.set()

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    # Nothing says when the system has begun to watch: so the file changes until that is seen.
    for number in range(600):
        (tmp_path / FOLDER / "entries").write_text(f"{number}", "utf-8")
        (tmp_path / ".a.md.x.uriproof-partial").write_text(f"{number}", "utf-8")
        (tmp_path / "a.md").write_text(f"{number}", "utf-8")
        if done.wait(0.1):
            break
    assert told == [[str(tmp_path / "a.md")]]


def test_nothing_is_waited_for_where_nothing_is(tmp_path: Path) -> None:
    assert list(changes([str(tmp_path / "not there")])) == []
