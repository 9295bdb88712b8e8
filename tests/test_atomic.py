"""Files written in one step: all of the new content or all of the old, whatever fails."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from uriproof.lint.config.nearest import Configs
from uriproof.lint.files.walk import Walk
from uriproof.text import atomic


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_has_the_usual_mode_and_its_own_line_ends(tmp_path: Path) -> None:
    file, other = tmp_path / ("a" * 255), tmp_path / "b"  # a name as long as names can be
    atomic.write_text(str(file), "é\r\n\n")
    other.touch()
    assert file.read_bytes() == "é\r\n\n".encode()
    assert file.stat().st_mode == other.stat().st_mode
    assert names(tmp_path) == [file.name, "b"]


@pytest.mark.posix
def test_the_mode_stays_and_a_link_stays_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "a", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    atomic.write_text(str(link), "new")
    assert (link.is_symlink(), file.read_text()) == (True, "new")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.posix
@pytest.mark.parametrize("checkout", [False, True])
@pytest.mark.parametrize("name", ["link", "folder/a", "folder/new", "dangling", "chain"])
def test_no_link_leads_out_of_the_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, checkout: bool
) -> None:
    """A tree may be a stranger's; one whose working directory is elsewhere is known by its .git."""
    outside, tree = tmp_path / "outside", tmp_path / "tree"
    outside.mkdir()
    (tree / "inner").mkdir(parents=True)
    (outside / "a").write_text("old")
    (tree / "link").symlink_to(outside / "a")
    (tree / "dangling").symlink_to(outside / "new")
    (tree / "chain").symlink_to("inner/chain")
    (tree / "inner" / "chain").symlink_to(outside / "a")
    (tree / "folder").symlink_to(outside)
    if checkout:
        (tree / ".git").mkdir()
    else:
        monkeypatch.chdir(tree)
    with pytest.raises(OSError, match="a link leads out of"):
        atomic.write_text(str(tree / name), "new")
    assert (names(outside), (outside / "a").read_text()) == (["a"], "old")
    (tree / "inner" / "within").symlink_to(tree / "b")
    atomic.write_text(str(tree / "inner" / "within"), "new")
    assert (tree / "b").read_text() == "new"


@pytest.mark.posix
def test_the_links_of_the_system_and_of_the_user_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "home").symlink_to("real")
    monkeypatch.chdir(tmp_path / "home")
    atomic.write_text("a", "1")
    atomic.write_text(str(tmp_path / "home" / "b"), "2")
    assert names(tmp_path / "real") == ["a", "b"]
    read, write = os.pipe()
    os.write(write, b"0")
    atomic.write_text(f"/dev/fd/{write}", "1")
    assert os.read(read, 2) == b"01"
    os.close(read)
    os.close(write)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_fails_in_between_leaves_the_old_file(
    tmp_path: Path, error: type[BaseException]
) -> None:
    file = tmp_path / "a"
    file.write_text("old")

    def write() -> None:
        with atomic.replacing(str(file)) as stream:
            stream.write(b"half of the n")
            raise error

    with pytest.raises(error):
        write()
    assert (names(tmp_path), file.read_text()) == (["a"], "old")


def test_what_cannot_be_flushed_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "a"
    file.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        atomic.write_text(str(file), "new")
    assert (names(tmp_path), file.read_text()) == (["a"], "old")


def test_a_file_that_is_held_open_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a"
    replace, failures = os.replace, [PermissionError(13, "in use")] * 2

    def held(source: str, target: str) -> None:
        if failures:
            raise failures.pop()
        replace(source, target)

    monkeypatch.setattr(os, "replace", held)
    monkeypatch.setattr(atomic, "sleep", lambda seconds: None)
    monkeypatch.setattr(atomic, "_TRIES", 1)
    with pytest.raises(PermissionError, match="in use: another program might hold it open"):
        atomic.write_text(str(file), "new")
    assert names(tmp_path) == []
    failures.append(PermissionError(13, "in use"))
    atomic.write_text(str(file), "new")
    assert file.read_text() == "new"


def test_folders_and_devices(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        atomic.write_text(str(tmp_path), "new")
    with pytest.raises(FileNotFoundError):
        atomic.write_text(str(tmp_path / "none" / "a"), "new")
    atomic.write_text(os.devnull, "new")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_killed_writer_leaves_nothing_that_is_linted(tmp_path: Path) -> None:
    """The process ends at once, as if it were killed, before the new file is in its place."""
    file = tmp_path / "a.urls"
    file.write_text("http://h/a|b\n")
    script = (
        "import os, sys; from uriproof.text import atomic\n"
        "with atomic.replacing(sys.argv[1]) as stream:\n"
        "    stream.write(b'http://h/a|b'); stream.flush(); os._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(file)], check=False).returncode == 9
    (left,) = set(names(tmp_path)) - {"a.urls"}
    assert left.endswith(atomic.PARTIAL)
    walk = Walk(Configs(isolated=True))
    for _ in range(2):  # from the disk, then from git
        assert [item[0] for item in walk.over([str(tmp_path)])] == [str(file)]
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
