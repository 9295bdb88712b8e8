"""``uriproof grammar list``: the grammars that come with the package.

May import every other layer. Invariant: one row a grammar, in every format the same facts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from ...text.drawing import visible
from ...text.names import some
from .. import _output
from .._group import examples
from .._options import format_option
from .._output import print_json, table

_NAMED = 8
"""Maximum names listed of each kind; JSON has them all."""


@click.command(
    short_help="List the bundled grammars.",
    epilog=examples(("uriproof grammar list", "their rules, schemes and sources")),
)
@format_option
def command(*, form: str) -> int:
    """List the bundled grammars: rules, start rules, schemes and sources.

    \b
    Exit code: 0  listed
               2  invalid usage
    """
    from ...grammar import registry

    records = [_record(registry.load(name).model) for name in registry.names()]
    if form == "json":
        print_json(records)
    else:
        rows = (row for record in records for row in _rows(record))
        for line in table(rows, _output.style(sys.stdout, None).width):
            click.echo(line)
    return 0


def _record(model: Any) -> dict[str, Any]:
    own = [rule for rule in model.rules.values() if rule.grammar == model.name]
    return {
        "name": model.name,
        "title": model.title,
        "rules": len(own),
        "imported": len(model.rules) - len(own),
        "starts": list(model.starts),
        "schemes": sorted(model.schemes),
        "source": model.source or (own[0].file if own else ""),
    }


def _rows(record: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The lines of a grammar: its name and size, and at the right its title and its facts."""
    head = record["name"], some(record["rules"], "rule")
    facts = [f"start {_some(record['starts'])}"]
    if record["schemes"]:
        facts.append(f"schemes {_some(record['schemes'])}")
    if record["title"]:
        yield (*head, visible(record["title"]))
        head = "", ""
    yield (*head, "; ".join([*facts, record["source"]]))


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return " ".join(names[:_NAMED]) + more
