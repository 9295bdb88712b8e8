"""The report of a scan: for a terminal and as JSON; ``page`` has the same facts as a page.

Owns ``About``, how numbers are written, and both forms. Imports ``results`` and ``text``.
Invariant: a part that is neither nothing nor all is never written as 0% or as 100%; contents of
files appear only in their visible form, except in JSON, which has exactly the data; no line is
wider than requested; nothing needs color.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from ...lint.codes import violation_title
from ...text.columns import ELLIPSIS, cut, paint, width
from ...text.drawing import WIDTH, rows, visible
from ...text.names import some
from .results import Counts, Example, ranked

VERSION = 2
"""Of the JSON: changes if a key is renamed or its meaning changes, not with new keys."""

LEAST_TIMED = 10_000
"""Rows of which the time is shown: of fewer, it would be that of the start."""

BLOCKS = " ▏▎▍▌▋▊▉█"
"""The characters of bars, if the terminal has them."""

_MOST = 10  # hosts, files and codes with examples; twice as many bars
_LONGEST_BAR, _SHORTEST_BAR = 40, 4
_SHARE = 8  # columns of ``<0.0001%``
_BOLD, _RED, _GREEN, _DIM = "1", "31;1", "32", "2"
_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))


class About(NamedTuple):
    """The scan: lines of a name and a value, such as ``("Rule", "URI of rfc3986")``.

    ``seconds`` is the elapsed time, 0 if unknown. ``unread`` is the number of files not read, or
    not to their end. ``made`` is the time of its end, such as ``2026-05-04 10:00 UTC``.
    """

    lines: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    unread: int = 0
    made: str = ""


NOTHING = About()


def percent(part: int, whole: int) -> str:
    """A share in three digits that count, at most four decimals.

    >>> percent(1, 3), percent(1, 80), percent(12, 10**6), percent(1, 10**9)
    ('33.3%', '1.25%', '0.0012%', '<0.0001%')
    >>> percent(0, 0), percent(999_999, 10**6), percent(5, 5)
    ('0%', '>99.9%', '100%')
    """
    if not part or not whole:
        return "0%"
    if part == whole:
        return "100%"
    share = 100 * part / whole
    if share < 0.0001:  # noqa: PLR2004 -- the last decimal that is written
        return "<0.0001%"
    if share > 99.9:  # noqa: PLR2004
        return ">99.9%"
    decimals = next((d for least, d in ((10, 1), (0.1, 2), (0.01, 3)) if share >= least), 4)
    return f"{share:.{decimals}f}%"


def duration(seconds: float) -> str:
    """A time in its two largest units.

    >>> duration(0.84), duration(59.6), duration(200), duration(7_500), duration(10**6)
    ('0.8 s', '1 min', '3 min 20 s', '2 h 5 min', '11 d 13 h')
    """
    if seconds < 10:  # noqa: PLR2004 -- then tenths count
        return f"{seconds:.1f} s"
    left = round(seconds)
    at = next(at for at, (_, size) in enumerate(_UNITS) if left >= size)
    name, size = _UNITS[at]
    rest = [f"{left % size // small} {short}" for short, small in _UNITS[at + 1 : at + 2]]
    return " ".join([f"{left // size} {name}", *(r for r in rest if r[0] != "0")])


def speed(count: int, seconds: float) -> str:
    """Rows a second; of less than ten, one decimal.

    >>> speed(3_000_000, 1.5), speed(1, 4)
    ('2,000,000', '0.2')
    """
    each = count / seconds
    return f"{each:,.0f}" if each >= 10 else f"{each:.1f}"  # noqa: PLR2004


def facts(counts: Counts, about: About) -> list[tuple[str, str]]:
    """The facts of a run besides its verdicts: names and values."""
    found = [("violations", f"{counts.violations:,}"), ("broken rows", f"{counts.broken:,}")]
    if about.unread:
        found.append(("files not read", f"{about.unread:,}"))
    if about.seconds > 0 and counts.rows >= LEAST_TIMED:
        found.append(("time", duration(about.seconds)))
        found.append(("rows a second", speed(counts.rows, about.seconds)))
    return found


class Chart(NamedTuple):
    """Numbers by name, most first, and what they are parts of. ``head`` says what a name is."""

    title: str
    head: str
    found: dict[str, int]
    whole: int


def charts(counts: Counts) -> list[Chart]:
    """The charts of a report that are not empty."""
    found = [
        Chart(f"Violations by {name}", name, ranked(getattr(counts, f"{name}s")), counts.violations)
        for name in ("component", "production", "code")
    ]
    found.append(
        Chart("Hosts with the most invalid rows", "host", ranked(counts.hosts), counts.invalid)
    )
    if len(counts.files) > 1:
        files = {name: of.invalid for name, of in counts.files.items() if of.invalid}
        found.append(Chart("Invalid rows by file", "file", ranked(files), counts.invalid))
    return [chart for chart in found if chart.found]


def as_json(counts: Counts, about: About = NOTHING) -> str:
    """The counts and the scan as one object, in ASCII, two spaces a level; most frequent first."""
    import json
    from dataclasses import asdict

    sums = {name: getattr(counts, name) for name in ("rows", "null", "invalid", "broken")}
    kinds = ("components", "productions", "codes", "hosts")
    found = {
        "version": VERSION,
        "about": dict(about.lines),
        "made": about.made,
        "seconds": round(about.seconds, 3),
        "unread": about.unread,
        **sums,
        "violations": counts.violations,
        **{name: ranked(getattr(counts, name)) for name in kinds},
        "missed": counts.missed,
        "files": {name: asdict(of) for name, of in sorted(counts.files.items())},
        "examples": {
            code: [example._asdict() for example in several]
            for code, several in sorted(counts.examples.items())
        },
    }
    return json.dumps(found, indent=2) + "\n"


def summary_text(
    counts: Counts,
    about: About = NOTHING,
    *,
    color: bool = False,
    width: int = WIDTH,
    blocks: bool = True,
) -> str:
    """The summary, with a line end; from the facts of the scan, only the numbers.

    Bars are of blocks, or of ``#``. Cost: O(files + hosts), and a drawing for each of ten codes.

    >>> print(summary_text(Counts()), end="")
    No rows were read.
    """
    return "\n".join(_Page(counts, color, width, blocks).lines(about)) + "\n"


class _Page:
    """One summary, and the widths of its columns."""

    def __init__(self, counts: Counts, color: bool, width: int, blocks: bool) -> None:
        self._counts, self._color, self._width, self._blocks = counts, color, width, blocks

    def lines(self, about: About) -> Iterator[str]:
        """All lines."""
        counts = self._counts
        if not counts.rows and not counts.broken:
            yield "No rows were read."
            if about.unread:
                yield f"{some(about.unread, 'file')} could not be read."
            return
        yield from self._verdict(about)
        yield from self._totals(about)
        for chart in charts(counts):
            yield from self._chart(chart)
            if chart.head == "code":
                yield from self._examples()
        if counts.missed:
            yield missed(counts)

    def _verdict(self, about: About) -> Iterator[str]:
        """The totals and the verdict: on one line, if it fits."""
        counts = self._counts
        read = f"{some(counts.rows, 'row')} in {some(len(counts.files), 'file')}"
        verdict, share = "all valid", ""
        if counts.invalid:
            verdict = f"{counts.invalid:,} invalid"
            share = f" ({percent(counts.invalid, counts.rows)})"
        elif counts.null or counts.broken or about.unread or not counts.rows:
            verdict = "no invalid rows"
        between = " " if len(f"{read}: {verdict}{share}") <= self._width else "\n  "
        painted = self._paint(verdict, _RED if counts.invalid else _GREEN)
        yield f"{read}:{between}{painted}{share}\n"

    def _totals(self, about: About) -> Iterator[str]:
        counts = self._counts
        parts = {
            "rows": counts.rows,
            "  valid": counts.rows - counts.null - counts.invalid,
            "  invalid": counts.invalid,
            "  null": counts.null,
        }
        table = [(name, f"{n:,}", percent(n, counts.rows)) for name, n in parts.items()]
        table[0] = (*table[0][:2], "")
        table += [(name, value, "") for name, value in facts(counts, about)]
        room = max(len(value) for _, value, _ in table)
        for name, value, share in table:
            yield f"{name:<18}{value:>{room}}  {share:>{_SHARE}}".rstrip()

    def _chart(self, chart: Chart) -> Iterator[str]:
        """A line a name, with its number, its share and a bar; the longest bar is the first."""
        shown = dict(islice(chart.found.items(), 2 * _MOST))
        most = max(shown.values())
        digits = len(f"{chart.whole:,}")
        rest = digits + _SHARE + 6
        longest = max(width(visible(name)) for name in shown)
        room = max(min(longest, self._width - rest - _SHORTEST_BAR), 8)
        left = min(self._width - rest - room, _LONGEST_BAR)
        yield f"\n{self._paint(chart.title, _BOLD)}"
        for name, value in shown.items():
            fitted = cut(visible(name), room)
            numbers = f"{value:>{digits},}  {percent(value, chart.whole):>{_SHARE}}"
            bar = self._paint(self._bar(value, most, left), _RED)
            yield f"{fitted}{' ' * (room - width(fitted))}  {numbers}  {bar}".rstrip()
        yield from _more(len(chart.found) - len(shown), chart.head)

    def _bar(self, value: int, most: int, room: int) -> str:
        """A bar in eighths of a column; any value but 0 is visible."""
        if not self._blocks:
            return "#" * max(round(value / most * room), 1)
        full, eighths = divmod(max(round(value / most * room * 8), 1), 8)
        return BLOCKS[8] * full + BLOCKS[eighths].strip()

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
            place = f"{visible(example.file)}, row {example.row:,}"
            yield f"  {cut(place, self._width - 2)}"
            yield from self._drawn(example)
        yield from _more(len(codes) - _MOST, "code")

    def _drawn(self, example: Example) -> Iterator[str]:
        """The text with carets; an ellipsis stands for the parts that an excerpt leaves out."""
        before = ELLIPSIS if example.first else ""
        for line, *marks in rows(example.text, example.spans, self._width - 4 - len(before)):
            yield f"  {before}{line}"
            for mark in "\n".join(filter(None, marks)).splitlines():
                yield f"  {' ' * len(before)}{self._paint(mark, _RED)}"
        if (left := example.length - example.first - len(example.text)) > 0:
            yield f"  {ELLIPSIS} {some(left, 'more character')}"

    def _paint(self, text: str, color: str) -> str:
        return paint(text, color, self._color)


def missed(counts: Counts) -> str:
    """What the counts of hosts do not say."""
    more = some(counts.missed, "row")
    return f"Not all hosts were kept: each might have up to {more} more."


def _more(value: int, what: str) -> Iterator[str]:
    if value > 0:
        yield f"{ELLIPSIS} and {some(value, f'more {what}')}"
