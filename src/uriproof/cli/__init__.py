"""The command line: arguments in, exit code out.

Owns how the command ``uriproof`` starts and how it ends. Each module of this package without a
leading underscore is a command of that name (see ``_group``). May import every other layer.
Invariant: no input ends in a traceback, and the exit code is 0 if all is valid, 1 if something is
not, 2 if the call is wrong or something could not be read; 130 after an interrupt, and 141 if the
reader of the output closed it, as in shells.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from io import StringIO
from typing import Any

import click

from ..errors import UriproofError
from ..text.drawing import visible
from . import _output
from ._group import Refused

USAGE, INTERRUPTED, CLOSED = 2, 130, 141

_COMPLETE = "_URIPROOF_COMPLETE"
"""The environment variable in which click is asked for completions, or for a shell's script."""
_WINDOWS = os.name == "nt"  # on which a closed pipe is an invalid argument


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with ``arguments``, by default those of the process.

    Returns the exit code. Errors: none that a user can cause.
    """
    _output.escape_what_cannot_be_shown()
    try:
        code = _run(sys.argv[1:] if arguments is None else list(arguments))
        sys.stdout.flush()
        _output.report_what_was_escaped()
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except click.ClickException as error:
        return _refused(error)
    except (ImportError, UriproofError) as error:  # of an extra, or of what was given
        return _refused(Refused(str(error)))
    except OSError as error:
        return _unwritten(error)
    except Exception:  # Python would end with 1, which is the code of invalid texts
        traceback.print_exc()
        return USAGE
    return int(code or 0)


def _run(given: list[str]) -> Any:
    """Read the arguments and run the command. Errors: those of click, and OSError.

    Not by ``group.main``, which ends the process if a pipe is closed, and on Windows expands
    arguments that look like file patterns.
    """
    from ._group import group

    if os.environ.get(_COMPLETE):
        group.main(given, prog_name="uriproof")  # which ends the process
    try:
        with group.make_context("uriproof", given) as context:
            return group.invoke(context)
    except click.exceptions.Exit as done:  # of --help and --version
        return done.exit_code


def _refused(error: click.ClickException) -> int:
    """Show an error of click's visibly: it quotes its input, such as the name of a file."""
    words = StringIO()
    error.show(words)
    click.echo("\n".join(map(visible, words.getvalue().split("\n"))), nl=False, err=True)
    return error.exit_code


def _unwritten(error: OSError) -> int:
    """The exit code if the output could not be written: its reader is gone, or the disk is full."""
    closed = isinstance(error, BrokenPipeError) or (_WINDOWS and error.errno == errno.EINVAL)
    try:
        if not closed:  # errors of reading have been reported before
            sys.stderr.write(f"Error: could not write: {error.strerror or error}\n")
            sys.stderr.flush()
    except OSError:
        pass  # there is nowhere to say it
    # Discard the buffers, or the interpreter would complain when it ends.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in sys.stdout, sys.stderr:
        try:
            os.dup2(nowhere, stream.fileno())
        except (OSError, ValueError):
            continue
    return CLOSED if closed else USAGE
