"""Checks rules against each other: reachability, recursion, and whether they match anything.

Owns the graph of references. Imports ``model`` and ``errors``. Invariant: rules outside
``non_regular`` are regular: they are recursive at their very end only, and never left-recursive;
and each rule that ``unproductive`` does not name derives some text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from .. import graph
from ..errors import Cause
from ..graph import cycle_numbers, gaining, users_of
from ..model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    NumVal,
    Repetition,
    RuleRef,
    references,
)

Elements = Mapping[str, Element]
_SHOWN = 12
"""Names that a message lists before it leaves some out."""

_Graph = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong in ``rule``: at its nth reference, or (None) at its name."""

    rule: str
    reference: int | None
    cause: Cause
    message: str


def reachable(rules: Elements, starts: Iterable[str]) -> set[str]:
    """The rules that the start rules use, and themselves. Cost: O(size of the rules)."""

    def used(name: str) -> list[str]:
        return [target for target in references(rules[name]) if target in rules]

    return graph.reachable((name for name in starts if name in rules), used)


def starts_of(rules: Elements, own: Iterable[str]) -> tuple[str, ...]:
    """The own rules that no other rule refers to, and one rule of each further cycle."""
    own = list(own)
    used = {target for name in own for target in references(rules[name]) if target != name}
    starts = [name for name in own if name not in used]
    seen = reachable(rules, starts)
    for name in own:
        if name not in seen:
            starts.append(name)
            seen |= reachable(rules, [name])
    return tuple(starts)


def unreachable(rules: Elements, own: Iterable[str], starts: tuple[str, ...]) -> Iterator[Flaw]:
    """The own rules that no start rule leads to."""
    seen = reachable(rules, starts)
    listed = ", ".join(starts if len(starts) <= _SHOWN else (*starts[:_SHOWN], "…"))
    for name in own:
        if name not in seen:
            message = f"no start rule leads to {name}; the start rules are {listed}"
            yield Flaw(name, None, "unreachable", message)


def unproductive(rules: Elements, own: Iterable[str]) -> Iterator[Flaw]:
    """Recursive rules that derive no text, one flaw for each cycle of rules.

    Cost: O(size of the rules).
    """
    cycles = _Cycles(rules)
    ending = _fixpoint(rules, lambda terminal: True)
    reported: set[int] = set()
    for name in own:
        number = cycles.number.get(name)
        if number is None or number in reported or name in ending:
            continue
        reported.add(number)
        index, use = next(cycles.inside(name))
        way = _way(cycles.graph, name, use.target)
        message = f"{way}: never ends, so {name} matches nothing"
        yield Flaw(name, index, "empty", message)


def recursion(rules: Elements, own: Iterable[str]) -> Iterator[Flaw]:
    """Recursion that is not regular, one flaw for each cycle of rules that refer in a ring.

    Cost: O(size of the rules). Source: RFC 5234 allows any recursion; a finite automaton does not.
    """
    cycles = _Cycles(rules)
    reported: set[int] = set()
    for name in own:
        number = cycles.number.get(name)
        if number is None or number in reported:
            continue
        for index, use in cycles.inside(name):
            if number in cycles.left_recursive:
                if not cycles.is_left(name, use):
                    continue
                way = _way(cycles.left, name, use.target)
                cause: Cause = "left-recursion"
                message = f"{way}: {name} is left-recursive"
            elif not use.tail:
                way = _way(cycles.graph, name, use.target)
                cause = "recursion"
                message = (
                    f"{way}: not regular, as something follows {use.target} here and must be "
                    "matched as often"
                )
            else:
                continue
            reported.add(number)
            yield Flaw(name, index, cause, message)
            break


def non_regular(rules: Elements) -> tuple[frozenset[str], frozenset[str]]:
    """The rules in a cycle that is not regular, and these with all that lead to one.

    Cost: O(size of the rules).

    >>> from uriproof.grammar.model import Concatenation as C, CharVal as S
    >>> from uriproof.grammar.model import Alternation as A, RuleRef as R
    >>> rules = {"n": A((C((S("("), R("n"), S(")"))), S("x"))), "u": R("n"), "d": S("1")}
    >>> [sorted(names) for names in non_regular(rules)]
    [['n'], ['n', 'u']]
    """
    cycles = _Cycles(rules)
    numbers = set(cycles.left_recursive)
    for name, number in cycles.number.items():
        if any(not use.tail for _, use in cycles.inside(name)):
            numbers.add(number)
    inside = frozenset(name for name, number in cycles.number.items() if number in numbers)
    users = users_of(cycles.graph)
    leading = graph.reachable(inside, lambda name: users.get(name, ()))
    return inside, frozenset(leading)


