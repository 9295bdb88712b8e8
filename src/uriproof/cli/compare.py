"""``uriproof compare``: whether texts are equivalent, and on which level.

May import every other layer. Invariant: the exit code is 0 if all are equivalent to the first, 1
if one is not, and 2 if one could not be compared.
"""

from __future__ import annotations

import click

from ..uri.components import InvalidComponents
from ..uri.normalize import LEVEL, LEVELS, equivalent, read_reference
from ._answers import Answer, answer
from ._group import Refused, examples
from ._options import choice, flag, format_option, value


@click.command(
    short_help="Compare URIs for equivalence.",
    epilog=examples(("uriproof compare HTTP://a/ http://a:80/", "is it the same URI?")),
)
@click.argument("first")
@click.argument("others", nargs=-1, required=True, metavar="OTHER... | -")
@value("--base URI", "Resolve references against this URI first.")
@flag("--no-fragment", "Ignore fragments.")
@choice(
    "--level",
    LEVELS,
    "The last level of normalization to try (RFC 3986 section 6.2); host also takes IRIs.",
    default=LEVEL,
)
@format_option
def command(
    *,
    first: str,
    others: tuple[str, ...],
    base: str | None,
    no_fragment: bool,
    level: str,
    form: str,
) -> int:
    """Compare FIRST with each OTHER for equivalence; - is each line of standard input.

    \b
    Exit code: 0  all are equivalent to the first
               1  at least one is not
               2  at least one is not a URI-reference, invalid usage, or unreadable input
    """
    try:
        read_reference("FIRST", first, level)
        if base is not None:
            read_reference("--base", base, level, "URI")
    except InvalidComponents as error:
        raise Refused(str(error)) from error

    different = False

    def work(text: str) -> Answer:
        read_reference("OTHER", text, level)
        found = equivalent(first, text, base=base, fragment=not no_fragment, level=level)
        nonlocal different
        lines = [str(found)]
        if not found:
            different = True
            lines += f"  {found.a}", f"  {found.b}"
        return found.to_dict() | {"texts": [first, text]}, "\n".join(lines)

    return answer(others, work, form, bad=2) or int(different)
