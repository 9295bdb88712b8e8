"""The lines that have changed, held against the two texts; folders with files of all kinds."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import file_of

from uriproof.cli.lint import command
from uriproof.lint.config.nearest import Configs
from uriproof.lint.files.git import NoChanges, since
from uriproof.lint.files.source import Unread
from uriproof.lint.files.walk import Walk
from uriproof.lint.session import Options, Session, SessionError

pytestmark = pytest.mark.prove

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


@settings(max_examples=15)
@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_lines_changed_added_and_taken_away(
    repo: Path, changed: set[int], added: set[int], gone: set[int]
) -> None:
    lines: list[tuple[str, bool]] = []
    for number in range(10):
        if number in added:
            lines.append((f"added {number}\n", True))
        if number not in gone:
            is_new = number in changed
            lines.append((f"changed {number}\n" if is_new else f"{number}\n", is_new))
    (repo / "a").write_text("".join(line for line, _ in lines))
    changes = since("HEAD", str(repo))
    touched = [changes.touches(str(repo / "a"), n, n) for n in range(1, len(lines) + 1)]
    assert touched == [is_new for _, is_new in lines]


def test_files_of_all_kinds(tmp_path: Path) -> None:
    """What git does not track has changed; the files of another repository in this one have not,
    as they have their own history; and line ends do not count."""
    repository(tmp_path)
    (tmp_path / "x").write_bytes(b"1\n2\n3\n")
    (tmp_path / ".gitignore").write_text("ignored\n")
    commit(tmp_path)
    names = ["a b", 'quo"te', "\u00e9", "back\\slash", "tab\t", "-dash", "d/--- e"]
    for name in [*names, "new", "ignored", "inner/a"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n")
        if name == names[-1]:
            git(tmp_path, "add", "-A")
    (tmp_path / "x").write_bytes(b"1\r\n2\r\n3\r\n4\r\n")
    repository(tmp_path / "inner")
    changes = since("HEAD", str(tmp_path))
    fresh = [*names, "new", "ignored"]
    assert [name for name in fresh if not changes.touches(str(tmp_path / name), 1, 1)] == []
    assert not changes.has(str(tmp_path / "inner" / "a"))
    touched = [changes.touches(str(tmp_path / "x"), n, n) for n in range(1, 5)]
    assert touched == [False] * 3 + [True]


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
    told = "git knows no commit 'nowhere'" if ref == "nowhere" else "--since: "
    with pytest.raises(NoChanges, match=told):
        since(ref, str(repo))


def test_what_is_outside_is_refused(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be left out, and the exit code be 0."""
    monkeypatch.chdir(repo)
    Session(Options(paths=("a", str(repo)), since="HEAD"), print)
    with pytest.raises(SessionError, match=r"--since: \.\. is outside of this repository"):
        Session(Options(paths=("a", ".."), since="HEAD"), print)
    with pytest.raises(NoChanges, match="--since: not a git repository"):
        since("HEAD", str(tmp_path))


