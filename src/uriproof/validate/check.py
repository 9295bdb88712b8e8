"""The report of a text under a rule: split, check each component, blame.

Owns the contract of ``check``. Imports the splitter, the engine of blame and their words.
Invariant: no violation exactly when the rule's matcher accepts the text; violations are sorted
and disjoint; applying all fixes, where every violation has one, gives an accepted text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..grammar.compiled import Compiled
from ..grammar.model import Alternation, RuleRef
from ..grammar.shapes import listed, shapes
from ..report import Component, Fix, Kind, Report, Violation
from .blame import Blame, Reader
from .hints import hint
from .split import Path, Piece, Reading, Splitter, enclosed
from .words import message


@dataclass(frozen=True, slots=True)
class Finding:
    """A blame in its place: offsets in the whole text, path from the start rule."""

    component: str
    blame: Blame
    grammar: Compiled


def check(grammar: Compiled, text: str, rule: str, query: Compiled | None = None) -> Report:
    """The report of a text under a rule, in its canonical spelling. Cost: O(n).

    With ``query``, the query component is held to that grammar's first start rule as well.
    Spec: RFC 3986 §3, Appendix A and B.
    """
    checker = _checker(grammar, rule)
    components, findings = checker.read(text)
    if query is not None:
        findings = _with_query(checker, components, findings, text, query)
    violations = _violations(rule, text, findings)
    if violations and all(v.fix for v in violations):
        mended = Report(text, rule, grammar.name, components, violations).repaired or ""
        if not accepts(grammar, mended, rule, query):
            # No case is known; if there is one, a text that is not mended gets no fixes.
            violations = tuple(replace(v, fix=None) for v in violations)
    return Report(text, rule, grammar.name, components, violations)


def accepts(grammar: Compiled, text: str, rule: str, query: Compiled | None = None) -> bool:
    """The verdict alone: that of the matcher, and of the query grammar's matcher."""
    if not grammar.matcher(rule)(text):
        return False
    if query is None:
        return True
    span = _checker(grammar, rule).span_of(QUERY, text)
    return span is None or bool(query.matcher(query.start)(text[span[0] : span[1]]))


QUERY = "query"
"""The component that a query grammar speaks about (RFC 3986 §3.4)."""


