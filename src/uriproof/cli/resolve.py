"""``uriproof resolve``: references against a base, and back.

May import every other layer. Invariant: an invalid base ends the command, an invalid reference is a
refused text, for which there is a blank line.
"""

from __future__ import annotations

import click

from ..uri.components import InvalidComponents, read_argument
from ..uri.resolve import relativize, resolve
from ._answers import Answer, answer
from ._group import Refused, examples
from ._options import flag, format_option, refuse_beside


@click.command(
    short_help="Resolve references against a base URI.",
    epilog=examples(
        ("uriproof resolve http://a/b/c ../d", "the target"),
        ("uriproof resolve --relative http://a/b http://a/", "a reference to it"),
    ),
)
@click.argument("base")
@click.argument("references", nargs=-1, required=True, metavar="REFERENCE... | -")
@flag("--lenient", "Ignore the scheme of a reference if the base has the same.")
@flag("--relative", "The reverse: print the relative reference from BASE to each URI.")
@format_option
def command(
    *, base: str, references: tuple[str, ...], lenient: bool, relative: bool, form: str
) -> int:
    """Resolve each REFERENCE against the URI BASE (RFC 3986 section 5); - is standard input.

    \b
    Exit code: 0  every reference is resolved
               1  at least one text is not a URI-reference, or no reference leads to it
               2  invalid usage, or something could not be read
    """
    if relative:
        refuse_beside("--relative", "lenient")
    try:
        read_argument("BASE", base, "URI")
    except InvalidComponents as error:
        raise Refused(str(error)) from error

    def work(text: str) -> Answer:
        if relative:
            reference, target = relativize(base, text), text
        else:
            reference, target = text, resolve(base, text, strict=not lenient)
        record = {"base": base, "reference": reference, "target": target}
        return record, reference if relative else target

    return answer(references, work, form, aligned=True)
