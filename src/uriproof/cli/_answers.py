"""One answer a text: the loop of all commands that compute an answer for each text.

May import the other modules of this package. Invariant: each text has its answer or its refusal, in
the order of the input; JSON is one array with an object a text, which begins with the file and line
if it was read from one; the exit code is 2 if something could not be read, else 1 if a text was
refused, else 0.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

from ..text.drawing import visible
from . import _inputs
from ._group import Refused
from ._output import complain, print_json

Record = dict[str, Any]

Answer = tuple[Record, str | bytes]
"""The answer to one text, for JSON and as lines of text; octets are written as they are."""


def answer(
    texts: Sequence[str],
    work: Callable[[Any], Answer],
    form: str,
    *,
    bad: int = 1,
    aligned: bool = False,
    blank: bool = False,
    octets: bool = False,
) -> int:
    """Print the answer for each text; ``-`` is each line of standard input.

    ``work`` refuses a text with a ValueError: ``bad`` is then the minimum exit code. Returns the
    exit code. Blank lines are skipped unless ``blank`` is set; if ``aligned``, text output has the
    lines of the input, empty ones for skipped or refused texts. With ``octets``, ``work`` is given
    bytes, which need not be UTF-8. Memory: one text.
    """
    if not texts:
        raise click.UsageError("Nothing to do: give a TEXT, or - for standard input.")
    code = 0
    aligned = aligned and form == "text"

    def answers() -> Iterator[tuple[Record, str | bytes | None]]:
        """For JSON and as text; None if there is nothing to show."""
        nonlocal code
        number = 0
        for line in _inputs.texts(texts):
            if isinstance(line, _inputs.Unreadable):
                code = 2
                complain(line.why)
                continue
            number += line.place is None
            if line.blank and not blank:
                if form == "text":
                    yield {}, None
                continue
            try:
                found, shown = work(line.raw if octets else line.decoded())
                yield line.where() | found, shown
            except ValueError as error:
                code = max(code, 2 if isinstance(error, _inputs.NotUtf8) else bad)
                if form == "text":
                    several = line.place is None and len(texts) > 1
                    place = f"{line.place}: " if line.place else f"text {number}: " * several
                    complain(f"{place}{error}")
                yield line.where() | {"text": line.text, "error": _refusal(error)}, None

    if form == "text":
        for _, shown in answers():
            if shown is not None or aligned:
                write_line(shown or "", exact=aligned)
    else:
        print_json(record for record, _ in answers())
    return code


def refuse_options(work: Callable[[], object]) -> None:
    """Do the work on a valid text: options that fail there fail for every text.

    Errors: Refused.
    """
    from ..percent.errors import DecodeError, EncodeError

    try:
        work()
    except (DecodeError, EncodeError):
        pass  # of the text, not of an option
    except (LookupError, ValueError) as error:
        raise Refused(str(error)) from error


def write_line(shown: str | bytes, exact: bool) -> None:
    """Write a line, or octets with nothing after them.

    If ``exact``, a line is data: exact octets, but on a terminal nothing that could control it.
    """
    if isinstance(shown, str) and (not exact or sys.stdout.isatty()):
        click.echo(visible(shown) if exact else shown)
    elif isinstance(shown, bytes) and sys.stdout.isatty():
        click.echo(visible(shown.decode("utf-8", "backslashreplace")))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(shown if isinstance(shown, bytes) else _encoded(shown) + b"\n")


def _encoded(text: str) -> bytes:
    """The octets that a text was read from, with escapes for characters that have none."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


def _refusal(error: Exception) -> Record:
    """An error as JSON-ready values, with its violations or spans if it has any."""
    found: Record = {"kind": type(error).__name__, "message": str(error)}
    if to_dict := getattr(error, "to_dict", None):
        return {**found, **to_dict()}
    if spans := getattr(error, "spans", None):
        found["spans"] = [list(span) for span in spans]
    for name in ("violations", "faults"):
        if each := getattr(error, name, None):
            found[name] = [one.to_dict() for one in each]
    for name in ("start", "end", "production"):
        if (value := getattr(error, name, None)) is not None:
            found[name] = value
    return found
