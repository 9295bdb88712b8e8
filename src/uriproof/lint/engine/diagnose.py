"""Diagnostics: what is said of a URL, in the places of its file.

Owns the making of diagnostics. Imports ``diagnostic``, ``validate.words`` and the rest of
``lint`` below the engine. Invariant: places are exact in the file, and no password is in what is
said, but in the replacement of a fix.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ...diagnostic import Diagnostic, Edit, Severity
from ...validate.messages import characters
from ..codes import names
from ..config.select import Selection
from ..files.source import Lines, Source
from ..found import Found
from ..rules import rules
from ..suppress.comments import Suppression
from .judge import Judge
from .passwords import Span, masked, password

if TYPE_CHECKING:
    from .analyze import Dumped

__all__ = ["Speaker"]

_UNDECODED = re.compile("[\udc80-\udcff]")
_SECRET = "a character of the password"  # noqa: S105 -- what is said instead of one


class Speaker:
    """What is said of one file; ``secret`` are the URLs in it that may hold passwords."""

    def __init__(self, source: Source, lines: Lines, judge: Judge, secret: Sequence[Found]) -> None:
        self.source = source
        self._lines = lines
        self._judge = judge
        self._secret = secret
        self._masked: tuple[Found | None, str] = None, ""
        self._shown: dict[int, str] = {}

    def violations(self, found: Found, selection: Selection) -> Iterator[Diagnostic]:
        """What the grammar does not allow."""
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
        """What is valid, but unwise, of these codes."""
        for advice in self._judge.advice(found, codes):
            if selection.has(advice.code, names()[advice.code]):
                yield self._diagnostic(
                    (found.offset(advice.start), found.offset(advice.end)),
                    advice.code,
                    "warning",
                    advice.message,
                    found,
                    component=advice.component,
                )

    def foreign(
        self, found: Found, allowed: Sequence[str], selection: Selection
    ) -> Iterator[Diagnostic]:
        """A scheme that is not among the allowed ones."""
        code = "scheme-not-allowed"
        scheme = self._judge.report(found).components.get("scheme")
        if scheme is None or not selection.has(code, "linter"):
            return
        in_hole = any(a < scheme.end and scheme.start < b for a, b in found.holes)
        if not in_hole and scheme.text.lower() not in {s.lower() for s in allowed}:
            span = found.offset(scheme.start), found.offset(scheme.end)
            message = f"the scheme {scheme.text} is not one of {', '.join(allowed)}"
            severity = rules()[code].SEVERITY
            yield self._diagnostic(span, code, severity, message, found, component="scheme")

    def bad_encoding(self) -> Diagnostic:
        """Bytes that are no characters in the encoding of the file."""
        match = _UNDECODED.search(self.source.text)
        at = match.start() if match else 0
        message = f"no {self.source.encoding.upper()} at byte {self.source.bad:,} of the file"
        return self._own((at, at + 1), "bad-encoding", message)

    def unused(self, idle: Iterable[tuple[int, int, str, Edit | None]]) -> Iterator[Diagnostic]:
        """Suppressions that suppress nothing."""
        for start, end, message, edit in idle:
            yield self._own((start, end), "unused-suppression", message, edit)

    def unreasoned(self, known: Iterable[Suppression]) -> Iterator[Diagnostic]:
        """Suppressions that do not say why."""
        for one in known:
            if one.verb != "enable" and not one.reason:
                message = "say why, after the codes"
                yield self._own((one.start, one.end), "suppression-without-reason", message)

    def dump(self, every: Sequence[Found]) -> Iterator[Dumped]:
        """Every URL that was found, what became of it, and what only looks like one, in order."""
        from .analyze import Dumped

        at = 0
        for found in every:
            yield from self._passed(at, found.start)
            at = max(at, found.end)
            wrong = () if self._judge.accepts(found) else self._judge.violations(found)
            verdict = ", ".join(dict.fromkeys(v.code for v in wrong)) or "valid"
            line, column = self._lines.place(found.start)
            url = self._url(found)
            yield Dumped(self.source.file, line, column, url, found.rule, found.why, verdict)
        yield from self._passed(at, len(self.source.text))

    def _passed(self, start: int, end: int) -> Iterator[Dumped]:
        """What looks like a URL where none was found."""
        from ..find._prose import candidates
        from .analyze import Dumped

        for one in candidates(self.source.text, start, end):
            line, column = self._lines.place(one.start)
            text = self.source.text[one.start : one.end]
            shown = self._url(Found(one.start, one.end, text))
            why = "the format has no URL here" if isinstance(one, Found) else one.why
            why = why.removeprefix("not a URL: ")
            yield Dumped(self.source.file, line, column, shown, "", why, "")

    def _own(self, span: Span, code: str, message: str, edit: Edit | None = None) -> Diagnostic:
        """What the linter says by a rule of its own, of no URL."""
        severity = rules()[code].SEVERITY
        return self._diagnostic(span, code, severity, message, None, edit=edit)

    def _diagnostic(
        self,
        span: Span,
        code: str,
        severity: Severity,
        message: str,
        found: Found | None,
        *,
        component: str = "",
        production: str = "",
        expected: tuple[str, ...] = (),
        section: str = "",
        hint: str = "",
        edit: Edit | None = None,
    ) -> Diagnostic:
        line, column = self._lines.place(span[0])
        end_line, end_column = self._lines.place(span[1])
        return Diagnostic(
            file=self.source.file,
            start=span[0],
            end=span[1],
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            code=code,
            severity=severity,
            message=message,
            url=self._url(found) if found else "",
            url_start=found.start if found else span[0],
            url_end=found.end if found else span[1],
            source_line=self._line(line),
            component=component,
            production=production,
            expected=expected,
            section=section,
            hint=hint,
            edit=edit,
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
        """A URL with asterisks for its password; made once for all that is said of it."""
        if self._masked[0] is not found:
            span = self._password(found)
            self._masked = found, masked(found.text, [span]) if span else found.text
        return self._masked[1]
