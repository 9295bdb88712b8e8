"""``uriproof build``: a URI out of its components.

May import every other layer. Invariant: what is printed is valid and splits into exactly the
components that were given.
"""

from __future__ import annotations

from typing import Any

import click

from ..uri.components import Components, build
from ._answers import Answer, answer
from ._group import examples
from ._output import format_option

_NAMES = Components._fields


@click.command(
    short_help="Build a URI of its components.",
    epilog=examples(
        ("uriproof build --scheme https --host h --path /", "from options"),
        ("uriproof build - < components.jsonl", "from JSON, an object a line"),
    ),
)
@click.argument("source", required=False, metavar="[-]")
@click.option("--scheme", help="For example https; without it, a relative reference is built.")
@click.option("--userinfo", help="What is before the @.")
@click.option("--host", help="A name, an IPv4 address, or an IPv6 address in brackets.")
@click.option("--port", help="Decimal digits.")
@click.option("--path", help="With its first slash, if it has one.")
@click.option("--query", help="Without the question mark.")
@click.option("--fragment", help="Without the number sign.")
@format_option
def command(*, source: str | None, form: str, **components: str | None) -> int:
    """Build a URI, or from each line of standard input (-) a JSON object of components.

    Each component is checked against its production; nothing is encoded. An empty value is not
    the same as none: --query "" ends the URI with a question mark.

    \b
    Exit code: 0  built
               1  some component is invalid, or would be parsed as something else
               2  invalid usage, or something could not be read
    """
    given = {name: value for name, value in components.items() if value is not None}
    if source not in (None, "-"):
        raise click.UsageError("Give components as options, or - for standard input.")
    if source and given:
        raise click.UsageError("Give components as options or from standard input, not both.")
    if not source and not given:
        raise click.UsageError("Nothing to build: give --scheme, --host, --path or others, or -.")

    def made(text: str) -> Answer:
        try:
            parts: dict[str, Any] = _object(text) if source else given
            built = build(**parts)
        except TypeError as error:  # of JSON: true, or a list
            raise ValueError(str(error)) from error
        return {"components": parts, "built": built}, built

    return answer([source or ""], made, form)


def _object(line: str) -> dict[str, Any]:
    """The components in a line of JSON. Errors: ValueError, TypeError, for people."""
    import json

    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"invalid JSON: {error}") from error
    if not isinstance(found, dict):
        raise TypeError(f"a JSON object of components is expected: {', '.join(_NAMES)}")
    if unknown := [name for name in found if name not in _NAMES]:
        raise ValueError(f"no component {unknown[0]!r}; the components are {', '.join(_NAMES)}")
    return found
