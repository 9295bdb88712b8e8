"""``uriproof display``: a URI for people to read.

May import every layer below. Invariant: standard output has one line for each text, in the order of
the input, blank for one that cannot be cleaned into a URI; nothing on it can hide or move the
cursor, and passwords are shown only on request.
"""

from __future__ import annotations

import click

from ..percent.display import display
from ..percent.errors import known
from ._answers import Answer, answer, refuse_options
from ._group import examples
from ._options import flag, format_option, value


@click.command(
    short_help="Show URIs in readable form.",
    epilog=examples(("uriproof display http://example.com/caf%C3%A9", "decode safe escapes")),
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT... | -")
@flag("--idna", "Decode the A-labels (xn--) of the host if that is safe.")
@flag("--password", "Show passwords instead of masking them.")
@value("--encoding TEXT", "Encoding of escapes outside the host.", default="utf-8")
@format_option
def command(*, texts: tuple[str, ...], idna: bool, password: bool, encoding: str, form: str) -> int:
    """Show each TEXT with the escapes decoded that are safe to show; - is standard input.

    Right-to-left text is enclosed in the isolates U+2068 and U+2069.

    \b
    Exit code: 0  every text is a URI or a relative reference, if necessary after cleaning
               1  at least one text is not; the reason is reported
               2  invalid usage, or something could not be read
    """
    refuse_options(lambda: known(encoding))

    def work(text: str) -> Answer:
        shown = display(text, idna=idna, password=password, encoding=encoding)
        return {"text": text, "display": shown}, shown

    return answer(texts, work, form, aligned=True)
