"""Places that may be passed under a condition only, made deterministic: what lookaround means.

Owns conditions on what comes before a place and after it. Imports the automata. Invariant: the
automaton accepts exactly the texts for which some way through the places meets every condition
on it; nothing is approximated, and beyond a bound on its work it refuses.

A state is what may still follow, as a formula: a set of ways, each the place where it stands and
its duties. A duty is a formula in turn, which the rest of the text has to fulfil, or must not.
What comes before is known at every point, for each condition on it is run from the start of the
text, in step with the rest (Brzozowski and Leiss 1980 call such automata Boolean).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..grammar.charset import Alphabet
from ..grammar.compile.read_regex import PatternStates
from ..grammar.errors import GrammarLimit
from ..grammar.machine.automaton import DEAD, Automaton, minimal
from ..grammar.machine.nfa import alphabet_for

MAX_WORK = 2_000_000
"""Steps from place to place: a few seconds. URL expressions with lookaround in every label of a
host name and an ambiguous userinfo take 1,400,000."""

MAX_STATES = 40_000
"""Enough for a host name of 253 characters in labels of 63, which takes 28,000."""
MAX_CELLS = 2_000_000
"""States times classes of characters."""

# Recursive, which the type checker cannot say of a frozen set of tuples of frozen sets.
Formula: TypeAlias = frozenset[tuple[int, Any]]
Duties: TypeAlias = frozenset[tuple[bool, Any]]
Facts: TypeAlias = tuple[bool, ...]

NONE: Duties = frozenset()
FALSE: Formula = frozenset()
AT_START = 0  # the first fact: nothing has been read


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is left of the text starts with something from ``start`` (or, negated, does not)."""

    start: int
    negated: bool


@dataclass(frozen=True, slots=True)
class Before:
    """A fact about what has been read holds (or, negated, does not)."""

    fact: int
    negated: bool


