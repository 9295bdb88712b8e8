"""Which of several terminals is tried first, where more than one could stand.

Owns that order. Imports the model and the facts of its rules. Invariant: a leaf that an earlier
alternative starts with comes before one that a later alternative starts with, and one that a part
may go on with before what follows that part, unless two places of the grammar ask for opposites.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from ..charset import overlap
from ..graph import reachable, strongly_connected
from ..machine.first_sets import Facts
from ..model import Alternation, Concatenation, Element, Model, Repetition, RuleRef, children
from ..work import spend


def in_order(model: Model, facts: Facts, leaves: Sequence[str], rules: Iterable[str]) -> list[str]:
    """The leaves of some rules in the order to try them; as they are given, where any will do.

    First match wins (RFC 3986 §3), and of a sequence the longest first part. Only leaves that can
    start with the same character are told apart. Cost: the square of the number of leaves.

    >>> from uriproof.grammar.registry import load
    >>> model = load("rfc3986").model
    >>> in_order(model, Facts(model), ["reg-name", "IPv4address"], ["host"])
    ['IPv4address', 'reg-name']
    """
    place = {leaf: number for number, leaf in enumerate(leaves)}
    after: dict[str, set[str]] = {leaf: set() for leaf in leaves}
    choices = _Choices(model, facts, frozenset(leaves))
    for rule in rules:
        for earlier, later in choices.inside(model.rules[rule].element):
            spend(len(earlier) * len(later))
            for leaf in earlier:
                after[leaf] |= {o for o in later if overlap(facts.first[leaf], facts.first[o])}
    groups = strongly_connected(leaves, after.__getitem__)
    group = {leaf: number for number, found in enumerate(groups) for leaf in found}
    before = dict.fromkeys(leaves, 0)
    for leaf in leaves:
        after[leaf] = {o for o in after[leaf] if group[o] != group[leaf]}
        for other in after[leaf]:
            before[other] += 1
    ready = [place[leaf] for leaf in leaves if not before[leaf]]
    heapify(ready)
    ordered: list[str] = []
    while ready:
        ordered.append(leaves[heappop(ready)])
        for other in after[ordered[-1]]:
            before[other] -= 1
            if not before[other]:
                heappush(ready, place[other])
    return ordered


class _Choices:
    """The places of a grammar where several leaves could stand next."""

    def __init__(self, model: Model, facts: Facts, leaves: frozenset[str]) -> None:
        self._model = model
        self._facts = facts
        self._leaves = leaves
        self._starting: dict[str, frozenset[str]] = {}

    def inside(self, element: Element) -> Iterator[tuple[set[str], set[str]]]:
        """Leaves to try first, and leaves to try after them, for each choice in an element."""
        for inner in children(element):
            yield from self.inside(inner)
        earlier: set[str] = set()
        for item in children(element):
            starting = self._leaves_of(item)
            spend(len(earlier))
            yield earlier - starting, set(starting - earlier)
            if isinstance(element, Alternation) or self._facts.nullable(item):
                earlier |= starting
            elif isinstance(item, Repetition) and item.most != item.least:
                earlier = set(starting)
            else:
                earlier = set()

    def _leaves_of(self, element: Element) -> frozenset[str]:
        """The leaves that an element can start with."""
        found: frozenset[str] = frozenset()
        for name in self._leading(element):
            if name not in self._starting:
                reached: set[str] = reachable([name], self._next)
                self._starting[name] = self._leaves & reached
            found |= self._starting[name]
        return found

    def _next(self, name: str) -> Iterable[str]:
        return () if name in self._leaves else self._leading(self._model.rules[name].element)

    def _leading(self, element: Element) -> Iterator[str]:
        """The rules that an element can start with."""
        match element:
            case RuleRef(name):
                yield name
            case Concatenation(items):
                for item in items:
                    yield from self._leading(item)
                    if not self._facts.nullable(item):
                        return
            case Alternation(items):
                for item in items:
                    yield from self._leading(item)
            case Repetition(item, _, most) if most != 0:
                yield from self._leading(item)
