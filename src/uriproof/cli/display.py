"""``uriproof display``: a URI for people to read.

May import every layer below. Invariant: standard output has one line for each text, in the order of
the input, blank for one that does not become a URI by cleaning; nothing on it can hide or move the
cursor, and no password is shown that was not asked for.
"""

from __future__ import annotations

import click

from ..percent.display import display
from ..percent.errors import known
from ._answers import Answer, answer, refuse_options
from ._group import examples
from ._output import format_option


@click.command(
    short_help="Show URIs for people to read.",
    epilog=examples(
        ("uriproof display http://example.com/caf%C3%A9", "decode what is safe to show")
    ),
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT... | -")
@click.option("--idna", is_flag=True, help="Show A-labels (xn--) of the host, where that is safe.")
@click.option("--password", is_flag=True, help="Show passwords instead of masking them.")
@click.option(
    "--encoding", default="utf-8", show_default=True, help="Encoding of escapes outside the host."
)
@format_option
def command(*, texts: tuple[str, ...], idna: bool, password: bool, encoding: str, form: str) -> int:
    """Show each TEXT for people: decode the escapes that are safe to show; - is standard input.

    Right-to-left text is put between the isolates U+2068 and U+2069.

    \b
    Exit code: 0  every text is a URI or a relative reference, or becomes one by cleaning
               1  some text is not; the reason is reported
               2  invalid usage, or something could not be read
    """
    refuse_options(lambda: known(encoding))

    def work(text: str) -> Answer:
        shown = display(text, idna=idna, password=password, encoding=encoding)
        return {"text": text, "display": shown}, shown

    return answer(texts, work, form, aligned=True)
