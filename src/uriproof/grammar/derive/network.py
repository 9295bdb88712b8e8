"""The right-hand sides of rules as a graph of places, in which recursive rules are called.

Owns what is recognized. Imports the automata's places, the graph algorithms and the model.
Invariant: a recursive rule is called, any other is put in place of its name.
"""

from __future__ import annotations

from ..charset import EMPTY
from ..errors import GrammarLimit
from ..graph import is_cyclic, strongly_connected
from ..machine.nfa import Frame, Nfa
from ..model import Model, uses
from ..read.check_model import nullable_rules
from ..work import STEPS, limited

MAX_STEPS = STEPS // 4
"""Of work, for a network in which rules stand in place of their names: the other is smaller."""


class Network(Nfa):
    """The bodies of rules as places, in which a call of some rules is a place of its own.

    A body goes on to place 0, which returns to whoever called. ``calls`` holds for a call the
    rule and the place after it, ``bodies`` where each rule begins.
    """

    def __init__(self, model: Model, start: str, called: frozenset[str]) -> None:
        self.calls: dict[int, tuple[str, int]] = {}
        self.bodies: dict[str, int] = {}
        self.nullable = nullable_rules({n: rule.element for n, rule in model.rules.items()})
        self._called = called
        self._waiting: list[str] = []
        super().__init__(model, start)
        self.bodies[start] = self.start
        try:
            while self._waiting:
                name = self._waiting.pop()
                if name not in self.bodies:
                    self.bodies[name] = self._rule(name, 0, None)
        except RecursionError:
            raise GrammarLimit(f"rule {start} is nested too deeply to be compiled") from None

    def _rule(self, name: str, after: int, parent: Frame | None) -> int:
        if parent is None or name not in self._called:
            return super()._rule(name, after, parent)
        place = self.add(EMPTY, ())  # as far as one comes without reading
        self.calls[place] = name, after
        self.frames[place] = parent
        self._waiting.append(name)
        return place


def network_of(model: Model, rule: str, called: frozenset[str] = frozenset()) -> Network:
    """The network in which the recursive rules are called, or all where it would be too large.

    ``called`` are rules to call beside those that must be. Errors: GrammarLimit.
    """
    used = {name: tuple(uses(r.element)) for name, r in model.rules.items()}
    recursive = set(called)
    for group in strongly_connected([rule], used.__getitem__):
        if is_cyclic(group, used.__getitem__):
            recursive.update(group)
    try:
        with limited(f"a network of {rule}", MAX_STEPS):
            return Network(model, rule, frozenset(recursive))
    except GrammarLimit:
        return Network(model, rule, frozenset(model.rules))
