"""``uriproof decode``: percent-encoded text in, data out.

May import every other layer. Invariant: what cannot be decoded is told with its place, or treated
as ``--errors`` says; nothing is guessed.
"""

from __future__ import annotations

from typing import Any

from . import _click as click
from ._accept import accept_option
from ._each import FORMATS, OCTETS, Outcome, each
from ._inputs import Line


@click.command()
@click.argument("texts", nargs=-1, metavar="[TEXT]... [-]")
@click.option(
    "-c", "--component", metavar="NAME", help="Component, or other production, to hold it to."
)
@click.option(
    "-g", "--grammar", default="rfc3986", show_default=True, help="Grammar of that production."
)
@click.option("--form", is_flag=True, help="As form data: + is a space.")
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of the octets.")
@click.option(
    "--errors",
    type=click.Choice(("raise", "replace", "drop", "keep")),
    default="raise",
    show_default=True,
    help="What to do with what cannot be decoded.",
)
@accept_option
@click.option("--octets", is_flag=True, help="Write the octets, and nothing between or after them.")
@click.option("--u-escapes", is_flag=True, help="Read %uXXXX, as JavaScript's escape() writes it.")
@click.option(
    "shape",
    "--format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How to tell.",
)
def command(*, texts: tuple[str, ...], shape: str, octets: bool, **options: Any) -> int:
    """Percent-decode each TEXT, and each line of standard input (-).

    With --octets, what is behind the escapes need not be text, and JSON has hexadecimal digits.

    \b
    Exit code: 0  all is decoded, or treated as --errors says
               1  some text cannot be decoded
               2  the call is wrong, or something could not be read
    """
    from ..percent.decode import decode_octets, decode_report
    from ..percent.faults import DecodeError

    component, grammar = options["component"], options["grammar"]
    if octets:
        usual = {"errors": "raise", "encoding": "utf-8", "component": component, "grammar": grammar}
        given = [
            f"--{name}" for name in options if options[name] not in (usual.get(name), None, False)
        ]
        if given:
            raise click.UsageError(f"--octets goes without {', '.join(given)}.".replace("_", "-"))

    def work(line: Line) -> Outcome:
        try:
            if octets:
                whole = decode_octets(line.text or "", component, grammar=grammar)
                return Outcome(whole, "", {})
            found = decode_report(line.text or "", **options)
        except DecodeError as error:
            faults = [fault.to_dict() for fault in error.faults]
            return Outcome(None, str(error), {"faults": faults})
        return Outcome(found.text, "", {"faults": [fault.to_dict() for fault in found.faults]})

    try:
        decode_report("", **options | {"errors": "drop"})
    except (LookupError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    return each(texts, shape, OCTETS if octets else "decoded", work, False)
