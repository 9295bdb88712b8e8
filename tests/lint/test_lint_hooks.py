"""What other programs run the linter by: the pre-commit hooks, the GitHub Action, its matcher."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from click.testing import CliRunner
from diagnostics import diagnostic

from uriproof.cli.lint import command
from uriproof.diagnostic import SEVERITIES, Severity
from uriproof.render import Style
from uriproof.render.diagnostics.full import as_concise
from uriproof.text.drawing import visible

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parent.parent.parent
MATCHERS = json.loads((ROOT / ".github" / "uriproof-matcher.json").read_text("utf-8"))
OWNERS = [matcher["owner"] for matcher in MATCHERS["problemMatcher"]]
needs_bash = pytest.mark.posix


@cache
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


@pytest.mark.parametrize("file", ["a.md", "a b/c:1.md", "C:\\x\\a.md", "<stdin>"])
@pytest.mark.parametrize("severity", SEVERITIES)
def test_the_matcher_reads_what_concise_writes(file: str, severity: Severity) -> None:
    message = "1:2: path-illegal, says the message"
    where = (file, 0, 1, 7, 13, 7, 14)
    one = diagnostic(*where, "lower-case-hex", severity, message, "http://h/", 0, 9, "http://h/")
    (line,) = as_concise([one], Style(color=False))
    shown = "notice" if severity == "note" else severity
    expected = {"line": "7", "column": "13", "code": one.code, "message": message}
    assert matched(line.rstrip("\n")) == [(shown, {"file": visible(file), **expected})]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Checked 2 URLs in 1 file: 2 diagnostics",
        "12:30:01: message",
        "uriproof: a: b",
        "a:1: b",
    ],
)
def test_the_matcher_reads_nothing_else(line: str) -> None:
    assert matched(line) == []
    # A matcher takes the place of an earlier one of the same owner.
    assert len(set(OWNERS)) == len(OWNERS) == len(SEVERITIES)


# pre-commit


@pytest.mark.parametrize("number", [0, 1])
def test_the_hooks_run(number: int, tmp_path: Path) -> None:
    """pre-commit adds the names of files; what the settings exclude is passed over."""
    program, verb, *options = shlex.split(read_yaml(".pre-commit-hooks.yaml")[number]["entry"])
    assert (program, verb) == ("uriproof", "lint")
    (tmp_path / "uriproof.toml").write_text('exclude = ["other.urls"]\n', "utf-8")
    files = [tmp_path / "a.urls", tmp_path / "other.urls"]
    for file in files:
        file.write_text("http://h/aéb\n", "utf-8")
    run = CliRunner().invoke(command, [*options, *map(str, files)], standalone_mode=False)
    assert run.return_value == 1 - number
    assert "other.urls" not in run.stdout
    after = [file.read_text("utf-8") for file in files]
    assert after == ["http://h/a%C3%A9b\n" if number else "http://h/aéb\n", "http://h/aéb\n"]


def test_pre_commit_takes_the_hooks() -> None:
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")
    command = [sys.executable, "-m", "pre_commit", "validate-manifest"]
    subprocess.run([*command, str(ROOT / ".pre-commit-hooks.yaml")], check=True)


# The image


def test_the_image_is_made_of_what_is_there() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    copied = [line.split()[1:-1] for line in lines if line.startswith("COPY ")]
    own = [name for names in copied for name in names if names[0][:2] != "--"]
    assert {"pyproject.toml", "src"} <= set(own)
    assert [name for name in own if not (ROOT / name).exists()] == []
    trusted = [line.rpartition("safe.directory ")[2] for line in lines if "safe.directory" in line]
    (folder,) = (line.split()[1] for line in lines if line.startswith("WORKDIR "))
    assert trusted == [folder]
    # GitLab runs a job's script by a shell, which an entry point would replace.
    assert not any(line.startswith("ENTRYPOINT") for line in lines)


def test_the_image_is_built_and_runs(tmp_path: Path) -> None:
    docker = which("docker")
    if not docker or subprocess.run([docker, "info"], check=False, capture_output=True).returncode:
        pytest.skip("docker is not installed, or does not run")
    (tmp_path / "a.urls").write_text("http://h/a b\n", "utf-8")
    subprocess.run([docker, "build", "--quiet", "--tag", "uriproof-test", str(ROOT)], check=True)
    mount = ["--rm", "--volume", f"{tmp_path}:/work"]
    run = subprocess.run([docker, "run", *mount, "uriproof-test"], check=False)
    assert run.returncode == 1


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
    script = (ROOT / "tools" / "run_action.py").read_text("utf-8")
    names = re.findall(r'_(?:input|truth)\("(\w+)"\)', script)
    read = {f"INPUT_{name.upper()}" for name in names}
    assert read == set(re.findall(r"INPUT_\w+", text))
    ids = {step["id"] for step in action["runs"]["steps"] if "id" in step}
    assert set(re.findall(r"steps\.([\w-]+)\.", text)) <= ids
    for given in action["inputs"].values():
        assert given["description"]
        assert isinstance(given["default"], str)


def put_program(file: Path, script: str) -> Path:
    file.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    file.chmod(0o755)
    return file


class Runner:
    """As much of a runner as the steps need. The interpreter is that of the tests, which has
    uriproof; ``variables`` are those of the job."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.python = put_program(self.bin / "python", f'exec "{sys.executable}" "$@"')
        self.work, self.temp = folder / "work", folder / "temp"
        self.work.mkdir()
        self.temp.mkdir()
        self.variables: dict[str, str] = {}

    def step(self, id: str = "lint", **inputs: str) -> tuple[int, str, dict[str, str]]:
        """The exit code, what was printed, and the outputs."""
        action = read_yaml("action.yml")
        (step,) = (step for step in action["runs"]["steps"] if step.get("id") == id)
        given = {name: one["default"] for name, one in action["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        values: dict[str, str] = {f"inputs.{name}": value for name, value in given.items()}
        values |= {"steps.install.outputs.python": str(self.python)}
        values |= {"runner.temp": str(self.temp)}

        def filled(text: str) -> str:
            return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: values[match[1]], text)

        files = {name: self.folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("", "utf-8")
        run = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.work / filled(step["working-directory"]),
            env={
                **os.environ,
                "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
                "RUNNER_TEMP": str(self.temp),
                "GITHUB_ACTIONS": "true",
                "GITHUB_ACTION_PATH": str(ROOT),
                "GITHUB_WORKSPACE": str(self.work),
                **{name: str(file) for name, file in files.items()},
                **{name: filled(value) for name, value in step["env"].items()},
                **self.variables,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        self.errors = run.stderr
        self.summary = files["GITHUB_STEP_SUMMARY"].read_text("utf-8")
        outputs = files["GITHUB_OUTPUT"].read_text("utf-8").splitlines()
        return run.returncode, run.stdout, dict(line.split("=", 1) for line in outputs)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A runner with one wrong file and one right one, whose names are awkward."""
    one = Runner(tmp_path)
    (one.work / "wrong $(touch x) file.urls").write_text("http://h/a b\n", "utf-8")
    (one.work / "-right.urls").write_text("http://h/\n", "utf-8")
    return one


@needs_bash
def test_the_action_fails_where_something_is_found(runner: Runner) -> None:
    code, text, outputs = runner.step()
    assert (code, outputs) == (1, {"exit-code": "1"})
    assert "file=wrong $(touch x) file.urls,line=1" in text
    assert "1 diagnostic in 1 file" in runner.summary
    assert not (runner.work / "x").exists()
    assert runner.step(paths="-right.urls")[0] == 0
    code, _, outputs = runner.step(fail="false", paths="not there")
    assert (code, outputs["exit-code"]) == (2, "2")


@needs_bash
def test_the_action_runs_in_a_folder(runner: Runner) -> None:
    """Paths are from the repository's root, and the SARIF file is where the output has it."""
    docs = runner.work / "docs"
    docs.mkdir()
    for name in ("a.urls", "b.urls", "c.txt"):
        (docs / name).write_text("http://h/a b\n", "utf-8")
    code, text, outputs = runner.step(
        working_directory="docs",
        paths="*.urls\n[b].urls\nc.txt",
        args="--exclude 'b.urls' --force-exclude\n--ignore=host",
        sarif="out.sarif",
        fail="False",
    )
    assert (code, outputs) == (0, {"exit-code": "1", "sarif": str(docs / "out.sarif")})
    assert re.findall("file=(.*?),", text) == ["docs/a.urls"]
    (run,) = json.loads((docs / "out.sarif").read_text("utf-8"))["runs"]
    (result,) = run["results"]
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "docs/a.urls"


@needs_bash
def test_the_action_has_the_matcher_for_its_lines_alone(runner: Runner) -> None:
    _, text, _ = runner.step(format="concise")
    first, *lines = text.splitlines()
    assert first == f"::add-matcher::{ROOT}/.github/uriproof-matcher.json"
    (found,) = [one for line in lines for one in matched(line)]
    assert found[1]["file"] == "wrong $(touch x) file.urls"
    assert lines[-len(OWNERS) :] == [f"::remove-matcher owner={owner}::" for owner in OWNERS]


@needs_bash
@pytest.mark.parametrize(
    ("inputs", "what"),
    [
        ({"sarif": "none/out.sarif"}, "no complete SARIF file was written to"),
        ({"sarif": "out.sarif", "args": "--statistics"}, "no complete SARIF file"),
        ({"fail": "yes"}, "the input fail is true or false, not 'yes'"),
        ({"untrusted": ""}, "the input untrusted is true or false, not ''"),
        ({"args": "--ignore 'path"}, "the input args cannot be read: No closing quotation"),
    ],
)
def test_the_action_notices_what_was_not_done(
    runner: Runner, inputs: dict[str, str], what: str
) -> None:
    code, text, outputs = runner.step(paths="-right.urls", **inputs)
    assert (code, outputs.get("sarif")) == (2, None)
    (error,) = (line for line in text.splitlines() if line.startswith("::error "))
    assert what in error


@needs_bash
def test_the_report_of_the_action_is_its_own(runner: Runner) -> None:
    code, text, outputs = runner.step(sarif="out.sarif", args="--output=log --format=json -q")
    assert (code, text) == (1, "")
    assert json.loads((runner.work / "log").read_text("utf-8"))[0]["code"] == "path-illegal"
    assert "runs" in json.loads(Path(outputs["sarif"]).read_text("utf-8"))


HOSTILE = (
    *("pip", "venv", "json", "sitecustomize", "usercustomize", "glob", "shlex", "uriproof"),
    *("click", "lark", "encodings", "site", "multiprocessing", "tools", "abnf", "ensurepip"),
)


def put_hostile_modules(folder: Path, marker: Path) -> None:
    """Modules and packages that leave a mark when they are imported, and files that name them."""
    code = f"open({str(marker)!r}, 'a').write(__name__ + ' ' + __file__ + '\\n')\n"
    for number, name in enumerate(HOSTILE):
        if number % 2:
            (folder / f"{name}.py").write_text(code, "utf-8")
        else:
            (folder / name).mkdir()
            for file in ("__init__.py", "__main__.py"):
                (folder / name / file).write_text(code, "utf-8")
    (folder / "x.pth").write_text(f"import os; open({str(marker)!r}, 'a')\n", "utf-8")
    (folder / "pyvenv.cfg").write_text(f"home = {folder}\n", "utf-8")
    (folder / "pip.conf").write_text("[global]\nindex-url = http://127.0.0.1:9/\n", "utf-8")
    (folder / "setup.py").write_text(code, "utf-8")
    put_program(folder / "python3", f"touch {marker}")


# A new environment has this in the place of its interpreter: pip, which needs a network, only says
# its version, which imports as much of it.
PYTHON = """echo "$GITHUB_TOKEN$ACTIONS_ID_TOKEN_REQUEST_TOKEN" >> "{seen}"
real="$(dirname "$0")/real"
[ -e "$real" ] || real="{python}"
case "$*" in
*"-m venv "*)
    "$real" "$@" --without-pip
    for folder in "$@"; do :; done
    mv "$folder/bin/python" "$folder/bin/real"
    cp "$0" "$folder/bin/python";;
*"-m pip "*) exec "{python}" "$1" "$2" "$3" --version;;
*) exec "$real" "$@";;
esac"""


@needs_bash
@pytest.mark.parametrize("step", ["install", "lint"])
def test_no_step_of_the_action_runs_code_of_the_checkout(runner: Runner, step: str) -> None:
    """Whatever the job has in its environment."""
    marker, seen = runner.folder / "marker", runner.folder / "seen"
    put_hostile_modules(runner.work, marker)
    (runner.work / "docs").mkdir()
    put_hostile_modules(runner.work / "docs", marker)
    put_program(runner.bin / "python3", PYTHON.format(seen=seen, python=sys.executable))
    runner.variables = {
        "PYTHONPATH": f"{runner.work}{os.pathsep}",
        "PYTHONSTARTUP": str(runner.work / "venv.py"),
        "GITHUB_TOKEN": "secret",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "secret",
    }
    code, text, outputs = runner.step(step, working_directory="docs")
    assert not marker.exists(), marker.read_text("utf-8")
    assert code == 0, text + runner.errors
    if step == "install":
        assert "secret" not in seen.read_text("utf-8")
        python = Path(outputs["python"])
        assert python.is_relative_to(runner.temp)
        where = subprocess.check_output(
            [python, "-I", "-c", "import uriproof as u; print(u.__file__)"]
        )
        assert Path(where.decode().strip()) == ROOT / "src" / "uriproof" / "__init__.py"


def test_what_the_action_installs_is_pinned() -> None:
    """Every dependency of the package, and no other, each with the hash of one file."""
    lines = (ROOT / "tools" / "action-requirements.txt").read_text("utf-8").splitlines()
    pinned = [line for line in lines if line[:1] != "#"]
    found = [re.fullmatch(r"([a-z]+)==[\d.]+ --hash=sha256:[0-9a-f]{64}", one) for one in pinned]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.split(r"\W", one)[0] for one in project["dependencies"]}
    assert {one[1] for one in found if one} == names | {"colorama"}  # click's, on Windows
    assert None not in found


@needs_bash
def test_the_sarif_file_is_not_removed_behind_a_link(runner: Runner) -> None:
    outside = runner.folder / "outside"
    outside.mkdir()
    (outside / "x.sarif").write_text("kept", "utf-8")
    (runner.work / "out").symlink_to(outside)
    code, text, _ = runner.step(sarif="out/x.sarif")
    assert (code, (outside / "x.sarif").read_text("utf-8")) == (2, "kept")
    assert "leads out of the checkout by a link" in text


@needs_bash
def test_the_action_has_a_report_of_a_run_that_could_not_read_all(runner: Runner) -> None:
    """What could be checked is in the SARIF file, and the error is not that there is none."""
    (runner.work / "uriproof.toml").write_text("selekt = []\n", "utf-8")
    code, text, outputs = runner.step(sarif="out.sarif", args="--config uriproof.toml")
    assert (code, outputs["exit-code"]) == (2, "2")
    assert "runs" in json.loads(Path(outputs["sarif"]).read_text("utf-8"))
    (error,) = (line for line in text.splitlines() if line.startswith("::error title=uriproof::"))
    assert "ended with exit code 2" in error
    assert runner.errors.count("selekt") == 1


@needs_bash
def test_the_action_trusts_nothing_unless_told(runner: Runner) -> None:
    (runner.work / "uriproof.toml").write_text('exclude = ["*"]\n', "utf-8")
    assert runner.step()[0] == 1
    assert "not those of the tree" in runner.errors
    assert runner.step(untrusted="false")[0] == 0
    assert runner.step(args="--config uriproof.toml")[0] == 0
