"""``uriproof grammar list``: the grammars that come with the package.

May import every other layer. Invariant: one row a grammar, in every format the same facts.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from ...text.drawing import visible
from .. import _output
from .._group import examples
from .._options import format_option
from .._output import print_json, wrapped

_NARROW = 40
"""Minimum columns for words next to a name; with fewer they go below it."""

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
        for line in _table(records, _output.style(sys.stdout, None).width):
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


def _table(records: list[dict[str, Any]], width: int) -> list[str]:
    """A paragraph for each grammar: its name and size at the left if there is room."""
    left = max(len(r["name"]) for r in records)
    digits = max(len(str(r["rules"])) for r in records)
    lines: list[str] = []
    for record in records:
        count = f"{record['rules']:>{digits}} {'rule ' if record['rules'] == 1 else 'rules'}"
        head = f"{record['name']:<{left}}  {count}  "
        below = " " * len(head)
        if len(head) + _NARROW > width:
            lines.append(f"{record['name']}  {count.strip()}")
            head = below = "  "
        words = [visible(record["title"])] if record["title"] else []
        more = [f"start {_some(record['starts'])}"]
        if record["schemes"]:
            more.append(f"schemes {_some(record['schemes'])}")
        for words_ in (*words, "; ".join([*more, record["source"]])):
            lines += wrapped(words_, width, head, below)
            head = below
    return lines


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return " ".join(names[:_NAMED]) + more
