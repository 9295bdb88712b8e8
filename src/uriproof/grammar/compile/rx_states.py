"""Expressions as nondeterministic automata, to prove something of them.

Owns the construction. Imports the automata and the algebra. Invariant: what leads from ``start`` to
place 0 reads the texts of the expression, and nothing else.
"""

from __future__ import annotations

from ..errors import GrammarLimit
from ..machine.nfa import NfaStates
from .rx import Alt, Rep, Rx, Seq, Set


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
        """The place where an expression starts that goes on to ``after``."""
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
