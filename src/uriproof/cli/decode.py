"""``uriproof decode``: percent-encoded text in, data out.

May import every other layer. Invariant: what cannot be decoded is reported with its offset, or
treated as ``--errors`` says.
"""

from __future__ import annotations

from typing import Any

from . import _click as click
from ._accept import accept_option
from ._answers import Answer, format_option, run
from ._inputs import Line


@click.command(
    section="Percent-encode",
    short_help="Decode percent-encoded text.",
    examples=(
        ("uriproof decode a%20b", "as UTF-8"),
        ("uriproof decode --form a+b", "form data"),
        ("uriproof decode --errors replace %FF", "whatever cannot be decoded"),
    ),
)
@click.argument("texts", nargs=-1, metavar="[TEXT]... [-]")
@click.option(
    "-c",
    "--component",
    metavar="NAME",
    help="Component, or other production, to validate it against.",
)
@click.option(
    "-g", "--grammar", default="rfc3986", show_default=True, help="Grammar of that production."
)
@click.option("as_form", "--form", is_flag=True, help="Decode as form data: + is a space.")
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of the octets.")
@click.option(
    "--errors",
    type=click.Choice(("raise", "replace", "drop", "keep")),
    default="raise",
    show_default=True,
    help="What to do with what cannot be decoded.",
)
@accept_option
@click.option("--octets", is_flag=True, help="Write the raw octets, without line ends.")
@click.option("--u-escapes", is_flag=True, help="Read %uXXXX, as JavaScript's escape() writes it.")
@format_option
def command(*, texts: tuple[str, ...], form: str, octets: bool, **options: Any) -> int:
    """Percent-decode each TEXT, and each line of standard input (-).

    With --octets, the result need not be text, and JSON has hexadecimal digits.

    \b
    Exit code: 0  every text is decoded, or treated as --errors says
               1  some text cannot be decoded
               2  invalid usage, or something could not be read
    """
    from ..percent.decode import decode_octets, decode_report
    from ..percent.errors import DecodeError

    component, grammar = options["component"], options["grammar"]
    options = {"form": options.pop("as_form"), **options}
    if octets:
        usual = {"errors": "raise", "encoding": "utf-8", "component": component, "grammar": grammar}
        given = [
            f"--{name}" for name in options if options[name] not in (usual.get(name), None, False)
        ]
        if given:
            raise click.UsageError(f"--octets goes without {', '.join(given)}.".replace("_", "-"))

    name = "octets" if octets else "decoded"

    def work(line: Line) -> Answer:
        text = line.text or ""
        if octets:
            whole = decode_octets(text, component, grammar=grammar)
            return line.record() | {name: whole.hex()}, whole
        found = decode_report(text, **options)
        faults = [fault.to_dict() for fault in found.faults]
        return line.record() | {name: found.text, "faults": faults}, found.text

    def refused(line: Line, error: Exception) -> dict[str, Any]:
        record = line.record() | {name: None}
        if isinstance(error, DecodeError):
            return record | {"faults": [fault.to_dict() for fault in error.faults]}
        return record | {"message": str(error)}

    try:
        decode_report("", **options | {"errors": "drop"})
    except (LookupError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    return run(texts, work, form, refused, empty=b"" if octets else "")
