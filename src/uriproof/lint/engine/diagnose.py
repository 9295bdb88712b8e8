"""Diagnostics: the violations of a URL, in the positions of its file.

Owns the making of diagnostics. Imports ``diagnostic``, ``validate.words`` and the rest of ``lint``
below the engine. Invariant: positions are exact in the file, and no password is in a diagnostic
except in the replacement of a fix. ``Adjustment`` changes only severities and edits.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from ...diagnostic import Diagnostic, Edit, Place, Severity
from ...report import Advice, Violation, brief
from ...text.passwords import SECRET, Span, masked
from ...text.paths import tree_of
from ...validate.words.messages import not_allowed
from ..codes import SENT, code_of, names, severity_of
from ..config.select import Selection, strongest
from ..config.settings import Settings
from ..files.source import Lines, Source
from ..found import Found, Lost, UrlRecord
from ..rules import LintRule, Problem
from .judge import Judge, cut_short, password

_MOST_SENTENCES = 3  # in a message, which is one line of a log
_ALL = ("all",)
_FORBIDDEN = frozenset(":\\\0")  # in the path of a file that is looked for


class DiagnosticBuilder:
    """The diagnostics of one file; ``secret`` are the URLs in it with possible passwords, and
    ``lost`` are the parts that were not checked, so that they might hold some."""

    def __init__(
        self,
        source: Source,
        lines: Lines,
        judge: Judge,
        secret: Sequence[Found],
        lost: Iterable[Lost] = (),
    ) -> None:
        self.source = source
        self._lines = lines
        self._judge = judge
        self._secret = secret
        self._lost = [(one.start, one.end) for one in lost]
        self._masked: tuple[Found | None, str] = None, ""
        self._shown: dict[int, str] = {}
        self.is_borrowed = False
        """Whether the names of other files have decided something."""

    def violations(self, found: Found, selection: Selection) -> Iterator[Diagnostic]:
        """The violations of the grammar in a URL."""
        from ..fix.fixes import edits_of

        violations = self._judge.violations(found)
        edits = edits_of(found, violations, self.source)
        if None in edits and (meant := self._meant(found)) is not None:
            edits = [meant] * len(violations)
        by_code: dict[str, list[tuple[Violation, Edit | None]]] = {}
        for one in zip(violations, edits, strict=True):
            by_code.setdefault(self._code_of(one[0], found), []).append(one)
        for code in [*by_code]:  # in a part that is wrong anyway, all is: "?a[]=<b>"
            if code.endswith(SENT) and (whole := code.rpartition("-")[0]) in by_code:
                by_code[whole] += by_code.pop(code)
                by_code[whole].sort(key=lambda one: one[0].start)
        fails = self._judge.fails(found)
        for code, group in by_code.items():
            if not selection.has(code, "violations"):
                continue
            alike = [violation for violation, _ in group]
            message, hint = self._words(found, alike)
            yield self._diagnostic(
                [(found.offset(one.start), found.offset(one.end)) for one in alike],
                code,
                severity_of(code) if fails else "note",
                message,
                found,
                component=alike[0].component,
                production=alike[0].production,
                expected=alike[0].expected,
                section=alike[0].section,
                hint=hint,
                edits=tuple(dict.fromkeys(edit for _, edit in group if edit is not None)),
            )

    def _code_of(self, violation: Violation, found: Found) -> str:
        """The code of a violation; it has a form of its own in the name of a file that is there."""
        code = code_of(violation, found.text)
        # Between quotes, as of HTML, and between angle brackets, white space is of a reference: in
        # parentheses alone, Markdown reads no link.
        of_file = f"{violation.code}-file"
        if of_file not in names() or found.escape not in ("angle", "html"):
            return code
        path = _named(self.source.file, found.text)
        self.is_borrowed |= path is not None
        return of_file if path is not None and os.path.isfile(path) else code

    def _meant(self, found: Found) -> Edit | None:
        """The edit that makes a URL the only text that is suggested for it."""
        from ..fix.fixes import edit_to

        if found.holes:
            return None
        return edit_to(found, self._judge.report(found).suggestions, self.source)

    def _words(self, found: Found, alike: Sequence[Violation]) -> tuple[str, str]:
        """The message and the hint of the violations in a URL that have the same code."""
        secret = self._password(found)
        messages: dict[str, None] = {}
        hints: dict[str, None] = {}
        runs: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
        for one in alike:
            hidden = secret and one.start < secret[1] and secret[0] < one.end
            if one.hint is not None and not hidden:
                if brief(one) is one.hint:
                    messages[one.hint] = None
                    continue
                hints[one.hint] = None
            about = one.component, one.production, one.expected
            if one.kind != "illegal":
                messages[one.message] = None
            elif hidden:
                messages[SECRET] = None
            elif one.message == not_allowed([one.found], *about):
                runs.setdefault(about, []).append(one.found)
            else:  # it says more than which characters are not allowed
                messages[one.message] = None
        for about, found_runs in runs.items():
            messages[not_allowed(found_runs, *about)] = None
        return _joined(messages, " "), _joined(hints)

    def refused(self, found: Found, selection: Selection) -> Iterator[Diagnostic]:
        """What the policy of the settings does not allow of a URL."""
        wrong = {one.code for one in self._judge.violations(found)}
        for one in self._judge.refused(found):
            if one.code not in wrong and selection.has(one.code, names()[one.code]):
                span = found.offset(one.start), found.offset(one.end)
                yield self._diagnostic(
                    *([span], one.code, "error", one.message, found), component=one.component
                )

    def advice(
        self, found: Found, selection: Selection, codes: tuple[str, ...]
    ) -> Iterator[Diagnostic]:
        """The advice of these codes on a URL."""
        by_code: dict[str, list[Advice]] = {}
        for advice in self._judge.advice(found, codes):
            if selection.has(advice.code, names()[advice.code]):
                by_code.setdefault(advice.code, []).append(advice)
        for code, alike in by_code.items():
            spans = [(found.offset(one.start), found.offset(one.end)) for one in alike]
            message = _joined(dict.fromkeys(one.message for one in alike), " ")
            meant = self._meant(found) if code in self._judge.mistakes else None
            severity: Severity = "warning" if self._judge.fails(found) else "note"
            yield self._diagnostic(
                *(_disjoint(spans), code, severity, message, found),
                component=alike[0].component,
                edits=() if meant is None else (meant,),
            )

    def problem(self, rule: LintRule, problem: Problem) -> Diagnostic:
        """A report of one of the linter's own rules, not about a URL."""
        edits = (problem.edit,) if problem.edit is not None else ()
        span = problem.start, problem.end
        return self._diagnostic(
            [span], rule.code, rule.severity, problem.message, None, edits=edits
        )

    def problems(
        self, rule: LintRule, found: Sequence[Problem], url: Found
    ) -> Iterator[Diagnostic]:
        """A report of one of the linter's own rules about a URL."""
        if found:
            yield self._diagnostic(
                _disjoint((one.start, one.end) for one in found),
                rule.code,
                rule.severity,
                _joined(dict.fromkeys(one.message for one in found)),
                url,
                component=found[0].component,
                edits=tuple(one.edit for one in found if one.edit is not None),
            )

    def records(self, every: Sequence[Found]) -> Iterator[UrlRecord]:
        """Every URL with its verdict, and what only looks like a URL, in text order."""
        at = 0
        for found in every:
            yield from self._rejected(at, found.start)
            at = max(at, found.end)
            judge = self._judge
            wrong = () if judge.accepts(found) else judge.violations(found)
            wrong += judge.refused(found)
            verdict = ", ".join(dict.fromkeys(v.code for v in wrong)) or "valid"
            yield self._record(found, self._judge.rule(found), found.why, verdict)
        yield from self._rejected(at, len(self.source.text))

    def _rejected(self, start: int, end: int) -> Iterator[UrlRecord]:
        """A text that looks like a URL outside of found ones."""
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
        spans: Sequence[Span],
        code: str,
        severity: Severity,
        message: str,
        found: Found | None,
        **facts: Any,
    ) -> Diagnostic:
        place = self._lines.place
        places = tuple(Place(*span, *place(span[0]), *place(span[1])) for span in spans)
        numbers = {number for one in places for number in (one.line, one.end_line)}
        return Diagnostic(
            *(self.source.file, code, severity, message, places),
            lines=tuple((number, self._line(number)) for number in sorted(numbers)),
            url=self._url(found) if found else "",
            url_start=found.start if found else spans[0][0],
            url_end=found.end if found else spans[-1][1],
            **facts,
        )

    def _line(self, number: int) -> str:
        """A line of the file, with asterisks for passwords."""
        shown = self._shown.get(number)
        if shown is None:
            start, end = self._lines.span(number)
            shown = self.source.text[start:end]
            begins, hidden = self._hidden
            # A URL that begins before the line can reach into it.
            at = max(bisect_right(begins, start) - 1, 0)
            shown = masked(shown, hidden[at : bisect_left(begins, end)], start)
            self._shown[number] = shown
        return shown

    @cached_property
    def _hidden(self) -> tuple[list[int], list[Span]]:
        """The offsets in the file at which passwords begin, and their spans, in order."""
        known = [span for found in self._secret for span in self._judge.hidden(found)]
        hidden = sorted([*known, *self._cut_short, *self._lost])
        return [start for start, _ in hidden], hidden

    @cached_property
    def _cut_short(self) -> list[Span]:
        return cut_short(self.source.text)

    def _password(self, found: Found) -> Span | None:
        """The span of the password in a URL; it can extend beyond the found part."""
        if "@" in found.text:
            return password(self._judge.report(found), found.holes)
        at = bisect_left(self._cut_short, (found.start, found.end))
        first, end = self._cut_short[at] if at < len(self._cut_short) else (found.end, 0)
        if found.end <= first or found.end > end or found.places or found.holes:
            return None
        return first - found.start, len(found.text)

    def _url(self, found: Found) -> str:
        """A URL with asterisks for its password; made once for all its diagnostics."""
        if self._masked[0] is not found:
            span = self._password(found)
            self._masked = found, masked(found.text, [span]) if span else found.text
        return self._masked[1]


