"""Other systems, imitated: paths of Windows, a file system without case, a git in the checkout."""

from __future__ import annotations

import ntpath
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from diagnostics import diagnostic as made
from tiers import quick

from uriproof.diagnostic import Diagnostic
from uriproof.lint.config.nearest import Configs
from uriproof.lint.config.settings import Settings
from uriproof.lint.engine import run
from uriproof.lint.files import git as git_file
from uriproof.lint.files.git import since
from uriproof.lint.files.walk import Walk
from uriproof.lint.find import named
from uriproof.lint.suppress.baseline import Baseline
from uriproof.render.diagnostics import _records
from uriproof.text import paths

pytestmark = pytest.mark.prove

GIT = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com"]


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Paths are compared and written as on Windows, in the folder C:\\Repo\\docs."""
    monkeypatch.setattr(paths, "SYSTEM", ntpath)
    monkeypatch.setattr(os, "getcwd", lambda: "C:\\Repo\\docs")
    # Those of links are those of the system itself.
    monkeypatch.setattr(os.path, "realpath", lambda path: path)
    _clear()
    yield ntpath
    _clear()


def _clear() -> None:
    for cached in (_records._is_below, _records._located, _records._written):
        cached.cache_clear()


def diagnostic(file: str) -> Diagnostic:
    return made(file, 0, 1, 1, 1, 1, 2, "path-illegal", "error", "", "u", 0, 1)


# Paths


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [
        ("C:\\Repo\\docs\\A.md", "C:\\Repo", "docs/A.md"),
        ("c:/repo/DOCS/A.md", "C:\\Repo", "DOCS/A.md"),
        ("A.md", "C:\\Repo", "docs/A.md"),
        ("C:\\Repo", "c:\\repo\\", ""),
        ("C:\\Repository\\a", "C:\\Repo", None),
        ("D:\\Repo\\a", "C:\\Repo", None),
        ("\\\\server\\share\\a", "\\\\SERVER\\share", "a"),
    ],
)
def test_what_lies_below(windows: ModuleType, path: str, folder: str, expected: str | None) -> None:
    assert paths.below(path, folder) == expected


def test_roots_on_windows(windows: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """However the drive of patterns is spelled, and whichever drive a baseline is on."""
    settings = Settings(root="c:\\repo")
    assert settings.relative("C:/Repo/docs/a.md") == "docs/a.md"
    assert settings.relative("C:\\REPO") == ""
    baseline = Baseline("x.json")
    monkeypatch.setattr(Baseline, "_root", "C:\\Repo")
    baseline.add([diagnostic("docs\\..\\a.md"), diagnostic("D:\\other\\b.md")])
    assert sorted(path for path, _, _ in baseline.known) == ["D:/other/b.md", "docs/a.md"]
    assert baseline.knows(diagnostic("D:/other/b.md"))
    # SARIF names files as RFC 8089 does.
    monkeypatch.setenv("GITHUB_WORKSPACE", "c:\\Repo")
    files = "a b.md", "C:\\repo\\README.md", "D:\\x\\y#.md", "\\\\server\\a share\\x.md"
    assert [_records.uri_of(file) for file in files] == [
        "docs/a%20b.md",
        "README.md",
        "file:///D:/x/y%23.md",
        "file://server/a%20share/x.md",
    ]


@pytest.mark.parametrize("name", ["Makefile", "requirements.txt", "a.blade.php", "x.toml"])
def test_formats_are_those_of_the_last_name(name: str) -> None:
    assert named(f"C:\\docs.md\\{name}") == named(f"docs/{name}") == named(name)


# A file system that takes "README.md" and "readme.md" for one


def repository(folder: Path) -> None:
    subprocess.run([*GIT, "init", "-q", "-b", "main"], cwd=folder, check=True)
    (folder / "README.md").write_text("1\n")
    subprocess.run([*GIT, "add", "-A"], cwd=folder, check=True)
    subprocess.run([*GIT, "commit", "-q", "-m", "x"], cwd=folder, check=True)
    (folder / "README.md").write_text("1\n2\n")


@pytest.mark.parametrize("numbered", [True, False])
def test_a_changed_file_in_another_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numbered: bool
) -> None:
    """Some drives number no file: then the name counts."""
    repository(tmp_path)
    stat = os.stat

    def blind(path: Any, **more: Any) -> os.stat_result:
        found = stat(str(path).replace("readme.MD", "README.md"), **more)
        return found if numbered else os.stat_result((found.st_mode, 0, *found[2:10]))

    monkeypatch.setattr(os, "stat", blind)
    changes = since("HEAD", str(tmp_path))
    touched = [changes.touches(str(tmp_path / "readme.MD"), line, line) for line in (1, 2)]
    assert touched == [False, True]


def test_such_a_file_system(tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    if not (tmp_path / "X").exists():
        pytest.skip("this file system tells the cases of letters apart")
    repository(tmp_path)
    assert since("HEAD", str(tmp_path)).touches(str(tmp_path / "readme.MD"), 2, 2)
    walk = Walk(Configs(isolated=True))
    names = ["README.md", "x", "readme.md", "X"]
    assert len(list(walk.over([str(tmp_path / name) for name in names]))) == 2


# Git


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with programs called git, in which the run begins."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    repository(folder)
    for name in ("git", "git.exe", "bin/git", "bin/git.exe"):
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\ntouch {tmp_path}/was-run\n")
        file.chmod(0o755)
    monkeypatch.chdir(folder)
    git_file._program.cache_clear()
    return folder


@pytest.mark.parametrize(
    "before",
    ["", ".", "bin", "{folder}", "{folder}/bin", "{folder}/../checkout/bin", "{folder}-link"],
)
@pytest.mark.posix
def test_no_git_of_a_checkout_is_run(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    Path(f"{checkout}-link").symlink_to(checkout / "bin")
    before = before.format(folder=checkout)
    monkeypatch.setenv("PATH", os.pathsep.join([before, os.environ["PATH"]]))
    assert since("HEAD").has("README.md")
    assert [path for path, _ in Walk(Configs(isolated=True)).over(["."])] != []  # type: ignore[misc]
    assert not (tmp_path / "was-run").exists()


@pytest.mark.posix
def test_without_git_the_disk_is_walked(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(checkout / "bin"))
    files = {path for path, _ in Walk(Configs(isolated=True)).over(["."])}  # type: ignore[misc]
    assert {"README.md", "git"} <= files
    assert not (tmp_path / "was-run").exists()


# Processes


def test_windows_has_at_most_61_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class NoPool(Exception):
        pass

    def pool(jobs: int, known: object, dump: bool) -> None:
        asked.append(jobs)
        raise NoPool

    monkeypatch.setattr(run, "_pool", pool)
    for platform in ("win32", "linux"):
        monkeypatch.setattr(run, "_PLATFORM", platform)
        with pytest.raises(NoPool):
            list(run.Run(jobs=90, least=0).over([(f"{n}.md", Settings()) for n in range(3)]))
    assert asked == [61, 90]


SCRIPT = """
import multiprocessing
from uriproof.lint.engine import run
from uriproof.lint.session import Options, Session

run._CHUNK, run._MUCH = 1, 0  # so that each file is worth a process
run._PLATFORM = "darwin"
multiprocessing.set_start_method("spawn", force=True)  # as on macOS and Windows

{guard}
    session = Session(Options(isolated=True, jobs=2), print)
    print(len(list(session.diagnostics())), "diagnostics")
"""


@pytest.mark.parametrize("guard", quick(["if True:", 'if __name__ == "__main__":']))
def test_a_script_where_processes_are_spawned(tmp_path: Path, guard: str) -> None:
    (tmp_path / "script.py").write_text(SCRIPT.format(guard=guard))
    for name in "abc":
        (tmp_path / f"{name}.urls").write_text("http://h/a|b\n")
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(run.__file__).parents[3])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "3 diagnostics\n"
    assert "Traceback" not in done.stderr
    assert ('if __name__ == "__main__":' in done.stderr) == (guard == "if True:")
