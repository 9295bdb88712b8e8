"""What other programs run the linter by: the pre-commit hooks, the GitHub Action, its matcher."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from click.testing import CliRunner
from diagnostics import diagnostic

from uriproof.cli.lint import command
from uriproof.diagnostic import SEVERITIES, Severity
from uriproof.render import Style
from uriproof.render.diagnostics import as_concise
from uriproof.text.drawing import visible

ROOT = Path(__file__).parent.parent.parent
MATCHERS = json.loads((ROOT / ".github" / "uriproof-matcher.json").read_text("utf-8"))
needs_bash = pytest.mark.skipif(which("bash") is None, reason="bash is not installed")


def read_yaml(name: str) -> Any:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def matched(line: str) -> list[tuple[str, dict[str, str]]]:
    """What the runner makes of a line: severity and fields, by each matcher that takes it."""
    found: list[tuple[str, dict[str, str]]] = []
    for matcher in MATCHERS["problemMatcher"]:
        (pattern,) = matcher["pattern"]
        match = re.search(pattern["regexp"], line)
        if match is not None:
            fields = {k: match[v] for k, v in pattern.items() if k != "regexp"}
            found.append((matcher["severity"], fields))
    return found


@pytest.mark.parametrize("code", ["path-illegal", "lower-case-hex", "bad-encoding"])
@pytest.mark.parametrize("file", ["a.md", "a b/c:1.md", "C:\\x\\a.md", "<stdin>"])
@pytest.mark.parametrize("severity", SEVERITIES)
def test_the_matcher_reads_each_code_as_concise_writes_it(
    code: str, file: str, severity: Severity
) -> None:
    message = "1:2: path-illegal, says the message"
    where = (file, 0, 1, 7, 13, 7, 14)
    one = diagnostic(*where, code, severity, message, "http://h/", 0, 9, "http://h/")
    (line,) = as_concise.render([one], Style(colour=False))
    shown = "notice" if severity == "note" else severity
    expected = {"line": "7", "column": "13", "code": code, "message": message}
    assert matched(line.rstrip("\n")) == [(shown, {"file": visible(file), **expected})]


def test_the_matcher_reads_a_run(tmp_path: Path) -> None:
    (tmp_path / "a.urls").write_text("http://h/a|b\nhttp://h/%2f\n", "utf-8")
    options = ["--isolated", "--no-cache", "--format=concise", "--extend-select=lower-case-hex"]
    run = CliRunner().invoke(command, [*options, str(tmp_path)], standalone_mode=False)
    found = [one for line in run.stdout.splitlines() for one in matched(line)]
    assert [(severity, one["code"], one["line"], one["column"]) for severity, one in found] == [
        ("error", "path-illegal", "1", "11"),
        ("warning", "lower-case-hex", "2", "10"),
    ]


@pytest.mark.parametrize(
    "line",
    ["", "Found 2 problems in 1 file", "12:30:01: message", "uriproof: a: is read-only", "a:1: b"],
)
def test_the_matcher_reads_nothing_else(line: str) -> None:
    assert matched(line) == []


def test_each_matcher_has_its_own_owner() -> None:
    """A matcher takes the place of an earlier one of the same owner."""
    owners = [matcher["owner"] for matcher in MATCHERS["problemMatcher"]]
    assert len(set(owners)) == len(owners) == len(SEVERITIES)


# pre-commit


def test_the_hooks_are_as_pre_commit_wants_them() -> None:
    hooks = read_yaml(".pre-commit-hooks.yaml")
    assert [hook["id"] for hook in hooks] == ["uriproof-lint", "uriproof-lint-fix"]
    for hook in hooks:
        assert {"id", "name", "entry", "language"} <= set(hook)
        assert (hook["language"], hook["types"]) == ("python", ["text"])


@pytest.mark.parametrize("number", [0, 1])
def test_the_hooks_run(number: int, tmp_path: Path) -> None:
    """pre-commit adds the names of files; what the settings exclude is passed over."""
    program, verb, *options = shlex.split(read_yaml(".pre-commit-hooks.yaml")[number]["entry"])
    assert (program, verb) == ("uriproof", "lint")
    (tmp_path / "uriproof.toml").write_text('exclude = ["other.urls"]\n', "utf-8")
    files = [tmp_path / "a.urls", tmp_path / "other.urls"]
    for file in files:
        file.write_text("http://h/a|b\n", "utf-8")
    run = CliRunner().invoke(command, [*options, *map(str, files)], standalone_mode=False)
    assert run.return_value == 1 - number
    assert "other.urls" not in run.stdout
    after = [file.read_text("utf-8") for file in files]
    assert after == ["http://h/a%7Cb\n" if number else "http://h/a|b\n", "http://h/a|b\n"]


# The GitHub Action


def test_each_step_has_what_the_runner_wants() -> None:
    action = read_yaml("action.yml")
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        assert ("run" in step) == ("shell" in step) == ("uses" not in step)
        # Inputs in a script would be run as a part of it.
        assert "${{" not in step.get("run", "")
    text = (ROOT / "action.yml").read_text("utf-8")
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(action["inputs"])
    ids = {step["id"] for step in action["runs"]["steps"] if "id" in step}
    assert set(re.findall(r"steps\.([\w-]+)\.", text)) <= ids
    for given in action["inputs"].values():
        assert given["description"]
        assert isinstance(given["default"], str)


class Runner:
    """As much of a runner as the step that checks needs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "uriproof"
        self.program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m uriproof "$@"\n', "utf-8")
        self.program.chmod(0o755)
        self.work = folder / "work"
        self.work.mkdir()

    def step(self, **inputs: str) -> tuple[int, str, dict[str, str]]:
        """The exit code, what was told, and the outputs."""
        action = read_yaml("action.yml")
        (step,) = (step for step in action["runs"]["steps"] if step.get("id") == "lint")
        given = {name: one["default"] for name, one in action["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        values: dict[str, str] = {f"inputs.{name}": value for name, value in given.items()}
        values |= {"steps.install.outputs.program": str(self.program)}
        values |= {"github.action_path": str(ROOT)}
        outputs = self.folder / "outputs"
        outputs.write_text("", "utf-8")

        def filled(match: re.Match[str]) -> str:
            return values[match[1]]

        env = {k: re.sub(r"\$\{\{ (.*?) \}\}", filled, v) for k, v in step["env"].items()}
        run = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.work,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT / "src"),
                "GITHUB_OUTPUT": str(outputs),
                **env,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        told = dict(line.split("=", 1) for line in outputs.read_text("utf-8").splitlines())
        return run.returncode, run.stdout, told


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A runner with one wrong file and one right one, whose names are awkward."""
    one = Runner(tmp_path)
    (one.work / "wrong $(touch x) file.urls").write_text("http://h/a|b\n", "utf-8")
    (one.work / "-right.urls").write_text("http://h/\n", "utf-8")
    return one


@needs_bash
def test_the_action_fails_where_something_is_found(runner: Runner) -> None:
    code, text, outputs = runner.step()
    assert (code, outputs) == (1, {"exit-code": "1"})
    first, *lines = text.splitlines()
    assert first == f"::add-matcher::{ROOT}/.github/uriproof-matcher.json"
    (said,) = [one for line in lines for one in matched(line)]
    assert said[1]["file"] == "wrong $(touch x) file.urls"
    assert not (runner.work / "x").exists()


@needs_bash
@pytest.mark.prove
def test_the_action_passes_where_nothing_is_found_or_may_be(runner: Runner) -> None:
    assert runner.step(paths="-right.urls")[0] == 0
    code, _, outputs = runner.step(fail="false")
    assert (code, outputs["exit-code"]) == (0, "1")
    code, _, outputs = runner.step(fail="false", paths="not there")
    assert (code, outputs["exit-code"]) == (2, "2")


@needs_bash
def test_the_action_takes_lines_as_arguments(runner: Runner) -> None:
    code, text, _ = runner.step(
        paths="-right.urls\nwrong $(touch x) file.urls\n",
        args="--ignore=path-illegal\n--statistics",
        format="github",
    )
    assert code == 0
    assert "add-matcher" not in text


@needs_bash
@pytest.mark.prove
def test_the_action_writes_sarif(runner: Runner) -> None:
    code, _, outputs = runner.step(sarif="out.sarif")
    assert (code, outputs["sarif"]) == (1, "out.sarif")
    (run,) = json.loads((runner.work / "out.sarif").read_text("utf-8"))["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["path-illegal"]
