"""The derivations in a chart: how many there are, and the one that is meant.

Owns counting and choosing. Imports the chart. Invariant: the derivation that is chosen takes, at
each alternation, the first alternative that derives the span (RFC 3986 §3.2.2 calls this
"first-match-wins"), and at each division the longest first part; it is finite even where there
are infinitely many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ..graph import strongly_connected
from .chart import Chart, Entry, Kind, Slot, State

__all__ = ["Forest", "Span", "Ways"]

Span: TypeAlias = tuple[Slot, int, int]
"""A slot, and the half-open range of code points that it derives."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One item of a sequence or round of a loop: the states around it, and its span."""

    before: State
    after: State
    span: Span


@dataclass(frozen=True, slots=True)
class Ways:
    """In how many ways a span can be made of its items; ``number`` None is infinitely many.

    ``choices`` are the numbers of the alternatives that derive the span, the meant one first.
    """

    number: int | None
    choices: tuple[int, ...]


class Forest:
    """The derivations of spans in a chart. Errors: GrammarLimit, when the chart's work is spent."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._steps: dict[tuple[Entry, State | None, int], list[_Step]] = {}
        self._circle: dict[Span, int] = {}
        self._circles = 0
        self._counts: dict[Span, int | None] = {}

    def count(self, span: Span) -> int | None:
        """How many derivations a span has; None if infinitely many."""
        self._order(span)
        return self._counts[span]

    def ways(self, span: Span) -> Ways:
        """In how many ways one span is made, whatever the spans inside it."""
        slot = span[0]
        match slot.kind:
            case Kind.CHOICE:
                meant = self._meant(span)
                others = [number for number in self._choices(span) if number != meant]
                return Ways(1 + len(others), (meant, *others))
            case Kind.SEQUENCE | Kind.LOOP:
                steps = self._useful(span)
                if any(s.before == s.after for s in steps):
                    return Ways(None, ())
                return Ways(self._paths(span, steps, alone=True), ())
            case _:
                return Ways(1, ())

    def parts(self, span: Span) -> list[Span]:
        """The spans that the meant derivation of a span consists of."""
        slot, start, end = span
        match slot.kind:
            case Kind.TERMINAL:
                return []
            case Kind.RULE | Kind.CHOICE:
                return [(slot.items[self._meant(span)], start, end)]
            case _:
                self._order(span)
                return self._path(self._entry(span), None, end, span)

    def before(self, entry: Entry, state: State) -> list[Span]:
        """The spans of the items before a state that an entry came through."""
        return self._path(entry, state, state[1], None)

    def _entry(self, span: Span) -> Entry:
        entry = self._chart.entry(span[0], span[1])
        assert entry is not None  # noqa: S101 -- spans come out of the chart
        return entry

    def _choices(self, span: Span) -> Iterator[int]:
        slot, start, end = span
        for number, item in enumerate(slot.items):
            if end in self._chart.ends(item, start):
                yield number

    def _meant(self, span: Span) -> int:
        """The first alternative that derives a span, and does not need the span for it."""
        slot, start, end = span
        self._order(span)
        return next(
            n for n in self._choices(span) if self._founded(span, (slot.items[n], start, end))
        )

    def _founded(self, span: Span, inner: Span) -> bool:
        """False where the inner span may only be derived by way of the outer one.

        In a circle of equal spans, each rests on those that were found before it.
        """
        if span[1:] != inner[1:] or self._circle.get(inner) != self._circle[span]:
            return True
        return self._found(inner) < self._found(span)

    def _found(self, span: Span) -> int:
        return self._entry(span).ends[span[2]]

    # Sequences and loops

    def _useful(self, span: Span) -> list[_Step]:
        return self._lattice(self._entry(span), None, span[2])

    def _lattice(self, entry: Entry, last: State | None, end: int) -> list[_Step]:
        """The steps that lead from an entry's start to a state, or (None) to its end there."""
        key = entry, last, end
        known = self._steps.get(key)
        if known is not None:
            return known
        slot, chart = entry.slot, self._chart
        into: dict[State, list[_Step]] = {}
        for state in entry.states:
            item = slot.item(state[0])
            if item is None or state[1] > end:
                continue
            for to in chart.ends(item, state[1]):
                if to <= end:
                    step = _Step(state, slot.following(state, to), (item, state[1], to))
                    into.setdefault(step.after, []).append(step)
                    chart.budget.spend()
        stack = [last] if last is not None else _finals(entry, end)
        seen = set(stack)
        steps: list[_Step] = []
        while stack:
            for step in into.get(stack.pop(), ()):
                steps.append(step)
                if step.before not in seen:
                    seen.add(step.before)
                    stack.append(step.before)
        steps.sort(key=lambda s: (s.before[1], s.before[0], -s.after[1], -s.after[0]))
        self._steps[key] = steps
        return steps

    def _paths(self, span: Span, steps: list[_Step], alone: bool = False) -> int | None:
        """How many ways lead through steps in order, each with all derivations of its items."""
        entry = self._entry(span)
        ways: dict[State, int] = {(0, span[1]): 1}
        for step in steps:
            number = 1 if alone else self._counts[step.span]
            if number is None or step.before == step.after:
                return None
            ways[step.after] = ways.get(step.after, 0) + ways.get(step.before, 0) * number
        return sum(ways.get(state, 0) for state in _finals(entry, span[2]))

    def _path(self, entry: Entry, last: State | None, end: int, span: Span | None) -> list[Span]:
        """The spans on the way with the longest first part, and no empty round but needed ones."""
        onward: dict[State, list[_Step]] = {}
        for step in self._lattice(entry, last, end):
            if step.before != step.after and (span is None or self._founded(span, step.span)):
                onward.setdefault(step.before, []).append(step)
        finals = {last} if last is not None else set(_finals(entry, end))
        if span is not None:  # some ways may be gone that only a circle had
            alive = set(finals)
            for earlier in sorted(onward, key=lambda s: (s[1], s[0]), reverse=True):
                onward[earlier] = [s for s in onward[earlier] if s.after in alive]
                if onward[earlier]:
                    alive.add(earlier)
        state = 0, entry.start
        found: list[Span] = []
        while state not in finals:
            step = onward[state][0]
            found.append(step.span)
            state = step.after
        return found

    # Circles, and the order in which to count

    def _inside(self, span: Span) -> Iterable[Span]:
        """The spans that some derivation of a span consists of."""
        slot, start, end = span
        match slot.kind:
            case Kind.TERMINAL:
                return ()
            case Kind.RULE | Kind.CHOICE:
                return [(slot.items[n], start, end) for n in self._choices(span)]
            case _:
                return dict.fromkeys(step.span for step in self._useful(span))

    def _order(self, root: Span) -> None:
        """Number the circles of spans (Tarjan's algorithm), and count each, inmost first."""
        if root in self._circle:
            return
        circle, counts = self._circle, self._counts

        def inside(span: Span) -> Iterator[Span]:
            for inner in self._inside(span):
                self._chart.budget.spend()
                if inner not in circle:
                    yield inner

        for group in strongly_connected([root], inside):
            self._circles += 1
            circle.update(dict.fromkeys(group, self._circles))
            looping = len(group) > 1 or group[0] in self._inside(group[0])
            for member in group:
                counts[member] = None if looping else self._count(member)

    def _count(self, span: Span) -> int | None:
        slot = span[0]
        match slot.kind:
            case Kind.TERMINAL:
                return 1
            case Kind.RULE | Kind.CHOICE:
                total = 0
                for inner in self._inside(span):
                    number = self._counts[inner]
                    if number is None:
                        return None
                    total += number
                return total
            case _:
                return self._paths(span, self._useful(span))


def _finals(entry: Entry, end: int) -> list[State]:
    """The states in which an entry may end at an offset."""
    return [s for s in entry.states if s[1] == end and entry.slot.may_end(s[0])]
