"""Loops that never need to give back, though their next character does not decide them.

Owns that proof. Imports the automata. Invariant: a yes is proved: of ``( x )*`` followed by the
texts of ``rest``, one round has one end only (no text of x starts another of x), and where a round
fits, nothing valid leaves the loop instead (no text of x starts a text of rest). So the longest
run of rounds is the only one that can be right, as in ``*( label "." ) last-label``.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache

from ...grammar.compile.rx import Alt, Rep, Rx, Seq, Set
from ...grammar.errors import GrammarLimit
from ...grammar.machine.automaton import DEAD, Automaton, from_nfa
from ...grammar.machine.nfa import NfaStates, alphabet_for

MAX_PLACES = 6_000


def places_of(rx: Rx) -> tuple[NfaStates, list[int]]:
    """The expression as places, and the places that its unbounded loops come back to.

    Errors: OverflowError, where it is larger than is worth a proof.
    """
    places, loops = NfaStates(), []

    def build(rx: Rx, after: int) -> int:
        if len(places.symbols) > MAX_PLACES:
            raise OverflowError
        match rx:
            case Set(ranges):
                return places.add(ranges, (after,))
            case Seq(items):
                for item in reversed(items):
                    after = build(item, after)
                return after
            case Alt(items):
                return places.add(None, tuple(build(i, after) for i in items))
            case Rep(item, least, most):
                if most is None:
                    loops.append(len(places.symbols))  # the place that repeat adds first
                return places.repeat(lambda end: build(item, end), least, most, after)

    places.start = build(rx, 0)
    return places, loops


@lru_cache(maxsize=256)
def committed(item: Rx, rest: Rx) -> bool:
    """True where a loop over ``item``, before the texts of ``rest``, never needs to give back.

    Cost: that of two automata and their product; bounded, and beyond the bounds False.
    """
    try:
        once, after = places_of(item)[0], places_of(rest)[0]
        alphabet = alphabet_for(once, after)
        x, y = from_nfa(once, alphabet), from_nfa(after, alphabet)
    except (GrammarLimit, OverflowError, RecursionError):
        return False
    one_end = all(t == DEAD for q in x.accepting for t in x.rows[q])
    return one_end and not _starts(x, y)


def _starts(x: Automaton, y: Automaton) -> bool:
    """True where some text of x starts some text of y; every state of a minimal one can accept."""
    if not y.accepting:
        return False
    seen = {(0, 0)}
    queue = deque(seen)
    while queue:
        p, q = queue.popleft()
        if p in x.accepting:
            return True
        for a, b in zip(x.rows[p], y.rows[q], strict=True):
            if DEAD not in (a, b) and (a, b) not in seen:
                seen.add((a, b))
                queue.append((a, b))
    return False
