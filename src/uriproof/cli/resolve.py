"""``uriproof resolve``: references against a base, and back.

May import every other layer. Invariant: a base that is no URI is a wrong call, a reference that
is none is a refused text.
"""

from __future__ import annotations

from ..percent.components import InvalidComponents, split
from ..uri.resolve import relativize, resolve
from . import _click as click
from ._answers import Answer, answer, format_option


@click.command()
@click.argument("base")
@click.argument("references", nargs=-1, required=True, metavar="REFERENCE... | -")
@click.option("--lenient", is_flag=True, help="Read a reference with the base's scheme as none.")
@click.option(
    "--relative",
    is_flag=True,
    help="The other way round: the reference from BASE to each given URI.",
)
@format_option
def command(
    *, base: str, references: tuple[str, ...], lenient: bool, relative: bool, form: str
) -> int:
    """Resolve each REFERENCE against the URI BASE (RFC 3986 section 5); - is standard input.

    \b
    Exit code: 0  every reference has its target
               1  some text is no URI-reference, or no reference leads to it
               2  the call is wrong, or something could not be read
    """
    if lenient and relative:
        raise click.UsageError("--lenient is about resolving; --relative makes strict references.")
    try:
        split(base, "URI")
    except InvalidComponents as error:
        raise click.UsageError(f"The base has to be a URI. {error}") from error

    def work(text: str) -> Answer:
        if relative:
            reference, target = relativize(base, text), text
        else:
            reference, target = text, resolve(base, text, strict=not lenient)
        record = {"base": base, "reference": reference, "target": target}
        return record, reference if relative else target

    return answer(references, work, form)
