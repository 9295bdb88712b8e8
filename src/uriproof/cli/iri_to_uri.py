"""``uriproof iri-to-uri``: the URI that a reference is mapped to.

May import every layer below. Invariant: standard output has one line for each text, in the order of
the input: blank for what is no IRI and no relative reference, which is reported on standard error.
"""

from __future__ import annotations

from . import _click as click
from ._answers import Answer, answer, format_option


@click.command(
    section="Read and rewrite",
    short_help="Map IRIs to URIs.",
    examples=(("uriproof iri-to-uri http://example.com/café", "encode what is not ASCII"),),
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT... | -")
@click.option("--idna", is_flag=True, help="Convert the labels of the host to A-labels (xn--).")
@format_option
def command(*, texts: tuple[str, ...], idna: bool, form: str) -> int:
    """Map each TEXT, an IRI or a relative reference, to a URI; - is standard input.

    \b
    Exit code: 0  every text is mapped
               1  some text is no IRI and no relative reference
               2  invalid usage, or something could not be read
    """
    from ..uri.iri import iri_to_uri

    def work(text: str) -> Answer:
        made = iri_to_uri(text, idna=idna)
        return {"text": text, "uri": made}, made

    return answer(texts, work, form, aligned=True)