class _Cycles:
    """The references of rules, and the cycles that they make."""

    def __init__(self, rules: Elements) -> None:
        nullable = _fixpoint(rules, _is_empty)
        self.uses = {
            name: list(_uses(element, True, True, nullable)) for name, element in rules.items()
        }
        self.graph = {name: [u.target for u in us if u.live] for name, us in self.uses.items()}
        self.left = {name: [u.target for u in us if u.left] for name, us in self.uses.items()}
        self.number = cycle_numbers(self.graph)
        self.left_number = cycle_numbers(self.left)
        self.left_recursive = {self.number[n] for n in self.left_number if n in self.number}

    def inside(self, name: str) -> Iterator[tuple[int, _Use]]:
        """The references of a rule that stay in its cycle, each with its index."""
        number = self.number[name]
        for index, use in enumerate(self.uses[name]):
            if use.live and self.number.get(use.target) == number:
                yield index, use

    def is_left(self, name: str, use: _Use) -> bool:
        """True when the reference is one of those that make its cycle left-recursive."""
        number = self.left_number.get(name)
        return use.left and number is not None and self.left_number.get(use.target) == number


@dataclass(frozen=True, slots=True)
class _Use:
    """A reference: can nothing be read before it (left), does nothing follow it (tail)?"""

    target: str
    left: bool
    tail: bool
    live: bool = True


def _uses(element: Element, left: bool, tail: bool, nullable: set[str]) -> Iterator[_Use]:
    """The references in an element, in the order of ``model.references``."""
    match element:
        case RuleRef(name):
            yield _Use(name, left, tail)
        case Concatenation(items):
            last = len(items) - 1
            for index, item in enumerate(items):
                yield from _uses(item, left, tail and index == last, nullable)
                left = left and _holds(item, nullable, _is_empty)
        case Alternation(items):
            for item in items:
                yield from _uses(item, left, tail, nullable)
        case Repetition(item, _, 0):  # 0<a> mentions a and never reads it
            for name in references(item):
                yield _Use(name, left=False, tail=False, live=False)
        case Repetition(item, _, most):
            yield from _uses(item, left, tail and most == 1, nullable)
        case _:
            return


def nullable_rules(rules: Elements) -> set[str]:
    """The rules that match the empty text. Cost: O(size of the rules)."""
    return _fixpoint(rules, _is_empty)


def is_nullable(element: Element, nullable: set[str]) -> bool:
    """True when an element matches the empty text, given the rules that do."""
    return _holds(element, nullable, _is_empty)


def _is_empty(terminal: CharVal | NumVal) -> bool:
    return isinstance(terminal, CharVal) and not terminal.text


def _holds(element: Element, known: set[str], terminal: Callable[[CharVal | NumVal], bool]) -> bool:
    """A property that a sequence has if all, and a choice if any, of its items have it."""
    match element:
        case RuleRef(name):
            return name in known
        case Concatenation(items):
            return all(_holds(item, known, terminal) for item in items)
        case Alternation(items):
            return any(_holds(item, known, terminal) for item in items)
        case Repetition(item, least, _):
            return least == 0 or _holds(item, known, terminal)
        case _:
            return terminal(element)


def _fixpoint(rules: Elements, terminal: Callable[[CharVal | NumVal], bool]) -> set[str]:
    used = {name: references(element) for name, element in rules.items()}
    return gaining(used, lambda name, known: _holds(rules[name], known, terminal))


def _way(used: _Graph, name: str, target: str) -> str:
    """The shortest cycle that leads from a rule by one of its references back to it."""
    found = graph.nearest({target: 0}, lambda here: ((one, 1) for one in used.get(here, ())))
    way = [name]
    while way[-1] != target:
        way.append(found[way[-1]][1] or target)
    way.append(name)
    way.reverse()
    if len(way) > _SHOWN:
        way[_SHOWN // 2 : -_SHOWN // 2] = ["…"]
    return " → ".join(way)
