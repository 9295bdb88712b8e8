"""Runs in CI systems: paths from the repository's root, also where the run begins below it."""

from __future__ import annotations

import json
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
    "markdown": r"\| `(docs/a b\.urls):1",
}

Lint = Callable[..., str]


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Lint:
    """The command's output, in the folder docs of a repository, in which one file is wrong."""
    for name in _records.ROOTS:
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "repository"
    (root / "docs").mkdir(parents=True)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    (root / "docs" / "a b.urls").write_text("http://h/a b\n", "utf-8")
    monkeypatch.chdir(root / "docs")

    def call(*arguments: str) -> str:
        return run("lint", "--isolated", "--no-cache", *arguments).out

    return call


@pytest.mark.parametrize(
    ("form", "variable", "given"),
    [(form, "GITHUB_WORKSPACE", ".") for form in sorted(PATHS)]
    + [("github", name, "{root}/docs") for name in _records.ROOTS]
    + [("github", "GITHUB_WORKSPACE", "../docs/a b.urls")],
)
def test_paths_are_from_the_root_that_a_ci_system_names(
    lint: Lint,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
    variable: str,
    given: str,
) -> None:
    root = tmp_path / "repository"
    monkeypatch.setenv(variable, str(root))
    out = lint("--format", form, given.format(root=root))
    (found,) = set(re.findall(PATHS[form], out, re.MULTILINE))
    assert found.replace("%20", " ") == "docs/a b.urls"


@pytest.mark.parametrize("form", ["github", "sarif", "gitlab", "azure"])
def test_paths_are_from_the_root_of_git(lint: Lint, form: str) -> None:
    (found,) = set(re.findall(PATHS[form], lint("--format", form)))
    assert found.replace("%20", " ") == "docs/a b.urls"


@pytest.mark.parametrize("form", ["concise", "full"])
def test_people_get_paths_as_they_gave_them(lint: Lint, form: str) -> None:
    assert lint("--format", form).startswith("a b.urls:1:")


def test_reviewdog_gets_paths_from_where_it_runs(
    lint: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "repository"))
    (one,) = json.loads(lint("--format", "rdjson"))["diagnostics"]
    assert one["location"]["path"] == "a b.urls"


@pytest.mark.parametrize("root", ["{tmp}/elsewhere", "repository", ""])
def test_a_root_that_the_run_is_not_in(
    lint: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", root.format(tmp=tmp_path))
    assert "docs/a b.urls" in lint("--format", "github")


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


def test_a_summary_has_a_limit(lint: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    lint("--format=github")
    once = summary.read_bytes()
    assert b"| `path-illegal` |" in once
    summary.write_bytes(b"x" * ((1 << 20) - len(once) + 1))
    assert "::warning title=uriproof::no summary was written. " in lint("--format=github")
    assert b"uriproof" not in summary.read_bytes()
