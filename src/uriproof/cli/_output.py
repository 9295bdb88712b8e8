"""The output of commands: standard streams, files, colors and JSON.

Owns how standard output and standard error are set up. May import ``render`` and ``text``.
Invariant: output for programs is UTF-8 with LF on every system; output for people has the encoding
of their terminal, in which other characters are escaped, and counted in a note. Only a terminal
gets colors, unless FORCE_COLOR or ``--color always`` asks for them. A file is written whole or not
at all.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from io import TextIOWrapper
from typing import Any, TextIO

import click

from ..render import Style, dumps, json_array
from ..text.columns import cut, width
from ..text.drawing import WIDTH, visible
from ..text.names import cause
from ._group import Refused

# Standard streams

_NARROWEST = 40
"""Columns: with fewer, the drawing of a text has no room next to its place."""
_WORDS = 40
"""Columns that the last one of a table has at least, and any other at most."""
_ERRORS = "uriproof.escaped"

_escaped = 0


def _escape(error: UnicodeError) -> tuple[str | bytes, int]:
    """A backslash escape for a character that an encoding does not have, which is counted."""
    global _escaped  # noqa: PLW0603 -- a codec has no other place to count in
    if isinstance(error, UnicodeEncodeError) and error.encoding != "utf-8":
        _escaped += error.end - error.start
    return codecs.backslashreplace_errors(error)


def escape_what_cannot_be_shown() -> None:
    """Set up the streams: characters that cannot be encoded are escaped."""
    global _escaped  # noqa: PLW0603
    _escaped = 0
    codecs.register_error(_ERRORS, _escape)
    for stream in sys.stdout, sys.stderr:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_ERRORS)


def report_what_was_escaped() -> None:
    """Report escaped characters, if there are any, with the encoding and a remedy."""
    if _escaped:
        name = getattr(sys.stdout, "encoding", "") or "that of the terminal"
        characters = "1 character is" if _escaped == 1 else f"{_escaped:,} characters are"
        sys.stderr.write(
            f"uriproof: {characters} shown as escapes because the output encoding is {name}; "
            "for UTF-8, set PYTHONUTF8=1\n"
        )


def for_programs(stream: TextIO) -> None:
    """Write UTF-8 with LF to a stream from now on, on any system."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", newline="\n", errors="backslashreplace")


# Colors and width


def style(stream: TextIO, advice: bool | None, color: str = "auto") -> Style:
    """The style of output to a stream; ``color`` is the value of the option.

    NO_COLOR wins over FORCE_COLOR (no-color.org), and the option over both; COLUMNS is the width.
    """
    terminal = stream.isatty()
    colored = color == "always"
    if color == "auto" and not os.environ.get("NO_COLOR"):
        forced = os.environ.get("FORCE_COLOR")
        colored = terminal and os.environ.get("TERM") != "dumb"
        if forced:
            colored = forced not in {"0", "false"}  # force-color.org leaves no color open
    if colored and terminal and sys.platform == "win32":  # where click brings it
        import colorama

        colorama.just_fix_windows_console()  # which takes escape sequences only if told to
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


def wrapped(words: str, most: int) -> list[str]:
    """A paragraph as lines, at least one; names with hyphens are not divided."""
    from textwrap import wrap

    return wrap(words, most, break_on_hyphens=False) or [""]


def table(rows: Iterable[Sequence[str]], most: int) -> Iterator[str]:
    """Rows in aligned columns, the last one wrapped."""
    listed = [*rows]
    columns = [*zip(*listed, strict=True)][:-1]
    widths = [min(max(map(width, column)), _WORDS) for column in columns]
    room = max(most - sum(widths) - 2 * len(widths), _WORDS)
    for *cells, last in listed:
        shown = [cut(cell, wide) for cell, wide in zip(cells, widths, strict=True)]
        padded = [c + " " * (wide - width(c)) for c, wide in zip(shown, widths, strict=True)]
        for number, line in enumerate(wrapped(last, room)):
            before = [" " * wide for wide in widths] if number else padded
            yield "  ".join([*before, line]).rstrip()


def complain(what: str) -> None:
    """An error on standard error, after the output so far; each of its lines is visible."""
    note(what, "Error")


def note(what: str, head: str = "uriproof") -> None:
    """A message that is not an error, likewise."""
    sys.stdout.flush()
    lines = map(visible, what.split("\n"))
    click.echo(f"{head}: " + "\n".join(lines), err=True)


def print_json(found: Mapping[str, Any] | Iterable[Any], file: str | None = None) -> None:
    """A record as one object, or records as one array, each on a line as it comes."""
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
    """A stream of text to a file, which is put in place at the end. Errors: Refused, if it cannot
    be opened; OSError."""
    from ..text.atomic import replacing

    with ExitStack() as stack:
        try:
            raw = stack.enter_context(replacing(file))
        except OSError as error:
            folder = isinstance(error, IsADirectoryError)
            why = "a folder; name a file in it" if folder else cause(error)
            raise Refused(f"{visible(file)}: {why}") from error
        stream = TextIOWrapper(raw, "utf-8", "backslashreplace", newline="\n")
        try:
            yield stream
        finally:
            stream.detach()


def write_text(file: str, text: str) -> None:
    """Put a file in its place in one step. Errors: Refused."""
    try:
        with output_file(file) as stream:
            stream.write(text)
    except OSError as error:
        raise Refused(f"{visible(file)}: {cause(error)}") from error
