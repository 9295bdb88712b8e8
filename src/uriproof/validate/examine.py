"""Examine: the intended reading of a text, and all its blamed ranges.

Owns the choice between readings. Imports the division of a text, and the productions of components.
Invariant: nothing is blamed exactly when the rule's matcher accepts the text, and blamed ranges are
in text order and disjoint.
"""

from __future__ import annotations

from itertools import pairwise

from ..report import Component
from .divide import Reading, divide, supplied, undivided
from .plan import Dividing, Plan, shortest
from .productions import ComponentRule
from .recovery import Blame, cost, shifted

SCHEME = "scheme"
AUTHORITY = "authority"


def examine(plan: Plan, text: str, valid: bool | None = None) -> Reading:
    """How a text is read, and all that is to blame in it; ``valid``, if known. Cost: O(n)."""
    if valid is None:
        valid = bool(plan.match(text))
    if plan.dividing is not None:
        reading = _choose(plan, plan.dividing, text)
        blames = reading.blames
        if valid is not bool(blames) and (
            len(blames) == 1
            or not [one for before, one in pairwise(blames) if one.start < before.end]
        ):
            return reading
        # Somebody's rule that does not divide as its dividing grammar does: whatever that
        # says of the components, the rule itself has the last word.
    return _examine(plan, undivided(plan, text), text)


def components_of(plan: Plan, text: str, reading: Reading | None = None) -> dict[str, Component]:
    """The components of a text, by name, in text order; ``reading``, if known. Cost: O(n)."""
    if reading is None:
        reading = examine(plan, text)
    found: dict[str, Component] = {}
    for name, number, _, productions in reading.steps:
        if productions is not None:
            start, end = reading.places[number]
            inner = text[start:end]
            production = reading.read_as.get(name) or _meant(productions, inner)
            found[name] = Component(name, production, start, end, inner)
    return found


def _choose(plan: Plan, dividing: Dividing, text: str) -> Reading:
    """The reading that a careful person would choose, and its blamed ranges.

    1. The first, if the component that only it has (a scheme) is valid: "a:b c".
    2. Else the one with the fewest blamed characters: "10:30:00" is a path.
    3. A tie goes to the first if it found an authority: "1http://x" has a scheme.
    """
    best: Reading | None = None
    least = 0
    keep = False
    for division, is_last in dividing.tried:
        reading = divide(dividing, division, text)
        if reading is None:
            continue
        _examine(plan, reading, text)
        enough = is_last or _begins_well(reading)
        if enough and best is None and not reading.absent:
            return reading
        blamed = cost(reading.blames)
        chosen = reading
        other = supplied(dividing, reading, text) if reading.absent else None
        if other is not None:
            with_it = cost(_examine(plan, other, text).blames)
            if with_it < blamed:
                chosen, blamed = other, with_it
        if best is None:
            best, keep = chosen, AUTHORITY in reading.numbers
            least = blamed if keep else blamed + _before_scheme(plan, reading, text)
        elif not reading.absent and blamed <= least - keep:
            best = chosen
        if enough:
            break
    assert best is not None  # noqa: S101 -- every text has a reading
    return best


def _before_scheme(plan: Plan, reading: Reading, text: str) -> int:
    """How many characters more would have to go before a scheme could begin.

    One begins after the digit of "1a:b", and nowhere in "10:30:00".
    """
    if not (reading.blames and reading.steps) or reading.blames[0].component != SCHEME:
        return 0
    _, number, _, productions = reading.steps[0]
    if productions is None:
        return 0
    inner = text[slice(*reading.places[number])]
    match, production, _ = productions.ways[0]
    start = next((i for i, c in enumerate(inner) if match(c)), len(inner))
    if start == len(inner):
        return len(text) if productions.accepts(shortest(plan.grammar, production) + inner) else 0
    return max(start - 1, 0)


def _examine(plan: Plan, reading: Reading, text: str) -> Reading:
    """One reading, with all that is to blame in it, in text order."""
    grammar = plan.grammar
    components = plan.components
    places = reading.places
    placed: list[Blame] = []
    for name, number, accepts, productions in reading.steps:
        start, end = places[number]
        if accepts(text[start:end]):
            continue
        if productions is None:
            path = (plan.rule,)
            placed.append(Blame(start, end, "extra", path, (), component=name, grammar=grammar))
            continue
        loop = productions.loop if name in components else None
        found = loop.blame(text, start, end, name, grammar) if loop is not None else None
        if found is not None:
            placed += found
            continue
        reading.read_as[name], found = productions.diagnose(text[start:end])
        for blame in shifted(found, start):
            component = name
            if name not in components:  # a rule read as one has several
                known = grammar.model.components
                component = next((known[n] for n in reversed(blame.path) if n in known), name)
            placed.append(blame._replace(component=component, grammar=grammar))
    if reading.absent:
        gaps = [
            Blame(at, at, "missing", path, (words,), component=component, grammar=grammar)
            for at, component, path, words, *_ in reading.absent
        ]
        placed = [*gaps, *placed]
        placed.sort(key=lambda p: (p.start, p.end))
    reading.blames = placed
    return reading


def _meant(productions: ComponentRule, text: str) -> str:
    """The production that accepts a text; of a loop that does not, its own."""
    for match, production, alternatives in productions.ways:
        if match(text):
            # Of a choice, such as host, its alternative (RFC 3986 §3.2.2: first match wins).
            accepts = productions.grammar.accepts
            return next((name for name in alternatives if accepts(name, text)), production)
    return productions.candidates[0].path[-1]


def _begins_well(reading: Reading) -> bool:
    """True when nothing is to blame in the first component."""
    if not (reading.blames and reading.steps):
        return True
    return reading.blames[0].component != reading.steps[0].component
