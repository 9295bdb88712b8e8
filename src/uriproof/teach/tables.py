"""What the page's instant layer runs: the tables of a rule, as JSON.

Owns their form, which ``docs/teach/tables.md`` explains. Imports the grammars, the plans and the
expression printer of ECMAScript. Invariant: whoever walks the tables needs no word of the grammar,
and says of every text what ``check`` says: the verdict, the components, what is to blame.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from ..grammar import registry
from ..grammar.compile.shapes import Shape, Slot
from ..grammar.compile.to_regex import to_captures
from ..grammar.compiled import Compiled
from ..grammar.errors import GrammarLimit
from ..grammar.machine.trace import Item, Trace, loop_rules
from ..grammar.machine.write_tables import Writer, flags
from ..grammar.model import Alternation, Concatenation, Element, Model, Repetition, RuleRef
from ..validate.divide import absent
from ..validate.examine import AUTHORITY, SCHEME
from ..validate.octets import escapes
from ..validate.plan import PARTS, Dividing, Layout, plan_of, shortest
from ..validate.productions import Candidate, Enclosed, Listed, Productions, Whole, spelled
from ..workbench.export._engines import TARGETS

__all__ = ["VERSION", "tables"]

VERSION = 1
"""Of the form: another one if a key is removed or changes its meaning."""

MAX_STATES = 8_000
"""States of all automata of a rule: a page reads that many in some tens of milliseconds."""
MAX_LAYOUTS = 500
NEAREST = 400
"""Rows that a row is compared with, to be written as a difference."""


def tables(compiled: Compiled, rule: str) -> dict[str, Any]:
    """The tables of a rule, in its canonical spelling, JSON-ready.

    Errors: GrammarLimit, where no automaton of bounded size decides the rule. Cost: the traces of
    the rule and of the productions of its components; once for each.

    >>> made = tables(registry.load("key-value"), "param")
    >>> made["trace"], sorted(made["traces"])
    ('param', ['param'])
    """
    return _Tables(compiled, rule).made()


class _Tables:
    """One rule's tables in the making: each trace and each candidate is written once."""

    def __init__(self, compiled: Compiled, rule: str) -> None:
        self._compiled = compiled
        self._plan = plan_of(compiled, rule)
        self._loops = loop_rules(compiled.model)
        self._writer = Writer(NEAREST, self._flags)
        self._traces: dict[str, dict[str, Any]] = {}
        self._states = 0
        self._candidates: dict[Candidate, int] = {}
        self._written: list[dict[str, Any]] = []
        self._productions: list[dict[str, Any]] = []
        self._known: dict[object, int] = {}

    def made(self) -> dict[str, Any]:
        plan, model = self._plan, self._compiled.model
        trace = self._trace(self._compiled, plan.rule)
        whole = self._production(plan.whole)
        dividing = plan.dividing
        divided = None if dividing is None else self._divided(dividing)
        names = {name for path in self._writer.paths for name in path.split(" ")}
        names |= {name for candidate in self._written for name in candidate["path"]}
        return {
            "version": VERSION,
            "grammar": self._compiled.name,
            "rule": plan.rule,
            "walkable": True,
            "trace": trace,
            "component": plan.component,
            "components": {n: c for n, c in model.components.items() if n in names},
            "names": sorted(plan.components),
            "leaves": sorted(names & model.leaves),
            "escape": model.escape or "",
            "octet": escapes()[0][:-2],
            "whole": whole,
            "divide": divided,
            "productions": self._productions,
            "candidates": self._written,
            "paths": list(self._writer.paths),
            "items": list(self._writer.items),
            "traces": self._traces,
        }

    # Traces

    def _flags(self, trace: Trace, item: Item) -> str:
        """Beside the usual: ``o`` in a loop over characters, ``l`` one quoted character."""
        least = self._loops.get(item.path[-1])
        looping = least is not None and (item.begun or least == 0)
        return flags(trace, item) + "o" * looping + "l" * trace.literal(item)

    def _trace(self, compiled: Compiled, rule: str) -> str:
        """The name of a trace, which is that of its rule, or a text that the rule spells out."""
        name = rule if compiled is self._compiled else str(compiled.rule(rule).element)
        if name not in self._traces:
            found = compiled.trace(rule)
            self._states += len(found.items)
            if self._states > MAX_STATES:
                raise GrammarLimit(
                    f"the tables of {self._plan.rule} have more than {MAX_STATES:,} states"
                )
            alphabet = found.automaton.alphabet
            self._traces[name] = {
                "starts": alphabet.starts,
                "classes": alphabet.ids,
                "states": self._writer.lines(found),
            }
        return name

    # Productions

    def _production(self, productions: Productions) -> int:
        """The number of the productions that a component may be."""
        key = productions.component, productions.slots
        if key not in self._known:
            self._known[key] = len(self._productions)
            made: dict[str, Any] = {"component": productions.component}
            self._productions.append(made)
            made["ways"] = [
                self._way(slot, alternatives)
                for slot, (_, _, alternatives) in zip(
                    productions.slots, productions.ways, strict=True
                )
            ]
            made["shortest"] = shortest(self._compiled, productions.ways[0][1])
            made["candidates"] = [self._candidate(c) for c in productions.candidates]
        return self._known[key]

    def _way(self, slot: Slot, alternatives: Iterable[str]) -> dict[str, Any]:
        own = spelled(self._compiled, slot)
        production = slot.path[-1]
        made: dict[str, Any] = {"path": list(slot.path)}
        if own is not None:
            return made | {"traces": [self._trace(own, production)], "names": [production]}
        names = list(alternatives) or [production]
        return made | {"traces": [self._trace(self._compiled, n) for n in names], "names": names}

    def _candidate(self, candidate: Candidate) -> int:
        number = self._candidates.get(candidate)
        if number is None:
            made: dict[str, Any] = {"path": list(candidate.path)}
            number = self._candidates[candidate] = len(self._written)
            self._written.append(made)
            match candidate:
                case Whole():
                    made["trace"] = self._trace(candidate.grammar, candidate.path[-1])
                    made["encode"] = candidate.encode
                case Listed():
                    made["trace"] = self._trace(self._compiled, candidate.element.path[-1])
                    made["separator"] = candidate.separator
                    made["element"] = self._candidate(candidate.element)
                    made["whole"] = self._candidate(candidate.whole)
                    made["query"] = candidate.is_query
                case Enclosed():
                    made["opening"] = candidate.opening
                    made["closing"] = candidate.closing
                    made["inner"] = [self._candidate(c) for c in candidate.inner]
                    made["whole"] = self._candidate(candidate.whole)
                    made["after"] = list(candidate.after[0])
                case _:
                    self._compiled.trace(candidate.path[-1])  # says why there is none
        return number

    # Division

    def _divided(self, dividing: Dividing) -> dict[str, Any]:
        model = self._compiled.model
        assert model.split is not None  # noqa: S101 -- it is divided
        divider = registry.load(model.split)
        rules: list[str] = []
        for division in dividing.divisions:
            rules.append(division.rule)
            rules += [name + PARTS for name in division.inner]
        rules = list(dict.fromkeys(rules))
        sets = {
            names
            for division in dividing.divisions
            for names in _name_sets(divider.model, division.rule)
        }
        layouts: dict[str, Any] = {}
        todo = sorted(sets | {frozenset[str]()}, key=sorted)
        for names in todo:
            key = " ".join(sorted(names))
            if key not in layouts:
                layout = dividing.layout(tuple(sorted(names)))
                layouts[key] = self._layout(dividing, layout, names)
                todo += [names - {name} for name in sorted(layout.optional)]
            if len(layouts) > MAX_LAYOUTS:
                raise GrammarLimit(f"{self._plan.rule} has too many shapes")
        places = {division: rules.index(division.rule) for division in dividing.divisions}
        return {
            "rules": [_division(divider.model, rule, rules) for rule in rules],
            "divisions": list(places.values()),
            "tried": [[places[division], alone] for division, alone in dividing.tried],
            "mark": sorted(dividing.mark),
            "first": SCHEME,
            "keep": AUTHORITY,
            "layouts": layouts,
        }

    def _layout(self, dividing: Dividing, layout: Layout, names: frozenset[str]) -> dict[str, Any]:
        return {
            "productions": {n: self._production(p) for n, p in layout.productions.items()},
            "known": sorted(layout.known & names - layout.productions.keys()),
            "absent": [_absent(dividing, slot, shape) for slot, shape in layout.absent],
            "optional": sorted(layout.optional),
            "whole": layout.whole,
        }