class TestWalk:
    def walked(self, folder: Path, *paths: str) -> list[str]:
        found = Walk(Configs(isolated=True)).over([str(folder / path) for path in paths or ("",)])
        return [
            f"! {item.file}" if isinstance(item, Unread) else os.path.relpath(item[0], folder)
            for item in found
        ]

    def put(self, folder: Path, *names: str) -> None:
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("")

    def test_git_and_the_disk_give_the_same_order(self, tmp_path: Path) -> None:
        self.put(tmp_path, "a/b", "a.b", "a-b", "a/c/d", "b", "B", "a/\u00e9", "ab/c", ".x/y")
        disk = self.walked(tmp_path)
        repository(tmp_path)
        assert self.walked(tmp_path) == disk
        assert disk == sorted(disk)

    def test_a_submodule_and_an_ignored_folder(self, tmp_path: Path) -> None:
        inner, outer = tmp_path / "inner", tmp_path / "outer"
        for folder in inner, outer:
            self.put(folder, "a")
            repository(folder)
        commit(inner)
        git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
        self.put(outer, "out/b")
        (outer / ".gitignore").write_text("out\n")
        assert self.walked(outer) == [".gitignore", ".gitmodules", "a", "sub/a"]
        assert self.walked(outer, "out") == ["out/b"]  # it is asked for

    @pytest.mark.parametrize(
        "pattern", ["*a" * 9 + "b", "a**" * 5 + "b", "**/a/" * 9 + "b", "!" + "*a" * 5 + "b"]
    )
    def test_patterns_that_take_long_are_not_read(self, tmp_path: Path, pattern: str) -> None:
        """Where git does not list the files. What is ignored is then checked, too."""
        pytest.importorskip("pathspec", reason="pathspec is not installed")
        name = "a" * 200
        (tmp_path / name).write_text("")
        (tmp_path / ".gitignore").write_text(f"{pattern}\n{name}\n")
        walk = Walk(Configs(isolated=True))
        assert len(list(walk.over([str(tmp_path)]))) == 2
        assert walk.notes == [
            f"{tmp_path / '.gitignore'}: not read: too many asterisks in a pattern"
        ]
        (tmp_path / ".gitignore").write_text(f"*.*~*\n**/x/**\n{name}\n")
        assert self.walked(tmp_path) == [".gitignore"]

    @pytest.mark.posix
    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / ".gitignore")
        assert self.walked(tmp_path) == []

    def test_no_file_comes_twice(self, tmp_path: Path) -> None:
        self.put(tmp_path, "a/b")
        assert self.walked(tmp_path, "a/b", "a", "", "a/../a/b") == ["a/b"]
        self.put(tmp_path, "a/B")
        if len(os.listdir(tmp_path / "a")) > 1:
            assert self.walked(tmp_path, "a/b", "a/B", "a/b", "a/B") == ["a/b", "a/B"]


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


SETTINGS = file_of(Path(__file__).with_suffix(".toml"))
PARTIAL, PROGRAMS, DRIVERS = (SETTINGS[name] for name in ("partial", "programs", "drivers"))


def settings_of(folder: Path, text: str) -> None:
    with (folder / ".git" / "config").open("a", encoding="utf-8") as stream:
        stream.write(text)


def a_missing_object(folder: Path, run: str, url: str, name: str = "HEAD:a.urls") -> None:
    """Git can fetch what a partial clone lacks."""
    found = subprocess.check_output(["git", "rev-parse", name], cwd=folder, text=True).strip()
    (folder / ".git" / "objects" / found[:2] / found[2:]).unlink()
    settings_of(folder, PARTIAL.format(run=run, url=url))


def a_sparse_index_without_a_tree(folder: Path, run: str) -> None:
    (folder / "d").mkdir()
    (folder / "d" / "b.urls").write_text("http://h/\n")
    commit(folder)
    git(folder, "sparse-checkout", "init", "--cone", "--sparse-index")
    git(folder, "sparse-checkout", "set", "none")
    a_missing_object(folder, run, "ssh://x/y", "HEAD:d")


