"""What an advice rule is: one function, with its texts and a cheap condition to ask it at all.

Owns ``AdviceRule`` and the decorator that makes one of a function. Imports ``report``. Invariant:
the function of a rule is called only where its trigger holds, and takes for granted what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from ..report import Advice, Report

Has: TypeAlias = Mapping[str, str]
"""The components of a report: the text of each in lower case, by its name."""

Place: TypeAlias = tuple[int, int, str, str]
"""The start and end of a pattern, the component that it is in, and what is said about it."""

Places: TypeAlias = Callable[[Report], Iterator[Place]]
Trigger: TypeAlias = Callable[[str, Has], object]


class AdviceRule(NamedTuple):
    """An advice rule.

    ``code`` states the pattern in kebab case and is never used again for another. ``why``
    gives the reason and the section that it comes from. ``good`` and ``bad`` are URI
    references: bad gets this advice, good does not. ``places`` reports each place of the
    pattern, in text order; it takes any report for which ``trigger`` holds, whatever the
    violations, and never raises. A span lies in the component that is named, or in a delimiter
    beside it.

    A rule of the group ``security`` also has a ``case``, an attack of this pattern that was made or
    published, and ``alarms``, how many of 47,982 URLs found in the wild get this advice.
    ``instead`` holds codes of the group ``advice`` that are left out at the same place, because
    this one says more.
    """

    code: str
    places: Places
    title: str
    why: str
    good: str
    bad: str
    trigger: Trigger = lambda text, has: True
    case: str = ""
    alarms: int = 0
    instead: tuple[str, ...] = ()

    def find(self, report: Report) -> Iterator[Advice]:
        """The advice on a report for which the trigger holds."""
        for start, end, component, message in self.places(report):
            yield Advice(start, end, component, self.code, message)


def rule(**texts: Any) -> Callable[[Places], AdviceRule]:
    """Make a rule of the function that is decorated, whose name is the code, with hyphens in it.

    ``texts`` are the other fields. The longer ones are paragraphs, whose line breaks are spaces.
    """
    for name in texts.keys() & {"why", "case"}:
        texts[name] = " ".join(texts[name].split())

    def made(places: Places) -> AdviceRule:
        return AdviceRule(places.__name__.replace("_", "-"), places, **texts)

    return made
