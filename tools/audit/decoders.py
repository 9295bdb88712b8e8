"""The page of decoders: what each makes of escapes, and where that departs from RFC 3986."""

from __future__ import annotations

from collections.abc import Iterable

from uriproof.text.drawing import visible

from .coders import PROBES, Decoded, Decoder, decoders
from .tables import Part, as_markdown, listed

TITLE = "Decoders"
ABOUT = (
    "What other decoders make of percent-encoded text, and where that departs from RFC 3986. "
    "Written by `tools/build_coders.py`: what the decoders do is data, each with its "
    "source; every judgement is the grammar's, or that of `uriproof.decode`. What encoders do is "
    "in [Encoders](encoders.md)."
)


def page() -> str:
    """The page, of all decoders."""
    return "\n".join(as_markdown(TITLE, ABOUT, _parts(list(decoders())))) + "\n"


def _parts(chosen: list[Decoder]) -> Iterable[Part]:
    yield (
        "What comes out",
        (
            "`SP` is a space; `error`: nothing is decoded, and an error is raised; pairs of "
            "hexadecimal digits: octets, where the decoder gives octets that are not ASCII."
        ),
        (
            ("", *map(visible, PROBES)),
            [(each.name, *(_shown(each.output(text)) for text in PROBES)) for each in chosen],
        ),
        True,
    )
    data = [each for each in chosen if each.purpose == "data"]
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
