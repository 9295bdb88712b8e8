"""The results of reading the parameters of a request: values and violations.

Owns the reports and the errors of this folder. Imports the report's values and the drawing.
Invariant: every offset is one of code points in the raw text of its location, before anything is
decoded; no message holds a value, which might be secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from ..errors import HasVerdict, UriproofError
from ..limits import MOST_DETAILS
from ..report import Fix, Violation
from ..text.columns import ELLIPSIS
from ..text.drawing import draw, visible
from ..text.problem import problem

Location: TypeAlias = Literal["path", "query", "header", "cookie"]
Part: TypeAlias = Location | Literal["body"]
MOST = MOST_DETAILS
"""Violations of one location that are explained, and those of a request that are sent back: an
answer must not be much longer than the request."""

LOCATIONS: tuple[Location, ...] = ("path", "query", "header", "cookie")


class ParameterViolation(NamedTuple):
    """A violation of one parameter, at ``[start, end)`` of the raw text of its location.

    ``code``: ``parameter-required`` (zero width, where the text ends), ``parameter-repeated``,
    ``parameter-unknown``, ``parameter-type`` (it does not have the type of its schema),
    ``parameter-schema`` (a keyword of the schema does not hold), ``parameter-encoding`` (its octets
    are not UTF-8), ``path-template``, or the code of a violation of the grammar: then
    ``production``, ``expected``, ``section`` and ``fix`` are those of the violation. ``name`` is
    that of the parameter, empty if the characters do not belong to one.

    Of a body, ``name`` is that of a field of a form, or a JSON pointer, empty for the whole body;
    and ``code`` also ``body-required``, ``body-media-type`` (nothing declares it: 415),
    ``body-too-large`` (413), ``body-encoding`` (not UTF-8), ``body-json`` or ``body-schema``.
    """

    location: Part
    name: str
    start: int
    end: int
    code: str
    message: str
    production: str = ""
    expected: tuple[str, ...] = ()
    section: str = ""
    fix: Fix | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; of a long name, which the request can choose, the first 80 characters.

        A fix that is longer is left out.
        """
        fix = self.fix
        shown = None if fix is None or len(fix.replacement) > _SHOWN else fix._asdict()
        name = self.name if len(self.name) <= _SHOWN else self.name[:_SHOWN] + ELLIPSIS
        return {**self._asdict(), "name": name, "expected": list(self.expected), "fix": shown}


def grammatical(location: Part, name: str, found: Violation, by: int = 0) -> ParameterViolation:
    """A violation of a grammar as one of a parameter, its offsets moved."""
    start, end, fix = found.start + by, found.end + by, found.fix
    if fix is not None:
        fix = Fix(fix.start + by, fix.end + by, fix.replacement)
    words = found.production, found.expected, found.section, fix
    return ParameterViolation(location, name, start, end, found.code, found.message, *words)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ParameterReport(HasVerdict):
    """The parameters of one location: immutable.

    ``values`` maps the name of each valid parameter to its value, of the type of its schema;
    ``undeclared`` holds the names and texts of undeclared parameters, decoded if possible;
    ``defaults`` the names of absent parameters, whose values are the defaults of their schemas.
    ``violations`` are in the order of the text; there are none exactly when every required or given
    parameter is valid. ``more`` counts those beyond a limit. ``advice``: what RFC 3986 does not
    allow of the parameters that ``clients`` allows, within the same limit.
    """

    location: Part
    text: str
    values: Mapping[str, Any]
    violations: tuple[ParameterViolation, ...]
    undeclared: tuple[tuple[str, str], ...]
    more: int
    defaults: frozenset[str] = frozenset()
    advice: tuple[ParameterViolation, ...] = ()

    @property
    def ok(self) -> bool:
        """True exactly when nothing is wrong."""
        return not self.violations

    def to_dict(self) -> dict[str, Any]:
        """The violations, JSON-ready; without the text and the values, which might be secret."""
        return {
            "location": self.location,
            "ok": self.ok,
            **_listed(self.violations, self.more),
        }

    def __str__(self) -> str:
        """The violations, in words; the carets only show the blamed part of the text."""
        valid = f"the {self.location} parameters are valid"
        return _in_words(self.violations, self.more) or valid

    def drawn(self) -> str:
        """The whole raw text with carets under the violations: for people who can see it.

        >>> from uriproof.parameters import Parameter, QuerySpec
        >>> print(QuerySpec(Parameter("n", "integer")).check("n=1o").drawn())
        n=1o
          ^^
        2-4 query parameter "n": expected an integer
        """
        spans = [(violation.start, violation.end) for violation in self.violations]
        lines = draw(self.text, spans) if spans else [visible(self.text)]
        return "\n".join([*lines, str(self)])

    def __repr__(self) -> str:
        count = len(self.violations) + self.more
        return f"<{type(self).__name__} {self.location}: {count} violations>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BodyReport(ParameterReport):
    """The body of a request. ``values`` is what JSON or a form holds; None if that is not valid.

    Of another media type, it is the body as it was given: nothing of that is read. ``text`` is the
    body decoded, empty if it was not read.
    """

    values: Any


