"""``uriproof decode-query``: a query in, its items out.

May import every layer below. Invariant: a line, or an item in JSON, for each item, in order.
"""

from __future__ import annotations

from typing import Any

from . import _click as click
from ._accept import accept_option
from ._answers import Answer, answer, format_option
from ._fields import shown


@click.command(
    section="Percent-encode",
    short_help="Show the items of a query.",
    examples=(("uriproof decode-query 'q=a%20b&lang=en'", "an item a line"),),
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT... | -")
@click.option(
    "-g", "--grammar", default="key-value", show_default=True, help="key-value or parameters."
)
@click.option(
    "--errors",
    type=click.Choice(("raise", "replace", "drop", "keep")),
    default="raise",
    show_default=True,
    help="What to do with what cannot be decoded.",
)
@click.option("plus", "--form", is_flag=True, help="Read + as a space, as in form data.")
@click.option("--no-empty-values", is_flag=True, help="Refuse empty values, as the grammar does.")
@accept_option
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of the octets.")
@format_option
def command(
    *,
    texts: tuple[str, ...],
    grammar: str,
    plus: bool,
    no_empty_values: bool,
    form: str,
    **options: Any,
) -> int:
    """Show the items of a query, a name, a tab and a value on each line; - is standard input.

    Control characters are shown as escapes; JSON has them as they are.

    \b
    Exit code: 0  all is decoded
               1  some text is no query of the grammar, or cannot be decoded
               2  invalid usage, or something could not be read
    """
    from ..percent.errors import DecodeError
    from ..percent.form import decode_query

    options |= {"form": plus, "empty_values": not no_empty_values}

    def work(text: str) -> Answer:
        return shown(text, decode_query(text, grammar, **options))

    try:
        decode_query("a=a", grammar, **options)
    except DecodeError:
        pass  # it is not accepted
    except (LookupError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    return answer(texts, work, form)
