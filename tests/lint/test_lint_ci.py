"""Runs in CI systems: paths from the repository's root, also where the run begins below it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Run

from uriproof.render.diagnostics import _records

pytestmark = pytest.mark.prove

# Where each format has the path of a diagnostic.
PATHS = {
    "github": r"file=(.*?),",
    "sarif": r'"artifactLocation": \{"uri": "(.*?)"',
    "gitlab": r'"path": "(.*?)"',
    "azure": r"sourcepath=(.*?);",
    "checkstyle": r'file name="(.*?)"',
    "junit": r'classname="(.*?)"',
    "pylint": r"^(.*?):1: ",
    "concise": r"^(.*?):1:",
    "full": r"^(.*?):1:",
    "markdown": r"\| `(.*?):1",
    "rdjson": r'"path": "(.*?)"',
}

Lint = Callable[..., str]


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Lint:
    """The command's output, in the folder docs of a repository, in which one file is wrong."""
    root = tmp_path / "repository"
    (root / "docs").mkdir(parents=True)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    (root / "docs" / "a b.urls").write_text("http://h/a b\n", "utf-8")
    monkeypatch.chdir(root / "docs")

    def call(*arguments: str) -> str:
        return run("lint", "--isolated", "--no-cache", *arguments).out

    return call


def path_in(lint: Lint, form: str, *arguments: str) -> str:
    out = lint("--format", form, *arguments)
    (found,) = set(re.findall(PATHS[form], out, re.MULTILINE))
    return str(found).replace("%20", " ")


@pytest.mark.parametrize("form", PATHS)
def test_paths_are_from_the_root(
    lint: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """That of git, but for people, and for reviewdog, which finds it by itself; of a CI system."""
    if form in {"github", "sarif", "gitlab", "azure"}:
        assert path_in(lint, form) == "docs/a b.urls"
    elif form in {"concise", "full", "rdjson"}:
        assert path_in(lint, form) == "a b.urls"
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "repository"))
    assert path_in(lint, form) == ("a b.urls" if form == "rdjson" else "docs/a b.urls")


@pytest.mark.parametrize("given", [".", "{root}/docs", "../docs/a b.urls"])
@pytest.mark.parametrize("variable", _records.ROOTS)
def test_the_root_of_each_ci_system(
    lint: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, given: str
) -> None:
    root = tmp_path / "repository"
    monkeypatch.setenv(variable, str(root))
    assert path_in(lint, "concise", given.format(root=root)) == "docs/a b.urls"
    for elsewhere in str(tmp_path / "elsewhere"), "repository", "":
        monkeypatch.setenv(variable, elsewhere)
        assert path_in(lint, "github", given.format(root=root)) == "docs/a b.urls"


@pytest.mark.posix
def test_a_root_that_is_named_by_a_link(
    lint: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "repository")
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path / "link"))
    assert '"path": "docs/a b.urls"' in lint("--format", "gitlab")


@pytest.mark.parametrize(
    ("variable", "arguments", "start"),
    [
        ("GITHUB_ACTIONS", [], "::error title=uriproof"),
        ("TF_BUILD", [], "##vso[task.logissue"),
        ("GITLAB_CI", [], "a b.urls:1:11"),
        ("GITLAB_CI", ["--output=report"], '[{"description"'),
        ("GITHUB_ACTIONS", ["--output=report"], "a b.urls:1:11"),
        ("GITHUB_ACTIONS", ["--format=concise"], "a b.urls:1:11: path-illegal"),
    ],
)
def test_the_format_is_that_of_the_ci_system(
    lint: Lint, monkeypatch: pytest.MonkeyPatch, variable: str, arguments: list[str], start: str
) -> None:
    monkeypatch.setenv(variable, "true")
    out = lint(*arguments)
    report = Path("report")
    assert (report.read_text("utf-8") if report.exists() else out).startswith(start)