def _division(divider: Model, rule: str, rules: list[str]) -> dict[str, Any]:
    pattern, names = to_captures(divider, rule, TARGETS["ecmascript"].dialect.spell)
    inner = {name: rules.index(name + PARTS) for name in names if name + PARTS in rules}
    return {"pattern": f"^(?:{pattern})$", "names": names, "inner": inner}


def _absent(dividing: Dividing, slot: Slot, shape: Shape) -> dict[str, Any]:
    """What ``absent`` says of a slot, but where: that takes a text."""
    where = shape.parts.index(slot)
    found = absent(dividing, slot, shape, {}, "")
    before = [p if isinstance(p, str) else {"component": p.component} for p in shape.parts[:where]]
    made: dict[str, Any] = {
        "component": found.component,
        "path": list(found.path),
        "before": before,
        "supply": found.supply,
    }
    following = shape.parts[where + 1 : where + 2]
    if slot is shape.slots[0] and slot.text and following and isinstance(following[0], str):
        made |= {"text": slot.text.lower(), "delimiter": following[0]}
    return made


def _name_sets(divider: Model, rule: str) -> set[frozenset[str]]:
    """The sets of names that a dividing rule can find in a text, with what it divides further."""
    nothing = frozenset[str]()

    def found(element: Element) -> set[frozenset[str]]:
        match element:
            case RuleRef(name):
                here = {nothing}
                if name + PARTS in divider.starts:
                    here |= _name_sets(divider, name + PARTS)
                return {inner | {name} for inner in here}
            case Concatenation(items):
                ways = product(*[found(item) for item in items])
                return {nothing.union(*way) for way in ways}
            case Alternation(items):
                return {names for item in items for names in found(item)}
            case Repetition(item):
                return found(item) | {nothing}
            case _:
                return {nothing}

    return found(divider.rules[rule].element)
