"""The terminals that could have been next where a text becomes invalid, in the grammar's words.

Owns the search for them. Imports the chart. Invariant: each comes with the elements that it is
inside, from the outermost rule on; the nearest to an end of the text come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from ..graph import reachable
from ..machine.trace import named_of
from ..model import CharVal, Concatenation, Element, NumVal
from .chart import Chart, Kind, Slot, chart_of

if TYPE_CHECKING:
    from ..compiled import Compiled


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
        """The start of a rule around it before an offset, if it was begun."""
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

        With ``rest``, of a terminal that has been read in part, only the rest.
        """
        chart, end = self._chart, self._chart.furthest
        rules = [entry for entry in stop.chain() if entry.slot.kind is Kind.RULE]
        names = [entry.slot.owner for entry in rules]
        leaf = named_of(names, chart.model.leaves, chart.characters)
        begun = (e.slot.owner for e in rules[leaf + 1 :] if e.start == end)
        matched = end - stop.start if rest else 0
        return tuple(_once(names[: leaf + 1])), next(begun, _rest(stop.slot.element, matched))

    def _asked(self, entry: Entry) -> Iterator[Entry]:
        """The elements inside an entry that can be a stop."""
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
    """The ABNF of the rest of a terminal after some code points."""
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


class Furthest(NamedTuple):
    """The place where a text cannot be continued to a valid one.

    ``offset`` is the first character that no valid text could have there, and ``expected`` holds,
    as ABNF, the possible elements there. If something is missing at the end of the text, ``offset``
    is its length, and ``expected`` the beginnings of a shortest way to a valid text. ``path`` runs
    from the rule to the production that was being read, each rule once. In an escape sequence
    that is not whole the offset is that of its first character, and the path ends in the rule of
    escape sequences.
    """

    offset: int
    expected: tuple[str, ...]
    path: tuple[str, ...]


def furthest(compiled: Compiled, rule: str, text: str) -> Furthest | None:
    """The place where a text cannot be continued to one that the rule derives; None if it is one.

    Errors and cost: as for ``explain``.

    >>> from uriproof.grammar.registry import compile_abnf
    >>> furthest(compile_abnf('x = "(" x ")" / "1"'), "x", "((1)")
    Furthest(offset=4, expected=('")"',), path=('x',))
    """
    chart = chart_of(compiled, rule, text)
    if chart.reading.accepted:
        return None
    stops = Stops(chart)
    offset = chart.furthest
    found = stops.nearest() if offset == len(text) else stops.all()
    described = [stops.described(stop) for stop in found]
    path = described[0][0] if described else (rule,)
    escape = chart.model.escape
    begun = [stop.begun(escape, offset) for stop in found] if escape is not None else []
    if escape is not None and begun and None not in begun:
        element = chart.model.rules[escape].element
        items = element.items if isinstance(element, Concatenation) else (element,)
        way = path if path[-1] == escape else (*path, escape)
        return Furthest(begun[0] or 0, tuple(map(str, items[1:])), way)
    return Furthest(offset, tuple(dict.fromkeys(word for _, word in described)), path)
