"""``uriproof grammar explain``: which production reads which characters of a text.

May import every other layer. Invariant: every format has the same derivation.
"""

from __future__ import annotations

import sys

from .. import _click as click
from .. import _console
from .._answers import format_choice
from .._grammars import chosen, grammar_option, refusals
from ._derivation import ASCII_BARS, BARS, drawn


@click.command(
    short_help="Show how a rule derives a text.",
    examples=(
        ("uriproof grammar explain 1.2.3.4 --rule host", "its derivation"),
        ("uriproof grammar explain a:b --format svg", "a drawing"),
    ),
)
@click.argument("text")
@click.option("-r", "--rule", help="Production to read the text as.  [default: the first start]")
@grammar_option
@click.option("--characters", is_flag=True, help="Also list each character with its productions.")
@click.option("--icicle", is_flag=True, help="In SVG: bars under the text instead of a tree.")
@format_choice("text", "json", "svg")
def command(
    *, text: str, rule: str | None, grammar: str, characters: bool, icicle: bool, form: str
) -> int:
    """Show how a rule derives TEXT: which production reads which characters.

    Where the grammar is ambiguous, the alternatives and the preferred one are shown. An invalid
    text is derived up to the end of its longest valid prefix. SVG is one drawing that stands
    alone, with colors for light and for dark pages; a large tree is shown in part.

    \b
    Exit code: 0  the text is valid
               1  it is not
               2  no such rule or grammar, invalid usage, or too long a derivation
    """
    from ...grammar.derive.explain import explain
    from ...grammar.errors import GrammarLimit

    if icicle and form != "svg":
        raise click.UsageError("--icicle is a form of the drawing: give --format svg.")
    source, name = chosen(rule, grammar)
    report = None
    with refusals():
        found = explain(source.compiled, name, text)
        if not found.ok and form != "svg":
            try:
                report = source[name].check(text)
            except GrammarLimit:  # the derivation is shown all the same
                report = None
    if form == "svg":
        from ...grammar.derive.svg import to_svg

        click.echo(to_svg(found, "icicle" if icicle else "tree"))
    elif form == "json":
        import json

        record = found.to_dict()
        record["violations"] = (
            [v.to_dict() for v in report.masked().violations] if report is not None else []
        )
        click.echo(json.dumps(record))
    else:
        style = _console.style(sys.stdout, False)
        bars = BARS if _shows(BARS) else ASCII_BARS
        lines = drawn(found, source.compiled, style, bars, characters, report)
        click.echo("\n".join(lines), color=style.colour)
    return 0 if found.ok else 1


def _shows(bars: tuple[str, ...]) -> bool:
    """Whether standard output can show the bars."""
    try:
        "".join(bars).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
