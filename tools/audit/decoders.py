"""The page of decoders: their results for escapes, and where they depart from RFC 3986."""

from __future__ import annotations

from collections.abc import Iterable

from uriproof.text.drawing import visible

from .coders import PROBES, Decoded, Decoder, decoders
from .tables import Part, as_markdown, listed

TITLE = "Decoders"
ABOUT = (
    "How other decoders read percent-encoded text, and where that differs from RFC 3986. "
    "`tools/build_coders.py` writes this page: the behavior of the decoders is data, with "
    "sources, and the grammar or `uriproof.decode` gives all verdicts. [Encoders](encoders.md) "
    "has the other direction."
)


def page() -> str:
    """The page, of all decoders."""
    return "\n".join(as_markdown(TITLE, ABOUT, _parts(list(decoders())))) + "\n"


def _parts(chosen: list[Decoder]) -> Iterable[Part]:
    yield (
        "Results",
        (
            "`SP` is a space; `error`: nothing is decoded, and an error is raised; pairs of "
            "hexadecimal digits: the decoder returns octets, and these are not ASCII."
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
            "Invalid texts that each accepts, because a percent sign in them does not start an "
            "escape (RFC 3986 section 2.1); octets that it turns into text although they are not "
            "valid UTF-8; and texts that it misreads. A plus sign is a space only in form data."
        ),
        (
            ("decoder", "not an escape, accepted", "not UTF-8, decoded", "misread"),
            [(d.name, *(_texts(t) for t in (d.lenient, d.not_text, d.misread))) for d in data],
        ),
        False,
    )
    display = [each for each in chosen if each.purpose == "display"]
    yield (
        "Decoders of URIs, for display",
        (
            "Reserved characters, and the percent sign, that each decodes: then the displayed "
            "text can be another URI (RFC 3986 section 2.2). And control characters, which are "
            "invisible or move the cursor. `uriproof.display` decodes none of these."
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
