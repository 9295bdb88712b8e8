"""The command line: arguments in, exit code out.

Owns how the command ``uriproof`` starts and how it ends. Each module of this package without a
leading underscore is a command of that name (see ``_commands``). May import every other layer;
click only for calls that need it: those with options (see ``_click``). Invariant: no input ends in
a traceback, and the exit code is 0 if all is valid, 1 if something is not, 2 if the call is wrong
or something could not be read; 130 after an interrupt, and 141 where whoever read the output
closed it, as shells say it.
"""

from __future__ import annotations

import errno
import os
import sys

from . import _streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["main"]

USAGE, INTERRUPTED, CLOSED = 2, 130, 141
HELP = os.path.join(os.path.dirname(__file__), "help.txt")
"""What ``uriproof --help`` prints where there are 80 columns; ``tools/build_help.py`` writes it."""

_COLUMNS = 80
_WINDOWS = os.name == "nt"  # where a pipe that is closed is an invalid argument


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; ``arguments`` are those of the process unless given.

    Returns the exit code. Errors: none that a user can cause.
    """
    _streams.escape_what_cannot_be_shown()
    # Given explicitly, for otherwise click expands what looks like a file pattern on Windows.
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        code = _run(given)
        sys.stdout.flush()
        _streams.report_what_was_escaped()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        cause = error.__cause__ if type(error).__name__ == "OutputError" else error
        return _unwritten(cause) if isinstance(cause, OSError) else _failed(error, given)
    return int(code or 0)


def _run(given: list[str]) -> Any:
    """Run the command that is named. Click reads the arguments, unless there are no options."""
    if given in (["--help"], ["-h"]) and _wide():
        with open(HELP, encoding="utf-8") as file:
            sys.stdout.write(file.read())
        return 0
    if given and (declared := _declared(given[0])) is not None:
        taken = declared.plain(given[1:])
        if taken is not None:
            return declared.function(**taken)
    if not given and "_URIPROOF_COMPLETE" in os.environ:
        from ._completion import respond

        return respond()
    from ._group import run

    return run(given)


def _declared(name: str) -> Any:
    """The command of that name, if it is declared as most are."""
    module = name.replace("-", "_")
    here = os.path.join(os.path.dirname(__file__), f"{module}.py")
    if name[:1] in "_-" or not module.isidentifier() or not os.path.isfile(here):
        return None
    from importlib import import_module

    from ._click import Declared

    command = import_module(f"{__name__}.{module}").command
    return command if isinstance(command, Declared) else None


def _wide() -> bool:
    """Whether help is laid out as it is in ``HELP``: click fills 80 columns, or fewer."""
    if "COLUMNS" in os.environ or sys.__stdout__ is None:
        return False
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns >= _COLUMNS
    except (OSError, ValueError):
        return True


def _failed(error: Exception, given: list[str]) -> int:
    """The exit code after an error, which is shown if it is one of click's. Errors: any other."""
    click = sys.modules.get("click")
    if click is not None and isinstance(error, click.Abort):
        return INTERRUPTED
    if click is None or not isinstance(error, click.ClickException):
        raise error
    from ..text.drawing import visible

    # It quotes what was given, such as the name of a file.
    error.message = "\n".join(map(visible, error.message.split("\n")))
    if isinstance(error, click.UsageError):
        from ._group import in_context
        from ._help import show_usage_error

        show_usage_error(in_context(error, given[0]) if given else error)
    else:
        error.show()
    return int(error.exit_code)


def _unwritten(error: OSError) -> int:
    """The exit code where the output could not be written: whoever read it is gone, or no room."""
    closed = isinstance(error, BrokenPipeError) or (_WINDOWS and error.errno == errno.EINVAL)
    try:
        if not closed:  # what cannot be read has been reported before
            sys.stderr.write(f"uriproof: could not write: {error.strerror or error}\n")
            sys.stderr.flush()
    except OSError:
        pass  # there is nowhere to say it
    # What is still buffered goes nowhere, or the interpreter would complain when it ends.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in sys.stdout, sys.stderr:
        try:
            os.dup2(nowhere, stream.fileno())
        except (OSError, ValueError):
            continue
    return CLOSED if closed else USAGE
