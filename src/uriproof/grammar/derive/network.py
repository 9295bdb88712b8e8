"""The right-hand sides of rules as a graph of places, in which rules that come back are called.

Owns what is recognised and what a tree is read from. Imports the automata's places, the graph
algorithms and the model. Invariant: a rule that can come back to itself is called, any other is
put in place of its name; and each place where a rule, a terminal, or an item of several possible
lengths begins is marked as such.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from ..compile.to_lark import terminal_rules
from ..errors import GrammarLimit
from ..graph import comes_back, strongly_connected
from ..machine.automaton import Frame, Nfa
from ..model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
    references,
)
from ..read.check_model import is_nullable, nullable_rules, reachable

__all__ = ["Network", "network_of"]

MAX_PLACES = 30_000
"""Places with every rule that is not recursive put in place of its name; else all are called."""


class Network(Nfa):
    """The bodies of rules as places, in which a call of some rules is a place of its own.

    A body goes on to place 0, which returns to whoever called. ``calls`` holds for a call the
    rule and the place after it, ``bodies`` where each rule begins. ``opens`` holds the rules that
    were put in place of their names, by the place where each begins, and ``closes`` the places
    where they end. ``terminals`` holds those outside ``leaves``, which a tree shows as one token.
    ``regions`` maps where an item begins that may have several lengths to where it ends; the last
    item of a sequence is none, as its end is that of the sequence. Those in ``optional`` must
    read something.
    """

    def __init__(self, model: Model, start: str, called: frozenset[str], framed: bool) -> None:
        self.leaves = terminal_rules(model)
        self.calls: dict[int, tuple[str, int]] = {}
        self.bodies: dict[str, int] = {}
        self.opens: dict[int, str] = {}
        self.closes: dict[int, str] = {}
        self.terminals: dict[int, CharVal | NumVal] = {}
        self.regions: dict[int, int] = {}
        self.optional: set[int] = set()
        self.nullable = nullable_rules({n: rule.element for n, rule in model.rules.items()})
        self._called = called
        self._silent = start in self.leaves
        self._lengths = _lengths(model)
        self._waiting: list[str] = []
        super().__init__(model, start, framed)
        self.bodies[start] = self.start
        try:
            while self._waiting:
                name = self._waiting.pop()
                if name not in self.bodies:
                    self._silent = name in self.leaves
                    self.bodies[name] = super()._rule(name, 0, None)
        except RecursionError:
            raise GrammarLimit(f"rule {start} is nested too deeply to be compiled") from None

    def add(self, reads: Iterable[tuple[int, int]] | None, then: tuple[int, ...]) -> int:
        """As for every automaton. Errors: GrammarLimit, sooner where every path has its places."""
        if self.framed and len(self.reads) >= MAX_PLACES:
            raise GrammarLimit(f"the grammar needs more than {MAX_PLACES:,} places")
        return super().add(None if reads is None else tuple(reads), then)

    def _rule(self, name: str, after: int, parent: Frame | None) -> int:
        if parent is None:
            return super()._rule(name, after, parent)
        if name in self._called:
            place = self.add(None, ())
            self.calls[place] = name, after
            self.frames[place] = parent
            self._waiting.append(name)
            return place
        if self._silent:
            return super()._rule(name, after, parent)
        close = self.add(None, (after,))
        self.closes[close] = name
        self._silent = name in self.leaves
        place = super()._rule(name, close, parent)
        self._silent = False
        self.opens[place] = name
        return place

    def _element(self, element: Element, after: int, frame: Frame) -> int:
        match element:
            case CharVal() | NumVal():
                place = super()._element(element, after, frame)
                if place != after and not self._silent:
                    self.terminals[place] = element
                return place
            case Concatenation((*items, last)):
                after = self._element(last, after, frame)
                for item in reversed(items):
                    after = self._item(item, after, frame)
                return after
            case Repetition(item, least, most):
                optional = 0 if most is None else most - least
                rounds = count()  # those that need not be come first

                def build(end: int) -> int:
                    if next(rounds) < optional and is_nullable(item, self.nullable):
                        return self._optional(item, end, frame)
                    once = self._element if most == 1 else self._item
                    return once(item, end, frame)

                return self.repeat(build, least, most, after)
            case _:
                return super()._element(element, after, frame)

    def _optional(self, element: Element, after: int, frame: Frame) -> int:
        """A round that need not be, and so is none where it reads nothing."""
        close = self.add(None, (after,))
        place = self.add(None, (self._item(element, close, frame),))
        self.regions[place] = close
        self.optional.add(place)
        return place

    def _item(self, element: Element, after: int, frame: Frame) -> int:
        """An item that others follow: marked where texts of it differ in length."""
        if self._silent or _length(element, self._lengths) is not None:
            return self._element(element, after, frame)
        if isinstance(element, RuleRef):
            close = len(self.reads)  # where the rule that is put here is going to end
            place = self._element(element, after, frame)
            if place in self.opens:
                self.regions[place] = close
            return place
        close = self.add(None, (after,))
        place = self.add(None, (self._element(element, close, frame),))
        self.regions[place] = close
        return place

    @staticmethod
    def size(terminal: CharVal | NumVal) -> int:
        """The length of the texts of a terminal, in code points."""
        return _length(terminal, {}) or 0

    def closure(self, places: Iterable[int]) -> tuple[int, ...]:
        """As for every automaton; a call is as far as one comes without reading."""
        found: list[int] = []
        seen: set[int] = set()
        stack = list(places)[::-1]
        while stack:
            place = stack.pop()
            if place in seen:
                continue
            seen.add(place)
            if place == 0 or place in self.calls or self.reads[place] is not None:
                found.append(place)
            else:
                stack.extend(reversed(self.then[place]))
        return tuple(found)


def network_of(model: Model, rule: str, called: frozenset[str] = frozenset()) -> Network:
    """The network that says most: with a place's whole path, if that is not too large.

    ``called`` are rules to call, beside those that must be. Errors: GrammarLimit.
    """
    used = {name: tuple(references(r.element)) for name, r in model.rules.items()}
    back = set(called)
    leading: set[str] = set()
    for group in strongly_connected([rule], used.__getitem__):
        if comes_back(group, used.__getitem__):
            back.update(group)
            leading.update(group)
        elif not leading.isdisjoint(used[group[0]]):
            leading.update(group)
    back |= leading & terminal_rules(model)  # one token, whatever is inside
    try:
        return Network(model, rule, frozenset(back), framed=True)
    except GrammarLimit:
        every = reachable({n: r.element for n, r in model.rules.items()}, [rule])
        return Network(model, rule, frozenset(every), framed=False)


def _lengths(model: Model) -> dict[str, int]:
    """The rules all of whose texts have one length, and that length."""
    used = {name: tuple(references(r.element)) for name, r in model.rules.items()}
    known: dict[str, int] = {}
    for group in strongly_connected(used, used.__getitem__):
        length = _length(model.rules[group[0]].element, known)
        if length is not None:  # no rule of a larger component is known before all of them
            known[group[0]] = length
    return known


def _length(element: Element, known: dict[str, int]) -> int | None:
    match element:
        case RuleRef(name):
            return known.get(name)
        case CharVal(text):
            return len(text)
        case NumVal(points, is_range):
            return 1 if is_range else len(points)
        case Concatenation(items):
            lengths = [_length(item, known) for item in items]
            return None if None in lengths else sum(n for n in lengths if n is not None)
        case Alternation(items):
            found = {_length(item, known) for item in items}
            return found.pop() if len(found) == 1 else None
        case Repetition(item, least, most):
            once = _length(item, known)
            return None if once is None or (least != most and once) else once * least