class OperationReport(NamedTuple):
    """The parameters of one request, by location, and its body; what was not read is None.

    ``body`` is None too if there is none, and the operation does not require one.
    """

    path: ParameterReport | None
    query: ParameterReport | None
    header: ParameterReport | None
    cookie: ParameterReport | None
    body: BodyReport | None = None

    @property
    def reports(self) -> tuple[ParameterReport, ...]:
        """Those of the locations that were read."""
        return tuple([report for report in self if report is not None])

    def __bool__(self) -> bool:
        raise TypeError("an OperationReport is neither true nor false: ask for its .ok")

    @property
    def ok(self) -> bool:
        """True exactly when nothing is wrong with any parameter, nor with the body."""
        return not any(report.violations for report in self.reports)

    @property
    def violations(self) -> tuple[ParameterViolation, ...]:
        """All violations: of the path, query, headers, cookies and body, in this order."""
        return tuple([violation for report in self.reports for violation in report.violations])

    @property
    def advice(self) -> tuple[ParameterViolation, ...]:
        """What clients of the URL Standard did not encode: of the path, and of the query."""
        return tuple([advice for report in self.reports for advice in report.advice])

    @property
    def more(self) -> int:
        """How many violations a limit left out."""
        return sum(report.more for report in self.reports)

    @property
    def values(self) -> dict[str, Any]:
        """The values by location and name, and the value of the body."""
        return {
            report.location: report.values if report is self.body else dict(report.values)
            for report in self.reports
        }

    def to_problem(self) -> dict[str, Any]:
        """A problem details object for a response, without any value (RFC 9457 §3).

        The first 20 violations are listed, and ``more`` counts the others: 10 kB at most. The
        status is 400, or that of the body's media type or size: 415 or 413.
        """
        count = len(self.violations) + self.more
        words = f"{count:,} {'violation' if count == 1 else 'violations'} in the request"
        status = max([_STATUS.get(violation.code, 400) for violation in self.violations] or [400])
        return problem(status, words, **_listed(self.violations, self.more))

    def __str__(self) -> str:
        return _in_words(self.violations, self.more) or "the request is valid"


_STATUS = {"body-media-type": 415, "body-too-large": 413}
"""RFC 9110 §15.5.16 and §15.5.14; all else is a bad request."""


class InvalidParameters(UriproofError, ValueError):
    """Raised by ``require``; ``report`` has the violations with their spans."""

    def __init__(self, report: ParameterReport | OperationReport) -> None:
        self.report = report
        super().__init__(report)

    def __str__(self) -> str:
        return str(self.report)


def _listed(violations: tuple[ParameterViolation, ...], more: int) -> dict[str, Any]:
    return {
        "violations": [violation.to_dict() for violation in violations[:MOST]],
        "more": max(len(violations) - MOST, 0) + more,
    }


def _in_words(violations: tuple[ParameterViolation, ...], more: int) -> str:
    lines = []
    for violation in violations[:MOST]:
        what = "" if violation.location == "body" else " parameter"
        of = f'{what} "{visible(violation.name[:_SHOWN])}"' if violation.name else ""
        where = f"{violation.start}-{violation.end} {violation.location}"
        lines.append(f"{where}{of}: {violation.message}")
    more += len(violations) - len(lines)
    if more:
        lines.append(f"and {more:,} more")
    return "\n".join(lines)


_SHOWN = 80  # code points of a name
