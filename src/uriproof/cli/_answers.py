"""One answer a text: what the commands that compute something of each text have in common.

May import the other modules of this package. Invariant: each text has its answer or its
refusal, in the order of the input; JSON is one array with an object a text; the exit code is 2 if
something could not be read, else 1 if some text was refused, else 0.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..text.drawing import visible
from . import _click as click
from . import _inputs

format_option = click.option(
    "form",
    "--format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to tell.",
)

Answer = tuple[dict[str, Any], str]
"""What one text gave: for JSON, and as lines of text."""


def answer(texts: Sequence[str], work: Callable[[str], Answer], form: str, bad: int = 1) -> int:
    """Print the answer for each text; ``-`` is each line of standard input.

    ``work`` refuses a text by a ValueError: ``bad`` is then the least exit code. Returns the
    exit code. Blank lines are passed over. Memory: one text.
    """
    import json

    code = 0
    before = "["
    for name, text in _read(texts):
        if text is None:
            code = 2
            sys.stdout.flush()
            click.echo(f"uriproof: {visible(name)}", err=True)
            continue
        try:
            record, shown = work(text)
        except ValueError as error:
            code = max(code, bad)
            record, shown = {"text": text, "error": refusal(error)}, ""
            if form == "text":
                sys.stdout.flush()
                click.echo(f"uriproof: {visible(name)}{error}", err=True)
                continue
        if form == "json":
            click.echo(before + json.dumps(record), nl=False)
            before = ",\n"
        else:
            click.echo(shown)
    if form == "json":
        click.echo("[]" if before == "[" else "]")
    return code


def refusal(error: ValueError) -> dict[str, Any]:
    """An error as JSON-ready values, with its faults or spans if it has any."""
    found: dict[str, Any] = {"kind": type(error).__name__, "message": str(error)}
    if to_dict := getattr(error, "to_dict", None):
        found |= to_dict()
    if spans := getattr(error, "spans", None):
        found["spans"] = [list(span) for span in spans]
    if faults := getattr(error, "faults", None):
        from dataclasses import asdict

        found["faults"] = [asdict(fault) for fault in faults]
    return found


def _read(texts: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Each text with its name, which is empty for a single one.

    What cannot be read has no text, and a name that says why.
    """
    for number, given in enumerate(texts, 1):
        if given != _inputs.STANDARD_INPUT:
            yield f"text {number}: " * (len(texts) > 1), given
            continue
        for line in _inputs.read(given):
            if isinstance(line, _inputs.Unreadable):
                yield line.why, None
            elif line.text is None:
                yield f"{line.place}: {line.why}", None
            elif not line.blank:
                yield f"{line.place}: ", line.text
