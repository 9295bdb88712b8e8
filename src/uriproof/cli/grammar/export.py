"""``uriproof grammar export``: one production for another engine.

May import every other layer. Invariant: a file is written whole or not at all.
"""

from __future__ import annotations

import click

from ...workbench.export import export, targets
from .._grammars import chosen, grammar_option, refusals
from .._group import examples
from .._options import flag, output_option, value
from .._output import put


def _notes(ctx: click.Context, _: click.Parameter, given: bool) -> None:
    """The requirements of each engine, in words."""
    if given:
        for to, target in targets().items():
            click.echo(f"{to}: {target.title}\n")
            for line in target.note.splitlines():
                click.echo(f"    {line}")
            click.echo()
        ctx.exit()


@click.command(
    short_help="Export a rule for other engines.",
    epilog=examples(
        ("uriproof grammar export URI --to pcre2", "an expression"),
        ("uriproof grammar export host --to json-schema", "a document"),
    ),
)
@click.argument("rule", required=False)
@value("--to TARGET", f"One of: {', '.join(targets())}.", required=True)
@grammar_option
@output_option
@flag(
    "--notes",
    "Show the requirements and matching cost of each target's engine.",
    is_eager=True,
    expose_value=False,
    callback=_notes,
)
def command(*, rule: str | None, to: str, grammar: str, output: str | None) -> int:
    """Write RULE, by default the grammar's start rule, for another engine.

    \b
    Exit code: 0  written
               2  unknown rule, grammar or target, the target cannot express the rule,
                  or the file cannot be written
    """
    source, name = chosen(rule, grammar)
    with refusals():
        text = export(source.compiled, name, to).rstrip("\n") + "\n"
    put(output, text)
    return 0
