"""Where each component of a text stands, and the productions that it is held to.

Owns the readings of a text under a compound rule. Imports the grammars. Invariant: every text has
a reading under every compound rule, whatever it holds.

A grammar may name a dividing grammar (RFC 3986: its Appendix B, and section 3.2 for authority).
The dividing grammar says where the components are; the shapes of the rule say which it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..grammar import registry
from ..grammar.compiled import Compiled
from ..grammar.model import Alternation, RuleRef
from ..grammar.shapes import Shape, Slot, listed, shapes

PARTS = "-parts"
"""A dividing rule X-parts divides X further; any other divides a whole text."""

Path: TypeAlias = tuple[str, ...]
Spans: TypeAlias = dict[str, tuple[int, int]]
Matcher: TypeAlias = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Way:
    """A production that a component may be: the path to it from the rule, and its matcher.

    ``finals`` are its alternatives with their matchers, where it is a choice of productions of
    the same component (host: IP-literal, IPv4address, reg-name). The first that matches is meant.
    """

    path: Path
    match: Matcher
    finals: tuple[tuple[str, Matcher], ...]

    def final(self, text: str) -> str:
        """The production that a text, which this way accepts, is in the end (RFC 3986 §3.2.2)."""
        for name, match in self.finals:
            if match(text):
                return name
        return self.path[-1]


def way_to(grammar: Compiled, path: Path) -> Way:
    """The way to a production of a grammar."""
    production = path[-1]
    components = grammar.model.components
    element = grammar.rule(production).element
    items = element.items if isinstance(element, Alternation) else ()
    names = [item.name for item in items if isinstance(item, RuleRef)]
    choice = items and len(names) == len(items) and production in components
    finals = tuple((n, grammar.matcher(n)) for n in names) if choice else ()
    return Way(path, grammar.matcher(production), finals)


@dataclass(slots=True)
class Piece:
    """A component of a text, and the ways in which it may be read.

    There are none where the rule has no such component; then the piece spans its delimiter, too.
    """

    component: str
    start: int
    end: int
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Absent:
    """A component that the rule has and the text has not, and where it should stand."""

    at: int
    component: str
    path: Path
    expected: str


@dataclass(slots=True)
class Reading:
    """One way to divide a text; ``spans`` are the names that the division found, and where."""

    spans: Spans
    pieces: list[Piece]
    absent: list[Absent]


@dataclass(frozen=True, slots=True)
class _Plan:
    """For one set of names found: the ways of each component, and the slots left empty.

    ``known`` are the names that are no component but on the way to one, such as authority.
    """

    ways: dict[str, tuple[Way, ...]]
    known: frozenset[str]
    absent: tuple[tuple[Slot, Shape], ...]


class Splitter:
    """The readings of texts under one compound rule of a grammar with a dividing grammar."""

    def __init__(self, grammar: Compiled, rule: str) -> None:
        assert grammar.model.split is not None  # noqa: S101 -- see the class's own words
        self._grammar = grammar
        self._shapes = shapes(grammar.model, rule)
        self._divider = registry.load(grammar.model.split)
        rules = self._divider.model.rules
        if rule + PARTS in rules:
            self._wholes: tuple[str, ...] = (rule + PARTS,)
        else:
            self._wholes = tuple(r for r in self._divider.model.starts if not r.endswith(PARTS))
        self._known = frozenset(n for r in rules for n in self._names(r))
        self._plans: dict[frozenset[str], _Plan] = {}

    def _names(self, rule: str) -> tuple[str, ...]:
        starts = self._divider.model.starts
        return self._divider.captures(rule)[1] if rule in starts else ()

    def readings(self, text: str) -> Iterator[Reading]:
        """The readings to choose from, the one with more components first. Cost: O(n) each.

        A dividing rule is left out where it finds a component that the rule never has, or misses
        one that the rule always has, unless there is no other.
        """
        *others, last = self._wholes
        for whole in others:
            mark = frozenset(self._names(whole)) - frozenset(self._names(last))
            if any(mark <= s.names for s in self._shapes) and (spans := self._divide(whole, text)):
                yield self._reading(spans, text)
                if all(mark <= s.names for s in self._shapes):
                    return
        yield self._reading(self._divide(last, text), text)

    def _divide(self, whole: str, text: str, offset: int = 0) -> Spans:
        """The names that a dividing rule finds, in text order; none where it does not match."""
        match, names = self._divider.captures(whole)
        found = match(text)
        spans: Spans = {}
        if found is not None:
            for group, name in enumerate(names, 1):
                start, end = found.span(group)
                if start >= 0:
                    spans[name] = offset + start, offset + end
                    if name + PARTS in self._divider.model.rules:
                        spans |= self._divide(name + PARTS, text[start:end], offset + start)
        return spans

    def _reading(self, spans: Spans, text: str) -> Reading:
        plan = self._plans.get(named := frozenset(spans))
        if plan is None:
            plan = self._plans[named] = self._plan(named)
        pieces: list[Piece] = []
        before = extra = 0
        for name, (start, end) in spans.items():
            ways = plan.ways.get(name)
            if ways is not None:
                pieces.append(Piece(name, start, end, ways))
            elif name not in plan.known and extra < end and before < end:
                pieces.append(Piece(name, before, end, ()))
                extra = end  # with all that is inside it
            before = start if name + PARTS in self._divider.model.rules else end
        absent = [self._absent(slot, shape, spans, text) for slot, shape in plan.absent]
        return Reading(spans, pieces, absent)

    def _plan(self, named: frozenset[str]) -> _Plan:
        """The shapes that differ least from what was found."""
        differing = {s: len(s.names & self._known ^ named) for s in self._shapes}
        nearest = min(self._shapes, key=lambda s: differing[s])
        chosen = [s for s in self._shapes if s.names & self._known == nearest.names & self._known]
        paths: dict[str, list[Path]] = {}
        for slot in (slot for shape in chosen for slot in shape.slots):
            if slot.component in named:
                paths.setdefault(slot.component, []).append(slot.path)
        absent = [(slot, nearest) for slot in nearest.slots if slot.component not in named]
        ways = {
            name: tuple(way_to(self._grammar, path) for path in dict.fromkeys(found))
            for name, found in paths.items()
        }
        return _Plan(ways, nearest.names, tuple(absent))

    def _absent(self, slot: Slot, shape: Shape, spans: Spans, text: str) -> Absent:
        """Where an absent component should stand: after what goes before it in the shape."""
        place = 0
        for part in shape.parts[: shape.parts.index(slot)]:
            if isinstance(part, Slot):
                place = spans[part.component][1] if part.component in spans else place
            elif text.startswith(part, place):
                place += len(part)
        at = shape.slots.index(slot)
        where = shape.parts.index(slot)
        beside = (
            shape.parts[max(where - 1, 0) : where] if at else shape.parts[where + 1 : where + 2]
        )
        words = [slot.production, *(f'"{part}"' for part in beside if isinstance(part, str))]
        if at:
            words.reverse()
        return Absent(place, slot.component, slot.path, " ".join(words))


def separated(grammar: Compiled, rule: str) -> tuple[str, str] | None:
    """For a rule that is a list: its element and separator (see ``shapes.listed``); else None."""
    key = separated, rule
    if key not in grammar.cache:
        grammar.cache[key] = listed(grammar.model, rule)
    known: tuple[str, str] | None = grammar.cache[key]
    return known


def enclosed(grammar: Compiled, rule: str) -> tuple[str, tuple[Path, ...], str] | None:
    """For a rule that is one component between two delimiters: these, and the paths between.

    RFC 3986: IP-literal. None for any other rule.
    """
    key = enclosed, rule
    if key not in grammar.cache:
        grammar.cache[key] = _enclosed(grammar, rule)
    known: tuple[str, tuple[Path, ...], str] | None = grammar.cache[key]
    return known


def _enclosed(grammar: Compiled, rule: str) -> tuple[str, tuple[Path, ...], str] | None:
    found = shapes(grammar.model, rule) if rule in grammar.model.components else ()
    ends: set[tuple[str, str]] = set()
    for shape in found:
        match shape.parts:
            case (str(opening), Slot(), str(closing)):
                ends.add((opening, closing))
            case _:
                return None
    if len(ends) != 1:
        return None
    opening, closing = ends.pop()
    return opening, tuple(s.slots[0].path for s in found), closing
