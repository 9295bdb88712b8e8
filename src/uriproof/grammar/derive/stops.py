"""The terminals that could have been next where a text goes wrong.

Owns the search for them. Imports the chart. Invariant: each comes with the elements that it is
inside, from the outermost rule on; the nearest to an end of the text come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from ..graph import reachable
from .chart import Chart, Kind, Slot

__all__ = ["Entry", "Stops"]


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
        """Of equally near ones those first that are inside most of what has been begun, then
        those that begin least, then in the order of the grammar."""
        end = self._chart.furthest

        def key(found: tuple[int, Entry]) -> tuple[int, int, int, list[tuple[int, int]]]:
            chain = found[1].chain()
            begun = sum(entry.start < end for entry in chain)
            return found[0], -begun, len(chain), [(entry.done, entry.start) for entry in chain]

        return [entry for _, entry in sorted(self._found, key=key)]

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
