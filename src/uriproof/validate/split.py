"""Where each component of a text stands, and the productions that it is held to.

Owns the readings of a text under a compound rule. Imports the grammars. Invariant: every text has
a reading under every compound rule, whatever it holds.

A grammar may name a dividing grammar (RFC 3986: its Appendix B, and section 3.2 for authority).
The dividing grammar says where the components are; the shapes of the rule say which it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ..grammar import registry
from ..grammar.compiled import Compiled
from ..grammar.shapes import Shape, Slot, shapes
from .productions import Path, Productions

PARTS = "-parts"
"""A dividing rule X-parts divides X further; any other divides a whole text."""

Spans: TypeAlias = dict[str, tuple[int, int]]


@dataclass(slots=True)
class Piece:
    """A component of a text, and the productions that it may be.

    They are None where the rule has no such component; then the piece spans its delimiter, too.
    """

    component: str
    start: int
    end: int
    productions: Productions | None


@dataclass(frozen=True, slots=True)
class Absent:
    """A component that the rule has and the text has not, and where it should stand.

    ``supply`` is a text that brings it about: the delimiter before it, or an example of it with
    the delimiter after it; ``supplied`` says what that is.
    """

    at: int
    component: str
    path: Path
    expected: str
    supply: str = ""
    supplied: str = ""


@dataclass(slots=True)
class Reading:
    """One way to divide a text; ``spans`` are the names that the division found, and where."""

    spans: Spans
    pieces: list[Piece]
    absent: list[Absent]


@dataclass(frozen=True, slots=True)
class _Plan:
    """For one set of names found: the productions of each component, and the slots left empty.

    ``known`` are the names that are no component but on the way to one, such as authority.
    """

    productions: dict[str, Productions]
    known: frozenset[str]
    absent: tuple[tuple[Slot, Shape], ...]


class Splitter:
    """The readings of texts under one compound rule of a grammar with a dividing grammar."""

    def __init__(self, grammar: Compiled, rule: str) -> None:
        assert grammar.model.split is not None  # noqa: S101 -- see the class's own words
        self._grammar = grammar
        self._divider = registry.load(grammar.model.split)
        rules = self._divider.model.rules
        self._known = frozenset(n for r in rules for n in self._names(r))
        self._divided = frozenset(r.removesuffix(PARTS) for r in rules if r.endswith(PARTS))
        found = shapes(grammar.model, rule)
        self._wholes = self._dividing_rules(found)
        self._shapes = tuple(self._spell(s, rule) for s in found)
        self._plans: dict[frozenset[str], _Plan] = {}

    @property
    def divides(self) -> bool:
        """True when the dividing grammar knows every component of the rule."""
        return all(slot.component in self._known for s in self._shapes for slot in s.slots)

    def _dividing_rules(self, found: tuple[Shape, ...]) -> tuple[str, ...]:
        """The rules that divide a text of these shapes: by the components that they have.

        What has a host and no path is divided as an authority is, whatever its name (RFC 3987:
        iauthority, RFC 2396: hostport).
        """
        components = {slot.component for shape in found for slot in shape.slots}
        starts = self._divider.model.starts
        parts = [r for r in starts if r.endswith(PARTS) and components <= {*self._names(r)}]
        return tuple(parts) or tuple(r for r in starts if not r.endswith(PARTS))

    def _names(self, rule: str) -> tuple[str, ...]:
        starts = self._divider.model.starts
        return self._divider.captures(rule)[1] if rule in starts else ()

    def _spell(self, shape: Shape, rule: str) -> Shape:
        """The shape, with the components that stand in its first text taken out of that text.

        "http://" is a scheme, ":" and "//" to the dividing grammar: it divides this text, too,
        and what only its first rule finds is there as soon as the text is long enough.
        """
        first = shape.parts[0] if shape.parts else ""
        if not isinstance(first, str) or len(self._wholes) == 1:
            return shape
        mark = self._mark(self._wholes[0])
        for end in range(1, len(first) + 1):
            spans = self._divide(self._wholes[0], first[:end])
            if len(mark) == 1 and mark <= spans.keys():
                (name,) = mark
                start, stop = spans[name]
                slot = Slot(name, (rule,), first[start:stop])
                texts = [t for t in (first[stop:end], first[end:]) if t]
                return Shape((slot, *texts, *shape.parts[1:]))
        return shape

    def _after_mark(self, spans: Spans, before: int, text: str) -> int:
        """Where a delimiter after a scheme begins: what ends the scheme is the scheme's own."""
        whole = self._wholes[0]
        mark = self._mark(whole)
        if mark and mark <= spans.keys() and max(spans[n][1] for n in mark) == before:
            for end in range(before + 1, len(text)):
                if mark <= self._divide(whole, text[:end]).keys():
                    return end
        return before

    def _mark(self, whole: str) -> frozenset[str]:
        """The names that a dividing rule finds and the last one does not: a scheme."""
        return frozenset(self._names(whole)) - frozenset(self._names(self._wholes[-1]))

    def readings(self, text: str) -> Iterator[Reading]:
        """The readings to choose from, the one with more components first. Cost: O(n) each.

        A dividing rule is left out where it finds a component that the rule never has, or misses
        one that the rule always has, unless there is no other.
        """
        *others, last = self._wholes
        for whole in others:
            mark = self._mark(whole)
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
            for name, (start, end) in zip(names, found.regs[1:], strict=True):
                if start >= 0:
                    spans[name] = offset + start, offset + end
                    if name in self._divided:
                        spans |= self._divide(name + PARTS, text[start:end], offset + start)
        return spans

    def _reading(self, spans: Spans, text: str) -> Reading:
        plan = self._planned(frozenset(spans))
        last = 0
        for name, productions in plan.productions.items():
            start, end = spans[name]
            # Appendix B finds a path in every text; a rule that may have none has none here.
            if start == end == last and not productions.accepts_empty:
                without = plan.productions.keys() - {name}
                if any({slot.component for slot in s.slots} == without for s in self._shapes):
                    plan = self._planned(frozenset(spans) - {name})
                    break
            last = end
        pieces: list[Piece] = []
        before = extra = 0
        for name, (start, end) in spans.items():
            found = plan.productions.get(name)
            if found is not None:
                pieces.append(Piece(name, start, end, found))
            elif name not in plan.known and extra < end and before < end:
                # With the delimiter before it; userinfo has its own after it.
                after = end
                if before == start:
                    after = min([s for s, _ in spans.values() if s > start], default=len(text))
                opening = self._after_mark(spans, before, text)
                pieces.append(Piece(name, opening, max(end, after), None))
                extra = end  # with all that is inside it
            before = start if name in self._divided else end
        absent = [self._absent(slot, shape, spans, text) for slot, shape in plan.absent]
        return Reading(spans, pieces, absent)

    def _planned(self, named: frozenset[str]) -> _Plan:
        plan = self._plans.get(named)
        if plan is None:
            plan = self._plans[named] = self._plan(named)
        return plan

    def _plan(self, named: frozenset[str]) -> _Plan:
        """The shapes that differ least from what was found."""
        differing = {s: len(s.names & self._known ^ named) for s in self._shapes}
        nearest = min(self._shapes, key=lambda s: differing[s])
        chosen = [s for s in self._shapes if s.names & self._known == nearest.names & self._known]
        slots: dict[str, list[Slot]] = {}
        for slot in (slot for shape in chosen for slot in shape.slots):
            if slot.component in named:
                slots.setdefault(slot.component, []).append(slot)
        absent = [(slot, nearest) for slot in nearest.slots if slot.component not in named]
        held = {name: Productions(self._grammar, name, found) for name, found in slots.items()}
        # In text order, as the dividing rules name them.
        names = dict.fromkeys(n for w in self._wholes for n in self._order(w) if n in held)
        productions = {name: held[name] for name in names}
        # A rule may have the parts of an authority under another name, or under none.
        divided = {n for n in named if not nearest.names.isdisjoint(self._names(n + PARTS))}
        return _Plan(productions, nearest.names | divided, tuple(absent))

    def _order(self, whole: str) -> Iterator[str]:
        """The names that a dividing rule can find, those inside another after that."""
        for name in self._names(whole):
            yield name
            yield from self._names(name + PARTS)

    def _absent(self, slot: Slot, shape: Shape, spans: Spans, text: str) -> Absent:
        """Where an absent component should stand: after what goes before it in the shape."""
        where = shape.parts.index(slot)
        place = 0
        for part in shape.parts[:where]:
            if isinstance(part, Slot):
                place = spans[part.component][1] if part.component in spans else place
            elif text.startswith(part, place):
                place += len(part)
        if slot is shape.slots[0]:
            beside = [f'"{p}"' for p in shape.parts[where + 1 : where + 2] if isinstance(p, str)]
            if slot.text and beside and text.lower().startswith(slot.text.lower()):
                delimiter = beside[0][1:-1]  # it is there, but what ends it is not
                return Absent(len(slot.text), slot.component, slot.path, beside[0], delimiter, beside[0])
            delimiter = beside[0][1:-1] if beside else ""
            example = slot.text or shortest(self._grammar, slot.path[-1])
            words = " ".join([slot.production, *beside])
            return Absent(place, slot.component, slot.path, words, example + delimiter, words)
        before = shape.parts[where - 1]
        if not isinstance(before, str):
            return Absent(place, slot.component, slot.path, slot.production)
        # A delimiter before what holds the component ("//" authority) is the rule's own.
        path = slot.path if len(slot.path) == 2 else slot.path[:1]  # noqa: PLR2004 -- rule, slot
        expected = f'"{before}" {slot.production}'
        return Absent(place, slot.component, path, expected, before, f'"{before}"')

    def supplied(self, reading: Reading, text: str) -> Reading | None:
        """The reading with an absent component's delimiter put in, if that brings it about.

        In "http:example.com" what is missing is "//", not a host (RFC 9110 §4.2.1).
        """
        gap = next((gap for gap in reading.absent if gap.supply), None)
        if gap is None:
            return None
        at, more = gap.at, len(gap.supply)
        divided = text[:at] + gap.supply + text[at:]
        for whole in self._wholes:
            spans = self._divide(whole, divided)
            if gap.component in spans:
                for name, (start, end) in spans.items():
                    spans[name] = max(start - more, min(start, at)), max(end - more, min(end, at))
                other = self._reading(spans, text)
                if spans[gap.component] == (at, at):
                    other.pieces = [p for p in other.pieces if p.component != gap.component]
                other.absent.insert(0, Absent(at, gap.component, gap.path, gap.supplied))
                return other
        return None


def shortest(grammar: Compiled, production: str) -> str:
    """A shortest text of a production; empty where there is none to be had cheaply."""
    key = shortest, production
    if key not in grammar.cache:
        grammar.cache[key] = grammar.trace(production).shortest()
    known: str = grammar.cache[key]
    return known
