"""Sets of characters in the words of a grammar: by the names of its own rules where it has them.

Owns that wording. Imports the model, the character sets and the words of diagrams. Invariant: the
names, taken together, say exactly the set.
"""

from __future__ import annotations

from ..grammar.charset import Ranges, minus, of_terminal, union
from ..grammar.machine.first_sets import Facts
from ..grammar.model import Alternation, CharVal, Element, NumVal, Repetition, RuleRef
from .railroad.plan import label

_FEW = 6
"""Characters next to each other that are named one by one; more are a range."""

_TELLING = 6
"""Characters of a rule whose name says a part of a set better than the characters would."""


class Names:
    """The sets of single characters that the rules of a grammar name.

    >>> from uriproof.grammar.registry import load
    >>> facts = Facts(load("rfc3986").model)
    >>> Names(facts).of(facts.characters["scheme"])
    ('ALPHA', 'DIGIT', '"+"', '"-"', '"."')
    """

    def __init__(self, facts: Facts) -> None:
        known: dict[str, Ranges | None] = {}
        for group in facts.groups:
            for name in group:
                element = facts.model.rules[name].element
                known[name] = None if len(group) > 1 else _set_of(element, known)
        named: dict[Ranges, str] = {}
        for name in facts.model.rules:  # of rules for one set, the grammar's own is first
            ranges = known[name]
            if ranges:
                named.setdefault(ranges, name)
        self._sets = sorted(named.items(), key=lambda item: -_size(item[0]))

    def of(self, ranges: Ranges) -> tuple[str, ...]:
        """The set in as few names as a greedy choice finds, largest first; then its characters."""
        found: list[str] = []
        rest = ranges
        for candidate, name in self._sets:
            hidden = not label(NumVal((candidate[0][0],)))[0].startswith('"')
            if candidate == ranges and (hidden or _size(candidate) > 1):
                return (name,)  # but "%" says more than a rule that is nothing else
            if not minus(candidate, rest) and (hidden or _size(candidate) >= _TELLING):
                found.append(name)
                rest = minus(rest, candidate)
        return (*found, *_spelled(rest))


def _set_of(element: Element, known: dict[str, Ranges | None]) -> Ranges | None:
    """The characters of an element that always matches exactly one, else None."""
    match element:
        case RuleRef(name):
            return known.get(name)
        case CharVal() | NumVal():
            sets = of_terminal(element)
            return sets[0] if len(sets) == 1 else None
        case Alternation(items):
            parts = [_set_of(i, known) for i in items]
            ranges = [p for p in parts if p is not None]
            return union(*ranges) if len(ranges) == len(parts) else None
        case Repetition(item, 1, 1):
            return _set_of(item, known)
        case _:
            return None


def _size(ranges: Ranges) -> int:
    return sum(high - low + 1 for low, high in ranges)


def _spelled(ranges: Ranges) -> list[str]:
    """Characters one by one, ranges as such, a letter of which both cases are there as one."""
    found: list[str] = []
    both = {
        low
        for low, high in ranges
        if low == high
        and chr(low).isascii()
        and ((ord(chr(low).swapcase()),) * 2) in ranges
        and chr(low).isalpha()
    }
    for low, high in ranges:
        if low in both:
            if chr(low).isupper():
                found.append(label(CharVal(chr(low).lower()))[0])
        elif high - low < _FEW:
            found += (label(NumVal((point,)))[0] for point in range(low, high + 1))
        else:
            found.append(label(NumVal((low, high), True))[0])
    return found
