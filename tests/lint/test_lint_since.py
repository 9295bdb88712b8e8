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
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
    with pytest.raises(NoChanges) as caught:
        since(ref, str(repo))
    assert ref != "nowhere" or "git knows no commit 'nowhere'" in str(caught.value)


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


def settings_of(folder: Path, text: str) -> None:
    with (folder / ".git" / "config").open("a", encoding="utf-8") as stream:
        stream.write(text)


def a_sparse_index_without_a_tree(folder: Path, run: str) -> None:
    (folder / "d").mkdir()
    (folder / "d" / "b.urls").write_text("http://h/\n")
    commit(folder)
    git(folder, "sparse-checkout", "init", "--cone", "--sparse-index")
    git(folder, "sparse-checkout", "set", "none")
    tree = subprocess.check_output(["git", "rev-parse", "HEAD:d"], cwd=folder, text=True).strip()
    (folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    settings_of(
        folder,
        "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n"
        "[protocol]\nallow = always\n"
        f'[remote "origin"]\npromisor = true\nurl = ssh://x/y\nuploadpack = {run}\n'
        f"[core]\nsshCommand = {run} --\ngitProxy = {run}\n",
    )


def a_missing_blob(folder: Path, run: str, url: str) -> None:
    blob = subprocess.check_output(["git", "rev-parse", "HEAD:a.urls"], cwd=folder, text=True)
    (folder / ".git" / "objects" / blob[:2] / blob[2:].strip()).unlink()
    settings_of(
        folder,
        "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n"
        '[protocol]\nallow = always\n[protocol "ext"]\nallow = always\n'
        f'[remote "origin"]\npromisor = true\nurl = {url}\nuploadpack = {run}\n'
        f"[core]\nsshCommand = {run} --\ngitProxy = {run}\naskPass = {run}\n"
        f'[credential]\nhelper = "!{run}"\n',
    )


def a_driver(folder: Path, run: str, attribute: str, setting: str) -> None:
    (folder / ".gitattributes").write_text(f"* {attribute}=evil\n")
    settings_of(folder, setting.format(run=run))


def hooks(folder: Path, run: str) -> None:
    for name in ("post-index-change", "fsmonitor-watchman", "post-checkout", "pre-auto-gc"):
        file = folder / ".git" / "hooks" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{run}\n")
        file.chmod(0o755)
    settings_of(folder, "[core]\nuntrackedCache = true\n")


def hooks_elsewhere(folder: Path, run: str) -> None:
    hooks(folder, run)
    (folder / ".git" / "hooks").rename(folder / "hooks")
    settings_of(folder, f"[core]\nhooksPath = {folder / 'hooks'}\n")


def included(folder: Path, run: str) -> None:
    (folder / "more").write_text(f"[core]\nfsmonitor = {run}\n")
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
        stream.write(f'[core]\nfsmonitor = {run}\n[filter "evil"]\nclean = {run}\n')
    (folder / "sub" / ".gitattributes").write_text("* filter=evil\n")
    (folder / "sub" / "a.urls").write_text("http://h/2\n")


HOSTILE: dict[str, Callable[[Path, str], None]] = {
    "fsmonitor": lambda f, r: settings_of(f, f"[core]\nfsmonitor = {r}\n"),
    "sparse index": a_sparse_index_without_a_tree,
    "partial clone by ssh": lambda f, r: a_missing_blob(f, r, "ssh://x/y"),
    "partial clone by git": lambda f, r: a_missing_blob(f, r, "git://127.0.0.1/y"),
    "partial clone by path": lambda f, r: a_missing_blob(f, r, str(f)),
    "partial clone by ext": lambda f, r: a_missing_blob(f, r, f"ext::{r}"),
    "clean": lambda f, r: a_driver(f, r, "filter", '[filter "evil"]\nclean = {run}\n'),
    "process": lambda f, r: a_driver(
        f, r, "filter", '[filter "evil"]\nprocess = {run}\nrequired = true\nsmudge = {run}\n'
    ),
    "textconv": lambda f, r: a_driver(f, r, "diff", '[diff "evil"]\ntextconv = {run}\n'),
    "diff command": lambda f, r: a_driver(f, r, "diff", '[diff "evil"]\ncommand = {run}\n'),
    "merge driver": lambda f, r: a_driver(f, r, "merge", '[merge "evil"]\ndriver = {run}\n'),
    "external diff": lambda f, r: settings_of(f, f"[diff]\nexternal = {r}\n"),
    "pager": lambda f, r: settings_of(
        f, f"[core]\npager = {r}\n[pager]\nls-files = {r}\nrev-parse = {r}\nls-tree = {r}\n"
    ),
    "aliases": lambda f, r: settings_of(
        f, "[alias]\n" + "".join(f"{n} = !{r}\n" for n in ("ls-files", "rev-parse", "cat-file"))
    ),
    "hooks": hooks,
    "hooks elsewhere": hooks_elsewhere,
    "includes": included,
    "alternates": lambda f, r: settings_of(f, f"[core]\nalternateRefsCommand = {r}\n"),
    "signatures": lambda f, r: settings_of(
        f, f"[gpg]\nprogram = {r}\n[log]\nshowSignature = true\n[core]\neditor = {r}\n"
    ),
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


def test_line_ends_do_not_count(tmp_path: Path) -> None:
    repository(tmp_path)
    (tmp_path / "a").write_bytes(b"1\n2\n3\n")
    commit(tmp_path)
    (tmp_path / "a").write_bytes(b"1\r\n2\r\n3\r\n4\r\n")
    changes = since("HEAD", str(tmp_path))
    assert [changes.touches(str(tmp_path / "a"), n, n) for n in range(1, 5)] == [False] * 3 + [True]


def test_what_git_does_not_track_has_changed(tmp_path: Path) -> None:
    """The files of another repository in this one have their own history."""
    repository(tmp_path)
    (tmp_path / ".gitignore").write_text("ignored\n")
    commit(tmp_path)
    for name in ("new", "ignored", "inner/a"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n")
    repository(tmp_path / "inner")
    changes = since("HEAD", str(tmp_path))
    assert [changes.has(str(tmp_path / name)) for name in ("new", "ignored")] == [True, True]
    assert not changes.has(str(tmp_path / "inner" / "a"))
