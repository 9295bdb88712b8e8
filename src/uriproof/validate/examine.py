"""Examine: the intended reading of a text, and all its blamed ranges.

Owns the choice between readings. Imports the division of a text, and the blame of a component.
Invariant: nothing is blamed exactly when the rule's matcher accepts the text, and blamed ranges are
in text order and disjoint.
"""

from __future__ import annotations

from typing import TypeAlias

from ..report import Component
from .blame import cost, diagnose
from .divide import Reading, divide, supplied, undivided
from .plan import Dividing, Plan, shortest
from .productions import ComponentRule, Path
from .recovery import Blame

SCHEME = "scheme"
AUTHORITY = "authority"


Examined: TypeAlias = tuple[Reading, list[Blame]]
"""The chosen reading of a text, and its blamed ranges."""


def examine(plan: Plan, text: str, valid: bool | None = None) -> Examined:
    """How a text is read, and all that is to blame in it; ``valid``, if known. Cost: O(n)."""
    if valid is None:
        valid = bool(plan.match(text))
    if plan.dividing is not None:
        examined = _choose(plan, plan.dividing, text)
        if valid is not bool(examined[1]) and _disjoint(examined[1]):
            return examined
        # Somebody's rule that does not divide as its dividing grammar does: whatever that
        # says of the components, the rule itself has the last word.
    return _examine(plan, undivided(plan, text), text)


def components_of(plan: Plan, text: str, reading: Reading | None = None) -> dict[str, Component]:
    """The components of a text, by name, in text order; ``reading``, if known. Cost: O(n)."""
    if reading is None:
        reading = examine(plan, text)[0]
    found: dict[str, Component] = {}
    for name, number, productions in reading.steps:
        if productions is not None:
            start, end = reading.places[number]
            inner = text[start:end]
            production = reading.read_as.get(name) or _meant(productions, inner) or name
            found[name] = Component(name, production, start, end, inner)
    return found


def _choose(plan: Plan, dividing: Dividing, text: str) -> Examined:
    """The reading that a careful person would choose, and its blamed ranges.

    1. The first, if the component that only it has (a scheme) is valid: "a:b c".
    2. Else the one with the fewest blamed characters: "10:30:00" is a path.
    3. A tie goes to the first if it found an authority: "1http://x" has a scheme.
    """
    best: Examined | None = None
    least = 0
    keep = False
    for division, is_last in dividing.tried:
        reading = divide(dividing, division, text)
        if reading is None:
            continue
        examined = _examine(plan, reading, text)
        placed = examined[1]
        enough = is_last or _begins_well(reading, placed)
        if enough and best is None and not reading.absent:
            return examined
        blamed = cost(placed)
        other = supplied(dividing, reading, text) if reading.absent else None
        if other is not None:
            with_it = _examine(plan, other, text)
            if cost(with_it[1]) < blamed:
                examined, blamed = with_it, cost(with_it[1])
        if best is None:
            best, keep = examined, AUTHORITY in reading.spans
            least = blamed if keep else blamed + _before_scheme(plan, reading, placed, text)
        elif not reading.absent and blamed <= least - keep:
            best = examined
        if enough:
            break
    assert best is not None  # noqa: S101 -- every text has a reading
    return best


def _before_scheme(plan: Plan, reading: Reading, placed: list[Blame], text: str) -> int:
    """How many characters more would have to go before a scheme could begin.

    One begins after the digit of "1a:b", and nowhere in "10:30:00".
    """
    if not (placed and reading.steps) or placed[0].component != SCHEME:
        return 0
    _, number, productions = reading.steps[0]
    if productions is None:
        return 0
    inner = text[slice(*reading.places[number])]
    match, production, _ = productions.ways[0]
    start = next((i for i, c in enumerate(inner) if match(c)), len(inner))
    if start == len(inner):
        return len(text) if productions.accepts(shortest(plan.grammar, production) + inner) else 0
    return max(start - 1, 0)


def _examine(plan: Plan, reading: Reading, text: str) -> Examined:
    """One reading, and all that is to blame in it, in text order."""
    grammar = plan.grammar
    components = plan.components
    placed: list[Blame] = []
    for gap in reading.absent:
        missing = Blame(gap.at, gap.at, "missing", gap.path, (gap.expected,))
        placed.append(missing.at(gap.component, grammar))
    places = reading.places
    for name, number, productions in reading.steps:
        start, end = places[number]
        if productions is None:
            extra = Blame(start, end, "extra", (plan.rule,), ())
            placed.append(extra.at(name, grammar))
            continue
        if productions.accepts(text[start:end]):
            continue
        reading.read_as[name], found = diagnose(productions, text, start, end)
        for one in found:
            one.component = name if name in components else _component(plan, one.path, name)
            one.grammar = grammar
        placed += found
    if reading.absent:
        placed.sort(key=lambda p: (p.start, p.end))
    return reading, placed


def _component(plan: Plan, path: Path, piece: str) -> str:
    """The component that a blamed production makes up; a rule read as one has several."""
    known = plan.grammar.model.components
    return next((known[name] for name in reversed(path) if name in known), piece)


def _meant(productions: ComponentRule, text: str) -> str | None:
    """The production that accepts a text; None if there is none."""
    for match, production, alternatives in productions.ways:
        if match(text):
            # Of a choice, such as host, its alternative (RFC 3986 §3.2.2: first match wins).
            accepts = productions.grammar.accepts
            return next((name for name in alternatives if accepts(name, text)), production)
    return None


def _begins_well(reading: Reading, placed: list[Blame]) -> bool:
    """True when nothing is to blame in the first component."""
    if not (placed and reading.steps):
        return True
    return placed[0].component != reading.steps[0].component


def _disjoint(placed: list[Blame]) -> bool:
    """True when the blamed ranges are in text order, and disjoint."""
    end = 0
    for one in placed:
        if one.start < end:
            return False
        end = one.end
    return True
