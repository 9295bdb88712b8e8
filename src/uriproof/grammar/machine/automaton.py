"""Automata: a production as a nondeterministic, a deterministic, and a minimal automaton.

Owns construction, minimisation and running. Imports the model and
the character sets. Invariant: an ``Automaton`` is deterministic and minimal, state 0 is its start
and its states are numbered in breadth-first order, so that equal languages over equal alphabets
give equal tables.

How it works. A rule becomes a nondeterministic automaton, from its end to its start (Thompson); the
sets of its places that some text leads to are the states of a deterministic one (the subset
construction); states that accept the same rests of a text are one (Hopcroft). The characters are
first sorted into classes that the grammar never tells apart. ``1*3DIGIT``, with the class d:

    places      p1 -d-> p2, p2 -> p3 or the end, p3 -d-> p4, p4 -> p5 or the end, p5 -d-> the end
    states      0 = {p1}, 1 = {p3, end}, 2 = {p5, end}, 3 = {end}
    rows        0: d to 1    1: d to 2    2: d to 3    3: nowhere    accepting: 1, 2, 3
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from ...records import NamedTuple
from ..charset import Alphabet, Ranges, of_terminal, overlap
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
    children,
)

DEAD = -1
MAX_NFA_STATES = 200_000
MAX_DFA_STATES = 20_000
MAX_PIECES = 2_000_000


class Frame:
    """One rule, as it was entered on the way from the start rule to a place in the grammar."""

    __slots__ = ("name", "parent")

    def __init__(self, name: str, parent: Frame | None) -> None:
        self.name = name
        self.parent = parent


class NfaStates:
    """A nondeterministic automaton, as a graph of places.

    A place either reads one code point of ``reads[place]`` and goes on to ``then[place][0]``, or
    (``reads`` None) goes on, without reading, to any of ``then[place]``, best first. Place 0
    accepts; ``start`` is where reading starts.
    """

    def __init__(self) -> None:
        self.start = 0
        self.reads: list[Ranges | None] = [None]
        self.then: list[tuple[int, ...]] = [()]

    def add(self, reads: Ranges | None, then: tuple[int, ...]) -> int:
        """One more place. Errors: GrammarLimit."""
        if len(self.reads) >= MAX_NFA_STATES:
            raise GrammarLimit(f"the grammar needs more than {MAX_NFA_STATES} places")
        self.reads.append(reads)
        self.then.append(then)
        return len(self.reads) - 1

    def repeat(self, build: Callable[[int], int], least: int, most: int | None, after: int) -> int:
        """Where a repetition starts; ``build`` adds one round that goes on to a given place."""
        if most is None:
            loop = self.add(None, ())
            self.then[loop] = (build(loop), after)
            after = loop
        else:
            end = after
            for _ in range(most - least):
                after = self.add(None, (build(after), end))
        for _ in range(least):
            after = build(after)
        return after

    def distances(self) -> list[int]:
        """Per place, the least number of code points from it to the place that accepts."""
        back: list[list[int]] = [[] for _ in self.reads]
        for place, following in enumerate(self.then):
            for target in following:
                back[target].append(place)
        far = len(self.reads) + 1
        distance = [far] * len(self.reads)
        distance[0] = 0
        queue = deque([0])
        while queue:  # what does not read costs nothing, and goes first
            place = queue.popleft()
            for source in back[place]:
                cost = distance[place] + (self.reads[source] is not None)
                if cost < distance[source]:
                    distance[source] = cost
                    if self.reads[source] is None:
                        queue.appendleft(source)
                    else:
                        queue.append(source)
        return distance

    def closure(self, places: Iterable[int]) -> tuple[int, ...]:
        """The reading places (and 0, to accept) reachable without reading, best first."""
        found: list[int] = []
        seen: set[int] = set()
        stack = list(places)[::-1]
        while stack:
            place = stack.pop()
            if place in seen:
                continue
            seen.add(place)
            if place == 0 or self.reads[place] is not None:
                found.append(place)
            else:
                stack.extend(reversed(self.then[place]))
        return tuple(found)


class Nfa(NfaStates):
    """A production as places, by Thompson's construction from its end.

    ``frames[place]`` says through which rules a reading place is reached, and ``words[place]``
    the ABNF of the terminal that it reads, and how many of its code points stand before. Unless
    ``framed``, references to a rule share its places where the same follows, and frames are those
    of the first reference; with ``escapes``, those of the escape sequences are exact all the same.
    """

    def __init__(
        self, model: Model, start: str, framed: bool = False, escapes: bool = False
    ) -> None:
        super().__init__()
        self.model = model
        self.framed = framed
        self.escapes = escapes
        self.frames: dict[int, Frame] = {}
        self.words: dict[int, tuple[str, int]] = {}
        self.entries: list[tuple[Frame, int]] = []
        self._memo: dict[tuple[str, int], int] = {}
        try:
            self.start = self._rule(start, 0, None)
        except RecursionError:
            raise GrammarLimit(f"rule {start} is nested too deeply to be compiled") from None

    def references(self) -> Iterator[tuple[str, int]]:
        """Each rule that was entered, with the place that follows it there."""
        yield from self._memo

    def _rule(self, name: str, after: int, parent: Frame | None) -> int:
        # With frames, what is before a place matters, too: only recursion shares places. An
        # escape sequence is one by what is before it: its digits are not those of other rules.
        framed = self.framed or (self.escapes and self._escapes(name, parent))
        shared = not framed or self._inside(name, parent)
        key = name, after
        if shared and key in self._memo:
            return self._memo[key]
        # Tail recursion comes back with the same `after`: the entry must exist beforehand.
        frame = Frame(name, parent)
        entry = self._memo[key] = self.add(None, ())
        self.then[entry] = (self._element(self.model.rules[name].element, after, frame),)
        self.entries.append((frame, entry))
        return entry

    def _escapes(self, name: str, parent: Frame | None) -> bool:
        escape = self.model.escape
        return escape is not None and (name == escape or self._inside(escape, parent))

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


class Automaton(NamedTuple):
    """A minimal deterministic automaton; ``rows[state][class]`` is a state or ``DEAD``.

    ``labels`` holds what a trace remembers per state; it is empty for a plain automaton.
    """

    alphabet: Alphabet
    rows: tuple[tuple[int, ...], ...]
    accepting: frozenset[int]
    labels: tuple[Hashable, ...] = ()

    def accepts(self, text: str) -> bool:
        """True when the language holds the text. Cost: O(n)."""
        rows = self.rows
        state = 0
        for class_ in self.alphabet.encode(text):
            state = rows[state][class_]
            if state < 0:
                return False
        return state in self.accepting

    def distances(self) -> list[int]:
        """Per state, how many code points are still missing at least (large if never enough)."""
        return _distances(self.rows, self.accepting)


def from_nfa(
    nfa: NfaStates,
    alphabet: Alphabet,
    label: Callable[[tuple[int, ...]], Hashable] | None = None,
    most: int = MAX_DFA_STATES,
    steps: int | None = None,
) -> Automaton:
    """The minimal automaton of an NFA; with ``label``, of states that agree in their label.

    ``label`` is given the reading places of a state, best first (place 0 where it accepts).
    Errors: GrammarLimit, above ``most`` states, or ``steps`` moves of places by classes. Cost: the
    subset construction.
    """
    left = sys.maxsize if steps is None else steps
    classes = {ranges: alphabet.classes(ranges) for ranges in set(nfa.reads) if ranges is not None}
    closures: dict[tuple[int, ...], tuple[int, ...]] = {}
    start = nfa.closure([nfa.start])
    # Without labels the order of the places carries nothing, so that fewer subsets differ.
    canonical = (lambda p: p) if label else (lambda p: tuple(sorted(p)))
    numbers: dict[tuple[int, ...], int] = {canonical(start): 0}
    subsets = [start]
    rows: list[list[int]] = []
    for subset in subsets:
        targets: dict[int, list[int]] = {}
        for place in subset:
            ranges = nfa.reads[place]
            if ranges is not None:
                for class_ in classes[ranges]:
                    targets.setdefault(class_, []).append(nfa.then[place][0])
        row = [DEAD] * alphabet.size
        for class_, found in targets.items():
            left -= len(found)
            key = tuple(found)
            closed = closures.get(key)
            if closed is None:
                closed = closures[key] = nfa.closure(key)
            name = canonical(closed)
            number = numbers.get(name)
            if number is None:
                number = numbers[name] = len(subsets)
                subsets.append(closed)
                if number >= most:
                    raise GrammarLimit(f"the grammar needs more than {most} states")
            row[class_] = number
        rows.append(row)
        if left < 0:
            raise GrammarLimit(f"an automaton of the rule takes more than {steps:,} steps")
    accepting = {n for n, subset in enumerate(subsets) if 0 in subset}
    labels = [label(subset) for subset in subsets] if label else []
    return minimal(alphabet, rows, accepting, labels)


def minimal(
    alphabet: Alphabet,
    rows: list[list[int]],
    accepting: set[int],
    labels: list[Hashable] | None = None,
) -> Automaton:
    """The minimal automaton of a deterministic one.

    Cost: O(states * classes * log states). Source: J. Hopcroft, An n log n algorithm for
    minimizing states in a finite automaton (1971).
    """
    distance = _distances(rows, accepting)
    rows = [[t if t >= 0 and distance[t] <= len(rows) else DEAD for t in row] for row in rows]
    # Equal states share their distance to acceptance: most are told apart by it at once.
    block = _refined(rows, [(distance[q], labels[q] if labels else None) for q in range(len(rows))])
    # Number the blocks breadth first from the start: equal languages, equal tables.
    order = {block[0]: 0}
    chosen = [0]
    out: list[tuple[int, ...]] = []
    for q in chosen:
        row = []
        for t in rows[q]:
            if t < 0:
                row.append(DEAD)
                continue
            if block[t] not in order:
                order[block[t]] = len(order)
                chosen.append(t)
            row.append(order[block[t]])
        out.append(tuple(row))
    return Automaton(
        alphabet,
        tuple(out),
        frozenset(n for n, q in enumerate(chosen) if q in accepting),
        tuple(labels[q] for q in chosen) if labels else (),
    )


def _refined(rows: list[list[int]], kinds: Iterable[Hashable]) -> list[int]:
    """Per state, the number of its class of equivalent states, which agree in their kind."""
    numbers: dict[Hashable, int] = {}
    block = [numbers.setdefault(kind, len(numbers)) for kind in kinds]
    members: list[set[int]] = [set() for _ in numbers]
    for state, number in enumerate(block):
        members[number].add(state)
    inverse: list[dict[int, list[int]]] = []
    for column in dict.fromkeys(zip(*rows, strict=True)):  # equivalent classes lead alike
        back: dict[int, list[int]] = {}
        for state, target in enumerate(column):
            if target != DEAD:  # that none leads on is known from all that do
                back.setdefault(target, []).append(state)
        inverse.append(back)
    pending = set(range(len(members)))
    while pending:
        splitter = list(members[pending.pop()])
        for back in inverse:
            touched: dict[int, set[int]] = {}
            for target in splitter:
                for source in back.get(target, ()):
                    touched.setdefault(block[source], set()).add(source)
            for number, part in touched.items():
                if len(part) == len(members[number]):
                    continue
                members[number] -= part
                if len(part) > len(members[number]):
                    part, members[number] = members[number], part  # noqa: PLW2901 -- keep the larger
                pending.add(len(members))
                for state in part:
                    block[state] = len(members)
                members.append(part)
    return block


def _distances(rows: Sequence[Sequence[int]], accepting: Iterable[int]) -> list[int]:
    """Per state, the least number of moves to an accepting one; more than all states if none."""
    back: list[set[int]] = [set() for _ in rows]
    for state, row in enumerate(rows):
        for target in set(row):
            if target != DEAD:
                back[target].add(state)
    far = len(rows) + 1
    distance = [far] * len(rows)
    queue = deque(sorted(accepting))
    for state in queue:
        distance[state] = 0
    while queue:
        state = queue.popleft()
        for source in back[state]:
            if distance[source] == far:
                distance[source] = distance[state] + 1
                queue.append(source)
    return distance


def alphabet_of(model: Model) -> Alphabet:
    """The classes of code points that the rules of a grammar tell apart.

    Errors: GrammarLimit, where ranges overlap so often that their classes would not fit.
    """
    sets: set[Ranges] = set()
    for rule in model.rules.values():
        stack = [rule.element]
        while stack:
            element = stack.pop()
            if isinstance(element, CharVal | NumVal):
                sets.update(of_terminal(element))
            stack.extend(children(element))
    cuts = sorted({end for ranges in sets for low, high in ranges for end in (low, high + 1)})
    pieces = sum(
        bisect_left(cuts, high + 1) - bisect_left(cuts, low)
        for ranges in sets
        for low, high in ranges
    )
    if pieces > MAX_PIECES:
        raise GrammarLimit(
            f"the ranges of the grammar cut each other into more than {MAX_PIECES:,} pieces"
        )
    return Alphabet(sets)


def automaton(
    model: Model, rule: str, alphabet: Alphabet | None = None, steps: int | None = None
) -> Automaton:
    """The minimal automaton of a rule, by its name in its own spelling.

    Errors: GrammarLimit, also above so many ``steps``.

    >>> from uriproof.grammar.model import NumVal, Repetition, Rule
    >>> digits = Rule("port", Repetition(NumVal((48, 57), True)), "", "", "", 1)
    >>> automaton(Model("m", "", {"port": digits}, ("port",)), "port").accepts("80")
    True
    """
    return from_nfa(Nfa(model, rule), alphabet or alphabet_of(model), steps=steps)


def without(automaton: Automaton, gone: Ranges) -> Automaton:
    """The automaton of the same texts, less those that hold any of some code points.

    Cost: that of making it minimal.
    """
    old = automaton.alphabet
    alphabet = Alphabet([gone, *map(old.ranges, range(old.size))])
    found = [alphabet.ranges(class_) for class_ in range(alphabet.size)]
    rows = [
        [DEAD if not f or overlap(f, gone) else row[old.of(chr(f[0][0]))] for f in found]
        for row in automaton.rows
    ]
    return minimal(alphabet, rows, set(automaton.accepting))
