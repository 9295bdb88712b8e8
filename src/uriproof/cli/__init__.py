"""The command line: arguments in, exit code out.

Owns the group ``uriproof`` and how it ends. Each module of this package without a leading
underscore is a command of that name (see ``_commands``). May import every other layer. Invariant:
no input ends in a traceback, and the exit code is 0 if all is valid, 1 if something is not, 2 if
the call is wrong or something could not be read; 130 after an interrupt, and 141 where whoever
read the output closed it, as shells say it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from ._commands import Commands

__all__ = ["main"]

USAGE, INTERRUPTED, CLOSED = 2, 130, 141


class _Uriproof(Commands):
    """The outermost group, which answers for what happens to the output."""

    otherwise = "To proofread a text: uriproof check TEXT"

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


@click.group(
    cls=_Uriproof, package=__name__, context_settings={"help_option_names": ["-h", "--help"]}
)
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
