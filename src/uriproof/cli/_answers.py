"""One answer a text: the loop of all commands that compute something of each text.

May import the other modules of this package. Invariant: each text has its answer or its refusal,
in the order of the input; JSON is one array with an object a text; the exit code is 2 if something
could not be read, else 1 if some text was refused, else 0.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..text.drawing import visible
from . import _click as click
from . import _inputs
from ._inputs import Line


def format_choice(*names: str, text: str = "Output format.") -> Callable[[Any], Any]:
    """The option ``--format``; its value is the parameter ``form``."""
    choice = click.Choice(names)
    return click.option(
        "form", "--format", type=choice, default="text", show_default=True, help=text
    )


format_option = format_choice("text", "json")

Answer = tuple[dict[str, Any], str | bytes]
"""What one text gave: for JSON, and as lines of text; octets are written as they are."""

Record = dict[str, Any]


def answer(
    texts: Sequence[str],
    work: Callable[[str], Answer],
    form: str,
    bad: int = 1,
    aligned: bool = False,
) -> int:
    """Print the answer for each text; ``-`` is each line of standard input.

    ``work`` refuses a text by a ValueError: ``bad`` is then the least exit code. Returns the
    exit code. Blank lines are skipped; if ``aligned``, a blank line is printed for each of them as
    for what is refused, so that the output has the lines of the input. Memory: one text.
    """
    number = 0
    aligned = aligned and form == "text"

    def refused(line: Line, error: Exception) -> Record:
        return {"text": line.text, "error": refusal(error)}

    def work_on(line: Line) -> Answer | None:
        nonlocal number
        number += line.place is None
        if line.blank:
            return ({}, "") if aligned else None
        return work(line.text or "")

    def name(line: Line) -> str:
        return f"text {number}: " if line.place is None and len(texts) > 1 else ""

    empty = "" if aligned else None
    return run(texts, work_on, form, refused, name=name, bad=bad, empty=empty)


def run(
    texts: Sequence[str],
    work: Callable[[Line], Answer | None],
    form: str,
    refused: Callable[[Line, Exception], Record],
    *,
    name: Callable[[Line], str] = lambda line: "",
    bad: int = 1,
    octets: bool = False,
    empty: str | bytes | None = None,
) -> int:
    """Print the answer for each text, argument or line, unless that is None.

    ``refused`` makes the JSON of a text that ``work`` refuses. With ``octets``, lines need not be
    UTF-8. With ``empty``, that is written for a text that is refused, and one that is not UTF-8 is
    refused like any other.
    """
    if not texts:
        raise click.UsageError("Nothing to do: give a TEXT, or - for standard input.")
    code = 0

    def complain(what: str) -> None:
        sys.stdout.flush()
        head, *rest = what.split("\n")
        click.echo("\n".join([f"uriproof: {visible(head)}", *map(visible, rest)]), err=True)

    def records() -> Iterator[Record]:
        nonlocal code
        for line in _inputs.texts(texts):
            if isinstance(line, _inputs.Unreadable):
                code = 2
                complain(line.why)
                continue
            where = f"{line.place}: " if line.place else ""
            try:
                if line.text is None and not octets:
                    code = 2
                    if empty is None:
                        complain(where + line.why)
                        continue
                    raise ValueError(line.why.removesuffix("; not checked"))  # noqa: TRY301
                found = work(line)
                if found is None:
                    continue
                record, shown = found
            except ValueError as error:
                code = max(code, bad)
                if empty is not None or form == "text":
                    complain(f"{where or name(line)}{error}")
                if empty is None and form == "text":
                    continue
                record, shown = refused(line, error), "" if empty is None else empty
            if form == "text":
                _write(shown, exact=empty is not None)
            else:
                yield record

    if form == "text":
        for _ in records():
            pass
    else:
        from ..render import json_array

        for piece in json_array(records()):
            click.echo(piece, nl=False)
    return code


def _write(shown: str | bytes, exact: bool) -> None:
    """A line, or octets with nothing after them.

    If ``exact``, a line is data: exact octets, but on a terminal nothing that could control it.
    """
    if isinstance(shown, str) and (not exact or sys.stdout.isatty()):
        click.echo(visible(shown) if exact else shown)
    elif isinstance(shown, bytes) and sys.stdout.isatty():
        click.echo(visible(shown.decode("utf-8", "backslashreplace")))
    else:
        sys.stdout.flush()
        if isinstance(shown, str):
            try:
                raw = shown.encode("utf-8", "surrogateescape")
            except UnicodeEncodeError:
                raw = shown.encode("utf-8", "backslashreplace")
            shown = raw + b"\n"
        sys.stdout.buffer.write(shown)


def refusal(error: Exception) -> Record:
    """An error as JSON-ready values, with its violations or spans if it has any."""
    found: Record = {"kind": type(error).__name__, "message": str(error)}
    if to_dict := getattr(error, "to_dict", None):
        found |= to_dict()
    if spans := getattr(error, "spans", None):
        found["spans"] = [list(span) for span in spans]
    for name in ("violations", "faults"):
        if not to_dict and (each := getattr(error, name, None)):
            found[name] = [one.to_dict() for one in each]
    return found
