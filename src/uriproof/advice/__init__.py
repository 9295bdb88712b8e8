"""Opinions on what the grammar allows: valid, but probably not meant, or not wise.

Owns the finding and running of the advice rules: one module each, in this package those that run
by default, in the package ``security`` within it those that run on request. Imports
``report``, ``validate`` to check a text, and the rules themselves only when advice is asked for; a
rule may import ``drawing``, ``grammar.registry``, ``percent``, and the helpers whose names start
with an underscore. Invariant: no advice is about a component that has a violation.

A rule is a module, named as its code with underscores, that has what ``Rule`` lists. To add
one is to add its file; nothing else needs editing, and the tests find it.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from ..grammar import registry
from ..plug_ins import plug_ins
from ..report import Report
from ._triggers import TRIGGERS
from ._triggers import is_usual as is_usual

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..report import Advice

GENERIC, REFERENCE = "rfc3986", "URI-reference"
_SYNTAXES = {GENERIC, "rfc3987"}  # IRIs have the same components (RFC 3987 §2.2)

GROUPS = {"advice": __name__, "security": f"{__name__}.security"}
"""The groups of rules, and the package that has the rules of each."""

MET = 47_982
"""How many URLs found in the wild the alarms of rules are counted on."""

DEFAULT = ("advice",)
"""What ``Report.advice`` holds: the patterns of attacks run on request."""


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


class SecurityRule(Rule, Protocol):
    """What the module of a rule of the group ``security`` has, too.

    ``CASE`` names an attack of this pattern that was made or published. ``ALARMS`` is how many of
    47,982 URLs found in the wild get this advice. It may have ``INSTEAD``, codes of the group
    ``advice`` that are left out at the same place, because this one says more.
    """

    CASE: str
    ALARMS: int


@cache
def names(group: str = "advice") -> tuple[str, ...]:
    """The codes of a group, sorted. Cost: a look at the names of its files, the first time.

    >>> "empty-port" in names(), "loopback-name" in names("security")
    (True, True)
    """
    inside = GROUPS[group].removeprefix(__name__).replace(".", os.sep)
    found = plug_ins([os.path.dirname(__file__) + inside])
    return tuple(name.replace("_", "-") for name in found if name not in GROUPS)


@cache
def rules(group: str = "advice") -> tuple[Rule, ...]:
    """Every advice rule of a group, sorted by code.

    Cost: imports the rules the first time, nothing after that.

    >>> [rule.TITLE for rule in rules() if rule.CODE == "empty-port"]
    ['A colon without a port']
    """
    return tuple(_rule(group, code) for code in names(group))


@cache
def _rule(group: str, code: str) -> Rule:
    return cast("Rule", import_module(f"{GROUPS[group]}.{code.replace('-', '_')}"))


def advise(text: str | Report, select: Iterable[str] = DEFAULT) -> tuple[Advice, ...]:
    """The advice on all components that have no violation, of a report or of a URI reference.

    ``select`` holds groups (``advice``, ``security``) and codes: the rules to run.

    Shape: sorted by start, then end, then code; spans are code points of the text and
    may overlap, for one place can be unwise in two ways. Errors: ValueError for a name that is
    neither a group nor a code; TypeError for a text that is none. Never raises on text. Cost: O(n).

    >>> [(a.start, a.end, a.code) for a in advise("http://example.com:80/%7ea")]
    [(18, 21, 'default-port'), (22, 25, 'encoded-unreserved')]
    >>> [a.code for a in advise("http://localhost./", ["security"])]
    ['loopback-name', 'host-trailing-dot']
    """
    chosen = _chosen(tuple(select))
    report = text if isinstance(text, Report) else _checked(text)
    if report.grammar not in _SYNTAXES and not registry.load(GENERIC).accepts(
        REFERENCE, report.text
    ):
        return ()  # the rules are about the generic syntax, not about zones or other grammars
    has = {name: component.text.lower() for name, component in report.components.items()}
    found: list[Advice] = []
    for code, group in chosen:
        may_apply = TRIGGERS.get(code)
        if may_apply is None or may_apply(report.text, has):
            found += _rule(group, code).find(report)
    # A text that is one component by itself has no delimiters that could be unwise.
    end = len(report.text)
    found = [advice for advice in found if advice.start >= 0 and advice.end <= end]
    if found and report.violations:
        blamed = _blamed(report)
        found = [advice for advice in found if advice.component not in blamed]
    if len(found) > 1:
        groups = dict(chosen)
        others = {a.code: getattr(_rule(groups[a.code], a.code), "INSTEAD", ()) for a in found}
        replaced = {(a.start, a.end, code) for a in found for code in others[a.code]}
        found = [a for a in found if (a.start, a.end, a.code) not in replaced]
        found.sort(key=lambda advice: (advice.start, advice.end, advice.code))
    return tuple(found)


@cache
def _chosen(select: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The rules of groups and codes: the code of each, and its group. Errors: ValueError."""
    found: dict[str, str] = {}
    for name in select:
        group = next((g for g in GROUPS if name in names(g)), None)
        if name in GROUPS:
            found.update((code, name) for code in names(name))
        elif group is not None:
            found[name] = group
        else:
            from ..text.names import did_you_mean

            known = (*GROUPS, *(code for group in GROUPS for code in names(group)))
            raise ValueError(f"there is no advice {name!r}{did_you_mean(name, known)}")
    return tuple(sorted(found.items()))


def _checked(text: str) -> Report:
    """The report of a text. Errors: TypeError."""
    if not isinstance(text, str):
        raise TypeError(f"advice is on a report or a text of type str, not {type(text).__name__}")
    from ..validate.report import make_report

    return make_report(registry.load(GENERIC), text, REFERENCE)


def _blamed(report: Report) -> set[str]:
    """The components that a violation names or overlaps; a missing one has no width."""
    names = {violation.component for violation in report.violations}
    for component in report.components.values():
        if any(v.start < component.end and component.start < v.end for v in report.violations):
            names.add(component.name)
    return names