class Checker:
    """One rule of one grammar, ready to read texts."""

    def __init__(self, grammar: Compiled, rule: str) -> None:
        self._grammar = grammar
        self._rule = rule
        model = grammar.model
        self._component = model.components.get(rule, rule)
        compound = model.split is not None and rule not in model.components
        self._splitter = Splitter(grammar, rule) if compound and shapes(model, rule) else None

    def read(self, text: str) -> tuple[dict[str, Component], list[Finding]]:
        """The components of a text, and all that is to blame in it."""
        valid = bool(self._grammar.matcher(self._rule)(text))
        if self._splitter is None:
            path: Path = (self._rule,)
            blames = [] if valid else self._hold((path,), self._component, text)
            whole = Piece(self._component, 0, len(text), (path,))
            blamed = blames[0].path if blames else ()
            return (
                {self._component: self._component_of(whole, text, blamed)},
                [Finding(self._component, b, self._grammar) for b in blames],
            )
        readings = self._splitter.readings(text)
        if valid:
            return self._components(self._valid_reading(readings, text), text, []), []
        chosen, findings = self._choose(readings, text)
        return self._components(chosen, text, findings), findings

    def span_of(self, component: str, text: str) -> tuple[int, int] | None:
        """Where a component stands in a valid text, if it is there."""
        if self._splitter is None:
            return (0, len(text)) if self._component == component else None
        reading = self._valid_reading(self._splitter.readings(text), text)
        return next(((p.start, p.end) for p in reading.pieces if p.component == component), None)

    def path_of(self, component: str) -> Path:
        """The path from the rule to a component's production."""
        found = shapes(self._grammar.model, self._rule) if self._splitter else ()
        slots = (slot for shape in found for slot in shape.slots)
        return next((s.path for s in slots if s.component == component), (self._rule,))

    def _valid_reading(self, readings: Iterable[Reading], text: str) -> Reading:
        """The reading of a valid text in which every component is accepted."""
        last = None
        for last in readings:
            if not last.absent and all(
                any(self._grammar.accepts(path[-1], text[p.start : p.end]) for path in p.paths)
                for p in last.pieces
            ):
                break
        assert last is not None  # noqa: S101 -- every text has a reading
        return last

    def _choose(self, readings: Iterable[Reading], text: str) -> tuple[Reading, list[Finding]]:
        """The reading that a careful person would blame.

        The first, if what it has and the others have not (a scheme) is in order; else the one
        with the fewest blamed characters; a tie goes to the first if it found an authority.
        """
        best: tuple[Reading, list[Finding]] | None = None
        cost = 0
        for reading in readings:
            findings = list(self._blame(reading, text))
            own = sum(max(f.blame.end - f.blame.start, 1) for f in findings)
            if best is None:
                best, cost = (reading, findings), own
                first = reading.pieces[0].component if reading.pieces else ""
                if all(f.component != first for f in findings):
                    break
            elif own < cost or (own == cost and "authority" not in best[0].spans):
                best, cost = (reading, findings), own
        assert best is not None  # noqa: S101 -- every text has a reading
        return best

    def _blame(self, reading: Reading, text: str) -> Iterator[Finding]:
        """All that is to blame in one reading, in text order."""
        found: list[tuple[str, Blame]] = []
        for gap in reading.absent:
            blame = Blame(gap.at, gap.at, "missing", gap.path, (gap.expected,))
            found.append((gap.component, blame))
        for piece in reading.pieces:
            if not piece.paths:
                extra = Blame(piece.start, piece.end, "extra", (self._rule,), ())
                found.append((piece.component, extra))
                continue
            inner = text[piece.start : piece.end]
            if not any(self._grammar.matcher(path[-1])(inner) for path in piece.paths):
                for blame in self._hold(piece.paths, piece.component, inner):
                    found.append((piece.component, _moved(blame, piece.start)))
        found.sort(key=lambda f: (f[1].start, f[1].end))
        return (Finding(component, blame, self._grammar) for component, blame in found)

    def _hold(self, paths: Iterable[Path], component: str, text: str) -> list[Blame]:
        """What is to blame in a text that none of the productions accepts, read as the best.

        The best has the longest viable prefix; then its first blame is content, not a delimiter
        (a path that starts with what cannot stand there is no path-absolute without its slash);
        then it has the least to blame, and the most of that can be mended.
        """
        candidates: list[list[Blame]] = []
        for path in paths:
            for production in self._grammar.alternatives(path[-1]):
                longer = path if production == path[-1] else (*path, production)
                candidates.append(self._read(longer, component, text))
        leaves = self._grammar.model.leaves

        def badness(blames: list[Blame]) -> tuple[int, bool, int, int]:
            return (
                -blames[0].start,
                leaves.isdisjoint(blames[0].path),
                sum(max(b.end - b.start, 1) for b in blames),
                sum(b.fixes is None for b in blames),
            )

        return min(candidates, key=badness)

    def _read(self, path: Path, component: str, text: str) -> list[Blame]:
        """What is to blame in a text, read as one production."""
        grammar, production = self._grammar, path[-1]
        separated = listed(grammar.model, production)
        if separated is not None:
            return self._read_list(path, component, text, *separated)
        around = enclosed(grammar, production)
        if around is not None and text.startswith(around[0]):
            return self._read_enclosed(path, component, text, around)
        if not text and len(path) > 1:
            return [Blame(0, 0, "missing", path[:-1], (production,))]
        reader = _reader(grammar, production, component in grammar.model.mend)
        found = reader.blame(text)
        for blame in found:
            blame.path = (*path[:-1], *blame.path)
        return found

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
                found += (_moved(blame, at) for blame in blames)
            at += len(part) + len(separator)
        return found

    def _read_enclosed(
        self, path: Path, component: str, text: str, around: tuple[str, tuple[Path, ...], str]
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
            held = self._hold(paths, component, inner)
            found += (_moved(blame, len(opening)) for blame in held)
        if not closed:
            found.append(Blame(len(text), len(text), "missing", path, (f'"{closing}"',)))
        elif end + len(closing) < len(text):
            found.append(Blame(end + len(closing), len(text), "illegal", path, ()))
        return found

    def _components(
        self, reading: Reading, text: str, findings: list[Finding]
    ) -> dict[str, Component]:
        """The components of a reading, each with the production that it was read as."""
        read_as = {f.component: f.blame.path for f in reversed(findings)}
        return {
            piece.component: self._component_of(piece, text, read_as.get(piece.component, ()))
            for piece in reading.pieces
            if piece.paths
        }

    def _component_of(self, piece: Piece, text: str, blamed: Path) -> Component:
        inner = text[piece.start : piece.end]
        fitting = (p for p in piece.paths if self._grammar.accepts(p[-1], inner))
        path = next(fitting, None)
        if path is not None:
            production = self._first_match(path[-1], inner)
        else:
            path = next((p for p in piece.paths if blamed[: len(p)] == p), piece.paths[0])
            named = blamed[len(path) : len(path) + 1]
            known = self._grammar.alternatives(path[-1])
            production = named[0] if named and named[0] in known else path[-1]
        return Component(piece.component, production, piece.start, piece.end, inner)

    def _first_match(self, production: str, text: str) -> str:
        """Of a production's alternatives the first that accepts: first match wins (§3.2.2)."""
        element = self._grammar.model.rules[production].element
        if isinstance(element, Alternation) and production in self._grammar.model.components:
            names = [i.name for i in element.items if isinstance(i, RuleRef)]
            if len(names) == len(element.items):
                return next((n for n in names if self._grammar.accepts(n, text)), production)
        return production


def _checker(grammar: Compiled, rule: str) -> Checker:
    key = Checker, rule
    made: Checker | None = grammar.cache.get(key)
    if made is None:
        made = grammar.cache[key] = Checker(grammar, rule)
    return made


def _reader(grammar: Compiled, rule: str, encode: bool) -> Reader:
    key = Reader, rule, encode
    made: Reader | None = grammar.cache.get(key)
    if made is None:
        made = grammar.cache[key] = Reader(grammar.trace(rule), rule, encode)
    return made


def _moved(blame: Blame, by: int) -> Blame:
    blame.start += by
    blame.end += by
    return blame


def _with_query(
    checker: Checker,
    components: dict[str, Component],
    findings: list[Finding],
    text: str,
    query: Compiled,
) -> list[Finding]:
    """The findings, with those of the query grammar where the rule itself blames nothing."""
    component = components.get(QUERY)
    if component is None:
        return findings
    _, found = _checker(query, query.start).read(component.text)
    blamed = {i for f in findings for i in range(f.blame.start, f.blame.end)}
    outer = checker.path_of(QUERY)
    for finding in found:
        blame = _moved(finding.blame, component.start)
        blame.path = (*outer, *blame.path[blame.path[0] == outer[-1] :])
        for part in _not_in(blame, blamed):
            findings.append(Finding(QUERY, part, query))
    findings.sort(key=lambda f: (f.blame.start, f.blame.end))
    return findings


def _not_in(blame: Blame, blamed: set[int]) -> Iterator[Blame]:
    """What is left of a blame where others have not blamed already."""
    if blame.start == blame.end:
        yield blame
        return
    at = blame.start
    while at < blame.end:
        end = at
        while end < blame.end and end not in blamed:
            end += 1
        if end > at:
            fixes = blame.fixes and blame.fixes[at - blame.start : end - blame.start]
            yield Blame(at, end, blame.kind, blame.path, blame.expected, fixes)
        at = end + 1


def _violations(rule: str, text: str, findings: list[Finding]) -> tuple[Violation, ...]:
    return tuple(_violation(rule, text, finding) for finding in findings)


def _violation(rule: str, text: str, finding: Finding) -> Violation:
    blame, grammar, component = finding.blame, finding.grammar, finding.component
    production = blame.path[-1]
    described = grammar.rule(production)
    kind: Kind = blame.kind
    found = text[blame.start : blame.end]
    fix = Fix(blame.start, blame.end, "".join(blame.fixes)) if blame.fixes else None
    return Violation(
        start=blame.start,
        end=blame.end,
        found=found,
        component=component,
        production=production,
        path=blame.path,
        kind=kind,
        expected=blame.expected,
        message=message(kind, found, component, production, blame.expected, rule),
        code=f"{component}-{kind}",
        fix=fix,
        section=section(grammar, production),
        grammar=grammar.name,
        rule=described.text,
        source=f"{described.file}:{described.line}",
        hint=hint(grammar, rule, text, finding.component, blame),
    )


def section(grammar: Compiled, production: str) -> str:
    """Where a production is specified: RFC 3986 §3.3; its grammar's title where that is all."""
    rule = grammar.rule(production)
    name = rule.grammar.upper().replace("RFC", "RFC ", 1) if rule.grammar.startswith("rfc") else ""
    mark = f"§{rule.section}" if rule.section[:1].isdigit() else rule.section
    return f"{name or rule.grammar} {mark}".rstrip()
