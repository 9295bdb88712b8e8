"""Help: every command has a summary, and examples that run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from commands import Run

import uriproof
from uriproof.cli._group import group

pytestmark = pytest.mark.prove

CONTEXT = click.Context(group, info_name="uriproof", terminal_width=78, **group.context_settings)
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


def commands(outer: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that can be called, by what is written to call it."""
    for name in outer.list_commands(CONTEXT):
        command = outer.get_command(CONTEXT, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} ")
        else:
            yield before + name, command


ALL = dict(commands(group))


def examples(command: click.Command) -> list[str]:
    """The command lines at the end of the help."""
    lines = str(command.epilog).partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    return [line.strip().partition("  ")[0] for line in lines]


def test_the_lists_of_commands_cut_no_sentence(run: Run) -> None:
    for given in [], ["grammar"]:
        text = run(*given, "--help").out
        assert "..." not in text.replace("[ARGS]...", "")


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_a_summary_and_examples(name: str) -> None:
    command = ALL[name]
    assert command.short_help
    assert examples(command)
    text = command.get_help(click.Context(command, parent=CONTEXT, info_name=name))
    for call in examples(command):
        (line,) = [line for line in text.splitlines() if line.startswith(f"    {call}  ")]
        assert len(line) <= WIDTH


@pytest.mark.parametrize("name", sorted(ALL.keys() - NOT_RUN))
def test_the_examples_run(
    name: str,
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in "urls.txt", "names.txt":
        Path(file).write_text("http://example.com/\n")
    Path("own.abnf").write_text('a = "x"\n')
    for call in examples(ALL[name]):
        arguments = shlex.split(call.partition(" < ")[0].partition(" > ")[0])
        if "-" in arguments:
            continue
        for file in "uriproof.toml", "pyproject.toml":
            Path(file).unlink(missing_ok=True)
        result = run(*arguments[1:])
        assert result.code in {0, 1}, (call, result.err)
        assert result.out, call


def test_the_version(run: Run) -> None:
    assert run("-V") == run("--version") == (0, f"uriproof {uriproof.__version__}\n", "")


def test_an_error_shows_no_control_character(run: Run) -> None:
    for given in ["\a\x1b[2J"], ["grammar", "list", "\a"], ["check", "-g", "\a\x1b[2J", "x"]:
        result = run(*given)
        assert result.code == 2
        assert result.err.replace("\n", "").isprintable()
