"""What commands write: their standard streams, files, colors and JSON, and the options for these.

Owns how standard output and standard error are set up, and ``--format``, ``--output``, ``--quiet``
and ``--color``. May import ``render`` and ``text``. Invariant: what a program reads is UTF-8 with
LF on every system; what people read is in the encoding that their terminal has, what that cannot
show is escaped, and a note counts it. Nothing decorated goes anywhere but to a terminal, unless
FORCE_COLOR or ``--color always`` asks for it. A file is written whole or not at all.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, TextIO

import click

from ..render import Style, dumps, json_array
from ..text.drawing import WIDTH, visible
from ._group import files

__all__ = [
    "can_show",
    "color_option",
    "complain",
    "escape_what_cannot_be_shown",
    "for_programs",
    "format_choice",
    "format_option",
    "output_file",
    "output_option",
    "print_json",
    "put",
    "quiet_option",
    "report_what_was_escaped",
    "style",
    "wrapped",
    "write_text",
]

# Options


def format_choice(*names: str, text: str = "Output format.") -> Callable[[Any], Any]:
    """The option ``--format``; its value is the parameter ``form``."""
    choice = click.Choice(names)
    return click.option(
        "form", "--format", type=choice, default="text", show_default=True, help=text
    )


format_option = format_choice("text", "json")
output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=files,
    help="Write to FILE instead of standard output.",
)
quiet_option = click.option(
    "-q", "--quiet", is_flag=True, help="Results only: no summary or notes."
)
color_option = click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    help="Color the output; auto: on a terminal.",
)


# Standard streams

_NARROWEST = 40
"""Columns: in fewer, the drawing of a text has no room beside its place."""
_ERRORS = "uriproof.escaped"
_VIRTUAL_TERMINAL = 4  # ENABLE_VIRTUAL_TERMINAL_PROCESSING of SetConsoleMode

_escaped = 0


def _escape(error: UnicodeError) -> tuple[str | bytes, int]:
    """A backslash escape in place of what an encoding does not have, which is counted."""
    global _escaped  # noqa: PLW0603 -- a codec has no other place to count in
    if isinstance(error, UnicodeEncodeError) and error.encoding != "utf-8":
        _escaped += error.end - error.start
    return codecs.backslashreplace_errors(error)


def escape_what_cannot_be_shown() -> None:
    """Set the streams up: what cannot be encoded is escaped, and is no error."""
    global _escaped  # noqa: PLW0603
    _escaped = 0
    codecs.register_error(_ERRORS, _escape)
    for stream in sys.stdout, sys.stderr:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_ERRORS)


def report_what_was_escaped() -> None:
    """Report, if something was escaped, in which encoding that happened, and what helps."""
    if _escaped:
        name = getattr(sys.stdout, "encoding", "") or "that of the terminal"
        characters = "1 character is" if _escaped == 1 else f"{_escaped:,} characters are"
        sys.stderr.write(
            f"uriproof: {characters} shown as escapes, for the output's encoding is {name}; "
            "to have UTF-8, set PYTHONUTF8=1\n"
        )


def for_programs(stream: TextIO) -> None:
    """Write UTF-8 with LF to a stream from now on, whatever the system's are."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", newline="\n", errors="backslashreplace")


def _takes_escapes(stream: TextIO) -> bool:
    """Whether a terminal takes escape sequences: on Windows, they are turned on."""
    if sys.platform != "win32":
        return True
    import ctypes
    import msvcrt

    kernel = ctypes.windll.kernel32
    mode = ctypes.c_ulong()
    try:
        handle = msvcrt.get_osfhandle(stream.fileno())
    except (OSError, ValueError):
        return False
    known = kernel.GetConsoleMode(handle, ctypes.byref(mode))
    return bool(known and kernel.SetConsoleMode(handle, mode.value | _VIRTUAL_TERMINAL))


# Colors and width


def style(stream: TextIO, advice: bool | None, color: str = "auto") -> Style:
    """How output to a stream should look; ``color`` is the value of the option.

    NO_COLOR wins over FORCE_COLOR (no-color.org), and the option over both; COLUMNS is the width.
    """
    terminal = stream.isatty()
    colored = color == "always"
    if color == "auto" and not os.environ.get("NO_COLOR"):
        forced = os.environ.get("FORCE_COLOR")
        colored = terminal and os.environ.get("TERM") != "dumb"
        if forced:
            colored = forced not in {"0", "false"}  # force-color.org leaves no color open
    if colored and terminal:
        colored = _takes_escapes(stream)
    return Style(colored, max(_width(stream, terminal), _NARROWEST), advice)


def _width(stream: TextIO, terminal: bool) -> int:
    """The columns of output to a stream."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given[:5]):
        return int(given[:5])
    if not terminal:
        return WIDTH
    try:
        # One column less: some terminals wrap a line that fills the last one.
        return min(WIDTH, os.get_terminal_size(stream.fileno()).columns - 1)
    except (OSError, ValueError):
        return WIDTH


def can_show(characters: str) -> bool:
    """Whether the encoding of standard output has some characters."""
    try:
        characters.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


# Results


def wrapped(words: str, width: int, first: str = "", below: str = "") -> list[str]:
    """A paragraph as lines, at least one; names with hyphens are not divided."""
    from textwrap import wrap

    return wrap(
        words, width, initial_indent=first, subsequent_indent=below, break_on_hyphens=False
    ) or [first]


def complain(what: str) -> None:
    """A message on standard error, after what has been printed; each of its lines is visible."""
    sys.stdout.flush()
    head, *rest = what.split("\n")
    click.echo("\n".join([f"uriproof: {visible(head)}", *map(visible, rest)]), err=True)


def print_json(found: Mapping[str, Any] | Iterable[Any], file: str | None = None) -> None:
    """A record as one object, or records as one array, a line each as they come."""
    pieces = [dumps(found) + "\n"] if isinstance(found, Mapping) else json_array(found)
    if file is None:
        for piece in pieces:
            click.echo(piece, nl=False)
    else:
        put(file, "".join(pieces))


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
