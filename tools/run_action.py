"""The work of the GitHub Action: the linter on the paths of the inputs, and again for a SARIF file.

Owns how the inputs of ``action.yml`` are read. Imports only the standard library, because the
installed version of uriproof might be another. Invariant: no input is a part of a script, nothing
is imported from the checkout, and the exit code is 2 if something requested was not done.
"""

from __future__ import annotations

import glob
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

MATCHER = Path(__file__).parent.parent / ".github" / "uriproof-matcher.json"
WRONG, USAGE = 1, 2
_TRUTH = {"true": True, "false": False}


class InputError(ValueError):
    """An input that cannot be followed; says which and why."""


def main() -> int:
    """Check, and return the exit code of the step."""
    try:
        return _run()
    except InputError as error:
        _error(str(error))
        return USAGE


def _run() -> int:
    fails, arguments, paths = _truth("fail"), _arguments(), _paths()
    form, sarif = _input("format") or "github", _input("sarif")
    if "\n" in sarif:
        raise InputError("the input sarif is the name of one file")
    # Isolated: otherwise PYTHONPATH, and with -m the working directory, would decide the imports.
    command = [sys.executable, "-I", "-m", "uriproof", "lint", "--no-cache", f"--format={form}"]
    command += ["--untrusted"] * _truth("untrusted") + arguments
    if sarif:  # one of an earlier run is neither checked nor taken for the new one
        _require_inside(sarif)
        Path(sarif).unlink(missing_ok=True)
    matched = form == "concise"
    if matched:
        _write(f"::add-matcher::{MATCHER}")
    code = subprocess.run([*command, "--", *paths], check=False).returncode  # noqa: S603 -- no shell
    if matched:
        for one in json.loads(MATCHER.read_text("utf-8"))["problemMatcher"]:
            _write(f"::remove-matcher owner={one['owner']}::")
    failed = code not in {0, WRONG}
    if failed:
        _error(
            f"uriproof lint ended with exit code {code}; its messages are in the log of this step"
        )
    outputs = {}
    if sarif:
        file = os.path.abspath(sarif)
        # Last: of an option that is given twice, the second counts.
        command += ["--format=sarif", f"--output={file}"]
        again, done = _reported([*command, "--", *paths], file, told=failed)
        if done:
            outputs["sarif"] = file
        if not done or again not in {0, WRONG}:
            code = USAGE
    outputs["exit-code"] = str(code)
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{name}={value}\n" for name, value in outputs.items())
    return 0 if code == WRONG and not fails else code


def _reported(command: list[str], file: str, told: bool) -> tuple[int, bool]:
    """The exit code of a run that writes a SARIF log, and whether the log is complete.

    A run that ends with 2 has written the results for what it could check; ``told`` is whether its
    messages are in the log of the step already.
    """
    run = subprocess.run(command, check=False, capture_output=True)  # noqa: S603 -- no shell
    try:
        done = "runs" in json.loads(Path(file).read_bytes())
    except (OSError, ValueError):
        done = False
    if not told and (not done or run.returncode not in {0, WRONG}):
        sys.stderr.buffer.write(run.stderr)
        sys.stderr.flush()
    if not done:
        _error(f"no complete SARIF file was written to {file}")
    return run.returncode, done


def _require_inside(file: str) -> None:
    """Errors: InputError, for a file outside of the checkout behind a link in it."""
    here = os.path.abspath(os.environ.get("GITHUB_WORKSPACE", ""))
    inside = os.path.abspath(file).startswith(here + os.sep)
    if inside and not os.path.realpath(file).startswith(os.path.realpath(here) + os.sep):
        raise InputError(f"the input sarif, {file}, leads out of the checkout by a link")


def _truth(name: str) -> bool:
    given = _input(name).lower()
    if given not in _TRUTH:
        raise InputError(f"the input {name} is true or false, not {given!r}")
    return _TRUTH[given]


def _arguments() -> list[str]:
    """The options: each line is divided as a shell would, quotes and all."""
    try:
        return [word for line in _input("args").split("\n") for word in shlex.split(line)]
    except ValueError as error:
        raise InputError(f"the input args cannot be read: {error}") from error


def _paths() -> list[str]:
    """The files and folders, one on each line; a pattern stands for its matches, if there are
    any."""
    paths: list[str] = []
    for line in filter(None, map(str.strip, _input("paths").split("\n"))):
        found = [] if os.path.lexists(line) else sorted(glob.glob(line, recursive=True))
        paths += found or [line]
    return paths or ["."]


def _input(name: str) -> str:
    return os.environ.get(f"INPUT_{name.upper()}", "").strip()


def _error(text: str) -> None:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    _write(f"::error title=uriproof::{text}")


def _write(command: str) -> None:
    sys.stdout.write(f"{command}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
