"""``uriproof encode-query``: names and values in, a query out.

May import every layer below. Invariant: what is printed is a query of the grammar, and decodes to
what was given.
"""

from __future__ import annotations

from typing import Any

from . import _click as click
from ._fields import encoded, pairs_in, texts_in


@click.command(
    section="Percent-encode",
    short_help="Encode items as a query.",
    examples=(("uriproof encode-query 'q=a b' lang=en", "items as arguments"),),
)
@click.argument("items", nargs=-1, required=True, metavar="NAME=VALUE... | -")
@click.option(
    "-g", "--grammar", default="key-value", show_default=True, help="key-value or parameters."
)
@click.option("-k", "--keep", default="", metavar="DELIMITERS", help="Also leave these unencoded.")
@click.option("--minimal", is_flag=True, help="Encode only what the grammar requires.")
@click.option("--no-empty-values", is_flag=True, help="Refuse empty values, as the grammar does.")
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding to write text in.")
def command(*, items: tuple[str, ...], grammar: str, no_empty_values: bool, **options: Any) -> int:
    """Encode items as a query: + is encoded, a space is %20; - is standard input, an item a line.

    \b
    Exit code: 0  every item is encoded
               1  some item cannot be: the grammar does not allow it
               2  invalid usage, or something could not be read
    """
    from ..percent.form import encode_query

    given: Any = texts_in(items) if grammar == "parameters" else pairs_in(items)
    options["empty_values"] = not no_empty_values
    return encoded(lambda: encode_query(given, grammar, **options))
