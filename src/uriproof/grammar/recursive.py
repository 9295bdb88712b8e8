"""A recogniser for every grammar, whether a finite automaton can decide it or not.

Owns reading with a stack that many readings share (Tomita's graph-structured stack, as Scott and
Johnstone's GLL uses it). Imports the model, the automata and the character sets. Invariant: it
accepts what the rule derives and nothing else, left recursion and empty loops included; it needs
no stack of Python's, however deep a text is nested; and it stops at a bound that grows with the
text, with a clear error, where a grammar is so ambiguous that its readings do not fit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from .automaton import Frame, Nfa
from .charset import Alphabet
from .check_model import reachable
from .errors import GrammarLimit
from .model import Concatenation, Element, Model, references
from .trace import character_rules

__all__ = ["Furthest", "Recogniser"]

MAX_STEPS = 1_000_000
"""Steps that any text may take, and as many again for each 1,000 of its characters."""

_STEPS_PER_CHARACTER = MAX_STEPS // 1_000
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


class _Network(Nfa):
    """The bodies of rules as places, in which a call of some rules is a place of its own.

    A body goes on to place 0, which returns to whoever called. References to all other rules are
    replaced by their places.
    """

    def __init__(self, model: Model, start: str, called: frozenset[str], framed: bool) -> None:
        self._called = called
        self.calls: dict[int, tuple[str, int]] = {}
        self.bodies: dict[str, int] = {}
        self._waiting: list[str] = []
        super().__init__(model, start, framed)
        self.bodies[start] = self.start
        try:
            while self._waiting:
                name = self._waiting.pop()
                if name not in self.bodies:
                    self.bodies[name] = super()._rule(name, 0, None)
        except RecursionError:
            raise GrammarLimit(f"rule {start} is nested too deeply to be compiled") from None

    def _rule(self, name: str, after: int, parent: Frame | None) -> int:
        if parent is None or name not in self._called:
            return super()._rule(name, after, parent)
        place = self.add(None, ())
        self.calls[place] = name, after
        self.frames[place] = parent
        self._waiting.append(name)
        return place

    def closure(self, places: Iterable[int]) -> tuple[int, ...]:
        """As for every automaton; a call is as far as one comes without reading."""
        found: list[int] = []
        seen: set[int] = set()
        stack = list(places)[::-1]
        while stack:
            place = stack.pop()
            if place in seen:
                continue
            seen.add(place)
            if place == 0 or place in self.calls or self.reads[place] is not None:
                found.append(place)
            else:
                stack.extend(reversed(self.then[place]))
        return tuple(found)


class _Node:
    """A rule being read since offset ``at``, and where to go on when it ends, for each caller."""

    __slots__ = ("at", "callers", "returned", "rule")

    def __init__(self, rule: str, at: int) -> None:
        self.rule = rule
        self.at = at
        self.callers: dict[tuple[int, int, _Node], None] = {}  # call, place after it, its node
        self.returned = -1


@dataclass(frozen=True, slots=True)
class _Reach:
    """What is reached from a place without reading: reading places, calls, and the end."""

    readers: tuple[int, ...]
    calls: tuple[tuple[int, str, int], ...]
    returns: bool
    only_returns: bool


class Recogniser:
    """One rule of a grammar, ready to read texts.

    >>> from .model import Alternation as A, CharVal as S, Concatenation as C, Rule, RuleRef as R
    >>> element = A((C((S("("), R("x"), S(")"))), S("1")))
    >>> rule = Rule("x", element, "", "", "", 1)
    >>> nested = Recogniser(Model("m", "", {"x": rule}, ("x",)), "x", frozenset({"x"}))
    >>> nested.accepts("((1))"), nested.furthest("((1)")
    (True, Furthest(offset=4, expected=('")"',), path=('x',)))
    """

    def __init__(
        self,
        model: Model,
        rule: str,
        called: frozenset[str],
        alphabet: Alphabet | None = None,
    ) -> None:
        """``called`` are the rules that are in a circle; errors: GrammarLimit."""
        from .automaton import alphabet_of

        self._model = model
        self._rule = rule
        self._alphabet = alphabet or alphabet_of(model)
        self._network = _network(model, rule, called)
        self._classes = {
            place: self._alphabet.classes(reads)
            for place, reads in enumerate(self._network.reads)
            if reads is not None
        }
        self._reaches: dict[int, _Reach] = {}
        self._words: _Words | None = None

    def accepts(self, text: str) -> bool:
        """True when the rule derives the text. Cost: O(n) where one reading is left at each
        character, at most O(n³); errors: GrammarLimit, beyond ``MAX_STEPS``."""
        return self._read(text) is None

    def furthest(self, text: str) -> Furthest | None:
        """Where the text stops being the beginning of anything valid; None if it is valid.

        Errors and cost as for ``accepts``.
        """
        stopped = self._read(text)
        if stopped is None:
            return None
        offset, readers = stopped
        if self._words is None:
            self._words = _Words(self._model, self._rule, self._network)
        return self._words.furthest(text, offset, readers)

    def _reach(self, place: int) -> _Reach:
        found = self._reaches.get(place)
        if found is None:
            network = self._network
            places = network.closure([place])
            found = self._reaches[place] = _Reach(
                tuple(p for p in places if p in self._classes),
                tuple((p, *network.calls[p]) for p in places if p in network.calls),
                returns=0 in places,
                only_returns=places == (0,),
            )
        return found

    def _read(self, text: str) -> tuple[int, list[tuple[int, _Node]]] | None:
        """Where reading stops and what could be read there; None where the text is derived."""
        root = _Node(self._rule, 0)
        steps = MAX_STEPS + len(text) * _STEPS_PER_CHARACTER
        then, classes = self._network.then, self._classes
        moved: list[tuple[int, _Node]] = [(self._network.start, root)]
        for at, class_ in enumerate(self._alphabet.encode(text)):
            readers, steps = self._advance(moved, at, steps)
            moved = [(then[p][0], node) for p, node in readers if class_ in classes[p]]
            if not moved:
                return at, readers
        readers, _ = self._advance(moved, len(text), steps)
        return None if root.returned == len(text) else (len(text), readers)

    def _advance(
        self, moved: list[tuple[int, _Node]], at: int, steps: int
    ) -> tuple[list[tuple[int, _Node]], int]:
        """All that can be read at an offset, best first; steps are taken from those left."""
        bodies = self._network.bodies
        seen: set[tuple[int, _Node]] = set()
        readers: dict[tuple[int, _Node], None] = {}
        nodes: dict[str, _Node] = {}
        stack = moved[::-1]
        while stack:
            state = stack.pop()
            steps -= 1
            if state in seen:
                continue
            seen.add(state)
            if steps < 0:
                raise GrammarLimit(
                    f"rule {self._rule} is so ambiguous that reading this text takes more than "
                    f"{MAX_STEPS:,} steps and {_STEPS_PER_CHARACTER:,} for each character"
                )
            place, node = state
            reach = self._reach(place)
            for reader in reach.readers:
                readers[reader, node] = None
            entered: list[tuple[int, _Node]] = []
            for call, name, after in reach.calls:
                if self._reach(after).only_returns:
                    # Nothing follows: who waits for this rule waits for that one, and a list
                    # that ends in itself does not make the stack grow.
                    entered.append((bodies[name], node))
                    continue
                callee = nodes.get(name)
                if callee is None:
                    callee = nodes[name] = _Node(name, at)
                if (call, after, node) not in callee.callers:
                    callee.callers[call, after, node] = None
                    entered.append((bodies[name], callee))
                    if callee.returned == at:
                        entered.append((after, node))
            if reach.returns and node.returned != at:
                node.returned = at
                entered += ((after, caller) for _, after, caller in node.callers)
            stack.extend(reversed(entered))
        return list(readers), steps


def _network(model: Model, rule: str, called: frozenset[str]) -> _Network:
    """The network that says most: with a place's whole path, if that is not too large."""
    try:
        return _Network(model, rule, called, framed=True)
    except GrammarLimit:
        every = frozenset(reachable({n: r.element for n, r in model.rules.items()}, [rule]))
        return _Network(model, rule, every, framed=False)


