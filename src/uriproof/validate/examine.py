"""What is found in a text under one rule: its components, and all that is to blame in it.

Owns the choice between readings, and the reading of each component as one of its productions.
Imports the splitter and the engine of blame. Invariant: nothing is found exactly when the rule's
matcher accepts the text, and what is found is in text order and disjoint.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from ..grammar.compiled import Compiled
from ..grammar.shapes import separators, shapes
from ..grammar.trace import loop_rules
from ..report import Component, Kind
from .blame import MAX_NODES, Blame, Reader
from .split import Path, Piece, Reading, Spans, Splitter, enclosed, following, separated, way_to

SCHEME = "scheme"
QUERY = "query"
"""The component that a query grammar speaks about (RFC 3986 §3.4)."""


@dataclass(slots=True)
class Finding:
    """A blame in its place: offsets in the whole text, path from the start rule."""

    component: str
    blame: Blame
    grammar: Compiled


Examined: TypeAlias = tuple[dict[str, Component], list[Finding]]
"""The components of a text, by name, and what is to blame in it."""


class Checker:
    """One rule of one grammar, ready to read texts."""

    def __init__(self, grammar: Compiled, rule: str) -> None:
        self._grammar = grammar
        self._rule = rule
        model = grammar.model
        self._component = model.components.get(rule, rule)
        self._whole = way_to(grammar, (rule,))
        compound = model.split is not None and rule not in model.components
        splitter = Splitter(grammar, rule) if compound and shapes(model, rule) else None
        self._splitter = splitter if splitter and splitter.divides else None

    def read(self, text: str) -> Examined:
        """The components of a text, and all that is to blame in it."""
        if self._splitter is not None:
            components, findings = self._choose(self._splitter, text)
            if bool(self._whole.match(text)) is not bool(findings) and _disjoint(findings):
                return components, findings
            # Somebody's rule that does not divide as its dividing grammar does: whatever that
            # says of the components, the rule itself has the last word.
        whole = Piece(self._component, 0, len(text), (self._whole,))
        return self._examine(Reading({}, [whole], []), text)

    def components(self, text: str) -> dict[str, Component]:
        """The components of a text, by name, in text order. Cost: O(n)."""
        return self.read(text)[0]

    def spans(self, text: str) -> Spans:
        """Where the components of a text are that the rule accepts. Cost: O(n)."""
        if self._splitter is None:
            return {self._component: (0, len(text))}
        return next(self._splitter.readings(text)).spans

    @cached_property
    def query_path(self) -> Path:
        """The path from the rule to the query; expanding the shapes costs more than a check."""
        found = shapes(self._grammar.model, self._rule) if self._splitter else ()
        slots = (slot for shape in found for slot in shape.slots)
        return next((s.path for s in slots if s.component == QUERY), (self._rule,))

    def _choose(self, splitter: Splitter, text: str) -> Examined:
        """What is found in the reading that a careful person would take.

        The first, if what it has and the others have not (a scheme) is in order; else the one
        with the fewest blamed characters; a tie goes to the first if it found an authority.
        """
        best: Examined | None = None
        least = before_scheme = 0
        keep = False
        for reading in splitter.readings(text):
            examined, blamed = self._weighed(reading, text)
            other = splitter.supplied(reading, text) if reading.absent else None
            if other is not None:
                supplied, fewer = self._weighed(other, text)
                if fewer < blamed:
                    examined, blamed = supplied, fewer
            if best is None:
                best, least = examined, blamed
                keep = "authority" in reading.spans
                before_scheme = self._before_scheme(reading, examined, text)
            elif not reading.absent and blamed <= least + before_scheme - keep:
                best = examined
            first = reading.pieces[0].component if reading.pieces else ""
            if all(f.component != first for f in examined[1]):
                break
        assert best is not None  # noqa: S101 -- every text has a reading
        return best

    def _weighed(self, reading: Reading, text: str) -> tuple[Examined, int]:
        """What is found in one reading, and how many characters are blamed; a gap counts as one."""
        components, findings = self._examine(reading, text)
        blamed = cost([f.blame for f in findings])
        return (components, findings), blamed

    def _before_scheme(self, reading: Reading, examined: Examined, text: str) -> int:
        """How many characters more would have to go before a scheme could begin.

        "1http" begins after one; "10" in "10:30" cannot begin anywhere.
        """
        findings = examined[1]
        if not (findings and reading.pieces) or findings[0].component != SCHEME:
            return 0
        (way, *_), start = reading.pieces[0].ways, reading.pieces[0].start
        inner = text[start : reading.pieces[0].end]
        return max(next((i for i, c in enumerate(inner) if way.match(c)), len(inner)) - 1, 0)

    def _examine(self, reading: Reading, text: str) -> Examined:
        """The components of one reading, and all that is to blame in it, in text order."""
        components: dict[str, Component] = {}
        found: list[Finding] = []
        for gap in reading.absent:
            blame = Blame(gap.at, gap.at, "missing", gap.path, (gap.expected,))
            found.append(Finding(gap.component, blame, self._grammar))
        for piece in reading.pieces:
            name, start, end = piece.component, piece.start, piece.end
            if not piece.ways:
                blame = Blame(start, end, "extra", (self._rule,), ())
                found.append(Finding(name, blame, self._grammar))
                continue
            inner = text[start:end]
            for way in piece.ways:
                if way.match(inner):
                    production = way.final(inner) if way.finals else way.path[-1]
                    break
            else:
                blames = self._hold_spelled(piece, inner) or self._hold(
                    [way.path for way in piece.ways], name, inner
                )
                production = self._read_as(piece, blames[0].path if blames else ())
                found += [
                    Finding(self._in(b.path, name), moved(b, start), self._grammar) for b in blames
                ]
            components[name] = Component(name, production, start, end, inner)
        if reading.absent:
            found.sort(key=lambda f: (f.blame.start, f.blame.end))
        return components, found

    def _in(self, path: Path, piece: str) -> str:
        """The component that a blamed production makes up; a rule read as one has several."""
        known = self._grammar.model.components
        if piece in known.values():
            return piece
        return next((known[name] for name in reversed(path) if name in known), piece)

    def _read_as(self, piece: Piece, blamed: Path) -> str:
        """The production that a component was read as, which the blamed path goes through."""
        for way in piece.ways:
            if blamed[: len(way.path)] == way.path:
                named = blamed[len(way.path) : len(way.path) + 1]
                known = self._grammar.alternatives(way.path[-1])
                return named[0] if named and named[0] in known else way.path[-1]
        return piece.ways[0].path[-1]

    def _hold(self, paths: Iterable[Path], component: str, text: str) -> list[Blame]:
        """What is to blame in a text that none of the productions accepts, read as the best.

        The best has the longest viable prefix. Of equals it is the first whose first blame is
        content, not a delimiter: a path that starts with what cannot stand there is no
        path-absolute without its slash.
        """
        ways = [
            path if production == path[-1] else (*path, production)
            for path in paths
            for production in self._grammar.alternatives(path[-1])
        ]
        parents = {path[:-1] for path in ways}
        if not text and len(ways) > 1 and len(parents) == 1:
            return [Blame(0, 0, "missing", parents.pop(), tuple(path[-1] for path in ways))]
        if len(ways) > 1:
            viable = [self._viable(path[-1], text) for path in ways]
            ways = [path for path, n in zip(ways, viable, strict=True) if n == max(viable)]
        leaves = self._grammar.model.leaves
        candidates = [self._read(path, component, text) for path in ways]
        return min(candidates, key=lambda blames: leaves.isdisjoint(blames[0].path))

    def _hold_spelled(self, piece: Piece, text: str) -> list[Blame]:
        """What is to blame in a text that the rule spells out in some way; else nothing."""
        readers = [
            _reader(way.spelled, way.path[-1], False)
            for way in piece.ways
            if way.spelled is not None
        ]
        return max(readers, key=lambda reader: reader.viable(text)).blame(text) if readers else []

    def _viable(self, production: str, text: str) -> int:
        """The length of the longest prefix that could be the start of the production."""
        around = enclosed(self._grammar, production)
        if around is not None and text.startswith(around[0]):
            return len(text)  # whatever is wrong between the delimiters, these are what it is
        if not self._grammar.traceable(production):
            furthest = self._grammar.furthest(production, text)
            return len(text) + 1 if furthest is None else furthest.offset
        return _reader(self._grammar, production, False).viable(text)

    def _read(self, path: Path, component: str, text: str) -> list[Blame]:
        """What is to blame in a text, read as one production."""
        grammar, production = self._grammar, path[-1]
        listed = separated(grammar, production)
        if listed is not None:
            found = self._read_list(path, component, text, *listed)
            # A query is divided at its separators, whatever else could be meant (RFC 3986 §3.4
            # leaves that to the grammar); in any other list one of them may be what is wrong.
            if component == QUERY or cost(found) == 1:
                return found
            whole = self._read_whole(path, component, text)
            return whole if cost(whole) < cost(found) else found
        around = enclosed(grammar, production)
        if around is not None and text.startswith(around[0]):
            return self._read_enclosed(path, text, around)
        return self._read_whole(path, component, text)

    def _read_whole(self, path: Path, component: str, text: str) -> list[Blame]:
        """What is to blame in a text, read character by character."""
        grammar, production = self._grammar, path[-1]
        if not text and len(path) > 1:
            return [Blame(0, 0, "missing", path[:-1], (production,))]
        if not grammar.traceable(production):
            return self._read_furthest(path, text)
        reader = _reader(grammar, production, component in grammar.model.mend)
        found = reader.blame(text)
        for blame in found:
            blame.path = (*path[:-1], *blame.path)
            blamed = text[blame.start : blame.end]
            if blame.fixes and not self._separators(blame.path).isdisjoint(blamed):
                blame.fixes = None  # encoded, it would not separate any more (RFC 3986 §2.2)
        return found

    def _read_furthest(self, path: Path, text: str) -> list[Blame]:
        """The first violation and no more: what a grammar that is not regular can tell."""
        furthest = self._grammar.furthest(path[-1], text)
        assert furthest is not None  # noqa: S101 -- only a text that is not accepted is read
        offset, expected, inner = furthest
        escape = self._grammar.model.escape
        kind: Kind = "missing" if offset == len(text) else "illegal"
        if escape is not None and inner[-1] == escape and offset < len(text):
            kind = "bad-escape"
        end = min(offset + 1, len(text))
        return [Blame(offset, end, kind, (*path[:-1], *inner), expected)]

    def _separators(self, path: Path) -> frozenset[str]:
        """What divides the lists that a blamed production is an element of."""
        key = separators, path
        made: frozenset[str] | None = self._grammar.cache.get(key)
        if made is None:
            rules = self._grammar.model.rules
            found = (separators(rules[name].element) for name in path[:-1])
            made = self._grammar.cache[key] = frozenset().union(*found)
        return made

    def _read_list(
        self, path: Path, component: str, text: str, element: str, separator: str
    ) -> list[Blame]:
        """Each element by itself; an empty one is a missing one."""
        found: list[Blame] = []
        at = 0
        match = self._grammar.matcher(element)
        for part in text.split(separator):
            if not match(part):
                blames = self._read((*path, element), component, part)
                found += (moved(blame, at) for blame in blames)
            at += len(part) + len(separator)
        return found

    def _read_enclosed(
        self, path: Path, text: str, around: tuple[str, tuple[Path, ...], str]
    ) -> list[Blame]:
        """What stands between the delimiters, up to the last closing one, and what is after it."""
        opening, inner_paths, closing = around
        end = text.rfind(closing)
        closed = end >= len(opening)
        inner = text[len(opening) : end if closed else None]
        found: list[Blame] = []
        paths = [(*path[:-1], *p) for p in inner_paths]
        if not inner:
            words = tuple(p[-1] for p in paths)
            found.append(Blame(len(opening), len(opening), "missing", path, words))
        elif not any(self._grammar.matcher(p[-1])(inner) for p in paths):
            chosen = max(paths, key=lambda p: self._viable(p[-1], inner))
            reader = _reader(self._grammar, chosen[-1], False)
            for blame in reader.blame_address(inner):
                blame.path = (*chosen[:-1], *blame.path)
                found.append(moved(blame, len(opening)))
        if not closed:
            # Nothing is missing after what is blamed: it may be what was meant to be the end.
            if not found:
                found.append(Blame(len(text), len(text), "missing", path, (f'"{closing}"',)))
        elif end + len(closing) < len(text):
            after, expected = following(self._grammar, path)
            found.append(Blame(end + len(closing), len(text), "illegal", after, expected))
        return found


def _disjoint(findings: list[Finding]) -> bool:
    """True when what is blamed is in text order, and nothing is blamed twice."""
    blames = [f.blame for f in findings]
    return all(a.end <= b.start for a, b in pairwise(blames))


def checker(grammar: Compiled, rule: str) -> Checker:
    key = Checker, rule
    made: Checker | None = grammar.cache.get(key)
    if made is None:
        made = grammar.cache[key] = Checker(grammar, rule)
    return made


def _reader(grammar: Compiled, rule: str, encode: bool) -> Reader:
    key = Reader, rule, encode
    made: Reader | None = grammar.cache.get(key)
    if made is None or made.remembered > MAX_NODES:
        # Other threads may go on with the one that this one takes the place of.
        loops = grammar.cache.get(loop_rules)
        if loops is None:
            loops = grammar.cache[loop_rules] = loop_rules(grammar.model)
        made = Reader(grammar.trace(rule), rule, encode, loops, grammar.model.leaves)
        grammar.cache[key] = made
    return made


def cost(blames: Iterable[Blame]) -> int:
    """How many characters are blamed; what is missing counts as one."""
    return sum([max(blame.end - blame.start, 1) for blame in blames])


def moved(blame: Blame, by: int) -> Blame:
    blame.start += by
    blame.end += by
    return blame
