"""Facts about rules without a machine: their first and following characters, and lengths.

Owns the least and greatest solutions over the rules of a grammar. Imports the model and the
character sets. Invariant: every answer is exact for any grammar whose rules all match something,
regular or not.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import cached_property

from ...limits import MAX_EXAMPLE
from ..charset import EMPTY, Ranges, of_terminal, union
from ..graph import is_cyclic, strongly_connected
from ..model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
    children,
    uses,
)
from ..read.check_model import is_nullable, nullable_rules
from .readable import sample


@dataclass(frozen=True, slots=True)
class Shortest:
    """The minimum length of an element's texts, and one such text unless it is too long."""

    length: int
    text: str | None


@dataclass(frozen=True, slots=True)
class Follow:
    """The possible continuations of a rule: characters, or (``end``) nothing at all."""

    ranges: Ranges = EMPTY
    end: bool = False

    def __or__(self, other: Follow) -> Follow:
        return Follow(union(self.ranges, other.ranges), self.end or other.end)


class Facts:
    """Facts of every rule of a grammar, each kind found when it is first asked for.

    Cost: linear in the grammar for rules that are not recursive; recursive ones
    are repeated until nothing changes.

    >>> from uriproof.grammar.registry import load
    >>> facts = Facts(load("rfc3986").model)
    >>> facts.shortest["IPv6address"].text, facts.greatest["IPv6address"], facts.greatest["path"]
    ('::', 45, None)
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    @cached_property
    def groups(self) -> list[list[str]]:
        """The strongly connected components of the rules, after all that they refer to."""
        return list(strongly_connected(self._used, self._used.__getitem__))

    @cached_property
    def _used(self) -> dict[str, list[str]]:
        rules = self.model.rules.items()
        return {name: list(dict.fromkeys(uses(rule.element))) for name, rule in rules}

    @cached_property
    def shortest(self) -> dict[str, Shortest]:
        """Per rule, the shortest text; of several, one whose choices come first."""
        found: dict[str, Shortest] = {}
        for group in self.groups:
            changed = True
            while changed:
                changed = False
                for name in group:
                    new = self._shortest(self.model.rules[name].element, found)
                    old = found.get(name)
                    if new is not None and (old is None or new.length < old.length):
                        found[name] = new
                        changed = True
        return found

    @cached_property
    def _nullable(self) -> set[str]:
        return nullable_rules({name: rule.element for name, rule in self.model.rules.items()})

    def nullable(self, element: Element, without: Container[str] = ()) -> bool:
        """True when an element of the grammar matches the empty text.

        With rules ``without`` which it has to: those are taken for ones that do not.
        """
        if without:
            return is_nullable(element, {name for name in self._nullable if name not in without})
        return is_nullable(element, self._nullable)

    def ring(self, rule: str) -> frozenset[str]:
        """The rules that lead to a rule and that it leads to, itself among them; or none."""
        return self._rings.get(rule, frozenset())

    @cached_property
    def _rings(self) -> dict[str, frozenset[str]]:
        rings = [frozenset(group) for group in self.groups if self._returns(group)]
        return {name: ring for ring in rings for name in ring}

    def shortest_of(self, element: Element) -> Shortest:
        """The shortest text of any element of the grammar. Errors: ValueError if it has none."""
        found = self._shortest(element, self.shortest)
        if found is None:
            raise ValueError(f"{element} matches nothing")
        return found

    def _shortest(self, element: Element, known: dict[str, Shortest]) -> Shortest | None:
        match element:
            case RuleRef(name):
                return known.get(name)
            case CharVal(text):
                return Shortest(len(text), text)
            case NumVal(points, is_range):
                text = sample(((points[0], points[-1]),)) if is_range else "".join(map(chr, points))
                return Shortest(len(text), text)
            case Concatenation(items):
                parts = [self._shortest(i, known) for i in items]
                return joined([p for p in parts if p]) if all(parts) else None
            case Alternation(items):
                found = [s for i in items if (s := self._shortest(i, known)) is not None]
                if not found:
                    return None
                spans = tuple(i.points for i in items if isinstance(i, NumVal) and i.is_range)
                best = min(found, key=lambda s: s.length)
                if best.length == 1 and len(spans) == len(items):  # ALPHA: one reads best
                    best = Shortest(1, sample(union(*(((p[0], p[1]),) for p in spans))))
                return best
            case Repetition(item, least):
                once = self._shortest(item, known) if least else Shortest(0, "")
                return once and repeated(once, least)

    @cached_property
    def greatest(self) -> dict[str, int | None]:
        """Per rule, the maximum length, None if there is none."""
        found: dict[str, int | None] = {}
        for group in self.groups:
            inside = set(group) if self._returns(group) else set()
            if any(self._grows(self.model.rules[name].element, inside)[1] for name in group):
                found.update(dict.fromkeys(group))
                continue
            found.update(dict.fromkeys(inside, 0))  # a way round the cycle adds nothing
            lengths = [self._greatest(self.model.rules[name].element, found) for name in group]
            known = [length for length in lengths if length is not None]
            most = max(known) if len(known) == len(lengths) else None
            found.update(dict.fromkeys(group, most))
        return found

    def _returns(self, group: list[str]) -> bool:
        return is_cyclic(group, self._used.__getitem__)

    def _grows(self, element: Element, inside: set[str]) -> tuple[bool, bool]:
        """Whether the element leads back into the cycle, and with other characters in addition."""
        match element:
            case RuleRef(name):
                return name in inside, False
            case Concatenation(items):
                found = [self._grows(i, inside) for i in items]
                reads = [bool(self.characters_of(i)) for i in items]
                beside = any(
                    returns and any(reads[:i] + reads[i + 1 :])
                    for i, (returns, _) in enumerate(found)
                )
                return any(r for r, _ in found), beside or any(g for _, g in found)
            case Repetition(item, _, most):
                if most == 0:
                    return False, False
                returns, grows = self._grows(item, inside)
                return returns, grows or (returns and most != 1 and bool(self.characters_of(item)))
            case _:
                found = [self._grows(i, inside) for i in children(element)]
                return any(r for r, _ in found), any(g for _, g in found)

    def _greatest(self, element: Element, known: dict[str, int | None]) -> int | None:
        match element:
            case RuleRef(name):
                return known[name]
            case CharVal(text):
                return len(text)
            case NumVal(points, is_range):
                return 1 if is_range else len(points)
            case Concatenation(items) | Alternation(items):
                lengths: list[int] = []
                for item in items:
                    length = self._greatest(item, known)
                    if length is None:
                        return None
                    lengths.append(length)
                return (
                    sum(lengths) if isinstance(element, Concatenation) else max(lengths, default=0)
                )
            case Repetition(item, _, most):
                once = self._greatest(item, known) if most != 0 else 0
                if once == 0 or once is None:
                    return once
                return None if most is None else once * most

    @cached_property
    def characters(self) -> dict[str, Ranges]:
        """Per rule, the characters that its texts can contain."""
        return self._solved(self._characters)

    def _solved(self, of: Callable[[Element, dict[str, Ranges]], Ranges]) -> dict[str, Ranges]:
        """The smallest sets of the rules that agree with one another."""
        found: dict[str, Ranges] = {}
        for group in self.groups:
            found.update(dict.fromkeys(group, EMPTY))
            changed = True
            while changed:
                changed = False
                for name in group:
                    new = of(self.model.rules[name].element, found)
                    if new != found[name]:
                        found[name] = new
                        changed = self._returns(group)
        return found

    def characters_of(self, element: Element) -> Ranges:
        """The characters that the texts of any element of the grammar can contain."""
        return self._characters(element, self.characters)

    def _characters(self, element: Element, known: dict[str, Ranges]) -> Ranges:
        match element:
            case RuleRef(name):
                return known[name]
            case CharVal() | NumVal():
                return union(*of_terminal(element))
            case Repetition(_, _, 0):
                return EMPTY
            case _:
                return union(*(self._characters(i, known) for i in children(element)))

    @cached_property
    def first(self) -> dict[str, Ranges]:
        """Per rule, the characters that its texts can start with."""
        return self._solved(self._first)

    def first_of(self, element: Element) -> Ranges:
        """The characters that the texts of any element of the grammar can start with."""
        return self._first(element, self.first)

    def _first(self, element: Element, known: dict[str, Ranges]) -> Ranges:
        match element:
            case RuleRef(name):
                return known[name]
            case CharVal() | NumVal():
                return next(iter(of_terminal(element)), EMPTY)
            case Concatenation(items):
                found: list[Ranges] = []
                for item in items:
                    found.append(self._first(item, known))
                    if not self.nullable(item):
                        break
                return union(*found)
            case Alternation(items):
                return union(*(self._first(i, known) for i in items))
            case Repetition(item, _, most):
                return EMPTY if most == 0 else self._first(item, known)

    @cached_property
    def follow(self) -> dict[str, Follow]:
        """Per rule that a start rule leads to, its possible continuations there."""
        found = {name: Follow(end=True) for name in self.model.starts}
        for group in reversed(self.groups):
            changed = True
            while changed:
                before = {name: found.get(name) for name in group}
                for name in group:
                    if name in found:
                        self._follow(self.model.rules[name].element, found[name], found)
                changed = before != {name: found.get(name) for name in group}
        return found

    def _follow(self, element: Element, after: Follow, found: dict[str, Follow]) -> None:
        match element:
            case RuleRef(name):
                found[name] = found[name] | after if name in found else after
            case Concatenation(items):
                for item in reversed(items):
                    self._follow(item, after, found)
                    first = Follow(self._first(item, self.first))
                    after = first | after if self.nullable(item) else first
            case Alternation(items):
                for item in items:
                    self._follow(item, after, found)
            case Repetition(item, _, most) if most != 0:
                if most != 1:
                    after = after | Follow(self._first(item, self.first))
                self._follow(item, after, found)


def joined(parts: list[Shortest]) -> Shortest:
    """The shortest texts of adjacent parts."""
    length = sum(p.length for p in parts)
    texts = [p.text for p in parts if p.text is not None]
    whole = length <= MAX_EXAMPLE and len(texts) == len(parts)
    return Shortest(length, "".join(texts) if whole else None)


def repeated(once: Shortest, times: int) -> Shortest:
    """The shortest text of this many rounds."""
    length = once.length * times
    whole = length <= MAX_EXAMPLE and once.text is not None
    return Shortest(length, (once.text or "") * (times if once.length else 0) if whole else None)