class ConditionalStates(PatternStates):
    """Places of which some are passed under a condition.

    ``sink`` is where any rest of the text is accepted. A fact other than ``AT_START`` holds where
    a text that has been read leads from its start to its end in ``before``.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sink = self.add(None, ())
        self.conditions: dict[int, Ahead | Before] = {}
        self.before: list[tuple[int, int]] = []

    def condition(self, condition: Ahead | Before, after: int) -> int:
        """A place that is passed to ``after`` under a condition."""
        place = self.add(None, (after,))
        self.conditions[place] = condition
        return place

    def automaton(self) -> Automaton:
        """The minimal automaton. Errors: GrammarLimit. Cost: bounded by ``MAX_WORK``."""
        return _Subsets(self, alphabet_for(self)).automaton()


class _Subsets:
    """The construction of the automaton: formulas for states."""

    def __init__(self, places: ConditionalStates, alphabet: Alphabet) -> None:
        self._places = places
        self._alphabet = alphabet
        self._classes = places.classes(alphabet)
        self._stay = frozenset({0, places.sink, *(end for _, end in places.before)})
        self._true: Formula = frozenset({(places.sink, NONE)})
        self._expanded: dict[tuple[int, Facts], Formula] = {}
        self._advanced: dict[tuple[Formula, int, Facts], Formula] = {}
        self._work = 0

    def automaton(self) -> Automaton:
        places = self._places
        read, facts = self._behind(None, None)
        start = self._expand(places.start, facts), read
        numbers: dict[Any, int] = {start: 0}
        states = [start]
        rows: list[list[int]] = []
        most = min(MAX_STATES, MAX_CELLS // self._alphabet.size)
        steps: dict[tuple[Any, int], tuple[Any, Facts]] = {}
        for formula, read in states:
            row = [DEAD] * self._alphabet.size
            for class_ in self._moves(formula):
                key = read, class_
                if key not in steps:
                    steps[key] = self._behind(read, class_)
                then, facts = steps[key]
                target = self._advance(formula, class_, facts)
                if not target:
                    continue
                state = target, then
                number = numbers.get(state)
                if number is None:
                    number = numbers[state] = len(states)
                    states.append(state)
                    if number >= most:
                        size = self._alphabet.size
                        raise GrammarLimit(
                            f"it needs more than {most:,} states of {size:,} classes each"
                        )
                row[class_] = number
            rows.append(row)
        accepting = {n for n, (formula, _) in enumerate(states) if self._accepts(formula)}
        return minimal(self._alphabet, rows, accepting)

    def _moves(self, formula: Formula) -> list[int]:
        found: set[int] = set()
        for place, _ in formula:
            found |= self._classes[place]
        return sorted(found)

    def _behind(self, read: Any, class_: int | None) -> tuple[Any, Facts]:
        """What each condition on the text before has come to, and the facts at this point."""
        facts: list[bool] = [class_ is None]
        now: list[frozenset[int]] = []
        for number, (start, end) in enumerate(self._places.before):
            if class_ is None:
                entries = {start}
            else:
                entries = {
                    self._places.transitions[p][0] for p in read[number] if self._has(p, class_)
                }
            some = tuple(facts)
            reached = {p for entry in entries for p, _ in self._expand(entry, some)}
            now.append(frozenset(reached))
            facts.append(end in reached)
        return tuple(now), tuple(facts)

    def _has(self, place: int, class_: int) -> bool:
        self._spend()
        return class_ in self._classes[place]

    def _spend(self) -> None:
        self._work += 1
        if self._work > MAX_WORK:
            raise GrammarLimit(f"it needs more than {MAX_WORK:,} steps to compile")

    def _expand(self, place: int, facts: Facts) -> Formula:
        """Where a place leads without reading, and with what duties."""
        key = place, facts
        known = self._expanded.get(key)
        if known is not None:
            return known
        places = self._places
        found: set[tuple[int, Duties]] = set()
        seen: set[tuple[int, Duties]] = set()
        stack: list[tuple[int, Duties]] = [(place, NONE)]
        while stack:
            way = stack.pop()
            if way in seen:
                continue
            seen.add(way)
            self._spend()
            at, duties = way
            condition = places.conditions.get(at)
            if condition is None:
                if places.symbols[at] is not None or at in self._stay:
                    found.add(way)
                else:
                    stack.extend((then, duties) for then in places.transitions[at])
                continue
            if isinstance(condition, Before):
                more: Duties | None = NONE if facts[condition.fact] != condition.negated else None
            else:
                duty = condition.negated, self._expand(condition.start, facts)
                more = self._simplified([duty])
            if more is not None:
                stack.append((places.transitions[at][0], duties | more))
        result = self._expanded[key] = self._reduced(found)
        return result

    def _advance(self, formula: Formula, class_: int, facts: Facts) -> Formula:
        """What may follow after one character more; ``facts`` hold after it."""
        if formula == self._true:
            return formula
        key = formula, class_, facts
        known = self._advanced.get(key)
        if known is not None:
            return known
        found: set[tuple[int, Duties]] = set()
        for place, duties in formula:
            if place == self._places.sink:
                ways = self._true
            elif self._has(place, class_):
                ways = self._expand(self._places.transitions[place][0], facts)
            else:
                continue
            self._work += len(ways)
            if not duties:
                found |= ways
                continue
            left = self._simplified((n, self._advance(f, class_, facts)) for n, f in duties)
            if left is not None:
                found.update((to, more | left) for to, more in ways)
        result = self._advanced[key] = self._reduced(found)
        return result

    def _simplified(self, duties: Iterable[tuple[bool, Formula]]) -> Duties | None:
        """The duties that are still open; None where one can no longer be fulfilled."""
        left: set[tuple[bool, Formula]] = set()
        for negated, formula in duties:
            self._work += 1 + len(formula)
            if formula in (self._true, FALSE):
                if (formula == FALSE) != negated:
                    return None
            elif (not negated, formula) in left:
                return None
            else:
                left.add((negated, formula))
        return frozenset(left)

    def _reduced(self, ways: set[tuple[int, Duties]]) -> Formula:
        """The ways without those that ask for more than another from the same place."""
        if (self._places.sink, NONE) in ways:
            return self._true
        if len({place for place, _ in ways}) == len(ways):
            return frozenset(ways)
        by_place: dict[int, list[Duties]] = {}
        for place, duties in ways:
            by_place.setdefault(place, []).append(duties)
        kept: list[tuple[int, Duties]] = []
        for place, some in by_place.items():
            if len(some) > 1:
                self._work += len(some) * (len(some) - 1)
                some = [d for d in some if not any(other < d for other in some)]  # noqa: PLW2901
            kept += ((place, duties) for duties in some)
        return frozenset(kept)

    def _accepts(self, formula: Formula) -> bool:
        """True when the text may end here."""
        return any(
            place in (0, self._places.sink)
            and all(self._accepts(duty) != negated for negated, duty in duties)
            for place, duties in formula
        )
