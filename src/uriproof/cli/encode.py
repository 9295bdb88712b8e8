"""``uriproof encode``: data in, percent-encoded text out.

May import every other layer. Invariant: nothing is printed that does not decode to the data.
"""

from __future__ import annotations

from typing import Any

from . import _click as click
from ._each import FORMATS, Outcome, each
from ._inputs import Line


@click.command()
@click.argument("texts", nargs=-1, metavar="[TEXT]... [-]")
@click.option(
    "-c", "--component", metavar="NAME", help="Component, or other production, that it goes into."
)
@click.option(
    "-g", "--grammar", default="rfc3986", show_default=True, help="Grammar of that production."
)
@click.option("-k", "--keep", default="", metavar="DELIMITERS", help="Leave these bare as well.")
@click.option("--minimal", is_flag=True, help="Leave bare all that the component allows.")
@click.option("--every", is_flag=True, help="Leave nothing bare.")
@click.option("--form", is_flag=True, help="As a name or value of form data: a space is +.")
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding to write text in.")
@click.option("--read-as", metavar="ENCODING", help="Encoding that the input is in.")
@click.option("--octets", is_flag=True, help="Take the input as octets, whatever they mean.")
@click.option(
    "--base64", type=click.Choice(("standard", "url")), help="Write octets as Base64 first."
)
@click.option(
    "shape",
    "--format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How to tell.",
)
def command(
    *,
    texts: tuple[str, ...],
    form: bool,
    read_as: str | None,
    octets: bool,
    base64: Any,
    encoding: str,
    shape: str,
    **options: Any,
) -> int:
    """Percent-encode each TEXT, and each line of standard input (-).

    Only unreserved characters stay bare, which is right for a datum anywhere in a URI.

    \b
    Exit code: 0  all is encoded
               1  some text cannot be: no octets in the encoding, no place in the component
               2  the call is wrong, or something could not be read
    """
    from ..percent.encode import (
        EncodeError,
        ProductionError,
        encode,
        encode_form_text,
        encode_octets,
    )

    if octets and read_as is not None:
        raise click.UsageError("--octets takes the input as it is, --read-as decodes it.")
    raw = octets or read_as is not None or base64 is not None
    if form:
        others = {**options, "grammar": None, "base64": base64, "read-as": read_as}
        given = [f"--{name}" for name, value in others.items() if value]
        if given:
            raise click.UsageError(f"--form goes without {', '.join(given)}.")
    if raw and encoding != "utf-8":
        raise click.UsageError("--encoding is for text; what octets are is said by --read-as.")

    def run(data: str | bytes) -> str:
        if form:
            return encode_form_text(data, encoding=encoding)
        if isinstance(data, bytes):
            return encode_octets(data, base64=base64, read_as=read_as, **options)
        return encode(data, encoding=encoding, **options)

    def work(line: Line) -> Outcome:
        try:
            return Outcome(run(line.raw if raw else line.text or ""), "", {})
        except EncodeError as error:
            more = {"message": str(error), "start": error.start, "end": error.end}
            if isinstance(error, ProductionError):
                more["production"] = error.production
            return Outcome(None, str(error), more)

    try:
        run(b"" if raw else "")  # what is wrong with the call is wrong with every text
    except EncodeError:
        pass
    except (LookupError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    return each(texts, shape, "encoded", work, raw)
