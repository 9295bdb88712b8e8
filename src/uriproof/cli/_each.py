"""One text in, one text out: what ``encode`` and ``decode`` have in common.

Owns the run over the texts and how results and failures are shown. May import ``drawing`` and its
siblings with an underscore. Invariant: as many results as texts, in the order of the input; a
text that has none is told on standard error and leaves an empty line, or nothing among octets, or
null in JSON.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..text.drawing import visible
from . import _click as click
from . import _inputs
from ._inputs import Line

FORMATS = ("text", "json")
OCTETS = "octets"
"""The name of a result that is octets."""


class Outcome(NamedTuple):
    """What became of a text: the result, or None and ``why``; ``more`` is for JSON alone.

    Octets are written as they are, and with nothing after them.
    """

    result: str | bytes | None
    why: str
    more: dict[str, Any]


def each(
    texts: tuple[str, ...], form: str, name: str, work: Callable[[Line], Outcome], octets: bool
) -> int:
    """Do the work on each text, and each line of standard input for ``-``; the exit code.

    ``name`` is that of the result in JSON. With ``octets``, lines need not be UTF-8.
    """
    if not texts:
        raise click.UsageError("Nothing to do: give a TEXT, or - for standard input.")
    code = 0
    before = "["
    for line in _lines(texts):
        if isinstance(line, _inputs.Unreadable):
            _complain(line.why)
            code = 2
            continue
        if line.text is None and not octets:
            why = line.why.removesuffix("; not checked")
            outcome = Outcome(None, why, {"message": why})
            code = 2
        else:
            outcome = work(line)
            code = max(code, int(outcome.result is None))
        where = f"{line.place}: " if line.place else ""
        if outcome.result is None:
            _complain(where + outcome.why)
        if form == "json":
            _write_json(before, line, name, outcome)
            before = ",\n"
        elif isinstance(outcome.result, bytes):
            _write_octets(outcome.result)
        elif name != OCTETS:
            _write(outcome.result or "")
    if form == "json":
        sys.stdout.write("]\n" if before != "[" else "[]\n")
    return code


def _lines(texts: tuple[str, ...]) -> Iterator[Line | _inputs.Unreadable]:
    for text in texts:
        if text == _inputs.STANDARD_INPUT:
            yield from _inputs.read(text)
        else:
            yield _inputs.argument(text)


def _write_json(before: str, line: Line, name: str, outcome: Outcome) -> None:
    import json

    where = {"file": line.place.file, "line": line.place.line} if line.place else {}
    result = outcome.result.hex() if isinstance(outcome.result, bytes) else outcome.result
    entry = where | {"text": line.text, name: result} | outcome.more
    sys.stdout.write(before + json.dumps(entry, ensure_ascii=True))


def _write(result: str) -> None:
    """A line of data: exact octets, but on a terminal nothing that could steer it."""
    if sys.stdout.isatty():
        click.echo(visible(result))
        return
    try:
        raw = result.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raw = result.encode("utf-8", "backslashreplace")
    sys.stdout.flush()
    sys.stdout.buffer.write(raw + b"\n")


def _write_octets(result: bytes) -> None:
    """Octets as they are, but on a terminal nothing that could steer it."""
    sys.stdout.flush()
    if sys.stdout.isatty():
        click.echo(visible(result.decode("utf-8", "backslashreplace")))
    else:
        sys.stdout.buffer.write(result)


def _complain(what: str) -> None:
    """A failure, whose first line says which; the rest may be a drawing."""
    sys.stdout.flush()
    head, *rest = what.split("\n")
    click.echo("\n".join([f"uriproof: {visible(head)}", *map(visible, rest)]), err=True)
