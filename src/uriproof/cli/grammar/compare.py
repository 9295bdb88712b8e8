"""``uriproof grammar compare``: whether two rules, or patterns, accept the same texts.

May import every other layer. Invariant: the exit code is 0 if both sides accept exactly the same
texts, 1 if not, and 2 if they could not be compared, for example if an incomplete search found no
text that distinguishes recursive rules; each witness is drawn visibly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from ...text.drawing import draw, visible
from .._grammars import grammar_option, load, refusals, subject
from .._group import examples
from .._options import flag, format_option, integer, refuse_beside
from .._output import print_json, wrapped

if TYPE_CHECKING:
    from ... import Grammar
    from ...workbench.compare import Compared, Comparison, Language, Relation, Witness

_MOST = 1000
_WIDTH = 78
_WORDS = {
    "contained": "B's accepts more",
    "contains": "A's accepts more",
    "overlapping": "each accepts texts that the other does not",
    "disjoint": "no text in common",
}


@click.command(
    short_help="Compare what two grammars or rules accept.",
    epilog=examples(("uriproof grammar compare rfc3986:URI rfc3987:IRI", "two rules")),
)
@click.argument("a")
@click.argument("b")
@integer("most --all N", "Show up to N kinds of witnesses.", 1, _MOST)
@flag("--rules", "Compare two grammars rule by rule.")
@grammar_option
@format_option
def command(
    *,
    a: str,
    b: str,
    most: int | None,
    rules: bool,
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
    if rules:
        refuse_beside("--rules", "most")
        return _compare_rules(a, b, form)
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
        yield from _relation_words(found.relation, found.both is None)
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


def _relation_words(relation: Relation, empty: bool) -> Iterator[str]:
    """The relation in a sentence; ``empty`` if neither side accepts any text."""
    match relation:
        case "equal":
            yield "Equal: neither accepts any text." if empty else "Equal: exactly the same texts."
        case "contained":
            yield "A is contained in B: B accepts everything that A accepts, and more."
        case "contains":
            yield "A contains B: A accepts everything that B accepts, and more."
        case "overlapping":
            yield "They overlap: each accepts texts that the other does not."
        case "disjoint":
            yield "Disjoint: no text is accepted by both."


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


# Two grammars, rule by rule


@dataclass(frozen=True, slots=True)
class _Pair:
    """One rule that both have: their relation, or why it is unknown."""

    name: str
    found: Comparison | None
    why: str = ""


def _compare_rules(a: str, b: str, form: str) -> int:
    """Print every rule; 0 if both grammars have equal rules of the same names, else 1."""
    first, second = _grammar(a), _grammar(b)
    names = {rule.lower(): rule for rule in second.rules}
    pairs = [
        _compared(first, r, second, names[r.lower()]) for r in first.rules if r.lower() in names
    ]
    only_a = [rule for rule in first.rules if rule.lower() not in names]
    own = {rule.lower() for rule in first.rules}
    only_b = [rule for rule in second.rules if rule.lower() not in own]
    if form == "json":
        record = {
            "a": first.name,
            "b": second.name,
            "rules": [_pair_record(pair) for pair in pairs],
            "only_a": only_a,
            "only_b": only_b,
        }
        print_json(record)
    else:
        for line in _rule_lines(first.name, second.name, pairs, only_a, only_b):
            click.echo(line)
    if any(pair.found is None for pair in pairs):
        return 2
    different = any(pair.found is not None and not pair.found.equal for pair in pairs)
    return int(different or bool(only_a or only_b))


def _grammar(named: str) -> Grammar:
    if ":" in named and not named.endswith(".abnf"):
        raise click.UsageError(
            f"--rules compares two grammars, and {named} is a rule or a pattern."
        )
    return load(named)


def _compared(a: Grammar, rule_a: str, b: Grammar, rule_b: str) -> _Pair:
    from ...grammar.errors import GrammarLimit
    from ...workbench.compare import compare

    try:
        return _Pair(rule_a, compare(a.automaton(rule_a), b.automaton(rule_b)))
    except GrammarLimit as error:
        return _Pair(rule_a, None, str(error))


def _pair_record(pair: _Pair) -> dict[str, Any]:
    found = pair.found
    if found is None:
        return {"rule": pair.name, "relation": None, "why": pair.why}
    return {
        "rule": pair.name,
        "relation": found.relation,
        "only_a": found.only_a,
        "only_b": found.only_b,
        "both": found.both,
    }


def _rule_lines(
    a: str, b: str, pairs: list[_Pair], only_a: list[str], only_b: list[str]
) -> Iterator[str]:
    yield f"A  {a}"
    yield f"B  {b}"
    for pair in pairs:
        if pair.found is None:
            yield f"\n{pair.name}: not compared: {pair.why}"
        elif not pair.found.equal:
            yield f"\n{pair.name}: {_WORDS[pair.found.relation]}"
            for side, text in (("A", pair.found.only_a), ("B", pair.found.only_b)):
                if text is not None:
                    yield f"  only {side}: {visible(text) or '(the empty text)'}"
    equal = [pair.name for pair in pairs if pair.found is not None and pair.found.equal]
    for words, names in ((f"equal ({len(equal)})", equal), ("only A", only_a), ("only B", only_b)):
        if names:
            yield f"\n{words}:"
            yield from wrapped(", ".join(names), _WIDTH, "  ", "  ")
