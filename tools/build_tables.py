"""Write the tables that the page walks, from the grammars.

``tools/generate.py`` runs it. It writes ``src/uriproof/teach/page/tables/``, a file for each rule
of RFC 3986, in the form that ``docs/teach/tables.md`` explains.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path
from typing import Any

from traces import Writer

from uriproof.grammar import registry
from uriproof.grammar.compile.to_regex import to_captures
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.model import (
    Alternation,
    Concatenation,
    Element,
    Model,
    Repetition,
    RuleRef,
)
from uriproof.validate.plan import PARTS, Dividing, plan_of
from uriproof.workbench.export._engines import ECMASCRIPT

ROOT = Path(__file__).resolve().parent.parent

GRAMMAR = "rfc3986"
OUT = ROOT / "src" / "uriproof" / "teach" / "page" / "tables" / GRAMMAR

NEAREST = 400
"""Rows that a row is compared with, to be written as a difference."""


def tables(compiled: Compiled, rule: str) -> dict[str, Any]:
    """The tables of a rule: its automaton, those of its components, and what divides them."""
    model = compiled.model
    plan = plan_of(compiled, rule)
    traces = {rule}
    divided = None if plan.dividing is None else _divided(model, plan.dividing, traces)
    writer = Writer(NEAREST, lambda _, item: "e" * item.escaping)
    written = {name: _trace(compiled, name, writer) for name in sorted(traces)}
    names = {name for path in writer.paths for name in path.split(" ")}
    return {
        "rule": rule,
        "component": plan.component,
        "components": {n: c for n, c in model.components.items() if n in names},
        "escape": model.escape or "",
        "divide": divided,
        "paths": list(writer.paths),
        "items": list(writer.items),
        "traces": written,
    }


def _trace(compiled: Compiled, name: str, writer: Writer) -> dict[str, Any]:
    found = compiled.trace(name)
    alphabet = found.automaton.alphabet
    return {"starts": alphabet.starts, "classes": alphabet.ids, "states": writer.lines(found)}


def _divided(model: Model, dividing: Dividing, traces: set[str]) -> dict[str, Any]:
    """How texts are divided; the productions of the components are added to the traces."""
    divider = registry.load(str(model.split)).model
    tried = {division.rule: alone for division, alone in dividing.tried}
    rules = [*tried]
    for division in dividing.divisions:
        rules += [name + PARTS for name in division.inner if name + PARTS not in rules]
    layouts: dict[str, Any] = {}
    sets = {s for d in dividing.divisions for s in _name_sets(divider, d.rule)}
    todo = sorted(sets | {frozenset[str]()}, key=sorted)
    for names in todo:  # grows meanwhile
        if " ".join(sorted(names)) in layouts:
            continue
        layout = dividing.layout(tuple(sorted(names)))
        found = {n: [slot.path[-1] for slot in p.slots] for n, p in layout.productions.items()}
        traces.update(*found.values())
        layouts[" ".join(sorted(names))] = {
            "traces": found,
            "optional": sorted(layout.optional),
            "extra": sorted(names - found.keys() - layout.known),
            "absent": [[slot.component, slot is shape.slots[0]] for slot, shape in layout.absent],
        }
        todo += [names - {name} for name in layout.optional]
    return {
        "rules": [_division(divider, rule, rules) for rule in rules],
        "tried": [[rules.index(rule), alone] for rule, alone in tried.items()],
        "layouts": layouts,
    }


def _division(divider: Model, rule: str, rules: list[str]) -> dict[str, Any]:
    pattern, names = to_captures(divider, rule, ECMASCRIPT.spell)
    inner = {name: rules.index(name + PARTS) for name in names if name + PARTS in rules}
    return {"pattern": f"^(?:{pattern})$", "names": names, "inner": inner}


def _name_sets(divider: Model, rule: str) -> set[frozenset[str]]:
    """The sets of names that a dividing rule can find, and the rules that divide further."""
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


def files() -> dict[Path, str]:
    """The files to be, each on one line."""
    compiled = registry.load(GRAMMAR)
    note = {"generated": "by tools/build_tables.py from grammars/rfc3986.abnf; do not edit"}
    return {
        OUT / f"{rule}.json": json.dumps(note | tables(compiled, rule), separators=(",", ":"))
        + "\n"
        for rule in compiled.model.rules
    }


def main() -> int:
    made = files()
    OUT.mkdir(parents=True, exist_ok=True)
    for file in OUT.glob("*.json"):
        if file not in made:
            file.unlink()
    for file, text in made.items():
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
