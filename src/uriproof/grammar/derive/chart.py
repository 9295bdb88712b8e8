"""The possible parts of a text: for each element and offset, the ends of its matches.

Owns the elements of a grammar as places of the recognizer, and its results as ends of elements.
Imports the recognizer and the model. Invariant: an element's ends are exactly the offsets to which
it, from its start, derives the text; a rule's might be fewer: those after which nothing can follow
the rule are left out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from ..compile.to_lark import characters_of, leaves_of, token_types
from ..machine.first_sets import Facts, Shortest
from ..machine.nfa import PLACE, Frame
from ..model import Alternation, Concatenation, Element, Model, Repetition, RuleRef
from ..remember import per_grammar
from ..work import spend
from .recognizer import Network, Reading, Recognizer

if TYPE_CHECKING:
    from ..compiled import Compiled

State = tuple[int, int]
"""How far a sequence or loop is: rounds or items done, and the offset that this led to."""


class Kind(Enum):
    """The kind of a slot."""

    RULE = 0
    TERMINAL = 1
    SEQUENCE = 2
    CHOICE = 3
    LOOP = 4


@dataclass(slots=True, eq=False)
class Slot:
    """One occurrence of an element in a rule, or a rule itself, whose only item is its element.

    ``entry`` and ``exit`` are the places of its beginning and of the next one; ``owner`` is the
    rule that it is in. It is item ``number`` of the slot ``around`` it, from the end in a sequence.
    One round of a repetition stands for all.
    """

    kind: Kind
    element: Element
    owner: str
    items: list[Slot] = field(default_factory=list)
    least: int = 0
    most: int | None = 0
    entry: int = 0
    exit: int = 0
    around: Slot | None = None
    number: int = 0

    def place(self, number: int) -> str:
        """The place of an item in the definition of the rule (see ``Derivation``)."""
        if self.around is None:
            return self.owner
        return f"{self.around.place(self.number)}.{self.position(number)}"

    def position(self, number: int) -> int:
        """The position in the grammar of the item that has been made after so many others."""
        if self.kind is Kind.SEQUENCE:
            return len(self.items) - 1 - number
        return 0 if self.kind is Kind.LOOP else number

    def following(self, state: State, end: int) -> State:
        """The state after one more item; rounds are counted only as far as they matter."""
        done = state[0] + 1
        if self.kind is Kind.LOOP and self.most is None:
            done = min(done, self.least)
        return done, end

    def item(self, done: int) -> Slot | None:
        """The next item after this many; None if there is none."""
        if self.kind is Kind.SEQUENCE:
            return self.items[done] if done < len(self.items) else None
        return self.items[0] if self.most is None or done < self.most else None

    @property
    def is_option(self) -> bool:
        return self.kind is Kind.LOOP and (self.least, self.most) == (0, 1)

    def may_end(self, done: int) -> bool:
        return done == len(self.items) if self.kind is Kind.SEQUENCE else done >= self.least


class _Elements(Network):
    """A network in which every rule is called, with the slots of its elements."""

    def __init__(self, model: Model, start: str) -> None:
        self.rules: dict[str, Slot] = {}
        self.slots: dict[int, tuple[Slot, int]] = {}
        """Per place that reads or calls, the slot that it is an item of, and its number there."""
        self._around: list[Slot] = []
        super().__init__(model, start, frozenset(model.rules))

    def _rule(self, name: str, after: int, parent: Frame | None) -> int:
        slot = self.rules.get(name)
        if slot is None:
            slot = self.rules[name] = Slot(Kind.RULE, RuleRef(name), name)
        if parent is None:
            self._around = [slot]
            return super()._rule(name, after, parent)
        self._around[-1].items.append(slot)
        place = super()._rule(name, after, parent)
        self.slots[place] = self._around[-1], len(self._around[-1].items) - 1
        return place

    def _element(self, element: Element, after: int, frame: Frame) -> int:
        if isinstance(element, RuleRef):
            return super()._element(element, after, frame)
        spend(PLACE)
        around = self._around[-1]
        slot = Slot(Kind.TERMINAL, element, frame.name, exit=after, around=around)
        slot.number = len(around.items)
        around.items.append(slot)
        self._around.append(slot)
        slot.entry = place = super()._element(element, after, frame)
        self._around.pop()
        while self.symbols[place] is not None and place not in self.slots:  # of a terminal
            self.slots[place] = around, slot.number
            place = self.transitions[place][0]
        match element:
            case Concatenation():
                slot.kind = Kind.SEQUENCE
                slot.items.reverse()  # a network is built from its end
            case Alternation():
                slot.kind = Kind.CHOICE
            case Repetition(_, least, most):
                slot.kind, slot.least, slot.most = Kind.LOOP, least, most
                del slot.items[1:]
        return slot.entry

    def moves(self, place: int) -> list[tuple[int, int]]:
        call = self.calls.get(place)
        if call is None:
            return super().moves(place)
        return [(call[1], self.shortest[call[0]].length)]

    @cached_property
    def shortest(self) -> dict[str, Shortest]:
        """Per rule, a shortest text."""
        return Facts(self.model).shortest

    @cached_property
    def to_end(self) -> dict[int, tuple[int, int | None]]:
        """Per place, the minimum of code points to the end of its rule, and the next place."""
        return self.ends()


class Reader:
    """One rule of a grammar, ready to chart texts."""

    def __init__(self, compiled: Compiled, rule: str) -> None:
        self.network: _Elements = _Elements(compiled.model, rule)
        alphabet = compiled.alphabet
        self.recognizer: Recognizer = Recognizer(compiled.model, rule, alphabet, whole=self.network)
        self.compiled = compiled

    @cached_property
    def types(self) -> dict[Element, str]:
        """The types of the tokens of literals."""
        return token_types(self.compiled.model)


@per_grammar
def reader_of(compiled: Compiled, rule: str) -> Reader:
    """The maker of charts for texts of a rule, made once. Errors: GrammarLimit."""
    with compiled.limited(f"the recognizer of {rule}"):
        return Reader(compiled, rule)


def chart_of(compiled: Compiled, rule: str, text: str) -> Chart:
    """All readings of a text. Errors: GrammarLimit. Cost: see ``Recognizer``."""
    return Chart(reader_of(compiled, rule), rule, text)


class Chart:
    """All readings of one text as one rule; ``furthest`` is the length of its viable prefix.

    Errors: GrammarLimit, when the reading's steps are spent.
    """

    def __init__(self, reader: Reader, rule: str, text: str) -> None:
        self.text = text
        self.model: Model = reader.compiled.model
        self.root: Slot = reader.network.rules[rule]
        self.reading: Reading = reader.recognizer.read(text)
        self.furthest: int = self.reading.offset
        self.reader = reader
        self._network = reader.network
        self._takes = reader.recognizer.classes
        self._ends: dict[tuple[Slot, int], Collection[int]] = {}
        self._rising: dict[tuple[Slot, int], list[int]] = {}
        self._states: dict[tuple[Slot, int], dict[State, None]] = {}

    @property
    def leaves(self) -> frozenset[str]:
        """The rules that a tree shows as leaves."""
        return leaves_of(self.reader.compiled)

    @property
    def characters(self) -> frozenset[str]:
        """The rules of one character, or one escape sequence."""
        return characters_of(self.reader.compiled)

    def ends(self, slot: Slot, start: int) -> Collection[int]:
        """The possible ends of a match of the slot from an offset. Cost: O(the rule's reading)."""
        if slot.kind is Kind.RULE:
            node = self.reading.node(slot.owner, start)
            return node.ends if node is not None else ()
        found = self._ends.get((slot, start))
        if found is None:
            found = self._ends[slot, start] = self._explored(slot, start)
        return found

    def longest_first(self, slot: Slot, start: int, most: int) -> Iterator[int]:
        """The ends of a slot up to an offset."""
        rising = self._rising.get((slot, start))
        if rising is None:
            rising = self._rising[slot, start] = sorted(self.ends(slot, start))
        number = bisect_right(rising, most)
        while number:
            number -= 1
            yield rising[number]

    def _explored(self, slot: Slot, start: int) -> Collection[int]:
        then, calls, takes = self._network.transitions, self._network.calls, self._takes
        classes, size = self.reading.classes, len(self.text)
        ends: dict[int, None] = {}
        seen: set[tuple[int, int]] = set()
        stack = [(slot.entry, start)]
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            place, at = state
            if place == slot.exit:
                ends[at] = None
            elif place in takes:
                if at < size and classes[at] in takes[place]:
                    stack.append((then[place][0], at + 1))
            elif place in calls:
                name, after = calls[place]
                node = self.reading.node(name, at)
                if node is not None:
                    stack += [(after, end) for end in node.ends]
            else:
                stack += [(target, at) for target in then[place]]
        self.reading.spend(len(seen))
        return ends

    def states(self, slot: Slot, start: int) -> dict[State, None]:
        """The offsets to which the items of a sequence or loop from an offset lead."""
        found = self._states.get((slot, start))
        if found is None:
            found = self._states[slot, start] = {(0, start): None}
            waiting = [(0, start)]
            for state in waiting:
                item = slot.item(state[0])
                for end in self.ends(item, state[1]) if item is not None else ():
                    self.reading.spend()
                    after = slot.following(state, end)
                    if after not in found:
                        found[after] = None
                        waiting.append(after)
        return found
