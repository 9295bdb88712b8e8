"""Divide: the place of each component of a text.

Owns the readings of a text. Imports the plans. Invariant: every text has a reading under every
rule, whatever it holds.

How it works. A grammar can name a dividing grammar (RFC 3986: its Appendix B, and section 3.2 for
authority), which matches every text. It finds the components; the plan of the rule says which ones
the rule has, so that a reading is both, one after the other:

    http://a/b as URI     scheme 0-4, authority 7-8 (host 7-8), path 8-10
    //a/b as URI          authority and path; the scheme is absent at 0
    http://a/#f           as absolute-URI: the fragment is too much, with its "#"

If the scheme is not legal and the rule allows relative references, the text is also divided as a
relative reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..grammar.compile.shapes import Shape, Slot
from .plan import Dividing, Division, Layout, Places, Plan, Spans, Step, shortest, step
from .productions import Path
from .recovery import Blame


class Absent(NamedTuple):
    """A component that the rule has and the text does not, and its proper place.

    ``supply`` is a text that adds it: the delimiter before it, or an example of it with the
    delimiter after it; ``supplied`` describes that text.
    """

    at: int
    component: str
    path: Path
    expected: str
    supply: str = ""
    supplied: str = ""


class Reading:
    """One way to divide a text: its components are ``steps``, whose places are in ``places``.

    ``numbers`` are those of the places of all names that the division found. ``examine`` fills in
    ``blames``, all that is to blame, in text order, and ``read_as``: component → production used to
    diagnose it, for components that failed and are not loops.
    """

    __slots__ = ("absent", "blames", "numbers", "places", "read_as", "steps")
    blames: list[Blame]

    def __init__(
        self,
        places: Places,
        numbers: dict[str, int],
        steps: list[Step],
        absent: Sequence[Absent] = (),
    ) -> None:
        self.places = places
        self.numbers = numbers
        self.steps = steps
        self.absent = absent
        self.read_as: dict[str, str] = {}

    @property
    def spans(self) -> Spans:
        """The names that the division found, and where, in text order."""
        return {name: self.places[number] for name, number in self.numbers.items()}

    @property
    def known(self) -> list[tuple[str, int, int]]:
        """The components that the rule has: their names, starts and ends."""
        places = self.places
        return [(name, *places[n]) for name, n, _, productions in self.steps if productions]


def divide(dividing: Dividing, division: Division, text: str) -> Reading | None:
    """The reading of a text by one division, if it finds anything; the last one always does.

    Cost: O(n).
    """
    places = division.places(text)
    there = tuple([start >= 0 for start, _ in places])
    form = division.forms.get(there)
    numbers, layout, steps = dividing.form(division, there) if form is None else form
    if not numbers and division is not dividing.divisions[-1]:
        return None
    if steps is not None:
        return Reading(places, numbers, steps)
    return _reading(dividing, layout, {name: places[n] for name, n in numbers.items()}, text)


def undivided(plan: Plan, text: str) -> Reading:
    """The text as one component."""
    name = plan.component
    return Reading([(0, len(text))], {name: 0}, [step(name, 0, plan.as_one)])


def spans(plan: Plan, text: str) -> Spans:
    """The places of the components of a text that the rule accepts: of such, the first reading is
    the one to choose. Cost: O(n).
    """
    dividing = plan.dividing
    if dividing is None:
        return undivided(plan, text).spans
    readings = (divide(dividing, division, text) for division, _ in dividing.tried)
    return next(reading for reading in readings if reading is not None).spans


def _reading(dividing: Dividing, layout: Layout, spans: Spans, text: str) -> Reading:
    """The reading of a text in which a component is absent or too much, or can be."""
    if layout.optional:
        layout = _without_empty(dividing, layout, spans)
    productions = layout.productions
    places = [*spans.values()]
    steps: list[Step] = []
    before = extra = 0
    for number, (name, (start, end)) in enumerate(spans.items()):
        found = productions.get(name)
        if found is not None:
            steps.append(step(name, number, found))
        elif name not in layout.known and extra < end and before < end:
            # With the delimiter before it; userinfo has its own after it.
            after = end
            if before == start:
                after = min([s for s, _ in spans.values() if s > start], default=len(text))
            opening = _after_mark(dividing, spans, before, text)
            steps.append(step(name, len(places), None))
            places.append((opening, max(end, after)))
            extra = end  # with all that is inside it
        before = start if name in layout.divided else end
    gaps = [absent(dividing, slot, shape, spans, text) for slot, shape in layout.absent]
    return Reading(places, {name: n for n, name in enumerate(spans)}, steps, gaps)


def _without_empty(dividing: Dividing, layout: Layout, spans: Spans) -> Layout:
    """The layout of a text without an empty component that is optional.

    Appendix B finds a path in every text; a rule with an optional path has none here.
    """
    last = 0
    for name, (start, end) in spans.items():
        if name not in layout.productions:
            continue
        if start == end == last and name in layout.optional:
            return dividing.layout(tuple(n for n in spans if n != name))
        last = end
    return layout


def _after_mark(dividing: Dividing, spans: Spans, before: int, text: str) -> int:
    """The start of a delimiter after a scheme; the end of the scheme belongs to the scheme."""
    mark = dividing.mark
    if mark and mark <= spans.keys() and max(spans[n][1] for n in mark) == before:
        for end in range(before + 1, len(text)):
            if mark <= dividing.divisions[0].spans(text[:end]).keys():
                return end
    return before


def absent(dividing: Dividing, slot: Slot, shape: Shape, spans: Spans, text: str) -> Absent:
    """The proper place of an absent component: after its predecessor in the shape."""
    where = shape.parts.index(slot)
    place = 0
    for part in shape.parts[:where]:
        if isinstance(part, Slot):
            place = spans[part.component][1] if part.component in spans else place
        elif text.startswith(part, place):
            place += len(part)
    if slot is shape.slots[0]:
        beside = [f'"{p}"' for p in shape.parts[where + 1 : where + 2] if isinstance(p, str)]
        delimiter = beside[0][1:-1] if beside else ""
        if slot.text and beside and text.lower().startswith(slot.text.lower()):
            # It is there, but what ends it is not.
            at = len(slot.text)
            return Absent(at, slot.component, slot.path, beside[0], delimiter, beside[0])
        example = slot.text or shortest(dividing.grammar, slot.path[-1])
        words = " ".join([slot.production, *beside])
        return Absent(place, slot.component, slot.path, words, example + delimiter, words)
    before = shape.parts[where - 1]
    if not isinstance(before, str):
        return Absent(place, slot.component, slot.path, slot.production)
    # A delimiter before what holds the component ("//" authority) is the rule's own.
    path = slot.path if len(slot.path) == 2 else slot.path[:1]  # noqa: PLR2004 -- rule, slot
    expected = f'"{before}" {slot.production}'
    return Absent(place, slot.component, path, expected, before, f'"{before}"')


def supplied(dividing: Dividing, reading: Reading, text: str) -> Reading | None:
    """The reading with an absent component's delimiter inserted, if that adds the component.

    In "http:example.com" the missing part is "//", not a host (RFC 9110 §4.2.1).
    """
    gap = next((gap for gap in reading.absent if gap.supply), None)
    if gap is None:
        return None
    at, more = gap.at, len(gap.supply)
    divided = text[:at] + gap.supply + text[at:]
    for division in dividing.divisions:
        spans = division.spans(divided)
        if gap.component in spans:
            for name, (start, end) in spans.items():
                spans[name] = max(start - more, min(start, at)), max(end - more, min(end, at))
            other = _reading(dividing, dividing.layout(tuple(spans)), spans, text)
            if spans[gap.component] == (at, at):
                other.steps = [step for step in other.steps if step.component != gap.component]
            missing = Absent(at, gap.component, gap.path, gap.supplied)
            other.absent = (missing, *other.absent)
            return other
    return None
