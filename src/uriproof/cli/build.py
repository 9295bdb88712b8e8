"""``uriproof build``: a URI from its components.

May import every other layer. Invariant: the output is valid, and splits into exactly the given
components.
"""

from __future__ import annotations

from typing import Any

import click

from ..text.strict_json import read_json
from ..uri.components import Components, build
from ._answers import Answer, answer
from ._group import examples
from ._options import format_option, value

_NAMES = Components._fields


@click.command(
    short_help="Build a URI from components.",
    epilog=examples(
        ("uriproof build --scheme https --host h --path /", "from options"),
        ("uriproof build - < components.jsonl", "from JSON, one on each line"),
    ),
)
@click.argument("source", required=False, metavar="[-]")
@value("--scheme TEXT", "Such as https; without it, a relative reference is built.")
@value("--userinfo TEXT", "The part before the @.")
@value("--host TEXT", "A name, an IPv4 address, or an IPv6 address in brackets.")
@value("--port TEXT", "Decimal digits.")
@value("--path TEXT", "With its first slash, if any.")
@value("--query TEXT", "Without the question mark.")
@value("--fragment TEXT", "Without the number sign.")
@format_option
def command(*, source: str | None, form: str, **components: str | None) -> int:
    """Build a URI from options, or from a JSON object on each line of standard input (-).

    Each component is checked against its production; nothing is encoded. An empty value differs
    from an absent one: --query "" ends the URI with a question mark.

    \b
    Exit code: 0  built
               1  a component is invalid, or would be parsed as something else
               2  invalid usage, or something could not be read
    """
    given = {name: value for name, value in components.items() if value is not None}
    if source not in (None, "-"):
        raise click.UsageError("Give components as options, or - for standard input.")
    if source and given:
        raise click.UsageError("Components as options and - for standard input cannot be combined.")
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
    found = read_json(line)
    if not isinstance(found, dict):
        raise TypeError(f"expected a JSON object with the keys {', '.join(_NAMES)}")
    if unknown := [name for name in found if name not in _NAMES]:
        raise ValueError(f"{unknown[0]!r} is not a component; use {', '.join(_NAMES)}")
    return found
