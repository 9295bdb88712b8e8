"""Whether an engine that backtracks matches an expression in time linear in the text.

Owns that question, of a whole expression and of one loop. Imports the algebra of expressions and
the places of an automaton. Invariant: a yes is proved. An engine that backtracks goes, at the
worst, every way through an expression that a text allows; the time is linear if the number of
ways to read any beginning of a text has a bound. It has none exactly if some loop can be gone
through in two ways by one text, or if one text leads around a loop p, around a loop q, and from p
to q (A. Weber and H. Seidl, "On the degree of ambiguity of finite automata", Theoretical Computer
Science 88, 1991: the criteria EDA and IDA).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ...grammar.charset import overlap
from ...grammar.compile.ambiguity import RxStates
from ...grammar.compile.rx import Alt, Rep, Rx, Seq, Set, nullable
from ...grammar.errors import GrammarLimit
from ...grammar.graph import reachable
from ...grammar.machine.automaton import DEAD, Automaton, from_nfa
from ...grammar.machine.nfa import alphabet_for
from ...grammar.machine.product import Product
from ...limits import MAX_LINEAR_PLACES, MAX_LINEAR_STEPS


def finite(rx: Rx) -> bool:
    """True if the ways to read a beginning of a text have a bound; False if that is not known.

    Cost: up to ``MAX_LINEAR_STEPS``.
    """
    if not _plain(rx):
        return False
    try:
        return not _Search(rx).unbounded()
    except (GrammarLimit, RecursionError):
        return False


def _plain(rx: Rx) -> bool:
    """True if no loop has two ways that differ only in the parts that read nothing."""
    stack: list[tuple[Rx, bool]] = [(rx, False)]
    while stack:
        top, looped = stack.pop()
        match top:
            case Seq(items):
                stack.extend((i, looped) for i in items)
            case Alt(items):
                if looped and sum(nullable(i) for i in items) > 1:
                    return False
                stack.extend((i, looped) for i in items)
            case Rep(item, _, most):
                if nullable(item) and (looped or most != 1):
                    return False
                stack.append((item, looped or most is None))
            case Set():
                pass
    return True


class _Search:
    """The expression as places; every cycle of it goes through the place of a loop."""

    def __init__(self, rx: Rx) -> None:
        self._places = RxStates(rx, MAX_LINEAR_PLACES)
        self._loops = self._places.loops
        self._steps = 0
        self._next: dict[int, tuple[int, ...]] = {}
        self._alike: dict[tuple[int, int], bool] = {}
        self._reach: dict[int, frozenset[int]] = {}

    def unbounded(self) -> bool:
        """True if a loop, or two of them, make the number of ways grow."""
        loops = self._loops
        return any(self._twice(p) for p in loops) or any(
            p != q and q in self._reachable(p) and self._across(p, q) for p in loops for q in loops
        )

    def _twice(self, p: int) -> bool:
        """True if one text leads around the loop in two ways (EDA)."""
        seen: set[tuple[int, int, bool]] = set()
        stack = [(p, p, False)]
        while stack:
            x, y, parted = stack.pop()
            for a in self._reading(x):
                for b in self._reading(y):
                    if not self._meet(a, b):
                        continue
                    after = self._after(a), self._after(b), parted or a != b
                    if after in seen or p not in self._reachable(after[0]):
                        continue
                    if p not in self._reachable(after[1]):
                        continue
                    seen.add(after)
                    if after[2] and self._at(after[0], p) and self._at(after[1], p):
                        return True
                    stack.append(after)
        return False

    def _across(self, p: int, q: int) -> bool:
        """True if one text leads around p, from p to q, and around q (IDA)."""
        seen: set[tuple[int, int, int]] = set()
        stack = [(p, p, q)]
        while stack:
            x, y, z = stack.pop()
            for a in self._reading(x):
                if p not in self._reachable(self._after(a)):
                    continue
                for c in self._reading(z):
                    if not self._meet(a, c) or q not in self._reachable(self._after(c)):
                        continue
                    for b in self._reading(y):
                        if not (self._meet(a, b) and self._meet(b, c)):
                            continue
                        after = self._after(a), self._after(b), self._after(c)
                        if after in seen or q not in self._reachable(after[1]):
                            continue
                        seen.add(after)
                        if all(map(self._at, after, (p, q, q))):
                            return True
                        stack.append(after)
        return False

    def _reading(self, place: int) -> Iterator[int]:
        """The places that read, from a place on."""
        found = self._next.get(place)
        if found is None:
            found = self._next[place] = tuple(p for p in self._places.closure([place]) if p)
        self._steps += len(found)
        if self._steps > MAX_LINEAR_STEPS:
            raise GrammarLimit(f"a proof takes more than {MAX_LINEAR_STEPS:,} steps")
        yield from found

    def _after(self, place: int) -> int:
        return self._places.transitions[place][0]

    def _meet(self, a: int, b: int) -> bool:
        """True if both read a common character: that all three read one is checked in pairs."""
        key = (a, b) if a < b else (b, a)
        found = self._alike.get(key)
        if found is None:
            reads = self._places.symbols
            found = self._alike[key] = overlap(reads[a] or (), reads[b] or ())
        return found

    def _at(self, place: int, loop: int) -> bool:
        """True if the loop's place is reached without reading."""
        reads, then = self._places.symbols, self._places.transitions
        return loop in reachable([place], lambda p: then[p] if reads[p] is None else ())

    def _reachable(self, place: int) -> frozenset[int]:
        """The loops that can still be reached."""
        found = self._reach.get(place)
        if found is None:
            seen = reachable([place], self._places.transitions.__getitem__)
            found = self._reach[place] = frozenset(seen.intersection(self._loops))
        return found


# Loops that never need to give back, though their next character does not decide them


@lru_cache(maxsize=256)
def committed(item: Rx, rest: Rx) -> bool:
    """True if a loop over ``item``, before the texts of ``rest``, never needs to give back.

    Proved: one round has only one end (no text of item starts another of it), and if a round
    fits, no valid text leaves the loop instead (no text of item starts a text of rest). So only the
    longest run of rounds can be right, as in ``*( label "." ) last-label``.

    Cost: that of two automata and their product; bounded, and beyond the bounds False.
    """
    try:
        once, after = RxStates(item, MAX_LINEAR_PLACES), RxStates(rest, MAX_LINEAR_PLACES)
        alphabet = alphabet_for(once, after)
        x, y = from_nfa(once, alphabet), from_nfa(after, alphabet)
    except (GrammarLimit, RecursionError):
        return False
    one_end = all(t == DEAD for q in x.accepting for t in x.rows[q])
    return one_end and not (y.accepting and _starts(x, y))


def _starts(x: Automaton, y: Automaton) -> bool:
    """True if a text of x starts a text of y; every state of a minimal one can accept."""
    return any(p in x.accepting and q != DEAD for p, q in Product(x, y).pairs(in_a=True))
