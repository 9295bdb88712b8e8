"""``compare``: whether two rules accept the same texts, with the shortest that tell them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...rule import Grammar
from ..fields import Fields, Refused

if TYPE_CHECKING:
    from ...grammar.compiled import Compiled
    from ...workbench.compare import Witness
    from ...workbench.search import Language

WITNESSES = 5
"""Texts of either side by default."""

MOST_WITNESSES = 50
PATTERN = "re:"
TEXTS = 1_000
"""Beginnings of texts that are looked at where no automaton decides."""


class _Side(NamedTuple):
    """One side: its name as ``GRAMMAR:RULE`` or the pattern, and what it accepts."""

    name: str
    language: Language
    rule: str = ""
    compiled: Compiled | None = None

    def to_dict(self) -> dict[str, Any]:
        grammar = self.compiled.name if self.compiled is not None else None
        return {"name": self.name, "grammar": grammar, "rule": self.rule or None}


def answer(fields: Fields) -> dict[str, Any]:
    """Two sides in; how they are related, and shortest texts that only one accepts, out.

    A side ``a`` is a rule of the grammar that the common fields name, ``GRAMMAR:RULE``, or
    ``re:PATTERN``; with ``abnf_a`` it is a rule of that text, by default its start.
    """
    a, b = _side(fields, "a"), _side(fields, "b")
    most = fields.number("most", WITNESSES, least=1, most=MOST_WITNESSES)
    return {"a": a.to_dict(), "b": b.to_dict(), **_compared(a, b, most)}


def _side(fields: Fields, key: str) -> _Side:
    from ...workbench.search import Language, language

    own = f"abnf_{key}"
    if fields.value(own) is not None:
        grammar = fields.grammar(own)
        rule = fields.rule(grammar, key)
    else:
        named = fields.text(key)
        if named.startswith(PATTERN):
            return _Side(named, Language(_pattern(key, named)))
        name, colon, _ = named.rpartition(":")
        grammar = Grammar.load(name) if colon else fields.grammar()
        rule = grammar.rule_name(named.rpartition(":")[2])
    made = language(grammar.compiled, rule)
    return _Side(f"{grammar.name}:{rule}", made, rule, grammar.compiled)


def _pattern(key: str, named: str) -> Any:
    from ...workbench.read_pattern import BadPattern, read_pattern

    try:
        return read_pattern(named.removeprefix(PATTERN))
    except BadPattern as error:
        raise Refused("invalid-pattern", str(error), field=key, offset=error.offset) from None


def _compared(a: _Side, b: _Side, most: int) -> dict[str, Any]:
    from ...workbench.compare import compare, kinds
    from ...workbench.search import same_rules, search

    one, other = a.language.automaton, b.language.automaton
    if one is not None and other is not None:
        found = compare(one, other)
        return {
            "relation": found.relation,
            "only_a": [_record(w) for w in kinds(one, other, most)],
            "only_b": [_record(w) for w in kinds(other, one, most)],
            "both": found.both,
            "searched": None,
        }
    if (
        a.compiled is not None
        and b.compiled is not None
        and same_rules(a.compiled.model, a.rule, b.compiled.model, b.rule)
    ):
        return {"relation": "equal", "only_a": [], "only_b": [], "both": None, "searched": None}
    looked = search(a.language, b.language, TEXTS)
    return {
        "relation": looked.relation,
        "only_a": [_record(looked.only_a)] if looked.only_a else [],
        "only_b": [_record(looked.only_b)] if looked.only_b else [],
        "both": looked.both,
        "searched": None if looked.every else {"length": looked.length, "drawn": looked.drawn},
    }


def _record(witness: Witness) -> dict[str, Any]:
    return {"text": witness.text, "stops": witness.stops}
