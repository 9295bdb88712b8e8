"""Percent-encoded octets: where a component has them, and what they stand for.

Owns the scan for percent-encoded octets (RFC 3986 §2.1) that the advice rules share. Imports
``report`` and ``percent``. Invariant: a percent sign without two hex digits is never
taken for an octet, and a scan takes linear time.
"""

from collections.abc import Callable, Iterator

from ..percent.characters import GRAMMAR, characters, octet
from ..report import Component, Report


def stands_for(triplet: str, production: str, grammar: str = GRAMMAR) -> bool:
    """Whether the triplet encodes a character of ASCII that the production accepts.

    >>> stands_for("%7E", "unreserved"), stands_for("%2F", "unreserved")
    (True, False)
    """
    value = octet(triplet)
    return value is not None and chr(value) in characters(production, grammar)


def encoded(report: Report) -> Iterator[Component]:
    """The components that have a percent sign: a cheap condition, to test first."""
    if "%" in report.text:
        yield from (each for each in report.components.values() if "%" in each.text)


def encoded_runs(
    report: Report, wanted: Callable[[str], object]
) -> Iterator[tuple[Component, int, int]]:
    """As ``runs``, in all components of a report. Cost: O(n)."""
    for component in encoded(report):
        yield from ((component, start, end) for start, end in runs(component, wanted))


def runs(component: Component, wanted: Callable[[str], object]) -> Iterator[tuple[int, int]]:
    """The spans in the whole text of adjacent percent-encoded octets that are wanted.

    ``wanted`` is asked with the triplet. Cost: O(n).

    >>> list(runs(Component("path", "path", 8, 17, "/%61%62%2F"), lambda t: t != "%2F"))
    [(9, 15)]
    """
    text = component.text
    first = last = -1
    at = text.find("%")
    while at >= 0:
        triplet = text[at : at + 3]
        if octet(triplet) is None:
            at = text.find("%", at + 1)
            continue
        if wanted(triplet):
            if at != last:
                if first >= 0:
                    yield component.start + first, component.start + last
                first = at
            last = at + 3
        at = text.find("%", at + 3)
    if first >= 0:
        yield component.start + first, component.start + last
