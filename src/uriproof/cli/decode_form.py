"""``uriproof decode-form``: form data in, its fields out.

May import every layer below. Invariant: a line, or a pair in JSON, for each field, in order.
"""

from __future__ import annotations

from typing import Any

from . import _click as click
from ._accept import accept_option
from ._answers import Answer, answer, format_option
from ._fields import shown


@click.command(
    section="Percent-encode",
    short_help="Show the fields of form data.",
    examples=(("uriproof decode-form 'q=a+b&lang=en'", "a field a line"),),
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT... | -")
@click.option(
    "--errors",
    type=click.Choice(("whatwg", "raise", "replace", "drop", "keep")),
    default="whatwg",
    show_default=True,
    help="What to do with what cannot be decoded; whatwg: as browsers do.",
)
@accept_option
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of the octets.")
@format_option
def command(*, texts: tuple[str, ...], form: str, **options: Any) -> int:
    """Show the fields of form data, a name, a tab and a value on each line; - is standard input.

    Control characters are shown as escapes; JSON has them as they are.

    \b
    Exit code: 0  all is decoded
               1  some text cannot be decoded
               2  invalid usage, or something could not be read
    """
    from ..percent.errors import UnknownEncoding
    from ..percent.form import decode_form

    def work(text: str) -> Answer:
        return shown(text, decode_form(text, **options))

    try:
        decode_form("a", **options)
    except UnknownEncoding as error:
        raise click.UsageError(str(error)) from error
    except ValueError:
        pass  # "a" is not accepted
    return answer(texts, work, form)
