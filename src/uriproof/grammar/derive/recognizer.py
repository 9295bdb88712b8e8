"""A recognizer for every grammar, whether a finite automaton can decide it or not.

Owns reading with a stack that many readings share (Tomita's graph-structured stack, as Scott and
Johnstone's GLL uses it). Imports the model, the automata and the character sets. Invariant: it
accepts exactly the texts that the rule derives, including left recursion and empty loops; it needs
no stack of Python's, however deep a text is nested; and it stops at a bound that grows with the
text, with a clear error, if a grammar is so ambiguous that its readings do not fit.

It reads a network of places in which a recursive rule is called, and any other rule replaces its
name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from ...limits import MAX_READING_STEPS, MAX_STEPS_OF_WORK, STEPS_PER_CHARACTER
from ..charset import EMPTY, Alphabet
from ..errors import GrammarLimit
from ..graph import is_cyclic, reachable, strongly_connected
from ..machine.automaton import DEAD
from ..machine.first_sets import Facts
from ..machine.nfa import Frame, Nfa, alphabet_of
from ..model import Model, uses
from ..read.check_model import nullable_rules
from ..work import limited, spend

PLACES = 4
"""Places that are gone through in one step of work."""

MAX_NETWORK = MAX_STEPS_OF_WORK // 4
"""Of work, for a network in which rules replace their names: the other is smaller."""


END = -1
"""The class of the end, after the last character."""


_At: TypeAlias = "tuple[int, Node]"
"""A place, and the rule that it is in."""


class Node:
    """A rule being read since offset ``at``, and where to continue when it ends, for each caller.

    ``ends`` maps the offsets where it ended to the steps that were left when that was found: the
    more, the sooner.
    """

    __slots__ = ("at", "callers", "ends", "rule")

    def __init__(self, rule: str, at: int) -> None:
        self.rule: str = rule
        self.at: int = at
        self.callers: dict[tuple[int, int, Node], None] = {}  # call, place after it, its node
        self.ends: dict[int, int] = {}


class Reading:
    """One text as a recognizer reads it: the begun and ended rules, and the remaining budget.

    ``nodes`` holds the calls, by rule and offset; ``readers`` the possible next elements at
    ``offset``, where reading stopped.
    """

    def __init__(self, rule: str, classes: list[int]) -> None:
        self.classes = classes
        self.rule = rule
        self.root: Node = Node(rule, 0)
        self.nodes: dict[tuple[str, int], Node] = {}
        self.offset = 0
        self.readers: list[tuple[int, Node]] = []
        self.steps: int = MAX_READING_STEPS + len(classes) * STEPS_PER_CHARACTER

    @property
    def accepted(self) -> bool:
        return len(self.classes) in self.root.ends

    def node(self, rule: str, at: int) -> Node | None:
        """The rule as it was read from an offset on; None if it could not begin."""
        found = self.nodes.get((rule, at))
        return self.root if found is None and at == 0 and rule == self.rule else found

    def spend(self, steps: int = 1) -> None:
        """Errors: GrammarLimit, when nothing is left."""
        spend(steps)
        self.steps -= steps
        if self.steps < 0:
            raise GrammarLimit(
                f"rule {self.rule} is so ambiguous that reading this text takes more than "
                f"{MAX_READING_STEPS:,} steps and {STEPS_PER_CHARACTER:,} for each character"
            )


class Network(Nfa):
    """The bodies of rules as places, in which a call of some rules is its own place.

    A body leads to place 0, which returns to the caller. ``calls`` holds for a call the rule and
    the place after it, ``bodies`` the start of each rule.
    """

    def __init__(self, model: Model, start: str, called: frozenset[str]) -> None:
        self.calls: dict[int, tuple[str, int]] = {}
        self.bodies: dict[str, int] = {}
        self.nullable: set[str] = nullable_rules(
            {n: rule.element for n, rule in model.rules.items()}
        )
        self._called = called
        self._waiting: list[str] = []
        super().__init__(model, start)
        self.bodies[start] = self.start
        try:
            while self._waiting:
                name = self._waiting.pop()
                if name not in self.bodies:
                    self.bodies[name] = self._rule(name, 0, None)
        except RecursionError:
            raise GrammarLimit(f"rule {start} is nested too deeply to be compiled") from None

    def _rule(self, name: str, after: int, parent: Frame | None) -> int:
        if parent is None or name not in self._called:
            return super()._rule(name, after, parent)
        place = self.add(EMPTY, ())  # as far as one comes without reading
        self.calls[place] = name, after
        self.frames[place] = parent
        self._waiting.append(name)
        return place


def _network(model: Model, rule: str) -> Network:
    """The network in which the recursive rules are called, or all if it would be too large.

    Errors: GrammarLimit.
    """
    used = {name: tuple(uses(r.element)) for name, r in model.rules.items()}
    recursive: set[str] = set()
    for group in strongly_connected([rule], used.__getitem__):
        if is_cyclic(group, used.__getitem__):
            recursive.update(group)
    try:
        with limited(f"a network of {rule}", MAX_NETWORK):
            return Network(model, rule, frozenset(recursive))
    except GrammarLimit:
        return Network(model, rule, frozenset(model.rules))


@dataclass(frozen=True, slots=True)
class _Reach:
    """The closure of a place without reading: reading places, calls, and the end.

    ``cost`` is in steps, the same each time: a verdict must not depend on earlier calls.
    """

    readers: tuple[int, ...]
    calls: tuple[tuple[int, str, int], ...]
    returns: bool
    cost: int


@dataclass(frozen=True, slots=True)
class Beginning:
    """A text up to an offset: its possible continuations, and the readers of the next character.

    A reader is a place and the rule that it is in.
    """

    recognizer: Recognizer
    reading: Reading
    offset: int
    readers: list[tuple[int, Node]]
    taken: list[tuple[int, Node]]

    @property
    def accepted(self) -> bool:
        return self.offset in self.reading.root.ends

    def goes_on_after(self, node: Node) -> bool:
        """Whether the next character can be read if a rule ends at the offset."""
        moved = [(after, caller) for _, after, caller in node.callers]
        class_ = self.reading.classes[self.offset]
        return bool(self.recognizer._advance(moved, self.reading, class_))


def callers(node: Node) -> list[Node]:
    """The rules that were being read when a rule began, and continue when it ends."""
    return [caller for _, _, caller in node.callers]


class Recognizer:
    """One rule of a grammar, ready to read texts.

    >>> from uriproof.grammar.model import Alternation as A, CharVal as S, Concatenation as C
    >>> from uriproof.grammar.model import Rule, RuleRef as R
    >>> element = A((C((S("("), R("x"), S(")"))), S("1")))
    >>> rule = Rule("x", element, "", "", "", 1)
    >>> nested = Recognizer(Model("m", "", {"x": rule}, ("x",)), "x")
    >>> nested.accepts("((1))"), nested.accepts("((1)")
    (True, False)
    """

    def __init__(
        self,
        model: Model,
        rule: str,
        alphabet: Alphabet | None = None,
        whole: Network | None = None,
    ) -> None:
        """``whole`` is a network that calls every rule: then each rule that is read has its own
        node, which ends only before a possible next character. Errors: GrammarLimit.
        """
        self.rule = rule
        self._model = model
        self.alphabet: Alphabet = alphabet or alphabet_of(model)
        self.network: Network = whole or _network(model, rule)
        self._whole = whole is not None
        classes = self.network.classes(self.alphabet)
        self.classes: dict[int, frozenset[int]] = {
            place: read for place, read in enumerate(classes) if read
        }
        """Per place that reads, the classes that it takes."""
        self._reaches: dict[tuple[int, int | None], _Reach] = {}
        self._next: dict[int, frozenset[int]] = {}

    def accepts(self, text: str) -> bool:
        """True when the rule derives the text. Cost: O(n) if one reading is left at each character,
        at most O(n³); errors: GrammarLimit, beyond ``MAX_READING_STEPS``."""
        return self.read(text).accepted

    def next(self, place: int) -> frozenset[int]:
        """The classes that are allowed at a place; any, and ``END``, if its rule can end there."""
        found = self._next.get(place)
        if found is None:
            found, may_end = self._first(place)
            if may_end:
                found = frozenset((END, *range(self.alphabet.size)))
            self._next[place] = found
        return found

    def _first(self, place: int) -> tuple[frozenset[int], bool]:
        """The classes that can be read next at a place, and whether its rule can end there."""
        classes, names, may_end = self._before_calls(place)
        return classes.union(*map(self._begins.__getitem__, names)), may_end

    def _before_calls(self, place: int) -> tuple[frozenset[int], set[str], bool]:
        """The classes that can be read next at a place outside of calls, the rules that can be
        called there, and whether the place's rule can end."""
        network = self.network
        classes: set[int] = set()
        names: set[str] = set()
        seen: set[int] = set()
        stack = [place]
        while stack:
            here = stack.pop()
            if here in seen:
                continue
            seen.add(here)
            if here in self.classes:
                classes |= self.classes[here]
            elif here in network.calls:
                name, after = network.calls[here]
                names.add(name)
                if name in network.nullable:
                    stack.append(after)
            else:
                stack += network.transitions[here]
        return frozenset(classes), names, 0 in seen

    @cached_property
    def _begins(self) -> dict[str, frozenset[int]]:
        """Per rule that has a body, the classes that it can begin with; each body is seen once."""
        bodies = self.network.bodies
        own = {name: self._before_calls(place)[:2] for name, place in bodies.items()}
        found: dict[str, frozenset[int]] = {}
        for group in strongly_connected(bodies, lambda name: own[name][1]):
            called = {inner for name in group for inner in own[name][1]}.difference(group)
            classes = frozenset[int]().union(
                *(own[name][0] for name in group), *(found[name] for name in called)
            )
            found |= dict.fromkeys(group, classes)
        return found

    @cached_property
    def _follow(self) -> dict[str, frozenset[int]]:
        """Per rule of a whole network, the classes that can follow it, and ``END``."""
        follow = Facts(self._model._replace(starts=(self.rule,))).follow
        end = frozenset([END])
        return {
            name: self.alphabet.classes(after.ranges) | (end if after.end else frozenset())
            for name, after in follow.items()
        }

    @cached_property
    def _continuing(self) -> set[int]:
        """The places that lead to more than the end of their rule."""
        network = self.network
        before: dict[int, list[int]] = {}
        for place, targets in enumerate(network.transitions):
            if network.symbols[place] is None:
                for target in targets:
                    before.setdefault(target, []).append(place)
        some = (place for place, symbols in enumerate(network.symbols) if symbols is not None)
        return reachable(some, lambda place: before.get(place, ()))

    def _reach(self, place: int, class_: int | None = None) -> _Reach:
        """The closure of a place without reading; only continuations with a class, if given."""
        found = self._reaches.get((place, class_))
        if found is None:
            network = self.network
            places, number = network.reached([place])
            readers = [p for p in places if p in self.classes]
            calls = [(p, *network.calls[p]) for p in places if p in network.calls]
            if class_ is not None:
                readers = [p for p in readers if class_ in self.classes[p]]
                calls = [call for call in calls if class_ in self.next(call[0])]
            found = self._reaches[place, class_] = _Reach(
                tuple(readers),
                tuple(calls),
                returns=0 in places,
                cost=number // PLACES + len(readers) + len(calls),
            )
        return found

    def read(self, text: str) -> Reading:
        """All ways to read a text from its start; the readers, if it is not accepted.

        Errors and cost as for ``accepts``.
        """
        reading = self.begin(text)
        for _ in self.beginnings(reading, range(0)):
            pass
        return reading

    def begin(self, text: str) -> Reading:
        """A text of which nothing has been read."""
        return Reading(self.rule, self.alphabet.encode(text))

    def beginnings(self, reading: Reading, window: range) -> Iterator[Beginning]:
        """Read a text; the facts about it at the offsets of a window, as far as it is viable.

        Errors and cost as for ``accepts``.
        """
        then = self.network.transitions
        moved: list[tuple[int, Node]] = [(self.network.start, reading.root)]
        for at, class_ in enumerate([*reading.classes, END]):
            reading.offset = at
            if at in window:
                readers = self._advance(moved, reading, None)
                taken = [(place, node) for place, node in readers if class_ in self.classes[place]]
                yield Beginning(self, reading, at, readers, taken)
            else:
                taken = self._advance(moved, reading, class_)
            if not taken:
                break
            moved = [(then[place][0], node) for place, node in taken]
        if not reading.accepted:
            reading.readers = self._advance(moved, reading, None)

    def _advance(
        self, moved: list[tuple[int, Node]], reading: Reading, class_: int | None
    ) -> list[tuple[int, Node]]:
        """The elements that can read a class at an offset, best first; for any class, if None."""
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
            left -= reach.cost
            for reader in reach.readers:
                readers[reader, node] = None
            entered: list[tuple[int, Node]] = []
            for call, name, after in reach.calls:
                if not whole and after not in self._continuing:
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


