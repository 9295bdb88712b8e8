"""``uriproof grammar worksheet``: questions about a grammar's rules, with a key.

May import every other layer. Invariant: the same arguments print the same, and the code printed on
a sheet reproduces it.
"""

from __future__ import annotations

import click

from ...limits import MOST_QUESTIONS
from .._grammars import grammar_option, load, refusals
from .._group import examples
from .._options import flag, format_choice, integer, output_option
from .._output import print_json, put


@click.command(
    short_help="Make a worksheet for a class, with a key.",
    epilog=examples(
        ("uriproof grammar worksheet --format html", "a page to print"),
        ("uriproof grammar worksheet host -n 4 --key", "with the answers"),
    ),
)
@click.argument("rules", metavar="[RULE]...", nargs=-1)
@grammar_option
@integer("--seed N", "Random seed.", 0, default=1)
@integer("-n --count N", "Number of questions.", 1, MOST_QUESTIONS, default=10)
@flag("--key", "Also print the answers, on a separate page.")
@flag("--explain", "In the answers, also show what was expected.")
@output_option
@format_choice("text", "html", "json")
def command(
    *,
    rules: tuple[str, ...],
    grammar: str,
    seed: int,
    count: int,
    key: bool,
    explain: bool,
    output: str | None,
    form: str,
) -> int:
    """Print questions about each RULE of a grammar, by default its start rule.

    The texts are random ones that the rule accepts, and near misses. The questions: is it valid, or
    which character is not; which production reads it; how to fix it; which reading is meant. The
    code at the end of the sheet identifies its key: uriproof grammar grade --sheet CODE grades the
    answers. HTML prints on A4 and Letter, in black and white.

    \b
    Exit code: 0  printed
               2  unknown rule or grammar, invalid usage, or no texts to ask about
    """
    from ...teach.worksheet import worksheet
    from ...teach.worksheet.page import to_html, to_text

    source = load(grammar)
    with refusals():
        sheet = worksheet(source, rules, count=count, seed=seed, explain=explain)
    if form == "json":
        record = sheet.to_dict()
        if not key:
            del record["key"]
        print_json(record, output)
    else:
        put(output, (to_html if form == "html" else to_text)(sheet, key=key))
    return 0
