"""A recognizer for every grammar, whether a finite automaton can decide it or not.

Owns reading with a stack that many readings share (Tomita's graph-structured stack, as Scott and
Johnstone's GLL uses it). Imports the model, the automata and the character sets. Invariant: it
accepts what the rule derives and nothing else, left recursion and empty loops included; it needs
no stack of Python's, however deep a text is nested; and it stops at a bound that grows with the
text, with a clear error, where a grammar is so ambiguous that its readings do not fit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from ..charset import Alphabet, Ranges
from ..errors import GrammarLimit
from ..machine.automaton import Frame
from ..machine.trace import character_rules
from ..model import Concatenation, Element, Model, references
from .network import Network, network_of

__all__ = ["Furthest", "Node", "Reading", "Recognizer"]

MAX_STEPS = 500_000
"""Steps that any text may take, and further ones for each of its characters."""

STEPS_PER_CHARACTER = 100
END = -1
"""The class of what stands after the last character."""

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


class Node:
    """A rule being read since offset ``at``, and where to go on when it ends, for each caller.

    ``ends`` maps the offsets where it ended to the steps that were left when that was found: the
    more, the sooner.
    """

    __slots__ = ("at", "callers", "ends", "rule")

    def __init__(self, rule: str, at: int) -> None:
        self.rule = rule
        self.at = at
        self.callers: dict[tuple[int, int, Node], None] = {}  # call, place after it, its node
        self.ends: dict[int, int] = {}


@dataclass(frozen=True, slots=True)
class _Reach:
    """What is reached from a place without reading: reading places, calls, and the end."""

    readers: tuple[int, ...]
    calls: tuple[tuple[int, str, int], ...]
    returns: bool
    only_returns: bool


class Reading:
    """One text as a recognizer reads it: what it began and ended where, and what is left to spend.

    ``nodes`` holds what was called, by rule and offset; ``readers`` what could be read at
    ``offset``, where reading stopped.
    """

    def __init__(self, rule: str, classes: list[int]) -> None:
        self.classes = classes
        self.rule = rule
        self.root = Node(rule, 0)
        self.nodes: dict[tuple[str, int], Node] = {}
        self.offset = 0
        self.readers: list[tuple[int, Node]] = []
        self.steps = MAX_STEPS + len(classes) * STEPS_PER_CHARACTER

    @property
    def accepted(self) -> bool:
        return len(self.classes) in self.root.ends

    def node(self, rule: str, at: int) -> Node | None:
        """The rule as it was read from an offset on; None where it could not begin."""
        found = self.nodes.get((rule, at))
        return self.root if found is None and at == 0 and rule == self.rule else found

    def spend(self, steps: int = 1) -> None:
        """Errors: GrammarLimit, when nothing is left."""
        self.steps -= steps
        if self.steps < 0:
            raise GrammarLimit(
                f"rule {self.rule} is so ambiguous that reading this text takes more than "
                f"{MAX_STEPS:,} steps and {STEPS_PER_CHARACTER:,} for each character"
            )


@dataclass(frozen=True, slots=True)
class Prefix:
    """A text as far as it was read, to be read on in any number of ways.

    ``moved`` tells it from others: where it is the same, the same can follow.
    """

    recognizer: Recognizer
    root: Node
    length: int
    moved: tuple[tuple[int, Node], ...]
    readers: tuple[tuple[int, Node], ...]
    accepted: bool

    def takes(self, class_: int) -> tuple[tuple[int, Node], ...]:
        """Where a class leads: nowhere, where it cannot stand."""
        network, classes = self.recognizer.network, self.recognizer.classes
        return tuple((network.then[p][0], n) for p, n in self.readers if class_ in classes[p])

    def step(self, moved: tuple[tuple[int, Node], ...]) -> Prefix:
        """The text with one more character, of a class that leads there."""
        return self.recognizer.prefix(self.root, self.length + 1, moved)


class Recognizer:
    """One rule of a grammar, ready to read texts.

    >>> from .model import Alternation as A, CharVal as S, Concatenation as C, Rule, RuleRef as R
    >>> element = A((C((S("("), R("x"), S(")"))), S("1")))
    >>> rule = Rule("x", element, "", "", "", 1)
    >>> nested = Recognizer(Model("m", "", {"x": rule}, ("x",)), "x")
    >>> nested.accepts("((1))"), nested.furthest("((1)")
    (True, Furthest(offset=4, expected=('")"',), path=('x',)))
    """

    def __init__(
        self,
        model: Model,
        rule: str,
        alphabet: Alphabet | None = None,
        called: frozenset[str] = frozenset(),
        whole: Network | None = None,
    ) -> None:
        """``called`` are rules to call though they are not recursive. Errors: GrammarLimit.

        ``whole`` is a network that calls every rule: then each rule that is read has a node of
        its own, which ends only before what can follow the rule.
        """
        from ..machine.automaton import alphabet_of

        self.rule = rule
        self._model = model
        self._alphabet = alphabet or alphabet_of(model)
        self.network = whole or network_of(model, rule, called)
        self._whole = whole is not None
        sets: dict[Ranges, frozenset[int]] = {}
        self.classes: dict[int, frozenset[int]] = {}
        """Per place that reads, the classes that it takes."""
        for place, reads in enumerate(self.network.reads):
            if reads is not None and place not in self.network.calls:
                if reads not in sets:
                    sets[reads] = self._alphabet.classes(reads)
                self.classes[place] = sets[reads]
        self._reaches: dict[tuple[int, int | None], _Reach] = {}
        self._next: dict[int, frozenset[int]] = {}
        self._words: _Words | None = None

    def accepts(self, text: str) -> bool:
        """True when the rule derives the text. Cost: O(n) where one reading is left at each
        character, at most O(n³); errors: GrammarLimit, beyond ``MAX_STEPS``."""
        return self.read(text).accepted

    def furthest(self, text: str) -> Furthest | None:
        """Where the text stops being the beginning of anything valid; None if it is valid.

        Errors and cost as for ``accepts``.
        """
        reading = self.read(text)
        if reading.accepted:
            return None
        if self._words is None:
            self._words = _Words(self._model, self.rule, self.network)
        return self._words.furthest(text, reading.offset, reading.readers)

    @property
    def alphabet(self) -> Alphabet:
        return self._alphabet

    def begin(self) -> Prefix:
        """The empty text, to read on from. Errors: GrammarLimit, here and at each further step."""
        root = Node(self.rule, 0)
        return self.prefix(root, 0, ((self.network.start, root),))

    def prefix(self, root: Node, length: int, moved: tuple[tuple[int, Node], ...]) -> Prefix:
        """What is known of a text of some length that led to some places."""
        reading = Reading(self.rule, [])
        reading.offset = length
        root.ends.clear()  # of another text
        readers = self._advance(list(moved), reading, None)
        return Prefix(self, root, length, moved, tuple(readers), length in root.ends)

    def following(self, text: str) -> frozenset[int]:
        """The classes that can stand after a text that is the beginning of something valid.

        Errors and cost as for ``accepts``.
        """
        reading = self.read(text, all_readers=True)
        return frozenset[int]().union(*(self.classes[place] for place, _ in reading.readers))

    def next(self, place: int) -> frozenset[int]:
        """The classes that may stand at a place; any, and ``END``, where its rule may end there."""
        found = self._next.get(place)
        if found is None:
            found, may_end = self._first(place)
            if may_end:
                found = frozenset((END, *range(self._alphabet.size)))
            self._next[place] = found
        return found

    def _first(self, place: int) -> tuple[frozenset[int], bool]:
        """The classes that can be read next at a place, and whether its rule may end there."""
        network = self.network
        classes: set[int] = set()
        seen: set[tuple[int, bool]] = set()
        stack = [(place, True)]
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            here, outermost = state
            if here in self.classes:
                classes |= self.classes[here]
            elif here in network.calls:
                name, after = network.calls[here]
                stack.append((network.bodies[name], False))
                if name in network.nullable:
                    stack.append((after, outermost))
            else:
                stack += [(then, outermost) for then in network.then[here]]
        return frozenset(classes), (0, True) in seen

    @cached_property
    def _follow(self) -> dict[str, set[int]]:
        """Per rule of a whole network, the classes that can follow it, and ``END``."""
        network = self.network
        found: dict[str, set[int]] = {name: set() for name in network.bodies}
        found[self.rule].add(END)
        last: dict[str, list[str]] = {}
        for place, (name, after) in network.calls.items():
            classes, may_end = self._first(after)
            found[name] |= classes
            if may_end:
                last.setdefault(network.frames[place].name, []).append(name)
        waiting = list(found)
        while waiting:
            outer = waiting.pop()
            for name in last.get(outer, ()):
                if not found[outer] <= found[name]:
                    found[name] |= found[outer]
                    waiting.append(name)
        return found

    def _reach(self, place: int, class_: int | None = None) -> _Reach:
        """What is reached from a place without reading; that may go on with a class, if given."""
        found = self._reaches.get((place, class_))
        if found is None:
            network = self.network
            places = network.closure([place])
            readers = [p for p in places if p in self.classes]
            calls = [(p, *network.calls[p]) for p in places if p in network.calls]
            if class_ is not None:
                readers = [p for p in readers if class_ in self.classes[p]]
                calls = [call for call in calls if class_ in self.next(call[0])]
            found = self._reaches[place, class_] = _Reach(
                tuple(readers), tuple(calls), returns=0 in places, only_returns=places == (0,)
            )
        return found

    def read(self, text: str, all_readers: bool = False) -> Reading:
        """All ways to read a text from its start. Errors and cost as for ``accepts``.

        The readers are found for a text that is not accepted, or with ``all_readers``.
        """
        reading = Reading(self.rule, self._alphabet.encode(text))
        then = self.network.then
        moved: list[tuple[int, Node]] = [(self.network.start, reading.root)]
        for at, class_ in enumerate(reading.classes):
            reading.offset = at
            readers = self._advance(moved, reading, class_)
            if not readers:
                break
            moved = [(then[place][0], node) for place, node in readers]
        else:
            reading.offset = len(text)
            self._advance(moved, reading, END)
        if all_readers or not reading.accepted:
            reading.readers = self._advance(moved, reading, None)
        return reading

    def _advance(
        self, moved: list[tuple[int, Node]], reading: Reading, class_: int | None
    ) -> list[tuple[int, Node]]:
        """What can read a class at an offset, best first; whatever class it is, if None."""
        bodies, nodes, at = self.network.bodies, reading.nodes, reading.offset
        reaches, whole = self._reaches, self._whole
        seen: set[tuple[int, Node]] = set()
        returned: set[Node] = set()
        readers: dict[tuple[int, Node], None] = {}
        stack = moved[::-1]
        left = reading.steps
        while stack:
            state = stack.pop()
            left -= 1
            if state in seen:
                continue
            seen.add(state)
            if left < 0:
                break
            place, node = state
            reach = reaches.get((place, class_)) or self._reach(place, class_)
            for reader in reach.readers:
                readers[reader, node] = None
            entered: list[tuple[int, Node]] = []
            for call, name, after in reach.calls:
                if not whole and self._reach(after).only_returns:
                    # Nothing follows: who waits for this rule waits for that one, and a list
                    # that ends in itself does not make the stack grow.
                    entered.append((bodies[name], node))
                    continue
                callee = nodes.get((name, at))
                if callee is None:
                    callee = nodes[name, at] = Node(name, at)
                if (call, after, node) not in callee.callers or callee not in returned:
                    callee.callers[call, after, node] = None
                    entered.append((bodies[name], callee))
                    if callee in returned:
                        entered.append((after, node))
            if (
                reach.returns
                and node not in returned
                and not (whole and class_ is not None and class_ not in self._follow[node.rule])
            ):
                returned.add(node)
                node.ends.setdefault(at, left)
                entered += ((after, caller) for _, after, caller in node.callers)
            stack.extend(reversed(entered))
        reading.spend(reading.steps - left)
        return list(readers)


class _Words:
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
