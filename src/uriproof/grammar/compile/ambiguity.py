"""Whether a backtracking matcher can be made to try exponentially many ways through an expression.

Owns that one question, and the places of an expression. Imports the automata and the algebra.
Invariant: it answers no only if the number of ways to read a text grows no faster than a power
of its length.
"""

from __future__ import annotations

from ...limits import MAX_AMBIGUITY_PAIRS
from ..charset import overlap
from ..errors import GrammarLimit
from ..graph import cycle_numbers
from ..machine.nfa import NfaStates
from ..work import spend
from .rx import Alt, Rep, Rx, Seq, Set

_Pair = tuple[int, int]


class RxStates(NfaStates):
    """The places of an expression; ``loops`` are those that its unbounded loops come back to.

    Errors: GrammarLimit, above ``most`` places.
    """

    def __init__(self, rx: Rx, most: int | None = None) -> None:
        super().__init__()
        self._most = most
        self.loops: list[int] = []
        self.start = self.build(rx, 0)

    def build(self, rx: Rx, after: int) -> int:
        """The place where an expression starts that leads to ``after``."""
        if self._most is not None and len(self.symbols) > self._most:
            raise GrammarLimit(f"the expression has more than {self._most:,} places")
        match rx:
            case Set(ranges):
                return self.add(ranges, (after,))
            case Seq(items):
                for item in reversed(items):
                    after = self.build(item, after)
                return after
            case Alt(items):
                return self.add(None, tuple(self.build(item, after) for item in items))
            case Rep(item, least, most):
                if most is None:
                    self.loops.append(len(self.symbols))  # the place that repeat adds first
                return self.repeat(lambda end: self.build(item, end), least, most, after)


def is_exponential(rx: Rx) -> bool:
    """True if two ways lead from one of its places back there over the same text, or might.

    No loop of the expression may contain an element that can be empty. Source: Weber and Seidl,
    On the degree of ambiguity of finite automata (1991), criterion EDA. Cost: the square of the
    size of the expression, up to a bound, above which the answer is True.

    >>> from uriproof.grammar.compile.rx import Alt, Rep, Seq, Set
    >>> letter, hyphen = Set(((97, 122),)), Set(((45, 45),))
    >>> is_exponential(Seq((letter, Rep(Alt((letter, hyphen)), 0, None), letter)))
    False
    >>> is_exponential(Rep(Seq((letter, Rep(letter, 0, None))), 0, None))
    True
    """
    try:
        nfa = RxStates(rx)
        known: dict[int, dict[int, int]] = {}
        steps = {
            p: _ways(nfa, nfa.transitions[p][0], known)
            for p, reads in enumerate(nfa.symbols)
            if reads
        }
    except (GrammarLimit, RecursionError):
        return True
    graph: dict[_Pair, list[_Pair]] = {}
    waiting = [(place, place) for place in steps]
    while waiting:
        pair = waiting.pop()
        if pair in graph:
            continue
        if len(graph) >= MAX_AMBIGUITY_PAIRS:
            return True
        spend(len(steps[pair[0]]) * len(steps[pair[1]]))
        graph[pair] = [
            (min(a, b), max(a, b))
            for a in steps[pair[0]]
            for b in steps[pair[1]]
            if overlap(nfa.symbols[a] or (), nfa.symbols[b] or ())
        ]
        waiting += graph[pair]
    number = cycle_numbers(graph)
    back = {number[pair] for pair in number if pair[0] == pair[1]}
    apart = {number[pair] for pair in number if pair[0] != pair[1]}
    doubled = {
        number[a, a]
        for a in steps
        for b, ways in steps[a].items()
        if ways > 1 and (a, a) in number and number.get((b, b)) == number[a, a]
    }
    return bool(back & apart or doubled)


def _ways(nfa: NfaStates, place: int, known: dict[int, dict[int, int]]) -> dict[int, int]:
    """The places that read next, each with the number of ways there, 2 for any more.

    ``known`` holds the answers so far: for adjacent alternatives that can all be empty,
    the ways double with each.
    """
    if place == 0 or nfa.symbols[place] is not None:
        return {place: 1} if place else {}
    found = known.get(place)
    if found is None:
        found = known[place] = {}
        for target in nfa.transitions[place]:
            for end, number in _ways(nfa, target, known).items():
                found[end] = min(found.get(end, 0) + number, 2)
        spend(1 + len(found))
    return found
