"""The group ``uriproof`` as click has it.

Owns the options of the group itself. Imports click. Invariant: every command of the package is in
it, and none is imported before it is asked for.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from ._commands import Commands
from ._help import HELP

__all__ = ["SECTIONS", "group", "in_context", "run"]

SECTIONS = ("Validate", "Read and rewrite", "Percent-encode", "Learn")
"""The sections of the commands, in the order of the help; a command without one comes last."""


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from .. import __version__

        click.echo(f"uriproof {__version__}")
        ctx.exit()


class OutputError(Exception):
    """What was written could not be; the cause says why."""


class _Uriproof(Commands):
    """The outermost group."""

    otherwise = "To validate a text: uriproof check TEXT"

    def listed(self, ctx: click.Context) -> list[str]:
        def place(name: str) -> tuple[int, str]:
            section = getattr(self.get_command(ctx, name), "section", "")
            return SECTIONS.index(section) if section in SECTIONS else len(SECTIONS), name

        return sorted(self.list_commands(ctx), key=place)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except OSError as error:  # click would end the process where a pipe is closed
            raise OutputError from error
        return code


@click.group(cls=_Uriproof, package=__package__, context_settings=HELP)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
def group() -> None:
    """Validate URIs, and explain what is wrong: which characters, which production, which fix."""


def run(given: list[str]) -> Any:
    """Read the arguments and run the command. Errors: those of click."""
    return group.main(given, prog_name="uriproof", standalone_mode=False)


def in_context(error: click.UsageError, name: str) -> click.UsageError:
    """The error with the usage of its command, which it lacks where that was called directly."""
    outer = click.Context(group, info_name="uriproof", **HELP)
    command = group.get_command(outer, name)
    if error.ctx is None and command is not None:
        context = click.Context(command, parent=outer, info_name=name)
        return click.UsageError(error.format_message(), context)
    return error
