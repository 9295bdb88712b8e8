"""What is wrong with a part of a URI beyond its grammar, as a report has it.

Owns how such a violation and its report are made. Imports the grammars and ``report``. Invariant:
a violation names a production, and has no fix.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..grammar import registry
from ..report import Component, Kind, Report, Violation
from .characters import GRAMMAR


def invalid(value: str, violations: Iterable[Violation]) -> Report:
    """The report of a component's value that is wrong."""
    found = tuple(violations)
    whole = Component(found[0].component, found[0].component, 0, len(value), value)
    return Report(value, whole.name, GRAMMAR, {whole.name: whole}, found)


def violation(
    component: str,
    production: str,
    start: int,
    end: int,
    message: str,
    *,
    kind: Kind = "illegal",
    grammar: str = GRAMMAR,
) -> Violation:
    """What is wrong with components beyond the grammar of each: a violation without a fix."""
    compiled = registry.load(grammar)
    rule = compiled.rule(production)
    return Violation(
        *(start, end, "", component, production, (production,), kind, (), message),
        *(f"{component}-{kind}", None, compiled.model.citation(rule), grammar, rule.text),
        f"{rule.file}:{rule.line}",
    )
