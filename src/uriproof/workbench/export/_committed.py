"""Loops that never need to give back, though their next character does not decide them.

Owns that proof. Imports the automata. Invariant: a yes is proved: of ``( x )*`` followed by the
texts of ``rest``, one round has one end only (no text of x starts another of x), and where a round
fits, nothing valid leaves the loop instead (no text of x starts a text of rest). So the longest
run of rounds is the only one that can be right, as in ``*( label "." ) last-label``.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache

from ...grammar.compile.rx import Rx
from ...grammar.compile.rx_states import RxStates
from ...grammar.errors import GrammarLimit
from ...grammar.machine.automaton import DEAD, Automaton, from_nfa
from ...grammar.machine.nfa import alphabet_for

MAX_PLACES = 6_000
"""Of an expression that is worth a proof."""


@lru_cache(maxsize=256)
def committed(item: Rx, rest: Rx) -> bool:
    """True where a loop over ``item``, before the texts of ``rest``, never needs to give back.

    Cost: that of two automata and their product; bounded, and beyond the bounds False.
    """
    try:
        once, after = RxStates(item, MAX_PLACES), RxStates(rest, MAX_PLACES)
        alphabet = alphabet_for(once, after)
        x, y = from_nfa(once, alphabet), from_nfa(after, alphabet)
    except (GrammarLimit, RecursionError):
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