class _Words:
    """What could be read at an offset, in the grammar's words."""

    def __init__(self, model: Model, rule: str, network: _Network) -> None:
        self._model = model
        self._rule = rule
        self._network = network
        self._characters = character_rules(model)
        self._begins: dict[int, set[Frame]] = {}
        for frame, entry in network.entries:
            for place in network.closure([entry]):
                self._begins.setdefault(place, set()).add(frame)

    def furthest(self, text: str, offset: int, readers: list[tuple[int, _Node]]) -> Furthest:
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

    def _needed(self, readers: list[tuple[int, _Node]]) -> list[tuple[int, _Node]]:
        """The places from which the fewest code points lead to the end of the rule."""
        called: dict[_Node, list[tuple[_Node, int]]] = {}
        seen = {node for _, node in readers}
        stack = list(seen)
        while stack:
            node = stack.pop()
            for _, after, caller in node.callers:
                called.setdefault(caller, []).append((node, self._distances[after]))
                if caller not in seen:
                    seen.add(caller)
                    stack.append(caller)
        costs: dict[_Node, int] = {}
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

    def _described(self, place: int, node: _Node, offset: int) -> tuple[tuple[str, ...], str, bool]:
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

    def _names(self, place: int, node: _Node, offset: int) -> Iterator[tuple[str, bool]]:
        """The rules that are being read, innermost first, and whether they begin at the offset."""
        begins_here = True
        met: set[_Node] = set()
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
