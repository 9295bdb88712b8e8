"""Whole files in and out: a text read, and a text written in one step.

May import ``drawing``. Invariant: what is written to a file is written whole or not at all, and
what cannot be read or written ends in one message and exit code 2.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper

from ..text.drawing import visible
from . import _click as click

__all__ = ["output_file", "put", "read_text", "write_text"]

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


@contextmanager
def output_file(file: str) -> Iterator[TextIOWrapper]:
    """A stream of text to a file, which is put in its place at the end. Errors: OSError."""
    from ..text.atomic import replacing

    with replacing(file) as raw:
        stream = TextIOWrapper(raw, "utf-8", "backslashreplace", newline="\n")
        try:
            yield stream
        finally:
            stream.detach()


def write_text(file: str, text: str) -> None:
    """Put a file in its place in one step. Errors: UsageError."""
    from ..text import atomic

    try:
        atomic.write_text(file, text)
    except IsADirectoryError as error:
        raise click.UsageError(f"{visible(file)}: a folder; name a file in it") from error
    except OSError as error:
        raise click.UsageError(f"{visible(file)}: {error.strerror or error}") from error
