"""Where a text becomes invalid: what could have been next there, and the shortest way to an end.

Owns both, for any rule. Imports the chart. Invariant: each terminal comes with the rules that it is
inside, from the outermost on, along the way that needs the fewest code points to an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...limits import MAX_EXAMPLE
from ..errors import GrammarLimit
from ..graph import nearest, reachable
from ..machine.readable import sample
from ..machine.trace import escape_words, named_of
from ..model import CharVal, Element, NumVal
from .chart import Chart, chart_of
from .recognizer import Node, callers

if TYPE_CHECKING:
    from ..compiled import Compiled


class Stop(NamedTuple):
    """A terminal that could have been next, after ``matched`` code points of it.

    ``cost`` is the minimum number of code points from there to an end of the text; ``rules`` are
    those around it, each once, with the offset where it began. By ``rank``, those come first that
    are inside most of what has been begun, then in the order of the grammar; if nothing has been
    begun, those inside the fewest rules.
    """

    cost: int
    rank: tuple[int, int, list[list[int]]]
    rules: dict[str, int]
    element: Element
    matched: int


class Stops:
    """The terminals that were asked for at the end of the longest viable prefix of a chart."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._network = chart.reader.network
        self._readers = chart.reading.readers
        self._to_end = self._network.to_end
        inner: dict[Node, list[tuple[Node, int]]] = {}
        alive = reachable((node for _, node in self._readers), callers)
        for node in chart.reading.nodes.values():  # of equal ways, the first that was begun
            chart.reading.spend()
            if node not in alive:
                continue
            for _, after, caller in node.callers:
                inner.setdefault(caller, []).append((node, self._to_end[after][0]))
        self._left = nearest({chart.reading.root: 0}, lambda node: inner.get(node, []))
        nearest_first = sorted(self._readers, key=self._cost)
        best = {reader[0]: reader for reader in reversed(nearest_first)}
        readers = (reader for reader in self._readers if best[reader[0]] is reader)
        self.found: list[Stop] = sorted(map(self._stop, readers), key=lambda stop: stop.rank)

    def _cost(self, reader: tuple[int, Node]) -> int:
        place, node = reader
        return self._to_end[place][0] + self._left[node][0]

    def _outer(self, node: Node) -> tuple[int, int, Node] | None:
        """The call of a rule on the cheapest way to an end, the place after it, and its node."""
        outer = self._left[node][1]
        calls = (call for call in node.callers if call[2] is outer)
        return min(calls, key=lambda call: self._to_end[call[1]][0], default=None)

    def _stop(self, reader: tuple[int, Node]) -> Stop:
        place, node = reader
        _, matched = self._network.words[place]
        slot, number = self._network.slots[place]
        way, places = [node], [slot.place(number)]
        while (call := self._outer(way[-1])) is not None:
            around, at = self._network.slots[call[0]]
            places.append(around.place(at))
            way.append(call[2])
        rules: dict[str, int] = {}
        for one in reversed(way):
            if one.rule in rules:
                while next(reversed(rules)) != one.rule:
                    rules.popitem()
            rules[one.rule] = one.at
        read = [number for number, one in enumerate(way) if one.at < self._chart.furthest]
        # Around a rule that has been begun, every element has been.
        around_it = sum(places[number].count(".") for number in read[1:])
        begun = len(read) + around_it + (matched > 0)
        direct = len(way) if begun == 0 else 0
        order = [[int(position) for position in at.split(".")[1:]] for at in reversed(places)]
        element = slot.items[slot.position(number)].element
        return Stop(self._cost(reader), (-begun, direct, order), rules, element, matched)

    def nearest(self) -> list[Stop]:
        """Those from which the fewest code points lead to an end."""
        least = min((stop.cost for stop in self.found), default=0)
        return [stop for stop in self.found if stop.cost == least]

    def path(self, among: list[Stop]) -> tuple[str, ...]:
        """The path to the production that was being read: of those begun, the one around others."""
        stop = min(among, key=lambda one: (one.rank[0], len(one.rank[2])), default=None)
        return self.described(stop)[0] if stop is not None else (self._chart.root.owner,)

    def described(self, stop: Stop, rest: bool = False) -> tuple[tuple[str, ...], str]:
        """The path to the production that a stop is in, and the element of it that is next.

        With ``rest``, of a terminal that has been read in part, only the rest.
        """
        chart, names = self._chart, list(stop.rules)
        leaf = named_of(names, chart.model.leaves, chart.characters)
        begun = (name for name in names[leaf + 1 :] if stop.rules[name] == chart.furthest)
        word = _rest(stop.element, stop.matched if rest else 0)
        return tuple(names[: leaf + 1]), next(begun, word)

    def completion(self) -> str:
        """A shortest text that makes the viable prefix whole; empty if it is by itself.

        Errors: GrammarLimit, if a rule of it has no text that is short enough for an example.
        """
        if self._chart.furthest in self._chart.reading.root.ends:
            return ""
        return "".join(self._spelled(*min(self._readers, key=self._cost)))

    def _spelled(self, place: int, node: Node) -> Iterator[str]:
        """The characters on the shortest way from a place of a rule to the end of the text."""
        network = self._network
        while True:
            symbols = network.symbols[place]
            if place == 0:
                call = self._outer(node)
                if call is None:
                    return
                _, place, node = call
            elif place in network.calls:
                name, place = network.calls[place]
                text = network.shortest[name].text
                if text is None:
                    raise GrammarLimit(
                        f"{name}, which is missing, has more than {MAX_EXAMPLE:,} characters, too"
                        " many to be drawn"
                    )
                yield text
            else:
                if symbols is not None:
                    yield sample(symbols)
                place = self._to_end[place][1] or 0


def _rest(element: Element, matched: int) -> str:
    """The ABNF of the rest of a terminal after some code points."""
    match element:
        case CharVal(text, case_sensitive):
            return str(CharVal(text[matched:], case_sensitive))
        case NumVal(points, False):
            return str(NumVal(points[matched:]))
        case _:
            return str(element)


class Furthest(NamedTuple):
    """The place where a text cannot be continued to a valid one.

    ``offset`` is the first character that no valid text could have there, and ``expected`` holds,
    as ABNF, the possible elements there. If something is missing at the end of the text, ``offset``
    is its length, and ``expected`` the beginnings of a shortest way to a valid text. ``path`` runs
    from the rule to the production that was being read, each rule once. In an escape sequence that
    is not whole the offset is that of its first character, and the path ends in the rule of escape
    sequences.
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
    stops, offset = Stops(chart), chart.furthest
    found = stops.nearest() if offset == len(text) else stops.found
    words = [stops.described(stop)[1] for stop in found]
    path = stops.path(found)
    escape = chart.model.escape
    begun = [stop.rules.get(escape, offset) for stop in found] if escape is not None else []
    if escape is not None and begun and max(begun) < offset:
        way = path if path[-1] == escape else (*path, escape)
        return Furthest(begun[0], escape_words(chart.model), way)
    return Furthest(offset, tuple(dict.fromkeys(words)), path)
