"""A production as a minimal deterministic automaton.

Owns the subset construction, minimization and running. Imports the nondeterministic automata and
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

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from ...limits import MAX_DFA_STATES
from ..charset import Alphabet
from ..errors import GrammarLimit
from ..graph import nearest
from ..model import Model
from ..work import spend
from .nfa import Nfa, NfaStates, alphabet_of

DEAD = -1


class Automaton(NamedTuple):
    """A minimal deterministic automaton; ``rows[state][class]`` is a state or ``DEAD``.

    ``labels`` holds the facts that a trace remembers per state; it is empty for a plain automaton.
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
        """Per state, the minimum number of missing code points (large if never enough)."""
        return _distances(self.rows, self.accepting)


def from_nfa(
    nfa: NfaStates,
    alphabet: Alphabet,
    label: Callable[[tuple[int, ...]], Hashable] | None = None,
    most: int = MAX_DFA_STATES,
) -> Automaton:
    """The minimal automaton of an NFA; with ``label``, of states that agree in their label.

    ``label`` is given the reading places of a state, best first (place 0 if it accepts). Errors:
    GrammarLimit, above ``most`` states. Cost: the subset construction, which is counted as work.
    """
    classes = nfa.classes(alphabet)
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
            for class_ in classes[place]:
                targets.setdefault(class_, []).append(nfa.transitions[place][0])
        row = [DEAD] * alphabet.size
        for class_, found in targets.items():
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
        spend(len(subset) + sum(map(len, targets.values())))
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
    # Equal states share their distance to acceptance, which distinguishes most at once.
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
    """Per state, the minimum of moves to an accepting one; more than all states if none."""
    back: list[set[int]] = [set() for _ in rows]
    for state, row in enumerate(rows):
        for target in set(row):
            if target != DEAD:
                back[target].add(state)
    found = nearest(dict.fromkeys(accepting, 0), lambda state: ((one, 1) for one in back[state]))
    return [found[state][0] if state in found else len(rows) + 1 for state in range(len(rows))]


def automaton(model: Model, rule: str, alphabet: Alphabet | None = None) -> Automaton:
    """The minimal automaton of a rule, by its name in its own spelling. Errors: GrammarLimit.

    >>> from uriproof.grammar.model import NumVal, Repetition, Rule
    >>> digits = Rule("port", Repetition(NumVal((48, 57), True)), "", "", "", 1)
    >>> automaton(Model("m", "", {"port": digits}, ("port",)), "port").accepts("80")
    True
    """
    return from_nfa(Nfa(model, rule), alphabet or alphabet_of(model))
