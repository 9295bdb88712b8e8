"""Runs the examples of README.md and of docs/, and writes their output into the pages.

    python tools/build_examples.py [PAGE…]           rewrite the outputs, by default of all

Two kinds of blocks hold examples: doctests (``>>>``), which share their names from the top of a
page to its end, and ``console`` blocks: the text after ``$ uriproof …`` is the output of the
command on standard output and standard error. Commands of other programs are not run. The files
that commands read are blocks of the page whose first line is a comment with only a file name, as
``; date.abnf`` or ``<!-- guide.md -->``.

May import the package. Invariants: a page changes only between a command and the next one, and a
fence of a code block is never taken for the output of an example.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent


# Pages that other tools write, or whose tests run them.
GENERATED = ("codes", "grammars")

BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"(?:;|#|//|<!--) ([\w.-]+\.\w+)(?: -->)?\n")
# A fence opens or closes a code block (CommonMark 0.31, section 4.5).
FENCE = re.compile(r"^ *(`{3,}|~{3,})[ \t]*([^\n`]*)$", re.MULTILINE)
SHELL = re.compile(r"[|<>;&$`]")
RUN = re.compile(r"(?:printf .*\| )?uriproof ")


def pages() -> list[Path]:
    """README.md and the pages of docs/ that are written by hand, or whose examples are."""
    docs = sorted((ROOT / "docs").rglob("*.md"))
    return [
        ROOT / "README.md",
        *(p for p in docs if p.relative_to(ROOT / "docs").parts[0] not in GENERATED),
    ]


def rebuilt(text: str) -> str:
    """A page with the outputs that its examples have now.

    Errors: SystemExit if the fences of its code blocks do not pair up: it is not rewritten then.
    """
    if problem := unpaired(text):
        raise SystemExit(problem)
    return _doctests(_consoles(text))


def unpaired(text: str) -> str:
    """Which code block of a page is not closed, or \"\" if all are."""
    opened, line = "", 0
    for fence in FENCE.finditer(text):
        here = text.count("\n", 0, fence.start()) + 1
        marks, language = fence.groups()
        if not opened:
            opened, line = marks, here
        elif marks.startswith(opened):
            if language.strip():
                return f"line {here} opens a code block inside the one that line {line} opens"
            opened = ""
    return f"the code block that line {line} opens is not closed" if opened else ""


def commands(text: str) -> list[str]:
    """The commands that a page runs."""
    return [
        line[2:]
        for kind, body in BLOCK.findall(text)
        if kind == "console"
        for line in body.splitlines()
        if line.startswith("$ ") and RUN.match(line[2:])
    ]


def _consoles(text: str) -> str:
    if not commands(text):
        return text
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for _, body in BLOCK.findall(text):
            if named := NAMED.match(body):
                Path(named[1]).write_text(body, "utf-8")
        return BLOCK.sub(_console, text)


def _console(block: re.Match[str]) -> str:
    kind, body = block.groups()
    if kind != "console":
        return block[0]
    lines = body.splitlines()
    shown: list[str] = []
    while lines:
        command = lines.pop(0)
        old: list[str] = []
        while lines and not lines[0].startswith("$ "):
            old.append(lines.pop(0))
        if RUN.match(command.removeprefix("$ ")):
            old = printed(command.removeprefix("$ ")).splitlines()
        shown += [command, *old]
    return "\n".join(["```console", *shown, "```"])


def printed(command: str) -> str:
    """The output of a command in a terminal of 100 columns, without color."""
    environment = {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    if not SHELL.search(re.sub(r"'[^']*'", "", command)):
        from uriproof.cli import main

        out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n", write_through=True)
        with (
            patch.dict(os.environ, environment),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(out),
        ):
            main(shlex.split(command)[1:])
        out.seek(0)
        return out.read()
    this = f'uriproof() {{ "{sys.executable}" -m uriproof "$@"; }}\n'
    run = subprocess.run(  # noqa: S603 -- commands of the pages of this repository
        ["bash", "-c", this + command],  # noqa: S607
        env=os.environ | environment | {"PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return run.stdout.decode("utf-8")


class _Recorder(doctest.DocTestRunner):
    """Keeps what each failing example gave."""

    def __init__(self) -> None:
        super().__init__(verbose=False, optionflags=doctest.ELLIPSIS)
        self.got: dict[int, str] = {}

    def report_failure(
        self, _out: object, _test: object, example: doctest.Example, got: str
    ) -> None:
        self.got[example.lineno] = got

    def report_unexpected_exception(
        self, _out: object, _test: object, example: doctest.Example, exc_info: tuple[Any, ...]
    ) -> None:
        raise SystemExit(f"{example.source}{exc_info[1]!r}") from exc_info[1]


def _doctests(text: str) -> str:
    # To doctest, a fence right below an output is one more line of it.
    unfenced = FENCE.sub("", text)
    test = doctest.DocTestParser().get_doctest(
        unfenced, {"__name__": "__main__"}, "page", "page", 0
    )
    recorder = _Recorder()
    recorder.run(test, out=lambda _: None)
    lines = text.splitlines(keepends=True)
    for example in reversed(test.examples):
        if example.lineno in recorder.got:
            start = example.lineno + example.source.count("\n")
            got = recorder.got[example.lineno].removesuffix("\n")
            margin = " " * example.indent
            wanted = [f"{margin}{line or '<BLANKLINE>'}\n" for line in got.split("\n") if got]
            lines[start : start + example.want.count("\n")] = wanted
    return "".join(lines)


def main(arguments: list[str]) -> int:
    """Write the pages. Returns the exit code."""
    # No example depends on how long something takes.
    settings.register_profile(
        "docs", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("docs")
    chosen = [Path(name).resolve() for name in arguments] or pages()
    for page in chosen:
        text = page.read_text("utf-8")
        try:
            now = rebuilt(text)
        except SystemExit as error:
            raise SystemExit(f"{page.relative_to(ROOT)}: {error}") from None
        if now != text:
            page.write_text(now, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
