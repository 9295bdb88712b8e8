"""A production's automaton that remembers, at every state, the productions being read.

Owns the way from an offset in a text to the words of the grammar: which production was being read
there, on which path of productions, and which elements of it could come next. Imports the automata
and the model. Invariant: a trace accepts exactly the texts of the plain automaton, and reading a
written one returns an equal one.

The build (``tools/traces.py``) commits traces as text. ``PATHS`` holds paths of productions.
``ITEMS`` holds the possible next elements, a line each: the number of its path, its distance, its
character classes, a letter for each of its properties (``e`` escaping, ``b`` begun, ``i`` inside,
or ``-``), and the word. In ``TRACES`` each rule has the intervals of its alphabet (where each
starts, and its class) and a line for each state:

    !3-5,8|1-4,6>2 5>-1     accepts; the items 3, 4, 5 and 8, best first; classes 1 to 4 and 6 lead
                            to state 2, and class 5 nowhere, as those that are not named
    =7|=9 5>2               the items are those of state 7, the moves those of state 9 but for 5
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ...limits import MAX_TRACED
from ..charset import Alphabet
from ..graph import gaining
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
from .automaton import DEAD, Automaton, from_nfa
from .nfa import Frame, Nfa


class Item(NamedTuple):
    """One possible next element, seen from the production that a report would name.

    ``path`` runs from the traced rule to that production; ``word`` is the element of its right-hand
    side as ABNF, whole even if part of it has been read; ``classes`` are the classes of the trace's
    own alphabet that can come next. ``escaping`` is true inside an escape sequence, after its first
    character. ``distance`` is the minimum number of code points that an accepted text has from here
    if it continues with this element. ``begun`` is true if part of the production has been read,
    and ``inside`` if part of the element has.
    """

    path: tuple[str, ...]
    word: str
    classes: frozenset[int]
    escaping: bool
    distance: int = 0
    begun: bool = False
    inside: bool = False


class Move(NamedTuple):
    """One item of a state and one state that it leads to.

    ``literal`` is true for one quoted character, unless another would have served as well.
    """

    item: Item
    target: int
    literal: bool


class Trace:
    """The automaton of one rule with, per state, the possible next items, best first.

    ``escape`` is the rule of an escape sequence, if the traced rule can have any, and
    ``escape_words`` the rest of one after its first character, as ABNF. The alphabet is the trace's
    own: the classes that it distinguishes.
    """

    def __init__(
        self,
        automaton: Automaton,
        items: tuple[tuple[Item, ...], ...],
        escape: str = "",
        escape_words: tuple[str, ...] = (),
    ) -> None:
        self.automaton = automaton
        self.items = items
        self.escape = escape
        self.escape_words = escape_words

    @cached_property
    def distances(self) -> list[int]:
        """Per state, the minimum number of missing code points."""
        return self.automaton.distances()

    @cached_property
    def moves(self) -> tuple[tuple[Move, ...], ...]:
        """Per state, the targets of each item, once for each state."""
        literal = {item: self.literal(item) for items in self.items for item in items}
        moves: list[tuple[Move, ...]] = []
        for row, items in zip(self.automaton.rows, self.items, strict=True):
            targets = {(i, row[c]): None for i in items for c in sorted(i.classes)}
            alike = Counter((i.path, t) for i, t in targets)
            moves.append(
                tuple(
                    Move(i, t, literal[i] and alike[i.path, t] == 1)
                    for i, t in targets
                    if t != DEAD
                )
            )
        return tuple(moves)

    def literal(self, item: Item) -> bool:
        """True for an item that is one character, in one case or both: quoted in the grammar."""
        ranges = [r for class_ in item.classes for r in self.automaton.alphabet.ranges(class_)]
        if any(low != high for low, high in ranges):
            return False
        return len({chr(low).lower() for low, _ in ranges}) == 1

    @cached_property
    def escaping(self) -> tuple[bool, ...]:
        """Per state, whether it is inside an escape sequence and nowhere else."""
        return tuple(bool(i) and all(x.escaping for x in i) for i in self.items)

    def shortest(self) -> str:
        """A shortest text that is accepted."""
        rows, distances, alphabet = self.automaton.rows, self.distances, self.automaton.alphabet
        state, found = 0, ""
        while state not in self.automaton.accepting:
            class_ = next(
                c
                for c, t in enumerate(rows[state])
                if t != DEAD and distances[t] < distances[state]
            )
            found += alphabet.sample(class_)
            state = rows[state][class_]
        return found

    def needed(self, state: int) -> tuple[Item, ...]:
        """The items that start a shortest way to an accepting state: the missing ones."""
        least = min((item.distance for item in self.items[state]), default=0)
        return tuple(item for item in self.items[state] if item.distance == least)


def trace(model: Model, rule: str, alphabet: Alphabet) -> Trace:
    """The trace of a rule. Errors: GrammarLimit. Cost: that of the subset construction."""
    nfa = Nfa(model, rule, contexts=True)
    characters = character_rules(model)
    begins = _beginnings(nfa)
    ends = nfa.ends()
    described: dict[int, Item] = {}
    for place, frame in nfa.frames.items():
        classes = alphabet.classes(nfa.symbols[place] or ())
        item = _item(nfa, place, frame, begins, characters, classes)
        described[place] = item._replace(distance=ends[place][0])

    def label(places: tuple[int, ...]) -> tuple[Item, ...]:
        merged: dict[tuple[object, ...], Item] = {}
        for place in places:
            item = described.get(place)
            if item is not None:
                key = (item.path, item.word, item.escaping, item.begun, item.inside)
                known = merged.get(key, item)
                least = min(known.distance, item.distance)
                merged[key] = known._replace(classes=known.classes | item.classes, distance=least)
        return tuple(merged.values())

    automaton = from_nfa(nfa, alphabet, label, MAX_TRACED)
    items = tuple(label for label in automaton.labels if isinstance(label, tuple))
    escape = model.escape or ""
    return Trace(*_with_own_alphabet(automaton, items), escape, escape_words(model))


def _with_own_alphabet(
    automaton: Automaton, items: tuple[tuple[Item, ...], ...]
) -> tuple[Automaton, tuple[tuple[Item, ...], ...]]:
    """The same over the classes that they distinguish, numbered by their first code point.

    Class 0 has the characters that are allowed nowhere. Two classes are one if every state has the
    same moves for both, and no item has only one of them.
    """
    old, rows = automaton.alphabet, automaton.rows
    inside: list[list[int]] = [[] for _ in range(old.size)]  # the sets that have each class
    for number, classes in enumerate({item.classes: None for state in items for item in state}):
        for class_ in classes:
            inside[class_].append(number)
    columns = [(tuple(row[c] for row in rows), tuple(inside[c])) for c in range(old.size)]
    nowhere: tuple[tuple[int, ...], tuple[int, ...]] = (DEAD,) * len(rows), ()
    numbers = {nowhere: 0}
    starts: list[int] = []
    ids: list[int] = []
    for start, class_ in zip(old.starts, old.ids, strict=True):
        id_ = numbers.setdefault(columns[class_], len(numbers))
        if not ids or ids[-1] != id_:
            starts.append(start)
            ids.append(id_)
    new = [numbers.get(column, 0) for column in columns]
    kept = {n: c for c, n in enumerate(new)}
    merged = {
        item: item._replace(classes=frozenset(new[c] for c in item.classes))
        for state in items
        for item in state
    }
    return (
        Automaton(
            Alphabet.from_intervals(starts, ids),
            tuple(
                tuple(row[kept[n]] if n in kept else DEAD for n in range(len(numbers)))
                for row in rows
            ),
            automaton.accepting,
        ),
        tuple(tuple(merged[item] for item in state) for state in items),
    )


def escape_words(model: Model) -> tuple[str, ...]:
    """The elements of the escape rule after its first: HEXDIG HEXDIG (RFC 3986 §2.1)."""
    if model.escape is None:
        return ()
    element = model.rules[model.escape].element
    return tuple(map(str, element.items[1:])) if isinstance(element, Concatenation) else ()


def character_rules(model: Model) -> frozenset[str]:
    """The rules whose every match is one code point or one escape sequence.

    Cost: O(size of the rules).
    """
    rules = model.rules

    def has(name: str, known: set[str]) -> bool:
        return name == model.escape or _is_character(rules[name].element, known)

    return frozenset(gaining({name: references(rules[name].element) for name in rules}, has))


def loop_rules(model: Model) -> dict[str, int]:
    """The rules that repeat characters without a bound, with their minimum counts.

    >>> from uriproof.grammar.registry import load
    >>> found = loop_rules(load("rfc3986").model)
    >>> found["query"], found["segment-nz"], "scheme" in found
    (0, 1, False)
    """
    characters = character_rules(model)
    return {
        name: rule.element.least
        for name, rule in model.rules.items()
        if isinstance(rule.element, Repetition)
        and rule.element.most is None
        and _is_character(rule.element.item, characters)
    }


def named_of(path: Sequence[str], leaves: Container[str], characters: Container[str]) -> int:
    """The number of the rule on a path that a report names: the first leaf, or else the last that
    is not one character.

    >>> named_of(["URI", "host", "reg-name", "unreserved"], {"reg-name"}, {"unreserved"})
    2
    """
    leaf = next((number for number, name in enumerate(path) if name in leaves), None)
    if leaf is not None:
        return leaf
    return max((number for number, name in enumerate(path) if name not in characters), default=0)


def _is_character(element: Element, characters: Container[str]) -> bool:
    match element:
        case RuleRef(name):
            return name in characters
        case CharVal(text):
            return len(text) == 1
        case NumVal(points, is_range):
            return is_range or len(points) == 1
        case Alternation(items):
            return all(_is_character(i, characters) for i in items)
        case _:
            return False


def _beginnings(nfa: Nfa) -> dict[int, set[Frame]]:
    """Per reading place, the rules on its path that start with it."""
    begins: dict[int, set[Frame]] = {}
    for frame, entry in nfa.entries:
        for place in nfa.closure([entry]):
            begins.setdefault(place, set()).add(frame)
    return begins


def _item(
    nfa: Nfa,
    place: int,
    frame: Frame,
    begins: dict[int, set[Frame]],
    characters: frozenset[str],
    classes: frozenset[int],
) -> Item:
    """The words about one place: cut the path at the first leaf, and name the element."""
    frames: list[Frame] = []
    top: Frame | None = frame
    while top is not None:
        frames.append(top)
        top = top.parent
    frames.reverse()
    names = [f.name for f in frames]
    leaf = named_of(names, nfa.model.leaves, characters)
    fresh = begins.get(place, set())
    below = frames[leaf + 1 :]
    terminal, read = nfa.words[place]
    escaping = any(f.name == nfa.model.escape and f not in fresh for f in frames)
    return Item(
        path=tuple(names[: leaf + 1]),
        word=below[0].name if below else terminal,
        classes=classes,
        escaping=escaping,
        begun=frames[leaf] not in fresh,
        inside=below[0] not in fresh if below else read > 0,
    )


def read_trace(module: Any, rule: str, escape: tuple[str, tuple[str, ...]]) -> Trace:
    """The trace of a rule that the module has a table of. Cost: that of its states."""
    starts, ids, lines = module.TRACES[rule]
    alphabet = Alphabet.from_intervals(starts, ids)
    nowhere = [DEAD] * alphabet.size
    classes: dict[str, list[int]] = {}
    described: list[str] = module.ITEMS.split("\n")[1:]
    known: dict[int, Item] = {}
    rows: list[tuple[int, ...]] = []
    accepting: set[int] = set()
    items: list[tuple[Item, ...]] = []
    for state, line in enumerate(lines.split("\n")):
        listed, _, moves = line.partition("|")
        if listed[:1] == "!":
            accepting.add(state)
            listed = listed[1:]
        if listed[:1] == "=":
            items.append(items[int(listed[1:])])
        else:
            numbers = _numbers(listed)
            for number in numbers:
                if number not in known:
                    known[number] = _read_item(module.PATHS, described[number])
            items.append(tuple([known[number] for number in numbers]))
        row: list[int] | None = None
        for move in moves.split():
            if move[0] == "=":
                row = list(rows[int(move[1:])])
                continue
            if row is None:
                row = nowhere.copy()
            spelled, _, target = move.partition(">")
            if spelled not in classes:
                classes[spelled] = _numbers(spelled)
            to = int(target)
            for class_ in classes[spelled]:
                row[class_] = to
        rows.append(tuple(row or nowhere))
    automaton = Automaton(alphabet, tuple(rows), frozenset(accepting))
    return Trace(automaton, tuple(items), *escape)


def _read_item(paths: Sequence[str], line: str) -> Item:
    path, distance, classes, flags, word = line.split(" ", 4)
    return Item(
        tuple(paths[int(path)].split(" ")),
        word,
        frozenset(_numbers(classes)),
        "e" in flags,
        int(distance),
        "b" in flags,
        "i" in flags,
    )


def _numbers(ranges: str) -> list[int]:
    """Ranges, as numbers: 1-4,6."""
    found: list[int] = []
    for run in ranges.split(",") if ranges else ():
        low, dash, high = run.partition("-")
        if dash:
            found += range(int(low), int(high) + 1)
        else:
            found.append(int(low))
    return found
