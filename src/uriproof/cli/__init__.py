"""The command line: arguments in, exit code out.

Owns the group ``uriproof`` and how it ends. Each module of this package without a leading
underscore is a command of that name (an underscore inside stands for a hyphen) and defines
``command``; nothing else needs editing, and only the module that is asked for is imported. May
import every other layer. Invariant: no input ends in a traceback, and the exit code is 0 if all
is valid, 1 if something is not, 2 if the call is wrong or something could not be read; 130 after
an interrupt, and 141 where whoever read the output closed it, as shells say it.
"""

from __future__ import annotations

import os
import pkgutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

__all__ = ["main"]

USAGE, INTERRUPTED, CLOSED = 2, 130, 141


class _Commands(click.Group):
    """The commands, found by file name and imported when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = (module.name for module in pkgutil.iter_modules(__path__))
        return sorted(name.replace("_", "-") for name in names if not name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = import_module(f"{__name__}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        names = self.list_commands(ctx)
        if name in names or name.startswith("-"):
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches

        from ..drawing import visible

        near = get_close_matches(name, names, n=1)
        advice = f"Did you mean {near[0]}?" if near else "To proofread a text: uriproof check TEXT"
        raise click.UsageError(f"There is no command {visible(name[:80])!r}. {advice}", ctx)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _let_go()
            return CLOSED
        except OSError as error:  # a full disk: what cannot be read has been told before
            with suppress(OSError):
                click.echo(f"uriproof: could not write: {error.strerror or error}", err=True)
            _let_go()
            return USAGE
        return code


def _let_go() -> None:
    """Send what is still buffered nowhere, or the interpreter would complain when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in sys.stdout, sys.stderr:
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("uriproof")
        except PackageNotFoundError:
            number = "(not installed)"
        click.echo(f"uriproof {number}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
def _group() -> None:
    """Proofread URIs: which characters violate which production, and how to mend them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; ``arguments`` are those of the process unless given.

    Returns the exit code. Errors: none that a user can cause.
    """
    for stream in sys.stdout, sys.stderr:
        # A terminal that cannot show a character gets its escape, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    # Given explicitly, for otherwise click expands what looks like a file pattern on Windows.
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        code = _group.main(given, prog_name="uriproof", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return int(code or 0)
