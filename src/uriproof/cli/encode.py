"""``uriproof encode``: data in, percent-encoded text out.

May import every other layer. Invariant: nothing is printed that does not decode to the data.
"""

from __future__ import annotations

from typing import Any

from . import _click as click
from ._answers import Answer, format_option, run
from ._inputs import Line


@click.command(
    section="Percent-encode",
    short_help="Percent-encode data.",
    examples=(
        ("uriproof encode 'a b&c'", "for anywhere in a URI"),
        ("uriproof encode --component query 'a b'", "only what the component requires"),
        ("uriproof encode - < names.txt", "a line each"),
    ),
)
@click.argument("texts", nargs=-1, metavar="[TEXT]... [-]")
@click.option(
    "-c", "--component", metavar="NAME", help="Component, or other production, that it goes into."
)
@click.option(
    "-g", "--grammar", default="rfc3986", show_default=True, help="Grammar of that production."
)
@click.option("-k", "--keep", default="", metavar="DELIMITERS", help="Also leave these unencoded.")
@click.option("--minimal", is_flag=True, help="Encode only what the component requires.")
@click.option("--every", is_flag=True, help="Encode every character.")
@click.option(
    "as_form", "--form", is_flag=True, help="As a name or value of form data: a space is +."
)
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding to write text in.")
@click.option("--read-as", metavar="ENCODING", help="Encoding that the input is in.")
@click.option("--octets", is_flag=True, help="Read the input as raw octets.")
@click.option(
    "--base64", type=click.Choice(("standard", "url")), help="Write octets as Base64 first."
)
@format_option
def command(
    *,
    texts: tuple[str, ...],
    as_form: bool,
    read_as: str | None,
    octets: bool,
    base64: Any,
    encoding: str,
    form: str,
    **options: Any,
) -> int:
    """Percent-encode each TEXT, and each line of standard input (-).

    By default every character but the unreserved ones is encoded, which suits data anywhere in a
    URI.

    \b
    Exit code: 0  every text is encoded
               1  some text cannot be encoded, or is not allowed in the component
               2  invalid usage, or something could not be read
    """
    from ..percent.encode import encode, encode_form_text, encode_octets
    from ..percent.errors import EncodeError, ProductionError

    if octets and read_as is not None:
        raise click.UsageError("--octets reads the input as it is, --read-as decodes it.")
    raw = octets or read_as is not None or base64 is not None
    if as_form:
        others = {**options, "grammar": None, "base64": base64, "read-as": read_as}
        given = [f"--{name}" for name, value in others.items() if value]
        if given:
            raise click.UsageError(f"--form goes without {', '.join(given)}.")
    if raw and encoding != "utf-8":
        raise click.UsageError("--encoding is for text; for octets, give --read-as.")

    def encoded(data: str | bytes) -> str:
        if as_form:
            return encode_form_text(data, encoding=encoding)
        if isinstance(data, bytes):
            return encode_octets(data, base64=base64, read_as=read_as, **options)
        return encode(data, encoding=encoding, **options)

    def work(line: Line) -> Answer:
        result = encoded(line.raw if raw else line.text or "")
        return line.record() | {"encoded": result}, result

    def refused(line: Line, error: Exception) -> dict[str, Any]:
        record = line.record() | {"encoded": None, "message": str(error)}
        if isinstance(error, EncodeError):
            record |= {"start": error.start, "end": error.end}
        if isinstance(error, ProductionError):
            record["production"] = error.production
        return record

    try:
        encoded(b"" if raw else "")  # invalid options are invalid for every text
    except EncodeError:
        pass
    except (LookupError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    return run(texts, work, form, refused, octets=raw, empty="")
