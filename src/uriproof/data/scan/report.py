"""The report of a scan: for a terminal and for programs; ``page`` has the same facts as a page.

Owns how numbers are written, and both forms. Imports ``results`` and ``text``. Invariant: a part
that is neither nothing nor all is never written as 0% or as 100%; contents of files appear only in
their visible form, except in the record, which has exactly the data; no line is wider than
requested; nothing needs color.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import islice
from typing import Any, NamedTuple

from ...lint.codes import violation_title
from ...text.columns import ELLIPSIS, cut, paint, width
from ...text.drawing import WIDTH, rows, visible
from ...text.names import some
from .results import Counts, Example, ranked

VERSION = 2
"""Of the JSON: changes if a key is renamed or its meaning changes, not with new keys."""

LEAST_TIMED = 10_000
"""Rows of which the time is shown: of fewer, it would be that of the start."""

BLOCK = "█"
"""The character of bars, if the terminal has it."""

_MOST = 10  # hosts, files and codes with examples; twice as many bars
_LONGEST_BAR, _SHORTEST_BAR = 40, 4
_SHARE = 7  # columns of ``0.0123%``
_LEAST_SHARE, _MOST_SHARE = 0.0001, 99.9  # percent of what is neither nothing nor all
_BOLD, _RED, _GREEN = "1", "31;1", "32"


def percent(part: int, whole: int) -> str:
    """A share in three digits that count, from 0.0001% to 99.9% for a part.

    >>> percent(1, 3), percent(1, 80), percent(12, 10**6), percent(1, 10**9)
    ('33.3%', '1.25%', '0.0012%', '0.0001%')
    >>> percent(0, 0), percent(999_999, 10**6), percent(5, 5)
    ('0%', '99.9%', '100%')
    """
    if part in {0, whole}:
        return "100%" if part else "0%"
    share = min(max(100 * part / whole, _LEAST_SHARE), _MOST_SHARE)
    return f"{round(share, 4):.3g}%"


def facts(counts: Counts) -> dict[str, str]:
    """The facts of a run besides its verdicts, by their names."""
    found = {"violations": f"{counts.violations:,}", "broken rows": f"{counts.broken:,}"}
    if counts.unread:
        found["files not read"] = f"{len(counts.unread):,}"
    if counts.seconds > 0 and counts.rows >= LEAST_TIMED:
        found["time"] = str(timedelta(seconds=round(counts.seconds)))
        found["rows a second"] = f"{counts.rows / counts.seconds:,.0f}"
    return found


class Chart(NamedTuple):
    """Numbers by name, most first, and what they are parts of. ``head`` says what a name is."""

    title: str
    head: str
    found: dict[str, int]
    whole: int


def charts(counts: Counts) -> list[Chart]:
    """The charts of a report that are not empty; the first is of verdicts."""
    valid = counts.rows - counts.null - counts.invalid
    verdicts = {"valid": valid, "invalid": counts.invalid, "null": counts.null}
    found = [
        *(
            Chart(f"Violations by {name}", name, getattr(counts, f"{name}s"), counts.violations)
            for name in ("component", "production", "code")
        ),
        Chart("Hosts with the most invalid rows", "host", counts.hosts, counts.invalid),
    ]
    if len(counts.files) > 1:
        files = {name: of.invalid for name, of in counts.files.items() if of.invalid}
        found.append(Chart("Invalid rows by file", "file", files, counts.invalid))
    ordered = (chart._replace(found=ranked(chart.found)) for chart in found if chart.found)
    return [Chart("Rows", "verdict", verdicts, counts.rows), *ordered]


def as_record(counts: Counts, about: Mapping[str, str]) -> dict[str, Any]:
    """The counts and the settings, as JSON has them; the most frequent first."""
    from dataclasses import asdict

    sums = ("rows", "null", "invalid", "broken", "violations", "missed", "made")
    kinds = ("components", "productions", "codes", "hosts")
    return {
        "version": VERSION,
        "about": dict(about),
        "seconds": round(counts.seconds, 3),
        "unread": len(counts.unread),
        **{name: getattr(counts, name) for name in sums},
        **{name: ranked(getattr(counts, name)) for name in kinds},
        "files": {name: asdict(of) for name, of in sorted(counts.files.items())},
        "examples": {
            code: [example._asdict() for example in several]
            for code, several in sorted(counts.examples.items())
        },
    }


def summary_text(
    counts: Counts, *, color: bool = False, width: int = WIDTH, block: str = BLOCK
) -> str:
    """The summary, with a line end. Cost: O(files + hosts), and a drawing for each of ten codes.

    >>> print(summary_text(Counts()), end="")
    No rows were read.
    """
    return "\n".join(_Page(counts, color, width, block).lines()) + "\n"


def verdict(counts: Counts) -> str:
    """The verdict on all files, in a few words."""
    if counts.invalid:
        return f"{counts.invalid:,} invalid ({percent(counts.invalid, counts.rows)})"
    everything = counts.rows and not (counts.null or counts.broken or counts.unread)
    return "all valid" if everything else "no invalid rows"


class _Page:
    """One summary, and the widths of its columns."""

    def __init__(self, counts: Counts, color: bool, width: int, block: str) -> None:
        self._counts, self._color, self._width, self._block = counts, color, width, block

    def lines(self) -> Iterator[str]:
        """All lines."""
        counts = self._counts
        if not counts.rows and not counts.broken:
            yield "No rows were read."
            return
        read = f"{some(counts.rows, 'row')} in {some(counts.read, 'file')}:"
        words = verdict(counts)
        between = " " if len(f"{read} {words}") <= self._width else "\n  "
        yield read + between + self._paint(words, _RED if counts.invalid else _GREEN) + "\n"
        for name, value in facts(counts).items():
            yield f"{name:<16}{value:>16}"
        for chart in charts(counts):
            yield from self._chart(chart)
            if chart.head == "code":
                yield from self._examples()
        if counts.missed:
            yield missed(counts)

    def _chart(self, chart: Chart) -> Iterator[str]:
        """A line a name, with its number, its share and a bar; the longest bar is the first."""
        shown = dict(islice(chart.found.items(), 2 * _MOST))
        most = max(*shown.values(), 1)
        digits = len(f"{chart.whole:,}")
        rest = digits + _SHARE + 6
        longest = max(width(visible(name)) for name in shown)
        room = max(min(longest, self._width - rest - _SHORTEST_BAR), 8)
        left = min(self._width - rest - room, _LONGEST_BAR)
        yield f"\n{self._paint(chart.title, _BOLD)}"
        for name, value in shown.items():
            fitted = cut(visible(name), room)
            numbers = f"{value:>{digits},}  {percent(value, chart.whole):>{_SHARE}}"
            size = max(round(value / most * left), value > 0)  # any value but 0 is visible
            bar = self._paint(self._block * size, _GREEN if name == "valid" else _RED)
            yield f"{fitted}{' ' * (room - width(fitted))}  {numbers}  {bar}".rstrip()
        yield from _more(len(chart.found) - len(shown), chart.head)

    def _examples(self) -> Iterator[str]:
        """The first example of each of the codes that are most frequent."""
        from textwrap import wrap

        counts = self._counts
        codes = [code for code in ranked(counts.codes) if counts.examples.get(code)]
        for code in codes[:_MOST]:
            example = counts.examples[code][0]
            title = violation_title(code)
            words = visible(f"{code}: {title}" if title else code)
            yield ""
            for line in wrap(words, self._width, subsequent_indent="  "):
                yield self._paint(line, _BOLD)
            yield f"  {cut(visible(place(example)), self._width - 2)}"
            for line, *marks in rows(example.text, example.spans, self._width - 2):
                yield f"  {line}"
                for mark in "\n".join(filter(None, marks)).splitlines():
                    yield f"  {self._paint(mark, _RED)}"
        yield from _more(len(codes) - _MOST, "code")

    def _paint(self, text: str, color: str) -> str:
        return paint(text, color, self._color)


def place(example: Example) -> str:
    """Where an example is."""
    return f"{example.file}, row {example.row:,}"


def missed(counts: Counts) -> str:
    """What the counts of hosts do not say."""
    more = some(counts.missed, "row")
    return f"Not all hosts were kept: each might have up to {more} more."


def _more(value: int, what: str) -> Iterator[str]:
    if value > 0:
        yield f"{ELLIPSIS} and {some(value, f'more {what}')}"
