"""Waiting for files to change."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from uriproof.cli import main
from uriproof.lint.files import walk
from uriproof.lint.files.walk import changes

pytest.importorskip("watchfiles", reason="the extra watch is not installed")


def test_what_changes_is_told_and_what_uriproof_writes_is_not(tmp_path: Path) -> None:
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
        (tmp_path / ".a.md.x.uriproof-partial").write_text(f"{number}", "utf-8")
        (tmp_path / "a.md").write_text(f"{number}", "utf-8")
        if done.wait(0.1):
            break
    assert told == [[str(tmp_path / "a.md")]]
    assert list(changes([str(tmp_path / "not there")])) == []


def test_runs_until_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "uriproof.toml").write_text('extend-exclude = ["x.urls"]\n')
    (tmp_path / "x.urls").write_text("http://a/|\n")
    file = tmp_path / "a.urls"
    file.write_text("http://a/|\n")

    def changed(paths: tuple[str, ...]) -> Iterator[list[str]]:
        assert paths == (".",)
        yield ["x.urls"]  # excluded
        yield ["out.txt"]  # written by the run itself
        file.write_text("http://a/\n")
        yield [str(file)]
        yield ["uriproof.toml"]
        raise KeyboardInterrupt

    monkeypatch.setattr(walk, "changes", changed)
    assert main(["lint", "--watch", "--format", "concise", "--output", "out.txt"]) == 130
    err = capsys.readouterr().err
    runs = [line.partition(" ---")[0][13:] for line in err.splitlines() if line[:3] == "---"]
    assert runs == ["a.urls changed", "uriproof.toml changed"]
    assert err.count("; press Ctrl-C to stop\n") == 3
    assert err.count("uriproof: watching 2 files; run at ") == 3  # out.txt is not checked
    assert "KeyboardInterrupt" not in err
    assert (tmp_path / "out.txt").read_text() == ""


def test_its_own_output_begins_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """As in ``uriproof lint --watch > out.txt``, which would never end."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.urls").write_text("http://a/\n")
    with open("out.txt", "w") as stream:
        monkeypatch.setattr("sys.stdout", stream)

        def changed(paths: tuple[str, ...]) -> Iterator[list[str]]:
            yield ["out.txt"]
            raise KeyboardInterrupt

        monkeypatch.setattr(walk, "changes", changed)
        assert main(["lint", "--watch"]) == 130
        monkeypatch.undo()
    assert capfd.readouterr().err.count("press Ctrl-C to stop") == 1
