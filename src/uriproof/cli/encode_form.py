"""``uriproof encode-form``: names and values in, form data out.

May import every layer below. Invariant: what is printed decodes to the fields that were given.
"""

from __future__ import annotations

from . import _click as click
from ._fields import encoded, pairs_in


@click.command(
    section="Percent-encode",
    short_help="Encode fields as form data.",
    examples=(("uriproof encode-form 'q=a b' lang=en", "fields as arguments"),),
)
@click.argument("fields", nargs=-1, required=True, metavar="NAME=VALUE... | -")
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding to write text in.")
@click.option("--crlf", is_flag=True, help="Write each line break as CR LF, as browsers do.")
def command(*, fields: tuple[str, ...], encoding: str, crlf: bool) -> int:
    """Encode fields as form data; - is a field on each line of standard input.

    \b
    Exit code: 0  every field is encoded
               1  some field cannot be: a character is not in the encoding
               2  invalid usage, or something could not be read
    """
    from ..percent.form import encode_form

    given = pairs_in(fields)
    return encoded(lambda: encode_form(given, encoding=encoding, crlf=crlf))
