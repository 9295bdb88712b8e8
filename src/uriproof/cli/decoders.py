"""``uriproof decoders``: what other decoders make of escapes, and where that departs from RFC 3986.

May import every layer below. Invariant: the same tables in every format;
docs/validate/decoders.md is what ``--format markdown`` prints.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from ..percent.audit.coders import PROBES, Decoded, Decoder, UnknownCoder, decoder, decoders
from ..text.drawing import visible
from . import _click as click
from ._tables import Part, as_markdown, as_text, listed, table_format

TITLE = "Decoders"
ABOUT = (
    "What other decoders make of percent-encoded text, and where that departs from RFC 3986. "
    "Written by `uriproof decoders --format markdown`: what the decoders do is data, each with its "
    "source; every judgement is the grammar's, or that of `uriproof.decode`. What encoders do is "
    "in [Encoders](encoders.md)."
)


@click.command(
    section="Learn",
    short_help="Show what the decoders of other languages do.",
    examples=(
        ("uriproof decoders", "all of them"),
        ("uriproof decoders --format json", "for a program"),
    ),
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("-t", "--text", "texts", multiple=True, help="Decode this instead of the examples.")
@table_format
def command(*, names: tuple[str, ...], texts: tuple[str, ...], form: str) -> int:
    """Show what decoders make of percent-encoded text: all, or those named.

    \b
    Exit code: 0  shown
               2  invalid usage
    """
    try:
        chosen = [decoder(name) for name in names] or list(decoders())
    except UnknownCoder as error:
        raise click.UsageError(str(error)) from error
    texts = texts or PROBES
    if form == "json":
        click.echo(json.dumps([each.to_dict(texts) for each in chosen], indent=1))
    else:
        parts = _parts(chosen, texts)
        lines = as_markdown(TITLE, ABOUT, parts) if form == "markdown" else as_text(parts)
        click.echo("\n".join(lines))
    return 0


def _parts(chosen: list[Decoder], texts: tuple[str, ...]) -> Iterable[Part]:
    yield (
        "What comes out",
        (
            "`SP` is a space; `error`: nothing is decoded, and an error is raised; pairs of "
            "hexadecimal digits: octets, where the decoder gives octets that are not ASCII."
        ),
        (
            ("", *map(visible, texts)),
            [(each.name, *(_shown(each.output(text)) for text in texts)) for each in chosen],
        ),
        True,
    )
    data = [each for each in chosen if each.purpose == "data"]
    if data:
        yield (
            "Decoders of data",
            (
                "What each takes though no URI may hold it, for a percent sign in it starts no "
                "escape (RFC 3986 section 2.1); of which octets that are no UTF-8 it makes text; "
                "what it reads otherwise than it is meant. A plus sign is a space in form data "
                "alone."
            ),
            (
                ("decoder", "no escape, and taken", "no UTF-8, and text", "read otherwise"),
                [(d.name, *(_texts(t) for t in (d.lenient, d.not_text, d.misread))) for d in data],
            ),
            False,
        )
    display = [each for each in chosen if each.purpose == "display"]
    if display:
        yield (
            "Decoders of URIs, for display",
            (
                "Which reserved characters, and whether the percent sign, each decodes: what is "
                "shown may be another URI then (RFC 3986 section 2.2). And which control "
                "characters, which nobody can see, or which move the cursor. `uriproof.display` "
                "decodes none of these."
            ),
            (
                ("decoder", "reserved, decoded", "controls, decoded"),
                [(d.name, listed(d.delimiting), listed(d.decoded_controls)) for d in display],
            ),
            False,
        )
    notes = [(d.name, d.note, d.source) for d in chosen]
    yield "Sources and notes", "", (("decoder", "note", "source"), notes), False


def _shown(given: Decoded) -> str:
    if given is None:
        return "error"
    if isinstance(given, bytes):
        given = given.decode() if given.isascii() else given.hex(" ").upper()
    return "SP" if given == " " else visible(given)


def _texts(texts: Iterable[str]) -> str:
    return " ".join(texts)
