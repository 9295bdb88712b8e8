"""Reports as text for a person: the picture, then what stands where and which rule forbids it.

Owns ``str(report)``, too, which a ``Report`` asks for by name.

May import ``drawing``, ``report`` and the words of ``validate``. Invariant: nothing of a checked
text reaches the output but in its visible form, and no line needs color to be understood.

An invalid text is drawn with carets. Below, each production that it breaks has one block: the
offsets and what is wrong there, what was expected, and the production's own ABNF, with where it
is specified as an ABNF comment. A valid text takes one line if it was given by itself, and none
if it was one of many read from a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..report import Advice, Report, Violation
from ..text.columns import ELLIPSIS
from ..text.drawing import draw, rows, short, visible
from ..text.names import or_list
from ..validate.words.messages import characters, not_allowed
from . import Entry, Style

__all__ = ["drawing"]

_MOST = 20
"""Violations shown one by one in one report, a screen of them; the rest are counted."""

_MARGIN = 2
_GUTTER = 11  # columns: the longest name of a component, "authority", and two blanks
_RED, _GREEN, _CYAN, _BOLD, _DIM = "31;1", "32", "36", "1", "2"


def render(entries: Iterable[Entry], style: Style) -> Iterator[str]:
    """The entries as text, a blank line between drawings. Memory: one report."""
    before = ""
    for entry in entries:
        page = _Page(entry, style)
        if page.lines:
            # A drawing stands free; one-line verdicts follow each other closely.
            loose = len(page.lines) > 1
            yield "\n" * bool(before and (loose or before == "loose"))
            yield "\n".join(page.lines) + "\n"
            before = "loose" if loose else "close"


class _Page:
    """The lines of one entry."""

    def __init__(self, entry: Entry, style: Style) -> None:
        self.style = style
        self.lines: list[str] = []
        report = entry.report.masked()
        advice = report.advice if style.advises(entry) else ()
        if report.ok:
            if entry.place is None or advice:
                self._verdict("valid", _GREEN, entry)
                self.lines[-1] += f"  {draw(report.text, [], style.width - 20)[0]}"
        else:
            self._verdict("invalid", _RED, entry)
            self._violations(report)
            self.lines += [""] * bool(advice)
        for one in advice:
            self._advice(one)

    def _verdict(self, word: str, color: str, entry: Entry) -> None:
        place = f"{visible(str(entry.place))}: " if entry.place else ""
        verdict = self.style.paint(f"{word} {entry.report.rule}", color)
        self.lines.append(f"{self.style.paint(place, _BOLD)}{verdict}")

    def _row(self, label: str, text: str, color: str = _BOLD) -> None:
        """One line: a label in the gutter, painted after padding, and text."""
        gutter = self.style.paint(label, color) + " " * max(1, _GUTTER - len(label))
        self.lines.append((" " * _MARGIN + gutter + text).rstrip())

    def _words(self, label: str, number: str, text: str, color: str = _BOLD) -> None:
        """A sentence behind a number, which may take several lines."""
        for line in self._wrapped(f"{number}  {text}", " " * (len(number) + 2)):
            self._row(label, line, color)
            label = ""

    def _wrapped(self, text: str, indent: str) -> list[str]:
        room = self.style.width - _MARGIN - _GUTTER
        if len(text) <= room:
            return [text]
        from textwrap import wrap

        return wrap(text, room, subsequent_indent=indent, break_on_hyphens=False)

    def _violations(self, report: Report) -> None:
        spans = [(v.start, v.end) for v in report.violations]
        self.lines.append("")
        for line, *marks in rows(report.text, spans, self.style.width - _MARGIN):
            self.lines.append(" " * _MARGIN * bool(line) + line)
            for mark in "\n".join(filter(None, marks)).splitlines():
                self.lines.append(" " * _MARGIN + self.style.paint(mark, _RED))
        shown = report.violations[:_MOST]
        width = max(len(_span(v)) for v in shown)
        for group in _grouped(shown):
            self.lines.append("")
            self._group(group, width)
        if len(shown) < len(report.violations):
            more = len(report.violations) - len(shown)
            self.lines.append("")
            self._row("", f"{ELLIPSIS} and {more:,} more violations")
        if report.fixed is not None:
            self.lines.append("")
            self._row("fixed", self.style.paint(short(report.fixed, 2000), _GREEN), _GREEN)

    def _group(self, group: list[Violation], width: int) -> None:
        """What one production forbids: offsets and facts, then its ABNF once."""
        label = group[0].component
        # The message of any other kind has what was expected.
        expected = [v.expected for v in group if v.kind == "illegal" and v.expected]
        same = len(set(expected)) == 1
        indent = " " * (width + 2)
        hints: set[str | None] = {None}
        for v in group:
            self._words(label, f"{_span(v):>{width}}", _facts(v))
            if v.fix and not v.masked:
                write = f"write {short(v.fix.replacement, 24)}"
                self.lines[-1] += f"; {self.style.paint(write, _GREEN)}"
            label = ""
            if not same and v.expected in expected:
                self._words("", indent[2:], f"expected {or_list(v.expected)}")
            if v.hint not in hints:
                self._words("", indent[2:], f"hint: {_safe(v.hint)}")
                hints.add(v.hint)
        first = group[0]
        if same:
            self._words("", indent[2:], f"expected {or_list(expected[0])}")
        *lines, last = _abnf(first)
        for line in lines:
            self._row("", indent + self.style.paint(line, _CYAN))
        where = _specified(first)
        room = self.style.width - _MARGIN - _GUTTER - len(indent)
        if len(last) + len(where) + 2 <= room:
            last, where = f"{self.style.paint(last, _CYAN)}  {self.style.paint(where, _DIM)}", ""
        else:
            last, where = self.style.paint(last, _CYAN), self.style.paint(where, _DIM)
        self._row("", indent + last)
        if where:
            self._row("", indent + where)

    def _advice(self, advice: Advice) -> None:
        words = f"{advice.component}: {_safe(advice.message)} ({advice.code})"
        self._words("advice", str(advice.start), words, _CYAN)


def _grouped(violations: Iterable[Violation]) -> Iterable[list[Violation]]:
    """Violations of one component and production together, in the order of the first of each."""
    groups: dict[tuple[str, str, str], list[Violation]] = {}
    for v in violations:
        groups.setdefault((v.component, v.production, v.source), []).append(v)
    return groups.values()


def _span(violation: Violation) -> str:
    """Offsets in code points, half-open as everywhere; one number where one character is meant."""
    start, end = violation.start, violation.end
    return f"{start}-{end}" if end > start + 1 else f"{start}"


def _facts(violation: Violation) -> str:
    """What is wrong. Which production and what it expects stands in the rest of the block."""
    if violation.kind == "illegal" and violation.expected and not violation.masked:
        return not_allowed(characters(violation.found))
    if violation.kind == "bad-escape":
        return "a percent sign without two hexadecimal digits after it"
    return _safe(violation.message)


def _abnf(violation: Violation) -> list[str]:
    """The production's own ABNF, lines as written, without the padding of the whole grammar."""
    first, *others = violation.rule.strip().splitlines()
    name, equals, right = first.partition("=")
    shift = len(first)
    if not others:
        right = f" {right.lstrip()}"
    first = f"{name.rstrip()} {equals}{right}" if equals else first
    shift -= len(first)
    return [first, *(line[min(shift, len(line) - len(line.lstrip())) :] for line in others)]


def _specified(violation: Violation) -> str:
    """Where the production is specified, as an ABNF comment."""
    where = ", ".join(filter(None, (violation.section, violation.source)))
    return f"; {where}" if where else ""


def _safe(words: str | None) -> str:
    """A message, which may hold an ellipsis and quote a text."""
    return ELLIPSIS.join(visible(part) for part in (words or "").split(ELLIPSIS))


def drawing(report: Report) -> str:
    """The text with carets under the blamed characters, and a line for each violation."""
    shown = report.masked()
    if shown.ok:
        return f"{visible(shown.text)}\nvalid {shown.rule}"
    lines = draw(shown.text, [(v.start, v.end) for v in shown.violations])
    lines += [f"{v.start}-{v.end} {v.component}: {v.message}" for v in shown.violations]
    if shown.more:
        lines.append(f"{ELLIPSIS} and {shown.more:,} more")
    return "\n".join(lines)