class Unfolded:
    """A recognizer as an automaton, whose states are made when one first comes to them.

    There can be infinitely many. A state is all places that a text can have led to; ``rows`` and
    ``accepting`` are as those of an ``Automaton``. Errors of a step: GrammarLimit, for too many
    readings.
    """

    def __init__(self, recognizer: Recognizer) -> None:
        self.alphabet: Alphabet = recognizer.alphabet
        self.rows = self.accepting = self
        self._recognizer = recognizer
        self._root = Node(recognizer.rule, 0)
        self._made: list[tuple[int, list[_At]]] = []
        self._known: dict[int, tuple[list[_At], bool]] = {}
        self._numbers: dict[frozenset[_At], int] = {}
        self._number(0, [(recognizer.network.start, self._root)])

    def __getitem__(self, state: int) -> list[int]:
        """The row of a state."""
        network, classes = self._recognizer.network, self._recognizer.classes
        length, (readers, _) = self._made[state][0], self._read(state)
        moves: list[list[_At]] = [[] for _ in range(self.alphabet.size)]
        for place, node in readers:
            for class_ in classes[place]:
                moves[class_].append((network.transitions[place][0], node))
        return [self._number(length + 1, moved) if moved else DEAD for moved in moves]

    def __contains__(self, state: object) -> bool:
        """Whether a state accepts."""
        return isinstance(state, int) and state != DEAD and self._read(state)[1]

    def _number(self, length: int, moved: list[_At]) -> int:
        number = self._numbers.setdefault(frozenset(moved), len(self._made))
        if number == len(self._made):
            self._made.append((length, moved))
        return number

    def _read(self, state: int) -> tuple[list[_At], bool]:
        """The readers of a state, and whether it accepts."""
        if state not in self._known:
            length, moved = self._made[state]
            reading = Reading(self._recognizer.rule, [])
            reading.offset = length
            self._root.ends.clear()  # of another text
            readers = self._recognizer._advance(moved, reading, None)
            self._known[state] = readers, length in self._root.ends
        return self._known[state]
