"""``uriproof uri-to-iri``: the IRI that a reference is mapped to.

May import every layer below. Invariant: standard output has one line for each text, in the order of
the input: blank for what is no URI and no relative reference, which is reported on standard error.
"""

from __future__ import annotations

from . import _click as click
from ._answers import Answer, answer, format_option


@click.command(
    section="Read and rewrite",
    short_help="Map URIs to IRIs.",
    examples=(("uriproof uri-to-iri http://example.com/caf%C3%A9", "decode what is not ASCII"),),
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT... | -")
@click.option("--idna", is_flag=True, help="Convert A-labels (xn--) of the host to U-labels.")
@format_option
def command(*, texts: tuple[str, ...], idna: bool, form: str) -> int:
    """Map each TEXT, a URI or a relative reference, to an IRI; - is standard input.

    \b
    Exit code: 0  every text is mapped
               1  some text is no URI and no relative reference
               2  invalid usage, or something could not be read
    """
    from ..uri.iri import uri_to_iri

    def work(text: str) -> Answer:
        made = uri_to_iri(text, idna=idna)
        return {"text": text, "iri": made}, made

    return answer(texts, work, form, aligned=True)
