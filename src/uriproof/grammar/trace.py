"""A production's automaton that remembers, at every state, what was being read.

Owns the way from an offset in a text to the words of the grammar: which production was being
read there, on which path of productions, and which elements of it could stand next. Imports the
automata and the model. Invariant: a trace accepts exactly what the plain automaton accepts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from .automaton import DEAD, Automaton, Frame, Nfa, from_nfa
from .charset import Alphabet
from .errors import GrammarLimit
from .model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    RuleRef,
    references,
)


@dataclass(frozen=True, slots=True)
class Item:
    """One element that could stand next, seen from the production that a report would name.

    ``path`` runs from the traced rule to that production; ``word`` is the element as ABNF;
    ``classes`` are the character classes it can start with. ``escaping`` is true inside an
    escape sequence, after its first character. ``distance`` is the least number of code points
    that a text goes on with, if it goes on with this element, and is accepted then.
    """

    path: tuple[str, ...]
    word: str
    classes: frozenset[int]
    escaping: bool
    distance: int = 0


@dataclass(frozen=True)
class Trace:
    """The automaton of one rule with, per state, the items that could stand next, best first."""

    automaton: Automaton
    items: tuple[tuple[Item, ...], ...]
    escape: str = ""
    """The rule of an escape sequence, if the traced rule can have any."""
    escape_words: tuple[str, ...] = ()
    """What follows the first character of an escape sequence, as ABNF."""

    @cached_property
    def distances(self) -> list[int]:
        """Per state, the least number of code points still missing."""
        return self.automaton.distances()

    @cached_property
    def escaping(self) -> tuple[bool, ...]:
        """Per state, whether it stands inside an escape sequence and nowhere else."""
        return tuple(bool(i) and all(x.escaping for x in i) for i in self.items)

    def needed(self, state: int) -> tuple[Item, ...]:
        """The items that start a shortest way to an accepting state: what is missing there."""
        least = min((item.distance for item in self.items[state]), default=0)
        return tuple(item for item in self.items[state] if item.distance == least)


MAX_TRACED = 5_000
"""States of a trace before it remembers less; as an automaton they may be far fewer."""


def trace(model: Model, rule: str, alphabet: Alphabet, steps: int | None = None) -> Trace:
    """The trace of a rule. Errors: GrammarLimit, also where so many ``steps`` of a subset
    construction are too few. Cost: that of the subset construction.

    Where remembering every path takes too many states it remembers the first one to each rule, and
    where that does, too, nothing but what can be read: the spans stay exact, the words less so.
    """
    for framed in (True, False):
        try:
            return _trace(Nfa(model, rule, framed, escapes=True), alphabet, steps)
        except GrammarLimit:
            continue
    automaton = from_nfa(Nfa(model, rule), alphabet, steps=steps)
    items = tuple(
        tuple(
            Item((rule,), f"%x{first:02X}-{last:02X}", frozenset({class_}), False)
            for class_, target in enumerate(row)
            if target != DEAD
            for first, last in alphabet.ranges(class_)[:1]
        )
        for row in automaton.rows
    )
    return Trace(automaton, items)


def _trace(nfa: Nfa, alphabet: Alphabet, steps: int | None) -> Trace:
    model = nfa.model
    characters = character_rules(model)
    begins = _beginnings(nfa)
    distances = nfa.distances()
    described: dict[int, Item] = {}
    for place, frame in nfa.frames.items():
        classes = alphabet.classes(nfa.reads[place] or ())
        item = _item(nfa, place, frame, begins, characters, classes)
        described[place] = replace(item, distance=distances[place])

    def label(places: tuple[int, ...]) -> tuple[Item, ...]:
        merged: dict[tuple[tuple[str, ...], str, bool], Item] = {}
        for place in places:
            item = described.get(place)
            if item is not None:
                key = (item.path, item.word, item.escaping)
                known = merged.get(key, item)
                least = min(known.distance, item.distance)
                merged[key] = replace(known, classes=known.classes | item.classes, distance=least)
        return tuple(merged.values())

    automaton = from_nfa(nfa, alphabet, label, MAX_TRACED, steps)
    items = tuple(label for label in automaton.labels if isinstance(label, tuple))
    escape = model.escape or ""
    return Trace(automaton, items, escape, _escape_words(model))


def _escape_words(model: Model) -> tuple[str, ...]:
    """The elements of the escape rule after its first: HEXDIG HEXDIG (RFC 3986 §2.1)."""
    if model.escape is None:
        return ()
    element = model.rules[model.escape].element
    return tuple(map(str, element.items[1:])) if isinstance(element, Concatenation) else ()


def character_rules(model: Model) -> frozenset[str]:
    """The rules whose every match is one code point or one escape sequence.

    Cost: O(size of the rules); a rule is looked at again when one that it uses turns out so.
    """
    known: set[str] = set()

    def is_character(element: Element) -> bool:
        match element:
            case RuleRef(name):
                return name in known
            case CharVal(text):
                return len(text) == 1
            case NumVal(points, is_range):
                return is_range or len(points) == 1
            case Alternation(items):
                return all(is_character(i) for i in items)
            case _:
                return False

    users: dict[str, list[str]] = {}
    for name, rule in model.rules.items():
        for target in references(rule.element):
            users.setdefault(target, []).append(name)
    waiting = list(model.rules)
    while waiting:
        name = waiting.pop()
        if name not in known and (name == model.escape or is_character(model.rules[name].element)):
            known.add(name)
            waiting += users.get(name, ())
    return frozenset(known)


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
    """What a report says of one place: cut the path at the first leaf, and name the element."""
    frames: list[Frame] = []
    top: Frame | None = frame
    while top is not None:
        frames.append(top)
        top = top.parent
    frames.reverse()
    names = [f.name for f in frames]
    leaf = next((i for i, n in enumerate(names) if n in nfa.model.leaves), None)
    if leaf is None:
        leaf = max((i for i, n in enumerate(names) if n not in characters), default=0)
    fresh = begins.get(place, set())
    word = next((f.name for f in frames[leaf + 1 :] if f in fresh), nfa.words[place])
    escape = nfa.model.escape
    escaping = any(f.name == escape and f not in fresh for f in frames)
    return Item(tuple(names[: leaf + 1]), word, classes, escaping)
