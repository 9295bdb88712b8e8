"""Where a text stops being the beginning of anything valid, in the grammar's words.

Owns those words for what a recognizer could have read. Imports the network and the model.
Invariant: ``expected`` holds what could stand at ``offset``, and nothing else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from ..machine.automaton import Frame
from ..machine.trace import character_rules
from ..model import Concatenation, Element, Model, references
from .network import Network
from .reading import Node

__all__ = ["Furthest", "Words"]

_FAR = 1 << 60
"""More code points than any text has."""


class Furthest(NamedTuple):
    """Where a text stops being the beginning of anything valid.

    ``offset`` is the first character that nothing valid could have there, and ``expected`` holds,
    as ABNF, what could stand there. Where something is missing at the end of the text, ``offset``
    is its length, and ``expected`` what begins a shortest way to something valid. ``path`` runs
    from the rule to the production that was being read, each rule once. In an escape sequence
    that is not whole the offset is that of its first character, and the path ends in the rule of
    escape sequences.
    """

    offset: int
    expected: tuple[str, ...]
    path: tuple[str, ...]


class Words:
    """What could be read at an offset, in the grammar's words."""

    def __init__(self, model: Model, rule: str, network: Network) -> None:
        self._model = model
        self._rule = rule
        self._network = network
        self._characters = character_rules(model)
        self._begins: dict[int, set[Frame]] = {}
        for frame, entry in network.entries:
            for place in network.closure([entry]):
                self._begins.setdefault(place, set()).add(frame)

    def furthest(self, text: str, offset: int, readers: list[tuple[int, Node]]) -> Furthest:
        if offset == len(text):
            readers = self._needed(readers)
        described = [self._described(place, node, offset) for place, node in readers]
        path = described[0][0] if described else (self._rule,)
        escape = self._model.escape
        if escape is not None and described and all(e for _, _, e in described):
            start = self._escape_start(text, offset)
            words = tuple(map(str, _items(self._model.rules[escape].element)[1:]))
            way = path if path[-1] == escape else (*path, escape)
            return Furthest(start, words, way)
        words = tuple(dict.fromkeys(word for _, word, _ in described))
        return Furthest(offset, words, path)

    def _needed(self, readers: list[tuple[int, Node]]) -> list[tuple[int, Node]]:
        """The places from which the fewest code points lead to the end of the rule."""
        called: dict[Node, list[tuple[Node, int]]] = {}
        seen = {node for _, node in readers}
        stack = list(seen)
        while stack:
            node = stack.pop()
            for _, after, caller in node.callers:
                called.setdefault(caller, []).append((node, self._distances[after]))
                if caller not in seen:
                    seen.add(caller)
                    stack.append(caller)
        costs: dict[Node, int] = {}
        heap = [(0, number, node) for number, node in enumerate(seen) if not node.callers]
        number = len(heap)
        while heap:
            cost, _, node = heappop(heap)
            if node not in costs:
                costs[node] = cost
                for inner, more in called.get(node, ()):
                    heappush(heap, (cost + more, number, inner))
                    number += 1
        whole = [self._distances[place] + costs[node] for place, node in readers]
        return [reader for reader, cost in zip(readers, whole, strict=True) if cost == min(whole)]

    @cached_property
    def _distances(self) -> list[int]:
        """Per place, the fewest code points from it to the end of its rule."""
        network = self._network
        users: list[list[int]] = [[] for _ in network.reads]
        for place, then in enumerate(network.then):
            call = network.calls.get(place)
            for other in (call[1], network.bodies[call[0]]) if call is not None else then:
                users[other].append(place)
        distances = [_FAR] * len(users)
        distances[0] = 0
        queue = deque([0])
        while queue:
            for place in users[queue.popleft()]:
                call = network.calls.get(place)
                if call is not None:
                    distance = distances[call[1]] + distances[network.bodies[call[0]]]
                else:
                    distance = min(distances[p] for p in network.then[place])
                    distance += network.reads[place] is not None
                if distance < distances[place]:
                    distances[place] = distance
                    queue.append(place)
        return distances

    def _escape_start(self, text: str, offset: int) -> int:
        """Where the escape sequence starts in which reading stopped: its first character."""
        escape = self._model.rules[self._model.escape or ""].element
        start = text.rfind(str(_items(escape)[0]).strip('"'), 0, offset)
        return start if start >= 0 else offset

    def _described(self, place: int, node: Node, offset: int) -> tuple[tuple[str, ...], str, bool]:
        """Of a reading place: the path to its production, the next element of that, and whether
        the place is inside an escape sequence."""
        names = self._once(list(self._names(place, node, offset))[::-1])
        inside = [name for name, _ in names]
        leaves = self._model.leaves
        leaf = next((i for i, n in enumerate(inside) if n in leaves), None)
        if leaf is None:
            leaf = max((i for i, n in enumerate(inside) if n not in self._characters), default=0)
        words = (name for name, begins in names[leaf + 1 :] if begins)
        word = next(words, self._network.words[place][0])
        escape = self._model.escape
        escaping = any(name == escape and not begins for name, begins in names)
        return tuple(inside[: leaf + 1]), word, escaping

    def _names(self, place: int, node: Node, offset: int) -> Iterator[tuple[str, bool]]:
        """The rules that are being read, innermost first, and whether they begin at the offset."""
        begins_here = True
        met: set[Node] = set()
        while True:
            begun = self._begins.get(place, set())
            frame: Frame | None = self._network.frames[place]
            name = ""
            while frame is not None:
                name = frame.name
                yield name, begins_here and frame in begun
                frame = frame.parent
            met.add(node)
            begins_here = begins_here and node.at == offset
            if name != node.rule:  # called at the very end of others, which need no place
                for between in self._between(node.rule, name):
                    yield between, begins_here
            caller = next((c for c in node.callers if c[2] not in met), None)
            if caller is None:
                return
            place, _, node = caller

    def _between(self, rule: str, target: str) -> list[str]:
        """The rules of a shortest way from one rule to another, the last one first."""
        came = {rule: ""}
        waiting = [rule]
        for here in waiting:
            for name in references(self._model.rules[here].element):
                if name not in came:
                    came[name] = here
                    waiting.append(name)
        way = [came[target]]
        while way[-1] != rule:
            way.append(came[way[-1]])
        return way

    @staticmethod
    def _once(names: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
        """The same way with each rule once: its circles are left out."""
        where: dict[str, int] = {}
        kept: list[tuple[str, bool]] = []
        for name, begins in names:
            if name in where:
                for gone, _ in kept[where[name] :]:
                    del where[gone]
                del kept[-(len(kept) - len(where)) :]
            where[name] = len(kept)
            kept.append((name, begins))
        return kept


def _items(element: Element) -> tuple[Element, ...]:
    return element.items if isinstance(element, Concatenation) else (element,)
