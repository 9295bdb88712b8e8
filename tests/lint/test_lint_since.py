"""The lines that have changed, held against the two texts; folders with files of all kinds."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uriproof.cli.lint import command
from uriproof.lint.config.nearest import Configs
from uriproof.lint.files.since import NoChanges, since
from uriproof.lint.files.source import Unread
from uriproof.lint.files.walk import Walk
from uriproof.lint.session import Options, Session, SessionError

GIT = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "core.autocrlf=false"]


def git(folder: Path, *arguments: str) -> None:
    subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True)


def repository(folder: Path) -> Path:
    git(folder, "init", "-q", "-b", "main")
    return folder


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = repository(tmp_path_factory.mktemp("repository"))
    (folder / "a").write_text("".join(f"{n}\n" for n in range(10)))
    commit(folder)
    return folder


@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_lines_changed_added_and_taken_away(
    repo: Path, changed: set[int], added: set[int], gone: set[int]
) -> None:
    lines: list[str] = []
    fresh: list[bool] = []
    for number in range(10):
        if number in added:
            lines.append(f"added {number}\n")
            fresh.append(True)
        if number not in gone:
            lines.append(f"changed {number}\n" if number in changed else f"{number}\n")
            fresh.append(number in changed)
    (repo / "a").write_text("".join(lines))
    changes = since("HEAD", str(repo))
    touched = [changes.touches(str(repo / "a"), n, n) for n in range(1, len(lines) + 1)]
    assert touched == fresh


def test_names_of_all_kinds(tmp_path: Path) -> None:
    repository(tmp_path)
    (tmp_path / "x").write_text("")
    commit(tmp_path)
    names = ["a b", 'quo"te', "é", "back\\slash", "tab\t", "-dash", "d/--- e"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n")
    git(tmp_path, "add", "-A")
    changes = since("HEAD", str(tmp_path))
    assert [name for name in names if not changes.touches(str(tmp_path / name), 1, 1)] == []


def test_a_branch_counts_from_where_it_left(tmp_path: Path) -> None:
    repository(tmp_path)
    (tmp_path / "a").write_text("1\n")
    commit(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "work")
    git(tmp_path, "checkout", "-q", "main")
    (tmp_path / "b").write_text("theirs\n")
    commit(tmp_path)
    git(tmp_path, "checkout", "-q", "work")
    (tmp_path / "a").write_text("2\n")
    commit(tmp_path)
    changes = since("main", str(tmp_path))
    assert (changes.has(str(tmp_path / "a")), changes.has(str(tmp_path / "b"))) == (True, False)


@pytest.mark.parametrize("ref", ["nowhere", "--output=x", "", "HEAD:a"])
def test_what_is_no_commit(repo: Path, ref: str) -> None:
    with pytest.raises(NoChanges):
        since(ref, str(repo))


def test_what_is_outside_is_refused(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be left out, and the exit code be 0."""
    monkeypatch.chdir(repo)
    Session(Options(paths=("a", str(repo)), since="HEAD"), print)
    with pytest.raises(SessionError, match=r"--since: \.\. is outside of this repository"):
        Session(Options(paths=("a", ".."), since="HEAD"), print)


def test_no_repository(tmp_path: Path) -> None:
    with pytest.raises(NoChanges, match="--since: not a git repository"):
        since("HEAD", str(tmp_path))


class TestWalk:
    def walked(self, folder: Path, *paths: str) -> list[str]:
        found = Walk(Configs(isolated=True)).over([str(folder / path) for path in paths or ("",)])
        return [
            f"! {item.file}" if isinstance(item, Unread) else os.path.relpath(item[0], folder)
            for item in found
        ]

    def test_git_and_the_disk_give_the_same_order(self, tmp_path: Path) -> None:
        for name in ("a/b", "a.b", "a-b", "a/c/d", "b", "B", "a/é", "ab/c", ".x/y"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text("")
        disk = self.walked(tmp_path)
        repository(tmp_path)
        assert self.walked(tmp_path) == disk
        assert disk == sorted(disk)

    def test_a_submodule(self, tmp_path: Path) -> None:
        inner = tmp_path / "inner"
        inner.mkdir()
        repository(inner)
        (inner / "a").write_text("")
        commit(inner)
        outer = tmp_path / "outer"
        outer.mkdir()
        repository(outer)
        git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
        assert "sub/a" in self.walked(outer)

    def test_an_ignored_folder_that_is_asked_for(self, tmp_path: Path) -> None:
        repository(tmp_path)
        (tmp_path / ".gitignore").write_text("out\n")
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "a").write_text("")
        assert self.walked(tmp_path) == [".gitignore"]
        assert self.walked(tmp_path, "out") == ["out/a"]

    def test_no_file_comes_twice(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "b").write_text("")
        assert self.walked(tmp_path, "a/b", "a", "", "a/../a/b") == ["a/b"]
        (tmp_path / "a" / "B").write_text("")
        if len(os.listdir(tmp_path / "a")) > 1:
            assert self.walked(tmp_path, "a/b", "a/B", "a/b", "a/B") == ["a/b", "a/B"]

    def test_settings_of_folders_below(self, tmp_path: Path) -> None:
        for name in ("a/x", "a/y", "b/x", "b/y"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text("")
        (tmp_path / "uriproof.toml").write_text('exclude = ["*.toml", "/a/x"]')
        (tmp_path / "b" / "uriproof.toml").write_text('exclude = ["*.toml", "/y"]')
        found = [
            item[0]
            for item in Walk(Configs()).over([str(tmp_path)])
            if not isinstance(item, Unread)
        ]
        assert [os.path.relpath(path, tmp_path) for path in found] == ["a/y", "b/x"]


def test_a_diagnostic_of_several_lines_is_on_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a.html"
    file.write_text('<a href="http://h/a|b\nc^d">\n<a href="http://h/a|b">\n')
    commit(tmp_path)
    for second, number in (("c^d", 0), ("c^e", 1)):
        file.write_text(f'<a href="http://h/a|b\n{second}">\n<a href="http://h/a|b">\n')
        options = ["--isolated", "--no-cache", "--format=json", "-q", "--since=HEAD"]
        found = json.loads(CliRunner().invoke(command, options).output)
        assert len(found) == number
        assert [[place["line"] for place in one["places"]] for one in found] == [
            [1, 1, 2][: 3 * number]
        ] * number
