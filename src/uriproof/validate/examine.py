"""What is found in a text under one rule: its components, and all that is to blame in it.

Owns the choice between readings of a text. Imports the splitter and the productions. Invariant:
nothing is found exactly when the rule's matcher accepts the text, and what is found is in text
order and disjoint.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from ..grammar.compile.shapes import Slot, shapes
from ..grammar.compiled import Compiled
from ..report import Component
from .blame import Blame
from .productions import QUERY, Path, Productions, cost, shifted
from .split import Piece, Reading, Spans, Splitter, shortest

SCHEME = "scheme"


class Finding:
    """A blame in its place: offsets in the whole text, path from the start rule."""

    __slots__ = ("blame", "component", "grammar")

    def __init__(self, component: str, blame: Blame, grammar: Compiled) -> None:
        self.component = component
        self.blame = blame
        self.grammar = grammar


Examined: TypeAlias = tuple[Reading, list[Finding]]
"""The reading of a text that is chosen, and what is to blame in it."""


class Examiner:
    """One rule of one grammar, ready to examine texts; made once, and never changed."""

    def __init__(self, grammar: Compiled, rule: str) -> None:
        self.grammar = grammar
        self.rule = rule
        self.match = grammar.matcher(rule)
        model = grammar.model
        component = model.components.get(rule, rule)
        self._whole = Productions(grammar, component, [Slot(component, (rule,))])
        self._names = frozenset(model.components.values())
        compound = model.split is not None and rule not in model.components
        splitter = Splitter(grammar, rule) if compound and shapes(model, rule) else None
        self._splitter = splitter if splitter and splitter.divides else None

    def examine(self, text: str, valid: bool | None = None) -> Examined:
        """How a text is read, and all that is to blame in it; ``valid``, if known."""
        if valid is None:
            valid = bool(self.match(text))
        if self._splitter is not None:
            examined = self._choose(self._splitter, text)
            if valid is not bool(examined[1]) and _disjoint(examined[1]):
                return examined
            # Somebody's rule that does not divide as its dividing grammar does: whatever that
            # says of the components, the rule itself has the last word.
        whole = Piece(self._whole.component, 0, len(text), self._whole)
        return self._examine(Reading({}, [whole], []), text)

    def components(self, text: str) -> Mapping[str, Component]:
        """The components of a valid text, by name, in text order. Cost: O(n)."""
        return components(self.examine(text, valid=True)[0], text)

    def spans(self, text: str) -> Spans:
        """Where the components of a text are that the rule accepts. Cost: O(n)."""
        if self._splitter is None:
            return {self._whole.component: (0, len(text))}
        return next(self._splitter.readings(text)).spans

    @cached_property
    def query_path(self) -> Path:
        """The path from the rule to the query."""
        found = shapes(self.grammar.model, self.rule) if self._splitter else ()
        slots = (slot for shape in found for slot in shape.slots)
        return next((s.path for s in slots if s.component == QUERY), (self.rule,))

    def _choose(self, splitter: Splitter, text: str) -> Examined:
        """What is found in the reading that a careful person would take.

        The first, if what it has and the others have not (a scheme) is in order; else the one
        with the fewest blamed characters; a tie goes to the first if it found an authority.
        """
        best: Examined | None = None
        least = 0
        keep = False
        for reading in splitter.readings(text):
            examined = self._examine(reading, text)
            findings = examined[1]
            if best is None and not reading.absent and _begins_well(reading, findings):
                return examined
            blamed = _cost(findings)
            other = splitter.supplied(reading, text) if reading.absent else None
            if other is not None:
                supplied = self._examine(other, text)
                if _cost(supplied[1]) < blamed:
                    examined, blamed = supplied, _cost(supplied[1])
            if best is None:
                best, keep = examined, "authority" in reading.spans
                least = blamed if keep else blamed + self._before_scheme(reading, findings, text)
            elif not reading.absent and blamed <= least - keep:
                best = examined
            if _begins_well(reading, findings):
                break
        assert best is not None  # noqa: S101 -- every text has a reading
        return best

    def _before_scheme(self, reading: Reading, findings: list[Finding], text: str) -> int:
        """How many characters more would have to go before a scheme could begin.

        One begins after the digit of "1a:b", and nowhere in "10:30:00".
        """
        if not (findings and reading.pieces) or findings[0].component != SCHEME:
            return 0
        scheme = reading.pieces[0]
        if scheme.productions is None:
            return 0
        inner = text[scheme.start : scheme.end]
        start = scheme.productions.first_start(inner)
        if start == len(inner):
            letter = shortest(self.grammar, scheme.productions.production)
            return len(text) if scheme.productions.accepts(letter + inner) else 0
        return max(start - 1, 0)

    def _examine(self, reading: Reading, text: str) -> Examined:
        """One reading, and all that is to blame in it, in text order."""
        grammar = self.grammar
        findings: list[Finding] = []
        for gap in reading.absent:
            blame = Blame(gap.at, gap.at, "missing", gap.path, (gap.expected,))
            findings.append(Finding(gap.component, blame, grammar))
        for name, start, end, productions in reading.pieces:
            if productions is None:
                blame = Blame(start, end, "extra", (self.rule,), ())
                findings.append(Finding(name, blame, grammar))
                continue
            inner = text[start:end]
            if productions.accepts(inner):
                continue
            reading.read_as[name], blames = productions.blame(inner)
            for blame in shifted(blames, start) if start else blames:
                findings.append(Finding(self._component(blame.path, name), blame, grammar))
        if reading.absent:
            findings.sort(key=lambda f: (f.blame.start, f.blame.end))
        return reading, findings

    def _component(self, path: Path, piece: str) -> str:
        """The component that a blamed production makes up; a rule read as one has several."""
        if piece in self._names:
            return piece
        known = self.grammar.model.components
        return next((known[name] for name in reversed(path) if name in known), piece)


def components(reading: Reading, text: str) -> dict[str, Component]:
    """The components of a text by name, in text order."""
    found: dict[str, Component] = {}
    for name, start, end, productions in reading.pieces:
        if productions is not None:
            inner = text[start:end]
            production = reading.read_as.get(name) or productions.meant(inner) or name
            found[name] = Component(name, production, start, end, inner)
    return found


def _begins_well(reading: Reading, findings: list[Finding]) -> bool:
    """True when nothing is to blame in the first component."""
    if not (findings and reading.pieces):
        return True
    return findings[0].component != reading.pieces[0].component


def _cost(findings: list[Finding]) -> int:
    return cost([finding.blame for finding in findings])


def _disjoint(findings: list[Finding]) -> bool:
    """True when what is blamed is in text order, and nothing is blamed twice."""
    return all(a.blame.end <= b.blame.start for a, b in pairwise(findings))


def examiner(grammar: Compiled, rule: str) -> Examiner:
    key = Examiner, rule
    made: Examiner | None = grammar.cache.get(key)
    if made is None:
        made = grammar.cache[key] = Examiner(grammar, rule)
    return made
