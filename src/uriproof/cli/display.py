"""``uriproof display``: a URI for people to read.

May import every layer below. Invariant: standard output has one line for each text that is a URI
or becomes one by cleaning, in the order of the input, and nothing on it can hide or move the
cursor.
"""

from __future__ import annotations

import click

from ..percent.display import display
from ._answers import Answer, answer, format_option


@click.command()
@click.argument("texts", nargs=-1, required=True, metavar="TEXT... | -")
@click.option("--idna", is_flag=True, help="Show A-labels (xn--) of the host, where that is safe.")
@format_option
def command(*, texts: tuple[str, ...], idna: bool, form: str) -> int:
    """Show each TEXT with the escapes decoded that are safe to show; - is standard input.

    \b
    Exit code: 0  every text is a URI or a relative reference, or becomes one by cleaning
               1  some text is not; it is told what stands in the way
               2  the call is wrong, or something could not be read
    """

    def work(text: str) -> Answer:
        shown = display(text, idna=idna)
        return {"text": text, "display": shown}, shown

    return answer(texts, work, form)