def drivers(folder: Path, run: str, settings: str = DRIVERS) -> None:
    (folder / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
    settings_of(folder, settings.format(run=run))


def hooks(folder: Path, run: str, elsewhere: bool) -> None:
    place = folder / "hooks" if elsewhere else folder / ".git" / "hooks"
    place.mkdir(exist_ok=True)
    for name in ("post-index-change", "fsmonitor-watchman", "post-checkout", "pre-auto-gc"):
        (place / name).write_text(f"#!/bin/sh\n{run}\n")
        (place / name).chmod(0o755)
    settings_of(folder, "[core]\nuntrackedCache = true\n")
    settings_of(folder, f"hooksPath = {place}\n" if elsewhere else "")


def included(folder: Path, run: str) -> None:
    (folder / "more").write_text(PROGRAMS.format(run=run))
    settings_of(folder, '[include]\npath = ../more\n[includeIf "gitdir:**"]\npath = ../more\n')


def a_submodule(folder: Path, run: str) -> None:
    """Git looks whether a submodule has changed, by its own settings."""
    inner = folder.parent / "inner"
    inner.mkdir()
    repository(inner)
    (inner / "a.urls").write_text("http://h/\n")
    commit(inner)
    git(folder, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    commit(folder)
    with (folder / ".git" / "modules" / "sub" / "config").open("a") as stream:
        stream.write(PROGRAMS.format(run=run) + DRIVERS.format(run=run))
    (folder / "sub" / ".gitattributes").write_text("* filter=evil diff=evil\n")
    (folder / "sub" / "a.urls").write_text("http://h/2\n")


HOSTILE: dict[str, Callable[[Path, str], None]] = {
    "programs": lambda f, r: settings_of(f, PROGRAMS.format(run=r)),
    "drivers": drivers,
    "process": lambda f, r: drivers(f, r, '[filter "evil"]\nprocess = {run}\nrequired = true\n'),
    "sparse index": a_sparse_index_without_a_tree,
    "partial clone by ssh": lambda f, r: a_missing_object(f, r, "ssh://x/y"),
    "partial clone by git": lambda f, r: a_missing_object(f, r, "git://127.0.0.1/y"),
    "partial clone by path": lambda f, r: a_missing_object(f, r, str(f)),
    "partial clone by ext": lambda f, r: a_missing_object(f, r, f"ext::{r}"),
    "hooks": lambda f, r: hooks(f, r, elsewhere=False),
    "hooks elsewhere": lambda f, r: hooks(f, r, elsewhere=True),
    "includes": included,
    "submodule": a_submodule,
}


@pytest.mark.posix
@pytest.mark.parametrize("how", HOSTILE)
def test_no_program_is_run_that_a_repository_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """As in an unpacked archive, whose ``.git`` is that of its maker."""
    folder = tmp_path / "tree"
    folder.mkdir()
    repository(folder)
    (folder / "a.urls").write_text("http://h/a<b\n")
    commit(folder)
    marker = tmp_path / "marker"
    program = tmp_path / "evil"
    program.write_text(f"#!/bin/sh\necho $0 $* >> {marker}\nexit 1\n")
    program.chmod(0o755)
    HOSTILE[how](folder, str(program))
    (folder / "a.urls").write_text("http://h/a<b\nhttp://h/c<d\n")
    os.utime(folder / "a.urls", (1, 1))
    monkeypatch.chdir(folder)
    for options in ([], ["--since=HEAD"], ["--since=HEAD", "--untrusted"], ["--untrusted"]):
        run = CliRunner().invoke(command, ["--no-cache", "-q", *options], standalone_mode=False)
        assert not marker.exists(), (options, marker.read_text())
        # Without a tree of it, git does not know the commit.
        told = "Could not read" in str(run.exception) and "--since=HEAD" in options
        assert "c<d" in run.stdout or told, options


def test_an_index_does_not_lead_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is behind a link, above, or named in full: nothing of it is read or written."""
    outside, folder = tmp_path / "outside", tmp_path / "tree"
    for one in (outside, folder):
        one.mkdir()
        (one / "a.urls").write_text("http://h/a<b\n")
    repository(folder)
    blob = subprocess.check_output(["git", "hash-object", "-w", "a.urls"], cwd=folder, text=True)
    names = ["link/a.urls", "x" * len("../outside/a.urls"), "y" * len(f"{outside}/a.urls")]
    for name in names:
        git(folder, "update-index", "--add", "--cacheinfo", f"100644,{blob.strip()},{name}")
    index = (folder / ".git" / "index").read_bytes()[:-20]
    index = index.replace(names[1].encode(), b"../outside/a.urls")
    index = index.replace(names[2].encode(), f"{outside}/a.urls".encode())
    checksum = hashlib.sha1(index, usedforsecurity=False).digest()
    (folder / ".git" / "index").write_bytes(index + checksum)
    (folder / "link").symlink_to(outside)
    listed = subprocess.check_output(["git", "ls-files"], cwd=folder, text=True)
    assert "../outside/a.urls" in listed.splitlines()
    monkeypatch.chdir(folder)
    run = CliRunner().invoke(command, ["--no-cache", "--show-files"], standalone_mode=False)
    assert run.stdout.splitlines() == ["a.urls"]


@pytest.mark.posix
def test_git_is_not_waited_for_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting may name a pipe as a file to read; then the disk is read."""
    repository(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    settings_of(tmp_path, f"[include]\npath = {tmp_path / 'pipe'}\n")
    (tmp_path / "a").write_text("")
    monkeypatch.setattr("uriproof.lint.files.git.GIT_SECONDS", 0.2)
    assert TestWalk().walked(tmp_path) == ["a"]
    with pytest.raises(NoChanges, match="took longer than"):
        since("HEAD", str(tmp_path))
