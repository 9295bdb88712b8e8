"""Diagnostics: what is wrong with a URL, in the positions of its file.

Owns the making of diagnostics. Imports ``diagnostic``, ``validate.messages`` and the rest of
``lint`` below the engine. Invariant: positions are exact in the file, and no password is in a
diagnostic but in the replacement of a fix.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from ...diagnostic import Diagnostic, Severity
from ...text.passwords import Span, masked
from ...validate.messages import characters
from ..codes import names
from ..config.select import Selection
from ..files.source import Lines, Source
from ..found import Found, UrlRecord
from ..rules import Problem, rules
from .judge import Judge
from .passwords import password

__all__ = ["DiagnosticBuilder"]

_SECRET = "a character of the password"  # noqa: S105 -- shown in a message in place of it


class DiagnosticBuilder:
    """The diagnostics of one file; ``secret`` are the URLs in it that may hold passwords."""

    def __init__(self, source: Source, lines: Lines, judge: Judge, secret: Sequence[Found]) -> None:
        self.source = source
        self._lines = lines
        self._judge = judge
        self._secret = secret
        self._masked: tuple[Found | None, str] = None, ""
        self._shown: dict[int, str] = {}

    def violations(self, found: Found, selection: Selection) -> Iterator[Diagnostic]:
        """The violations of the grammar in a URL."""
        from ..fix.fixes import edits_of

        secret = self._password(found)
        violations = self._judge.violations(found)
        edits = edits_of(found, violations, self.source.file)
        for violation, edit in zip(violations, edits, strict=True):
            if not selection.has(violation.code, "violations"):
                continue
            message, hint = violation.message, violation.hint or ""
            if secret and violation.start < secret[1] and secret[0] < violation.end:
                message = message.replace(characters(violation.found), _SECRET, 1)
                hint = ""
            yield self._diagnostic(
                (found.offset(violation.start), found.offset(violation.end)),
                violation.code,
                "error",
                message,
                found,
                component=violation.component,
                production=violation.production,
                expected=violation.expected,
                section=violation.section,
                hint=hint,
                edit=edit,
            )

    def advice(
        self, found: Found, selection: Selection, codes: tuple[str, ...]
    ) -> Iterator[Diagnostic]:
        """The advice of these codes on a URL."""
        for advice in self._judge.advice(found, codes):
            if selection.has(advice.code, names()[advice.code]):
                span = found.offset(advice.start), found.offset(advice.end)
                yield self._diagnostic(
                    *(span, advice.code, "warning", advice.message, found),
                    component=advice.component,
                )

    def problem(self, code: str, problem: Problem, found: Found | None = None) -> Diagnostic:
        """What a rule of the linter's own reports, of a URL or of none."""
        span = problem.start, problem.end
        severity = rules()[code].SEVERITY
        facts = {"edit": problem.edit, "component": problem.component}
        return self._diagnostic(span, code, severity, problem.message, found, **facts)

    def records(self, every: Sequence[Found]) -> Iterator[UrlRecord]:
        """Every URL with its verdict, and what only looks like a URL, in text order."""
        at = 0
        for found in every:
            yield from self._rejected(at, found.start)
            at = max(at, found.end)
            wrong = () if self._judge.accepts(found) else self._judge.violations(found)
            verdict = ", ".join(dict.fromkeys(v.code for v in wrong)) or "valid"
            yield self._record(found, found.rule, found.why, verdict)
        yield from self._rejected(at, len(self.source.text))

    def _rejected(self, start: int, end: int) -> Iterator[UrlRecord]:
        """What looks like a URL where none was found."""
        from ..find._prose import candidates

        for one in candidates(self.source.text, start, end):
            why = "the format has no URL here" if isinstance(one, Found) else one.why
            found = Found(one.start, one.end, self.source.text[one.start : one.end])
            yield self._record(found, "", why.removeprefix("not a URL: "), "")

    def _record(self, found: Found, rule: str, why: str, verdict: str) -> UrlRecord:
        place = self._lines.place(found.start)
        return UrlRecord(self.source.file, *place, self._url(found), rule, why, verdict)

    def _diagnostic(
        self,
        span: Span,
        code: str,
        severity: Severity,
        message: str,
        found: Found | None,
        **facts: Any,
    ) -> Diagnostic:
        line, column = self._lines.place(span[0])
        end_line, end_column = self._lines.place(span[1])
        return Diagnostic(
            *(self.source.file, *span, line, column, end_line, end_column),
            code=code,
            severity=severity,
            message=message,
            url=self._url(found) if found else "",
            url_start=found.start if found else span[0],
            url_end=found.end if found else span[1],
            source_line=self._line(line),
            **facts,
        )

    def _line(self, number: int) -> str:
        """A line of the file, with asterisks for passwords."""
        shown = self._shown.get(number)
        if shown is None:
            start, end = self._lines.span(number)
            shown = self.source.text[start:end]
            if self._secret:
                begins, hidden = self._hidden
                # Passwords do not overlap: what begins before the line may reach into it.
                at = max(bisect_right(begins, start) - 1, 0)
                shown = masked(shown, hidden[at : bisect_left(begins, end)], start)
            self._shown[number] = shown
        return shown

    @cached_property
    def _hidden(self) -> tuple[list[int], list[Span]]:
        """Where in the file passwords begin, and where they stand, in order."""
        spans = ((found, self._password(found)) for found in self._secret)
        hidden = sorted((f.offset(s[0]), f.offset(s[1])) for f, s in spans if s)
        return [start for start, _ in hidden], hidden

    def _password(self, found: Found) -> Span | None:
        """Where in a URL its password stands."""
        return password(self._judge.report(found), found.holes) if "@" in found.text else None

    def _url(self, found: Found) -> str:
        """A URL with asterisks for its password; made once for all its diagnostics."""
        if self._masked[0] is not found:
            span = self._password(found)
            self._masked = found, masked(found.text, [span]) if span else found.text
        return self._masked[1]
