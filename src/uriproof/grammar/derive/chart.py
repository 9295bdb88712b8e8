"""Everything that a text's parts can be: for each element and offset, where a match may end.

Owns the chart of all readings of a text at once. Imports the model and the character sets.
Invariant: an entry's ends are exactly the offsets to which its element, from its start, derives
the text; nothing is asked of the text that is not the beginning of something valid, so that the
furthest character asked for is the end of the longest viable prefix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from ..charset import Alphabet, of_terminal
from ..errors import GrammarLimit
from ..model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
    references,
)
from ..read.check_model import reachable

__all__ = ["Budget", "Chart", "Entry", "Kind", "Slot", "Slots", "Stop"]

MAX_WORK = 1_000_000
"""Steps that one text may take; a grammar without ambiguity takes some twenty a character."""

State = tuple[int, int]
"""How far an entry is: rounds or items done, and the offset that this led to."""


class Kind(Enum):
    """What a slot is."""

    RULE = 0
    TERMINAL = 1
    SEQUENCE = 2
    CHOICE = 3
    LOOP = 4


@dataclass(slots=True, eq=False)
class Slot:
    """One occurrence of an element in a grammar, or a rule itself, whose only item it is.

    ``reads`` holds, for a terminal, the classes of each code point; ``first`` the classes that a
    match can start with, ``nullable`` whether it can be empty, ``least_length`` its least length.
    """

    kind: Kind
    element: Element
    name: str = ""
    items: list[Slot] = field(default_factory=list)
    reads: tuple[frozenset[int], ...] = ()
    least: int = 0
    most: int | None = 0
    first: frozenset[int] = frozenset()
    nullable: bool = False
    least_length: int = 0

    def following(self, state: State, end: int) -> State:
        """The state after one more item; rounds are counted only as far as they matter."""
        done = state[0] + 1
        if self.kind is Kind.LOOP and self.most is None:
            done = min(done, self.least)
        return done, end

    def item(self, done: int) -> Slot | None:
        """What is to be read next when so much is done; None if nothing more may be."""
        if self.kind is Kind.SEQUENCE:
            return self.items[done] if done < len(self.items) else None
        return self.items[0] if self.most is None or done < self.most else None

    def may_end(self, done: int) -> bool:
        return done == len(self.items) if self.kind is Kind.SEQUENCE else done >= self.least

    def rest(self, done: int) -> int:
        """The least number of code points still to be read after the item that is being read."""
        if self.kind is Kind.SEQUENCE:
            return sum(item.least_length for item in self.items[done + 1 :])
        if self.kind is Kind.LOOP:
            return max(self.least - done - 1, 0) * self.items[0].least_length
        return 0


class Slots:
    """The slots of a rule of a grammar and of all rules that it leads to."""

    def __init__(self, model: Model, rule: str, alphabet: Alphabet) -> None:
        elements = {name: r.element for name, r in model.rules.items()}
        names = reachable(elements, [rule])
        self.alphabet = alphabet
        self.rules = {n: Slot(Kind.RULE, RuleRef(n), n) for n in elements if n in names}
        for name, slot in self.rules.items():
            slot.items.append(self._slot(elements[name]))
        users: dict[str, list[str]] = {}
        for name in self.rules:
            for target in set(references(elements[name])):
                users.setdefault(target, []).append(name)
        self._settle(users, _set_nullable)
        self._settle(users, _set_first)
        for slot in self.rules.values():
            slot.least_length = _UNKNOWN
        self._settle(users, _set_least_length)

    def _slot(self, element: Element) -> Slot:
        match element:
            case RuleRef(name):
                return self.rules[name]
            case CharVal() | NumVal():
                reads = tuple(self.alphabet.classes(ranges) for ranges in of_terminal(element))
                return Slot(Kind.TERMINAL, element, reads=reads)
            case Concatenation(items):
                return Slot(Kind.SEQUENCE, element, items=[self._slot(i) for i in items])
            case Alternation(items):
                return Slot(Kind.CHOICE, element, items=[self._slot(i) for i in items])
            case Repetition(item, least, most):
                return Slot(Kind.LOOP, element, items=[self._slot(item)], least=least, most=most)

    def _settle(self, users: dict[str, list[str]], set_: Callable[[Slot], None]) -> None:
        """Work a property out for all slots: again for each rule when a rule in it gains it."""
        waiting = dict.fromkeys(reversed(self.rules))
        while waiting:
            name = next(iter(waiting))
            del waiting[name]
            slot = self.rules[name]
            before = slot.nullable, slot.first, slot.least_length
            for inner in _inside_out(slot.items[0]):
                set_(inner)
            set_(slot)
            if before != (slot.nullable, slot.first, slot.least_length):
                waiting |= dict.fromkeys(users.get(name, ()))


_UNKNOWN = 1 << 62
"""Longer than any text: the least length of a rule that is not known to end yet."""


def _inside_out(slot: Slot) -> Iterator[Slot]:
    """The slots of one right-hand side, each after those inside it."""
    if slot.kind is Kind.RULE:
        return
    for item in slot.items:
        yield from _inside_out(item)
    yield slot


def _set_nullable(slot: Slot) -> None:
    match slot.kind:
        case Kind.TERMINAL:
            slot.nullable = not slot.reads
        case Kind.CHOICE:
            slot.nullable = any(item.nullable for item in slot.items)
        case Kind.LOOP:
            slot.nullable = slot.least == 0 or slot.items[0].nullable
        case _:
            slot.nullable = all(item.nullable for item in slot.items)


def _set_first(slot: Slot) -> None:
    match slot.kind:
        case Kind.TERMINAL:
            slot.first = slot.reads[0] if slot.reads else frozenset()
        case Kind.SEQUENCE:
            found: frozenset[int] = frozenset()
            for item in slot.items:
                found |= item.first
                if not item.nullable:
                    break
            slot.first = found
        case Kind.LOOP if slot.most == 0:
            slot.first = frozenset()
        case _:
            slot.first = frozenset().union(*(item.first for item in slot.items))


def _set_least_length(slot: Slot) -> None:
    match slot.kind:
        case Kind.TERMINAL:
            length = len(slot.reads)
        case Kind.CHOICE:
            length = min(item.least_length for item in slot.items)
        case Kind.LOOP:
            length = slot.least * slot.items[0].least_length
        case _:
            length = sum(item.least_length for item in slot.items)
    slot.least_length = min(length, _UNKNOWN)


@dataclass(slots=True, eq=False)
class Entry:
    """What one slot derives from one offset on.

    ``ends`` maps each offset where a match may end to the order in which they were found;
    ``states`` are those that a sequence or loop came through; ``users`` the entries that asked,
    and how far they were.
    """

    slot: Slot
    start: int
    ends: dict[int, int] = field(default_factory=dict)
    states: dict[State, None] = field(default_factory=dict)
    users: list[tuple[Entry, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Stop:
    """A terminal that was asked for at the end of the longest viable prefix.

    It would start at ``start``, and ``matched`` of its code points are there.
    """

    slot: Slot
    start: int
    matched: int
    user: Entry
    done: int


class Budget:
    """The work that may still be done for one text."""

    def __init__(self, rule: str) -> None:
        self._rule = rule
        self.left = MAX_WORK

    def spend(self, steps: int = 1) -> None:
        """Errors: GrammarLimit, when nothing is left."""
        self.left -= steps
        if self.left < 0:
            raise GrammarLimit(
                f"to explain this text as {self._rule} takes more than {MAX_WORK:,} steps: it is "
                "too long, or has too many readings"
            )


class Chart:
    """All readings of one text as one rule.

    Errors: GrammarLimit, beyond ``MAX_WORK``. Cost: O(n) steps where few readings are left at
    each character, at most O(n³).
    """

    def __init__(self, slots: Slots, rule: str, text: str) -> None:
        self.text = text
        self.budget = Budget(rule)
        self.furthest = 0
        self.stops: list[Stop] = []
        self._classes = slots.alphabet.encode(text)
        self._entries: dict[tuple[Slot, int], Entry] = {}
        self._order = 0
        self._begun: list[Entry] = []
        self._arrived: list[tuple[Entry, int, int]] = []
        self.root = self._entry(slots.rules[rule], 0)
        self._run()

    def entry(self, slot: Slot, start: int) -> Entry | None:
        return self._entries.get((slot, start))

    def entries(self) -> Iterable[Entry]:
        return self._entries.values()

    def ends(self, slot: Slot, start: int) -> Iterable[int]:
        """Where a match of the slot from an offset may end."""
        if slot.kind is Kind.TERMINAL:
            matched = self._matched(slot, start)
            return (start + matched,) if matched == len(slot.reads) else ()
        found = self._entries.get((slot, start))
        return found.ends if found is not None else ()

    def _matched(self, slot: Slot, start: int) -> int:
        """How many code points of a terminal stand at an offset."""
        classes = self._classes[start : start + len(slot.reads)]
        matched = 0
        for class_ in classes:
            if class_ not in slot.reads[matched]:
                break
            matched += 1
        return matched

    def _run(self) -> None:
        begun, arrived = self._begun, self._arrived
        while begun or arrived:
            self.budget.spend()
            if begun:
                self._begin(begun.pop())
                continue
            entry, done, end = arrived.pop()
            if entry.slot.kind in (Kind.RULE, Kind.CHOICE):
                self._end(entry, end)
            else:
                self._step(entry, entry.slot.following((done, end), end))

    def _entry(self, slot: Slot, start: int) -> Entry:
        found = self._entries.get((slot, start))
        if found is None:
            found = self._entries[slot, start] = Entry(slot, start)
            self._begun.append(found)
        return found

    def _begin(self, entry: Entry) -> None:
        if entry.slot.kind in (Kind.RULE, Kind.CHOICE):
            for number in reversed(range(len(entry.slot.items))):
                self._ask(entry.slot.items[number], entry.start, entry, number)
        else:
            self._step(entry, (0, entry.start))

    def _step(self, entry: Entry, state: State) -> None:
        if state in entry.states:
            return
        entry.states[state] = None
        done, at = state
        if entry.slot.may_end(done):
            self._end(entry, at)
        item = entry.slot.item(done)
        if item is not None:
            self._ask(item, at, entry, done)

    def _end(self, entry: Entry, end: int) -> None:
        if end not in entry.ends:
            entry.ends[end] = self._order
            self._order += 1
            self._arrived += [(user, done, end) for user, done in entry.users]

    def _ask(self, slot: Slot, at: int, user: Entry, done: int) -> None:
        if slot.kind is Kind.TERMINAL:
            matched = self._matched(slot, at)
            if at + matched > self.furthest:
                self.furthest = at + matched
                self.stops.clear()
            if matched == len(slot.reads):
                self._arrived.append((user, done, at + matched))
            elif at + matched == self.furthest:
                self.stops.append(Stop(slot, at, matched, user, done))
            return
        # What cannot match is not looked into, unless it may tell what is expected at the end.
        if at < self.furthest and not slot.nullable and self._classes[at] not in slot.first:
            return
        entry = self._entry(slot, at)
        entry.users.append((user, done))
        self._arrived += [(user, done, end) for end in entry.ends]