def _named(file: str, url: str) -> str | None:
    """The path of the file that a reference in a file might name, as it is written; a site is often
    made of a whole tree, so that "/" is its root. A backslash or a colon might be of another
    machine, or of a device: these are not looked for."""
    path = url.partition("#")[0].partition("?")[0]
    if not path.strip("/") or path.startswith("//") or not _FORBIDDEN.isdisjoint(path):
        return None
    folder = os.path.dirname(file)
    return os.path.join(tree_of(folder) if path[0] == "/" else folder, path.lstrip("/"))


def _joined(sentences: Iterable[str], between: str = "; ") -> str:
    """Several sentences in one line; of many, how many more there are."""
    first = list(sentences)
    shown = between.join(first[:_MOST_SENTENCES])
    more = len(first) - _MOST_SENTENCES
    return f"{shown}{between}and {more:,} more" if more > 0 else shown


def _disjoint(spans: Iterable[Span]) -> list[Span]:
    """Spans in text order; of those that overlap, the first."""
    kept: list[Span] = []
    for span in sorted(set(spans)):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


class Adjustment:
    """The adjustment of diagnostics under some settings.

    In what is reported apart, each diagnostic is a note without a fix.
    """

    def __init__(self, settings: Settings) -> None:
        self._severity = settings.severity
        self._fixable = Selection(settings.fixable, settings.unfixable)
        chosen = settings.fixable != _ALL or bool(settings.unfixable)
        self._is_needed = chosen or bool(self._severity)
        self._settings = settings
        self._known: dict[str, tuple[Severity | None, bool]] = {}

    def of(self, diagnostic: Diagnostic, module: int) -> Diagnostic:
        """The diagnostic as the settings want it; from ``module`` on, the file has only tests.
        Cost: constant, after the first of a code."""
        code = diagnostic.code
        inside = diagnostic.start >= module and not self._settings.include_tests
        if inside or self._settings.apart(diagnostic.file):
            return diagnostic._replace(severity="note", edits=())
        if not self._is_needed:
            return diagnostic
        if code not in self._known:
            group = names()[code]
            severity = strongest(self._severity, code, group)
            self._known[code] = severity, self._fixable.has(code, group)
        severity, fixable = self._known[code]
        return diagnostic._replace(
            severity=severity or diagnostic.severity,
            edits=diagnostic.edits if fixable else (),
        )
