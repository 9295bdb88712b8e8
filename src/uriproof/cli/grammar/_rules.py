"""Two whole grammars side by side, rule by rule.

May import every other layer. Invariant: each rule of either grammar is listed once, by its name
in the first one's spelling, as equal, different, only in one, or beyond what can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...text.drawing import visible
from .. import _click as click
from .._grammars import load

if TYPE_CHECKING:
    from ... import Grammar
    from ...workbench.compare import Comparison

_WIDTH = 78
_WORDS = {
    "contained": "B's accepts more",
    "contains": "A's accepts more",
    "overlapping": "each accepts texts that the other does not",
    "disjoint": "no text in common",
}


@dataclass(frozen=True, slots=True)
class _Pair:
    """One rule that both have: their relation, or why it is unknown."""

    name: str
    found: Comparison | None
    why: str = ""


def compare_rules(a: str, b: str, form: str) -> int:
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
        import json

        record = {
            "a": first.name,
            "b": second.name,
            "rules": [_record(pair) for pair in pairs],
            "only_a": only_a,
            "only_b": only_b,
        }
        click.echo(json.dumps(record))
    else:
        for line in _lines(first.name, second.name, pairs, only_a, only_b):
            click.echo(line)
    if any(pair.found is None for pair in pairs):
        return 2
    different = any(pair.found is not None and not pair.found.equal for pair in pairs)
    return int(different or bool(only_a or only_b))


def _grammar(named: str) -> Grammar:
    if ":" in named and not named.endswith(".abnf"):
        raise click.UsageError(f"{named} names a rule or a pattern; --rules takes two grammars.")
    return load(named)


def _compared(a: Grammar, rule_a: str, b: Grammar, rule_b: str) -> _Pair:
    from ...grammar.errors import GrammarLimit
    from ...workbench.compare import compare

    try:
        return _Pair(rule_a, compare(a.automaton(rule_a), b.automaton(rule_b)))
    except GrammarLimit as error:
        return _Pair(rule_a, None, str(error))


def _record(pair: _Pair) -> dict[str, Any]:
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


def _lines(
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
            yield from _wrapped(names)


def _wrapped(names: list[str]) -> Iterator[str]:
    import textwrap

    yield from textwrap.wrap(
        ", ".join(names),
        _WIDTH,
        initial_indent="  ",
        subsequent_indent="  ",
        break_on_hyphens=False,
    )
