"""The terminals that could have been next where a text goes wrong.

Owns the search for them. Imports the chart. Invariant: each comes with the elements that it is
inside, from the outermost rule on; the nearest to an end of the text come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from ..graph import reachable
from ..model import CharVal, Element, NumVal
from .chart import Chart, Kind, Slot


@dataclass(frozen=True, slots=True)
class Entry:
    """A slot that was begun at an offset, and how far the slot around it was (``done``)."""

    slot: Slot
    start: int
    done: int
    around: Entry | None

    def chain(self) -> list[Entry]:
        """The entries from the outermost to this one."""
        found: list[Entry] = []
        entry: Entry | None = self
        while entry is not None:
            found.append(entry)
            entry = entry.around
        return found[::-1]

    def begun(self, rule: str, before: int) -> int | None:
        """Where a rule around it was begun before an offset, if it was."""
        starts = (
            e.start for e in self.chain() if e.slot.kind is Kind.RULE and e.slot.owner == rule
        )
        return next((start for start in starts if start < before), None)


class Stops:
    """The terminals that were asked for at the end of the longest viable prefix.

    Entries are gone over from the outermost, those first that need the fewest code points more.
    """

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        around = reachable(
            (node for _, node in chart.reading.readers), lambda n: [c for _, _, c in n.callers]
        )
        self._alive = {(node.rule, node.at) for node in around}
        self._found: list[tuple[int, Entry]] = []
        heap = [(0, 0, Entry(chart.root, 0, 0, None))]
        seen: set[tuple[Slot, int]] = set()
        number = 0
        while heap:
            cost, _, entry = heappop(heap)
            if (entry.slot, entry.start) in seen:
                continue
            seen.add((entry.slot, entry.start))
            for inner in self._asked(entry):
                chart.reading.spend()
                number += 1
                heappush(heap, (cost + entry.slot.rest(inner.done), number, inner))
            if entry.slot.kind is Kind.TERMINAL:
                left = entry.slot.least_length - chart.matched(entry.slot, entry.start)
                self._found.append((cost + left, entry))

    def cheapest_first(self) -> list[Entry]:
        """All, those first from which the fewest code points lead to an end."""
        return [e for _, e in sorted(self._found, key=lambda f: (f[0], self._rank(f[1])))]

    def nearest(self) -> list[Entry]:
        """Those from which the fewest code points lead to an end."""
        least = min((cost for cost, _ in self._found), default=0)
        return sorted((e for cost, e in self._found if cost == least), key=self._rank)

    def all(self) -> list[Entry]:
        return sorted((e for _, e in self._found), key=self._rank)

    def _rank(self, stop: Entry) -> tuple[int, int, list[tuple[int, int]]]:
        """Those first that are inside most of what has been begun, then those that begin the
        fewest rules, then in the order of the grammar."""
        chain = stop.chain()
        begun = sum(entry.start < self._chart.furthest for entry in chain)
        rules = sum(entry.slot.kind is Kind.RULE for entry in chain)
        return -begun, rules, [(entry.done, entry.start) for entry in chain]

    def described(self, stop: Entry, rest: bool = False) -> tuple[tuple[str, ...], str]:
        """The path to the production that a stop is in, and the element of it that is next.

        With ``rest``, of a terminal that has been read in part, only what is left.
        """
        chart, end = self._chart, self._chart.furthest
        rules = [entry for entry in stop.chain() if entry.slot.kind is Kind.RULE]
        names = [entry.slot.owner for entry in rules]
        leaf = next((i for i, name in enumerate(names) if name in chart.model.leaves), None)
        if leaf is None:
            characters = (i for i, name in enumerate(names) if name not in chart.characters)
            leaf = max(characters, default=0)
        begun = (e.slot.owner for e in rules[leaf + 1 :] if e.start == end)
        matched = end - stop.start if rest else 0
        return tuple(_once(names[: leaf + 1])), next(begun, _rest(stop.slot.element, matched))

    def _asked(self, entry: Entry) -> Iterator[Entry]:
        """What is read inside an entry, and may come to a stop."""
        slot, start = entry.slot, entry.start
        match slot.kind:
            case Kind.TERMINAL:
                return
            case Kind.RULE | Kind.CHOICE:
                asked = [(item, start, number) for number, item in enumerate(slot.items)]
            case _:
                states = self._chart.states(slot, start)
                found = ((slot.item(done), at, done) for done, at in states)
                asked = [(item, at, done) for item, at, done in found if item is not None]
        for item, at, done in asked:
            if item.kind is Kind.RULE:
                alive = (item.owner, at) in self._alive
            elif item.kind is Kind.TERMINAL:
                matched = self._chart.matched(item, at)
                alive = at + matched == self._chart.furthest and matched < item.least_length
            else:
                alive = True
            if alive:
                yield Entry(item, at, done, entry)


def _rest(element: Element, matched: int) -> str:
    """The ABNF of what is left of a terminal after some code points."""
    match element:
        case CharVal(text, case_sensitive):
            return str(CharVal(text[matched:], case_sensitive))
        case NumVal(points, False):
            return str(NumVal(points[matched:]))
        case _:
            return str(element)


def _once(names: list[str]) -> list[str]:
    """A way with each name once: its cycles are left out."""
    kept: dict[str, None] = {}
    for name in names:
        if name in kept:
            while next(reversed(kept)) != name:
                kept.popitem()
        kept[name] = None
    return list(kept)
