"""``uriproof grammar compare``: whether two rules, or patterns, accept the same texts.

May import every other layer. Invariant: the exit code is 0 if both sides accept exactly the same
texts, 1 if not, and 2 if they could not be compared, for example if an incomplete search found no
text that distinguishes recursive rules; each witness is drawn visibly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ...text.drawing import draw, visible
from .._grammars import grammar_option, refusals, subject
from .._group import examples
from .._options import format_option, integer
from .._output import print_json

if TYPE_CHECKING:
    from ...workbench.compare import Compared, Language, Relation, Witness

_MOST = 1000
_RELATIONS: dict[Relation, str] = {
    "equal": "Equal: exactly the same texts.",
    "contained": "A is contained in B: B accepts everything that A accepts, and more.",
    "contains": "A contains B: A accepts everything that B accepts, and more.",
    "overlapping": "They overlap: each accepts texts that the other does not.",
    "disjoint": "Disjoint: no text is accepted by both.",
}


@click.command(
    short_help="Compare what two grammars or rules accept.",
    epilog=examples(("uriproof grammar compare rfc3986:URI rfc3987:IRI", "two rules")),
)
@click.argument("a")
@click.argument("b")
@integer("most --all N", "Show up to N kinds of witnesses.", 1, _MOST)
@grammar_option
@format_option
def command(
    *,
    a: str,
    b: str,
    most: int | None,
    grammar: str,
    form: str,
) -> int:
    """Compare exactly which texts A and B accept; if they differ, show shortest examples.

    Recursive rules are compared by a search up to a bound that is shown; they are reported as equal
    only if that is proved.

    \b
    Each is  RULE               a rule of the grammar that -g names
             GRAMMAR            a bundled grammar's start rule
             GRAMMAR:RULE, FILE.abnf:RULE
             re:PATTERN         a Python regular expression, as in re.fullmatch

    \b
    Exit code: 0  both accept the same texts
               1  they do not
               2  they could not be compared
    """
    side_a, side_b = _read_side(a, grammar), _read_side(b, grammar)
    if most is not None and None in (side_a.automaton, side_b.automaton):
        raise click.UsageError("--all does not work with recursive rules.")
    from ...workbench.compare import compared

    with refusals():
        found = compared(side_a, side_b, most or 1)
    if form == "json":
        print_json({"a": side_a.to_dict(), "b": side_b.to_dict(), **found.to_dict()})
    else:
        click.echo("\n".join([f"A  {side_a.name}", f"B  {side_b.name}", "", *_lines(found)]))
    if found.relation == "equal":
        return 0
    return 1 if found.differ else 2


def _lines(found: Compared) -> Iterator[str]:
    if found.same:
        yield "Equal: the same rules, word for word."
        return
    if found.relation is not None:
        nothing = found.relation == "equal" and found.both is None
        yield "Equal: neither accepts any text." if nothing else _RELATIONS[found.relation]
    elif found.differ:
        yield "They differ."
    else:
        yield "Not decided: no text was found that distinguishes them."
    yield from _witnesses("A", "B", found.only_a)
    yield from _witnesses("B", "A", found.only_b)
    if found.both is not None and found.relation != "equal":
        yield from ("", "both accept:", f"  {_drawn(found.both)[0]}")
    if found.relation is None:
        yield ""
        for side, witnesses in (("A", found.only_a), ("B", found.only_b)):
            if found.differ and not witnesses:
                yield f"No text was found that only {side} accepts."
        drawn_too = f", and {found.drawn:,} random ones" if found.drawn else ""
        yield f"Searched: all texts of length {max(found.length, 0)} or less{drawn_too}."


def _read_side(named: str, grammar: str) -> Language:
    """``RULE``, ``GRAMMAR``, ``GRAMMAR:RULE``, ``FILE.abnf:RULE``, or ``re:PATTERN``."""
    from ...workbench.compare import PATTERN, language, pattern

    if named.startswith(PATTERN):
        with refusals():
            return replace(pattern(named), name=visible(named))
    chosen, rule = subject(named, grammar)
    with refusals():
        return language(chosen.compiled, rule)


def _witnesses(side: str, other: str, found: tuple[Witness, ...]) -> Iterator[str]:
    """Each text that only one side accepts, with a mark where the other one stops."""
    if not found:
        return
    yield ""
    yield f"only {side} accepts, with a mark where {other} stops:"
    for witness in found:
        for line in _drawn(witness.text, witness.stops):
            yield f"  {line}"


def _drawn(text: str, stops: int | None = None) -> list[str]:
    """A text in its visible form; an empty one as words."""
    if not text:
        return ["(the empty text)"]
    if stops is None:
        return draw(text, [])
    return draw(text, [(stops, stops + (stops < len(text)))])
