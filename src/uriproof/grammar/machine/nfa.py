"""A production as a nondeterministic automaton, and the characters that it tells apart.

Owns Thompson's construction. Imports the model and the character sets. Invariant: what leads from
``start`` to place 0 reads the texts of the production, and nothing else.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable

from ...limits import MAX_NFA_PIECES, MAX_NFA_STATES
from ..charset import Alphabet, Ranges, of_terminal
from ..errors import GrammarLimit
from ..graph import nearest
from ..model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
    inside,
)
from ..work import spend

PLACE = 10
"""Steps of work that a place is made in."""


class Frame:
    """One rule, as it was entered on the way from the start rule to a place in the grammar."""

    __slots__ = ("name", "parent")

    def __init__(self, name: str, parent: Frame | None) -> None:
        self.name: str = name
        self.parent: Frame | None = parent


class NfaStates:
    """A nondeterministic automaton; its states are called places, those of an ``Automaton`` states.

    A place either reads one code point of ``symbols[place]``, with a transition to
    ``transitions[place][0]``, or (``symbols`` None) has epsilon transitions to all of
    ``transitions[place]``, best first. Place 0 accepts; ``start`` is where reading starts.
    """

    def __init__(self) -> None:
        self.start = 0
        self.symbols: list[Ranges | None] = [None]
        self.transitions: list[tuple[int, ...]] = [()]

    def add(self, symbols: Ranges | None, transitions: tuple[int, ...]) -> int:
        """One more place. Errors: GrammarLimit."""
        if len(self.symbols) >= MAX_NFA_STATES:
            raise GrammarLimit(f"the grammar needs more than {MAX_NFA_STATES} places")
        spend(PLACE)
        self.symbols.append(symbols)
        self.transitions.append(transitions)
        return len(self.symbols) - 1

    def repeat(self, build: Callable[[int], int], least: int, most: int | None, after: int) -> int:
        """The start of a repetition; ``build`` adds one round that leads to a given place."""
        if most is None:
            loop = self.add(None, ())
            self.transitions[loop] = (build(loop), after)
            after = loop
        else:
            end = after
            for _ in range(most - least):
                after = self.add(None, (build(after), end))
        for _ in range(least):
            start = build(after)
            if start == after:
                break  # a round that reads nothing and leads nowhere else, as all that follow
            after = start
        return after

    def classes(self, alphabet: Alphabet) -> list[frozenset[int]]:
        """Per place, the classes of characters that it reads."""
        of: dict[Ranges | None, frozenset[int]] = {}
        for symbols in set(self.symbols):
            of[symbols] = alphabet.classes(symbols or ())
            spend(len(of[symbols]))  # ranges that cut each other have quadratically many
        return [of[symbols] for symbols in self.symbols]

    def moves(self, place: int) -> list[tuple[int, int]]:
        """The places after one, each with the minimum number of code points on the way."""
        return [
            (target, int(self.symbols[place] is not None)) for target in self.transitions[place]
        ]

    def ends(self) -> dict[int, tuple[int, int | None]]:
        """Per place, the minimum number of code points from it to the place that accepts, and the
        next place on that way."""
        back: list[list[tuple[int, int]]] = [[] for _ in self.symbols]
        for place in range(len(back)):
            for target, cost in self.moves(place):
                back[target].append((place, cost))
        return nearest({0: 0}, back.__getitem__)

    def closure(self, places: Iterable[int]) -> tuple[int, ...]:
        """The reading places (and 0, to accept) reachable without reading, best first."""
        return self.reached(places)[0]

    def reached(self, places: Iterable[int]) -> tuple[tuple[int, ...], int]:
        """The closure, and the number of places visited for it."""
        found: list[int] = []
        seen: set[int] = set()
        stack = list(places)[::-1]
        while stack:
            place = stack.pop()
            if place in seen:
                continue
            seen.add(place)
            if place == 0 or self.symbols[place] is not None:
                found.append(place)
            else:
                stack.extend(reversed(self.transitions[place]))
        spend(len(seen))
        return tuple(found), len(seen)


class Nfa(NfaStates):
    """A production as places, by Thompson's construction from its end.

    ``frames[place]`` says through which rules a reading place is reached, and ``words[place]`` the
    ABNF of the terminal that it reads, and the number of code points before it. Unless
    ``contexts``, references to a rule share its places if the same follows, and frames are those of
    the first reference.
    """

    def __init__(self, model: Model, start: str, contexts: bool = False) -> None:
        super().__init__()
        self.model = model
        self.contexts = contexts
        self.frames: dict[int, Frame] = {}
        self.words: dict[int, tuple[str, int]] = {}
        self.entries: list[tuple[Frame, int]] = []
        self.references: dict[tuple[str, int], int] = {}
        """Per entered rule, and the place that follows it there, its start."""
        try:
            self.start: int = self._rule(start, 0, None)
        except RecursionError:
            raise GrammarLimit(f"rule {start} is nested too deeply to be compiled") from None

    def _rule(self, name: str, after: int, parent: Frame | None) -> int:
        # With frames, the context before a place also matters: only recursion shares places.
        shared = not self.contexts or self._inside(name, parent)
        key = name, after
        if shared and key in self.references:
            return self.references[key]
        # Tail recursion comes back with the same `after`: the entry must exist beforehand.
        frame = Frame(name, parent)
        entry = self.references[key] = self.add(None, ())
        self.transitions[entry] = (self._element(self.model.rules[name].element, after, frame),)
        self.entries.append((frame, entry))
        return entry

    @staticmethod
    def _inside(name: str, frame: Frame | None) -> bool:
        while frame is not None:
            if frame.name == name:
                return True
            frame = frame.parent
        return False

    def _element(self, element: Element, after: int, frame: Frame) -> int:
        match element:
            case RuleRef(name):
                return self._rule(name, after, frame)
            case CharVal() | NumVal():
                sets = of_terminal(element)
                for i in reversed(range(len(sets))):
                    after = self.add(sets[i], (after,))
                    self.frames[after], self.words[after] = frame, (str(element), i)
                return after
            case Concatenation(items):
                for item in reversed(items):
                    after = self._element(item, after, frame)
                return after
            case Alternation(items):
                return self.add(None, tuple(self._element(i, after, frame) for i in items))
            case Repetition(item, least, most):
                return self.repeat(lambda end: self._element(item, end, frame), least, most, after)


def alphabet_for(*automata: NfaStates) -> Alphabet:
    """The classes of code points that some nondeterministic automata tell apart."""
    return Alphabet([r for nfa in automata for r in nfa.symbols if r is not None])


def alphabet_of(model: Model) -> Alphabet:
    """The classes of code points that the rules of a grammar distinguish.

    Errors: GrammarLimit, if ranges overlap so often that their classes would not fit.
    """
    elements = (element for rule in model.rules.values() for element in inside(rule.element))
    terminals = (element for element in elements if isinstance(element, CharVal | NumVal))
    sets = {ranges for terminal in terminals for ranges in of_terminal(terminal)}
    cuts = sorted({end for ranges in sets for low, high in ranges for end in (low, high + 1)})
    pieces = sum(
        bisect_left(cuts, high + 1) - bisect_left(cuts, low)
        for ranges in sets
        for low, high in ranges
    )
    if pieces > MAX_NFA_PIECES:
        raise GrammarLimit(
            f"the ranges of the grammar cut each other into more than {MAX_NFA_PIECES:,} pieces"
        )
    return Alphabet(sets)
