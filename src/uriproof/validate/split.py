"""Where each component of a text stands, and the productions that it is held to.

Owns the readings of a text under a compound rule. Imports the grammars. Invariant: every text has
a reading under every compound rule, whatever it holds.

How it works. A grammar may name a dividing grammar (RFC 3986: its Appendix B, and section 3.2 for
authority), which matches every text. It says where the components are; the shapes of the rule,
which are all its right-hand sides as components and the texts between them, say which it has. What
was found is compared with the nearest shape, once for each set of names, and kept as a plan:

    http://a/b as URI     scheme 0-4, authority 7-8 (host 7-8), path 8-10: a shape of URI, nothing
                          is absent; the path after an authority is held to path-abempty
    //a/b as URI          authority and path: the nearest shape has a scheme, which is absent at 0
    http://a/#f           as absolute-URI: the fragment is in no shape, and is extra with its "#"

Where the scheme is none and the rule has references, a second dividing rule reads the text as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ..grammar import registry
from ..grammar.compile.shapes import Shape, Slot, shapes
from ..grammar.compiled import Compiled
from ..records import NamedTuple
from .productions import Path, Productions

PARTS = "-parts"
"""A dividing rule X-parts divides X further; any other divides a whole text."""

Spans: TypeAlias = dict[str, tuple[int, int]]


class Piece(NamedTuple):
    """A component of a text, and the productions that it may be.

    They are None where the rule has no such component; then the piece spans its delimiter, too.
    """

    component: str
    start: int
    end: int
    productions: Productions | None


class Absent(NamedTuple):
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


class Reading:
    """One way to divide a text; ``spans`` are the names that the division found, and where.

    ``read_as`` is filled in by what examines it: the production that a component is read as which
    none of its productions accepts.
    """

    __slots__ = ("absent", "pieces", "read_as", "spans")

    def __init__(self, spans: Spans, pieces: list[Piece], absent: list[Absent]) -> None:
        self.spans = spans
        self.pieces = pieces
        self.absent = absent
        self.read_as: dict[str, str] = {}

    @property
    def parts(self) -> list[Piece]:
        """The pieces that the rule has."""
        return [piece for piece in self.pieces if piece.productions is not None]


class _Plan(NamedTuple):
    """For one set of names found: the productions of each component, and the slots left empty.

    ``known`` are the names that are no component but on the way to one, such as authority, and
    ``divided`` those that are divided further. ``optional`` are the components that cannot be
    empty and need not be there; ``whole`` says that nothing is absent, and nothing too much.
    """

    productions: dict[str, Productions]
    known: frozenset[str]
    divided: frozenset[str]
    absent: tuple[tuple[Slot, Shape], ...]
    optional: frozenset[str]
    whole: bool


class _Division:
    """A dividing rule: where it finds each of its names in a text."""

    def __init__(self, divider: Compiled, rule: str) -> None:
        self._match, self.names = divider.captures(rule)
        starts = divider.model.starts
        self.inner = {n: _Division(divider, n + PARTS) for n in self.names if n + PARTS in starts}

    def spans(self, text: str, offset: int = 0) -> Spans:
        """The names found, in text order; none where the rule does not match. Cost: O(n)."""
        found = self._match(text)
        spans: Spans = {}
        if found is not None:
            for name, span in zip(self.names, found.regs[1:], strict=True):
                start, end = span
                if start >= 0:
                    spans[name] = (offset + start, offset + end) if offset else span
                    if name in self.inner:
                        inner = self.inner[name]
                        spans |= inner.spans(text[start:end], offset + start)
        return spans


class Splitter:
    """The readings of texts under one compound rule of a grammar with a dividing grammar."""

    def __init__(self, grammar: Compiled, rule: str) -> None:
        assert grammar.model.split is not None  # noqa: S101 -- see the class's own words
        self._grammar = grammar
        divider = registry.load(grammar.model.split)
        divisions = {r: _Division(divider, r) for r in divider.model.starts}
        self._known = frozenset(n for d in divisions.values() for n in d.names)
        found = shapes(grammar.model, rule)
        self._divisions = self._fitting(divisions, found)
        self._shapes = tuple(self._spell(s, rule) for s in found)
        *others, last = self._divisions
        # A dividing rule is left out where it finds a component that the rule never has, and the
        # last where it misses one that the rule always has.
        kept = [d for d in others if any(self._mark(d) <= s.names for s in self._shapes)]
        needed = [all(self._mark(d) <= s.names for s in self._shapes) for d in kept]
        self._tried = tuple(zip([*kept, last], [*needed, False], strict=True))
        self._plans: dict[tuple[str, ...], _Plan] = {}

    @property
    def divides(self) -> bool:
        """True when the dividing grammar knows every component of the rule."""
        return all(slot.component in self._known for s in self._shapes for slot in s.slots)

    def _fitting(
        self, divisions: dict[str, _Division], found: tuple[Shape, ...]
    ) -> tuple[_Division, ...]:
        """The rules that divide a text of these shapes: by the components that they have.

        What has a host and no path is divided as an authority is, whatever its name (RFC 3987:
        iauthority, RFC 2396: hostport).
        """
        components = {slot.component for shape in found for slot in shape.slots}
        inner = [d for r, d in divisions.items() if r.endswith(PARTS) and components <= {*d.names}]
        return tuple(inner or [d for r, d in divisions.items() if not r.endswith(PARTS)])

    def _spell(self, shape: Shape, rule: str) -> Shape:
        """The shape, with the components that stand in its first text taken out of that text.

        "http://" is a scheme, ":" and "//" to the dividing grammar: it divides this text, too,
        and what only its first rule finds is there as soon as the text is long enough.
        """
        first = shape.parts[0] if shape.parts else ""
        if not isinstance(first, str) or len(self._divisions) == 1:
            return shape
        mark = self._mark(self._divisions[0])
        for end in range(1, len(first) + 1):
            spans = self._divisions[0].spans(first[:end])
            if len(mark) == 1 and mark <= spans.keys():
                (name,) = mark
                start, stop = spans[name]
                slot = Slot(name, (rule,), first[start:stop])
                texts = [t for t in (first[stop:end], first[end:]) if t]
                return Shape((slot, *texts, *shape.parts[1:]))
        return shape

    def _after_mark(self, spans: Spans, before: int, text: str) -> int:
        """Where a delimiter after a scheme begins: what ends the scheme is the scheme's own."""
        division = self._divisions[0]
        mark = self._mark(division)
        if mark and mark <= spans.keys() and max(spans[n][1] for n in mark) == before:
            for end in range(before + 1, len(text)):
                if mark <= division.spans(text[:end]).keys():
                    return end
        return before

    def _mark(self, division: _Division) -> frozenset[str]:
        """The names that a dividing rule finds and the last one does not: a scheme."""
        return frozenset(division.names) - frozenset(self._divisions[-1].names)

    def readings(self, text: str) -> Iterator[Reading]:
        """The readings to choose from, the one with more components first. Cost: O(n) each."""
        for division, needed in self._tried:
            spans = division.spans(text)
            if spans or division is self._divisions[-1]:
                yield self._reading(spans, text)
                if needed:
                    return

    def _reading(self, spans: Spans, text: str) -> Reading:
        plan = self._planned(tuple(spans))
        if plan.optional:
            plan = self._without_empty(plan, spans)
        if plan.whole:
            known = plan.productions
            return Reading(
                spans, [Piece(n, s, e, known[n]) for n, (s, e) in spans.items() if n in known], []
            )
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
            before = start if name in plan.divided else end
        absent = [self._absent(slot, shape, spans, text) for slot, shape in plan.absent]
        return Reading(spans, pieces, absent)

    def _without_empty(self, plan: _Plan, spans: Spans) -> _Plan:
        """The plan for a text without a component that is empty and need not be there.

        Appendix B finds a path in every text; a rule that may have none has none here.
        """
        last = 0
        for name, (start, end) in spans.items():
            if name not in plan.productions:
                continue
            if start == end == last and name in plan.optional:
                return self._planned(tuple(n for n in spans if n != name))
            last = end
        return plan

    def _planned(self, names: tuple[str, ...]) -> _Plan:
        plan = self._plans.get(names)
        if plan is None:
            plan = self._plans[names] = self._plan(frozenset(names))
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
        productions = {
            name: Productions(self._grammar, name, found) for name, found in slots.items()
        }
        divided = {n: inner for d in self._divisions for n, inner in d.inner.items()}
        # A rule may have the parts of an authority under another name, or under none.
        known = {n for n, d in divided.items() if not nearest.names.isdisjoint(d.names)}
        reachable = nearest.names | known
        exact = [{slot.component for slot in s.slots} for s in self._shapes]
        optional = frozenset(
            name
            for name, made in productions.items()
            if not made.accepts_empty and productions.keys() - {name} in exact
        )
        whole = not absent and all(n in productions or n in reachable for n in named)
        divided_further = frozenset(divided)
        return _Plan(productions, reachable, divided_further, tuple(absent), optional, whole)

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
                return Absent(
                    len(slot.text), slot.component, slot.path, beside[0], delimiter, beside[0]
                )
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
        for division in self._divisions:
            spans = division.spans(divided)
            if gap.component in spans:
                for name, (start, end) in spans.items():
                    spans[name] = max(start - more, min(start, at)), max(end - more, min(end, at))
                other = self._reading(spans, text)
                if spans[gap.component] == (at, at):
                    other.pieces[:] = [p for p in other.pieces if p.component != gap.component]
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
