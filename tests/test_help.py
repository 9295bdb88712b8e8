"""Help: every command is listed and has examples that run; errors come before the usage."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from uriproof.cli import main
from uriproof.cli._group import SECTIONS, group
from uriproof.cli._help import Command

CONTEXT = click.Context(group, info_name="uriproof", terminal_width=78, **group.context_settings)
COMMANDS = {name: group.get_command(CONTEXT, name) for name in group.list_commands(CONTEXT)}
OWN = {name: command for name, command in COMMANDS.items() if isinstance(command, Command)}
GRAMMAR = COMMANDS["grammar"]
assert isinstance(GRAMMAR, click.Group)
INNER = {f"grammar {n}": GRAMMAR.get_command(CONTEXT, n) for n in GRAMMAR.list_commands(CONTEXT)}
ALL = {**OWN, **{name: command for name, command in INNER.items() if isinstance(command, Command)}}
NOT_RUN = {
    "lint",
    "scan",
    "language-server",
    "serve",
    "teach",
    "grammar extract",
    "grammar grade",
}  # with files, or until an end
WIDTH = 80


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    def call(*arguments: str) -> Result:
        code = main(list(arguments))
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return call


def test_every_command_is_in_a_section() -> None:
    assert {name for name, c in COMMANDS.items() if getattr(c, "section", "") not in SECTIONS} == (
        set()
    )


def test_the_list_of_commands_cuts_no_sentence() -> None:
    text = CONTEXT.get_help()
    assert "..." not in text.replace("[ARGS]...", "")
    for name, command in OWN.items():
        (line,) = [line for line in text.splitlines() if line.startswith(f"  {name} ")]
        assert line.endswith(str(command.short_help)), line
        assert len(line) < WIDTH


def test_every_command_has_examples_beside_their_explanations() -> None:
    assert len(ALL) == len(OWN) + len(INNER)
    for name, command in ALL.items():
        assert command.examples, name
        assert command.short_help, name
        text = command.get_help(click.Context(command, parent=CONTEXT, info_name=name))
        for call, words in command.examples:
            (line,) = [line for line in text.splitlines() if line.startswith(f"  {call}  ")]
            assert line.split(call)[1].strip() == words, call
            assert len(line) < WIDTH


@pytest.mark.parametrize("name", sorted(ALL.keys() - NOT_RUN))
def test_the_examples_run(
    name: str,
    run: Callable[..., Result],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHELL", "/bin/bash")  # CI has none
    for file in "urls.txt", "names.txt":
        Path(file).write_text("http://example.com/\n")
    Path("own.abnf").write_text('a = "x"\n')
    for call, _ in ALL[name].examples:
        arguments = shlex.split(call.partition(" < ")[0].partition(" > ")[0])
        if "-" in arguments:
            continue
        for file in "uriproof.toml", "pyproject.toml":
            Path(file).unlink(missing_ok=True)
        result = run(*arguments[1:])
        assert result.code in {0, 1}, (call, result.err)
        assert result.out or "format" in name, call


def test_the_options_of_lint_are_in_groups(run: Callable[..., Result]) -> None:
    text = run("lint", "--help").out
    headings = [line for line in text.splitlines() if line.endswith("ptions:")]
    assert headings[0] == "Reporting options:"
    assert headings[-1] == "Options:"
    alone = text.partition("\nOptions:\n")[2].split()
    assert [word for word in alone if word.startswith("-")] == ["-h,", "--help"]


def test_help_is_what_the_option_prints(run: Callable[..., Result]) -> None:
    assert run("help") == run("--help")
    assert run("help", "grammar", "show") == run("grammar", "show", "--help")
    assert run("help", "chekc").code == 2


def test_the_version_by_its_letter(run: Callable[..., Result]) -> None:
    assert run("-V") == run("--version")


@pytest.mark.parametrize("given", [["check"], ["check", "--wrong"], ["normalize"], ["nothing"]])
def test_an_error_comes_before_the_usage(given: list[str], run: Callable[..., Result]) -> None:
    result = run(*given)
    assert result.code == 2
    assert result.err.startswith("Error: ")
    assert 0 < result.err.index("\nUsage: ") < result.err.index("\nTry 'uriproof")
