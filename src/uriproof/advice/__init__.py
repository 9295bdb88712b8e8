"""Opinions on what the grammar allows: valid, but probably not meant, or not wise.

Owns the finding and running of the advice rules: in this package those that run by default, in the
package ``security`` within it those that run on request; one module a theme. Imports ``report``,
``validate`` to check a text, and the rules only when advice is asked for; a rule may import
``checked``, ``drawing``, ``grammar.registry``, ``percent``, and the helpers whose names start with
an underscore. Invariant: no advice is about a component that has a violation.

A rule is a function with the decorator ``rule``, named as its code. To add one is to write it in
the module of its theme; nothing else needs editing, and the tests find it.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from ..grammar import registry
from ..plug_ins import plug_ins
from ..report import Report
from ._rule import AdviceRule as AdviceRule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..report import Advice

GENERIC, REFERENCE = "rfc3986", "URI-reference"
_SYNTAXES = {GENERIC, "rfc3987"}  # IRIs have the same components (RFC 3987 §2.2)

GROUPS = {"advice": __name__, "security": f"{__name__}.security"}
"""The groups of rules, and the package that has the rules of each."""

MET = 47_982
"""How many URLs found in the wild the alarms of rules are counted on."""

DEFAULT = ("advice",)
"""What ``Report.advice`` holds: the patterns of attacks run on request."""


MISTAKES = frozenset(
    {"html-entity", "misspelled-scheme", "doubled-scheme"}
    | {"userinfo-password", "empty-host", "missing-slashes"}
)
"""The advice that was right about each of 79,174 real URLs. No usual text has it."""


@cache
def rules(group: str = "advice") -> dict[str, AdviceRule]:
    """The advice rules of a group by their codes, sorted.

    Cost: imports the rules the first time, nothing after that.

    >>> rules()["empty-port"].title, "loopback-name" in rules("security")
    ('A colon without a port', True)
    """
    package = GROUPS[group]
    inside = package.removeprefix(__name__).replace(".", os.sep)
    themes = plug_ins([os.path.dirname(__file__) + inside])
    modules = [import_module(f"{package}.{name}") for name in themes if name not in GROUPS]
    found = [
        one for module in modules for one in vars(module).values() if isinstance(one, AdviceRule)
    ]
    return {rule.code: rule for rule in sorted(found, key=lambda rule: rule.code)}


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
    report = text if isinstance(text, Report) else checked(text)
    if report.grammar not in _SYNTAXES and not registry.load(GENERIC).accepts(
        REFERENCE, report.text
    ):
        return ()  # the rules are about the generic syntax, not about zones or other grammars
    has = {name: component.text.lower() for name, component in report.components.items()}
    found: list[Advice] = []
    for rule in chosen.values():
        if rule.trigger(report.text, has):
            found += rule.find(report)
    # A text that is one component by itself has no delimiters that could be unwise.
    end = len(report.text)
    found = [advice for advice in found if advice.start >= 0 and advice.end <= end]
    if found and report.violations:
        blamed = _blamed(report)
        found = [advice for advice in found if advice.component not in blamed]
    if len(found) > 1:
        replaced = {(a.start, a.end, code) for a in found for code in chosen[a.code].instead}
        found = [a for a in found if (a.start, a.end, a.code) not in replaced]
        found.sort(key=lambda advice: (advice.start, advice.end, advice.code))
    return tuple(found)


def is_usual(text: str, codes: tuple[str, ...]) -> bool:
    """Whether a URI reference is of so usual a form that none of the codes is its advice.

    Nearly all URLs of files are, and none of the rules has to know their components for that.

    >>> is_usual("https://example.com/a?b#c", ("empty-host",))
    True
    """
    if not MISTAKES.issuperset(codes) or 0 <= text.find("&") < text.rfind(";"):
        return False  # perhaps an entity of HTML
    if ":" not in text:
        return text[:2] != "//"
    return "@" not in text and begins_as_usual(text)


def begins_as_usual(text: str) -> bool:
    """Whether http or https, "//" and a letter, a digit or "[" come first, and no other "//" does.

    >>> begins_as_usual("https://example.com/a"), begins_as_usual("http://https://example.com/")
    (True, False)
    """
    if not text.startswith(("http://", "https://")):
        return False
    slashes = text.index("//") + 1
    first = text[slashes + 1 : slashes + 2]
    return (first.isalnum() or first == "[") and text.find("//", slashes) < 0


@cache
def _chosen(select: tuple[str, ...]) -> dict[str, AdviceRule]:
    """The rules of groups and codes, by their codes. Errors: ValueError."""
    found: dict[str, AdviceRule] = {}
    for name in select:
        if name in GROUPS:
            found |= rules(name)
            continue
        group = next((group for group in GROUPS if name in rules(group)), None)
        if group is None:
            from ..text.names import did_you_mean

            known = (*GROUPS, *(code for group in GROUPS for code in rules(group)))
            raise ValueError(f"there is no advice {name!r}{did_you_mean(name, known)}")
        found[name] = rules(group)[name]
    return found


def checked(text: str) -> Report:
    """The report of a text as a URI reference. Errors: TypeError."""
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
