"""``uriproof grammar compare``: whether two rules, or patterns, accept the same texts.

May import every other layer. Invariant: the exit code is 0 if both sides accept exactly the same
texts, 1 if not, and 2 if they could not be compared; each witness is drawn visibly.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import _click as click
from .._answers import format_option
from .._grammars import grammar_option, refusals
from ._sides import Side, drawn, read_side, relation_words, witnesses

if TYPE_CHECKING:
    from ...workbench.compare import Comparison, Count, Witness

_MOST = 1000
_LONGEST = 700  # grammar.compare.MAX_LENGTH, which is not imported to show the help


@click.command(
    short_help="Compare what two grammars or rules accept.",
    examples=(("uriproof grammar compare rfc3986:URI rfc3987:IRI", "two rules"),),
)
@click.argument("a")
@click.argument("b")
@click.option(
    "most",
    "--all",
    type=click.IntRange(1, _MOST),
    metavar="N",
    help="Show up to N kinds of witness.",
)
@click.option(
    "length",
    "--count",
    type=click.IntRange(0, _LONGEST),
    metavar="LENGTH",
    help="Also count the texts of each length up to this one.",
)
@click.option("--rules", is_flag=True, help="Compare two grammars, rule by rule.")
@grammar_option
@format_option
def command(
    *,
    a: str,
    b: str,
    most: int | None,
    length: int | None,
    rules: bool,
    grammar: str,
    form: str,
) -> int:
    """Compare what A and B accept, exactly; where they differ, show shortest texts that do.

    Recursive rules are compared by a search up to a bound that is shown: they are reported as
    equal only where that is proved.

    \b
    Each is  RULE               a rule of the grammar that -g names
             GRAMMAR            a bundled grammar's start rule
             GRAMMAR:RULE, FILE.abnf:RULE
             re:PATTERN         a regular expression of Python's, as re.fullmatch has it

    \b
    Exit code: 0  both accept the same texts
               1  they do not
               2  they could not be compared
    """
    if rules:
        if most is not None or length is not None:
            raise click.UsageError("--rules compares every rule; --all and --count are for one.")
        from ._rules import compare_rules

        return compare_rules(a, b, form)
    side_a, side_b = read_side(a, grammar), read_side(b, grammar)
    if side_a.language.automaton is None or side_b.language.automaton is None:
        if most is not None or length is not None:
            raise click.UsageError("--all and --count need automata; a recursive rule has none.")
        from ._search import search_sides

        return search_sides(side_a, side_b, form)
    from ...workbench.compare import compare, counts, kinds

    with refusals():
        found = compare(side_a.automaton, side_b.automaton)
        only_a = kinds(side_a.automaton, side_b.automaton, most or 1)
        only_b = kinds(side_b.automaton, side_a.automaton, most or 1)
        sizes = [] if length is None else counts(side_a.automaton, side_b.automaton, length)
        counted = list(sizes)
    if form == "json":
        import json

        record = {
            "a": side_a.to_dict(),
            "b": side_b.to_dict(),
            "relation": found.relation,
            "only_a": [_witness(w) for w in only_a],
            "only_b": [_witness(w) for w in only_b],
            "both": found.both,
        }
        if length is not None:
            record["counts"] = [
                {"length": c.length, "a": c.a, "b": c.b, "both": c.both} for c in counted
            ]
        click.echo(json.dumps(record))
    else:
        for line in _lines(side_a, side_b, found, only_a, only_b, counted):
            click.echo(line)
    return int(not found.equal)


def _witness(witness: Witness) -> dict[str, Any]:
    return {"text": witness.text, "stops": witness.stops}


def _lines(
    a: Side,
    b: Side,
    found: Comparison,
    only_a: tuple[Witness, ...],
    only_b: tuple[Witness, ...],
    counted: list[Count],
) -> Iterator[str]:
    yield f"A  {a.name}"
    yield f"B  {b.name}"
    yield ""
    yield from relation_words(found.relation, found.both is None)
    yield from witnesses("A", "B", only_a)
    yield from witnesses("B", "A", only_b)
    if found.both is not None and not found.equal:
        yield ""
        yield "both accept:"
        yield f"  {drawn(found.both)[0]}"
    if counted:
        yield ""
        yield from _table(counted)


def _table(counted: list[Count]) -> Iterator[str]:
    """How many texts there are of each length."""
    heads = ("length", "A", "B", "both")
    rows = [(f"{c.length}", f"{c.a:,}", f"{c.b:,}", f"{c.both:,}") for c in counted]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        yield "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
