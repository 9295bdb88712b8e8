"""Opinions on what the grammar allows: valid, but probably not meant, or not wise.

Owns the finding and running of the advice rules: one module of this package each. Imports
``report``, and the rules themselves only when advice is asked for; a rule may import
``drawing``, ``grammar.registry`` and the helpers whose names start with an underscore.
Invariant: no advice speaks about a component that has a violation.

A rule is a module, named as its code with underscores, that has what ``Rule`` lists. To add
one is to add its file; nothing else needs editing, and the tests find it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Protocol, cast

from ..grammar import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..report import Advice, Report

__all__ = ["Rule", "advise", "rules"]

GENERIC, REFERENCE = "rfc3986", "URI-reference"


class Rule(Protocol):
    """What the module of an advice rule has.

    ``CODE`` states the pattern in kebab case and is never used again for another. ``WHY``
    gives the reason and the section that it comes from. ``GOOD`` and ``BAD`` are URI
    references: BAD gets this advice, GOOD does not. ``find`` reports each place of the
    pattern, in text order; it takes any report, whatever the violations, and never raises. A
    span lies in the component that the advice names, or in a delimiter beside it.
    """

    CODE: str
    TITLE: str
    WHY: str
    GOOD: str
    BAD: str

    def find(self, report: Report) -> Iterator[Advice]: ...


@cache
def rules() -> tuple[Rule, ...]:
    """Every advice rule, sorted by code.

    Cost: imports the rules the first time, nothing after that.

    >>> [rule.TITLE for rule in rules() if rule.CODE == "empty-port"]
    ['A colon without a port']
    """
    modules = (module.name for module in iter_modules(__path__) if module.name[0] != "_")
    found = (cast("Rule", import_module(f"{__name__}.{name}")) for name in modules)
    return tuple(sorted(found, key=lambda rule: rule.CODE))


def advise(report: Report) -> tuple[Advice, ...]:
    """The advice on all components of a report that have no violation.

    Shape: sorted by start, then end, then code; spans are code points of ``report.text`` and
    may overlap, for one place can be unwise in two ways. Errors: none. Cost: O(n).

    >>> from uriproof import check
    >>> [(a.start, a.end, a.code) for a in advise(check("http://example.com:80/%7ea"))]
    [(18, 21, 'default-port'), (22, 25, 'encoded-unreserved')]
    """
    if report.grammar != GENERIC and not registry.load(GENERIC).accepts(REFERENCE, report.text):
        return ()  # the rules speak of the generic syntax: not of IRIs, zones, or one's own texts
    found: list[Advice] = []
    for rule in rules():
        found += rule.find(report)
    # A text that is one component by itself has no delimiters that could be unwise.
    end = len(report.text)
    found = [advice for advice in found if advice.start >= 0 and advice.end <= end]
    if found and report.violations:
        blamed = _blamed(report)
        found = [advice for advice in found if advice.component not in blamed]
    if len(found) > 1:
        found.sort(key=lambda advice: (advice.start, advice.end, advice.code))
    return tuple(found)


def _blamed(report: Report) -> set[str]:
    """The components that a violation names or overlaps; a missing one has no width."""
    names = {violation.component for violation in report.violations}
    for component in report.components.values():
        if any(v.start < component.end and component.start < v.end for v in report.violations):
            names.add(component.name)
    return names
