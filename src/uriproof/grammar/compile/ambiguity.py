"""How many ways an engine that backtracks can go through an expression.

Owns that question, of a whole expression and of one loop, and the places of an expression. Imports
the automata and the algebra. Invariant: an answer that promises something is proved. An engine that
backtracks goes, at the worst, every way through an expression that a text allows. Their number
grows exponentially if some loop can be gone through in two ways by one text (EDA), and has no bound
if one text leads around a loop p, around a loop q, and from p to q (IDA); without either it has
one, and the time is linear (A. Weber and H. Seidl, "On the degree of ambiguity of finite automata",
Theoretical Computer Science 88, 1991).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ...limits import MAX_LINEAR_PLACES, MAX_LINEAR_STEPS
from ..charset import overlap
from ..errors import GrammarLimit
from ..graph import reachable
from ..machine.automaton import DEAD, Automaton, from_nfa
from ..machine.nfa import NfaStates, alphabet_for
from ..machine.product import Product
from ..work import spend
from .rx import Alt, Rep, Rx, Seq, Set, nullable


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


def finite(rx: Rx) -> bool:
    """True if the ways to read a beginning of a text have a bound; False if that is not known.

    Cost: up to ``MAX_LINEAR_STEPS``.

    >>> from uriproof.grammar.compile.rx import Alt, Rep, Seq, Set
    >>> letter, hyphen = Set(((97, 122),)), Set(((45, 45),))
    >>> finite(Seq((letter, Rep(Alt((letter, hyphen)), 0, None), letter)))
    True
    >>> finite(Rep(Seq((letter, Rep(letter, 0, None))), 0, None))
    False
    """
    if not _plain(rx):
        return False
    try:
        return _Search(rx).bounded()
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

    def bounded(self) -> bool:
        """True if no loop, and no two of them, make the number of ways grow."""
        loops = self._loops
        return not any(self._twice(p) for p in loops) and not any(
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
        spend(len(found))
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

    Proved: one round has only one end (no text of item starts another of it), and if a round fits,
    no valid text leaves the loop instead (no text of item starts a text of rest). So only the
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
