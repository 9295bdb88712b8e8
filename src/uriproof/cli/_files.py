"""Whole files in and out: a text read, and a text written in one step.

May import ``drawing``. Invariant: what is written to a file is written whole or not at all, and
what cannot be read or written ends in one message and exit code 2.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from ..text.drawing import visible
from . import _click as click

__all__ = ["put", "read_text", "write_text"]

_BOM = "\ufeff"


def read_text(file: str) -> str:
    """The text of a file in UTF-8, or of standard input (-), without a byte order mark."""
    name = "<stdin>" if file == "-" else file
    try:
        if file == "-":
            raw = sys.stdin.buffer.read()
        else:
            with open(file, "rb") as stream:
                raw = stream.read()
        return raw.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{visible(name)}: not UTF-8 at byte {error.start}") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        why = getattr(error, "strerror", None) or error
        raise click.UsageError(f"{visible(name)}: {why}") from error


def put(file: str | None, text: str) -> None:
    """Write a text to a file, or to standard output (None, or -)."""
    if file is None or file == "-":
        click.echo(text, nl=False)
    else:
        write_text(file, text)


def write_text(file: str, text: str) -> None:
    """Put a file in its place in one step, so that no one ever reads half of it."""
    target = os.path.realpath(file)
    shown = visible(file)
    if os.path.isdir(target):
        raise click.UsageError(f"{shown}: a folder; name a file in it")
    temporary = None
    try:
        if os.path.exists(target) and not os.path.isfile(target):  # a device or a pipe
            with open(target, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            return
        import tempfile

        folder, base = os.path.split(target)
        handle, temporary = tempfile.mkstemp(prefix=f".{base[:40]}.", dir=folder)
        with open(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except OSError as error:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)
        raise click.UsageError(f"{shown}: {error.strerror or error}") from error


def _mode(target: str) -> int:
    """The permissions of the file that is replaced, or those of a new one."""
    try:
        return os.stat(target).st_mode & 0o7777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
