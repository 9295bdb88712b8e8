"""The report of a scan for a terminal: tables, bars, and an example of each code.

Owns that text. Imports ``summary`` and ``text``. Invariant: no line is wider than requested;
contents of files appear only in their visible form; nothing needs color, and every character is in
the encoding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from ....lint.codes import violation_title
from ....text.columns import ELLIPSIS, paint, width
from ....text.drawing import rows, visible
from ..summary import Counts, Example, ranked
from . import MOST_FILES, MOST_ROWS, NOTHING, About, facts, first_files, percent

__all__ = ["WIDTH", "summary_text"]

WIDTH = 80

_BOLD, _RED, _GREEN, _DIM = "1", "31;1", "32", "2"
_BLOCKS = " ▏▎▍▌▋▊▉█"
_LONGEST_BAR = 40
_SHORTEST_BAR = 4
_SHARE = 8  # columns of ``<0.0001%``
_GAP = "  "


def summary_text(
    counts: Counts,
    about: About = NOTHING,
    *,
    color: bool = False,
    width: int = WIDTH,
    encoding: str = "utf-8",
) -> str:
    """The summary, with a line end; from the facts of the scan, only the numbers.

    Bars are of blocks, or of ``#`` in an encoding without blocks; other characters of a host or a
    text are escaped. Cost: O(files + hosts), and a drawing for each of ten codes.

    >>> print(summary_text(Counts()), end="")
    No rows were read.
    """
    return "\n".join(_Page(counts, color, width, encoding).lines(about)) + "\n"


class _Page:
    """One summary, and the widths of its columns."""

    def __init__(self, counts: Counts, color: bool, width: int, encoding: str) -> None:
        self._counts = counts
        self._color = color
        self._width = width
        self._encoding = encoding
        self._blocks = self._has(_BLOCKS)
        self._ellipsis = ELLIPSIS if self._has(ELLIPSIS) else "..."

    def lines(self, about: About) -> Iterator[str]:
        """All lines."""
        counts = self._counts
        if not counts.rows and not counts.broken:
            yield "No rows were read."
            if about.unread:
                yield f"{_some(about.unread, 'file')} could not be read."
            return
        yield from self._verdict(about)
        yield ""
        yield from self._totals(about)
        if counts.invalid:
            charts = (
                ("Violations by component", ranked(counts.components)),
                ("Violations by production", ranked(counts.productions)),
                ("Violations by code", ranked(counts.codes)),
            )
            longest = max(len(visible(name)) for _, found in charts for name in found)
            digits = len(f"{counts.violations:,}")
            for title, found in charts:
                yield ""
                yield self._bold(title)
                yield from self._chart(found, counts.violations, longest, digits)
            yield from self._examples()
            yield from self._hosts()
        if len(counts.files) > 1 and (counts.invalid or counts.broken):
            yield from self._files()

    def _verdict(self, about: About) -> Iterator[str]:
        """The totals and the verdict: on one line, if it fits."""
        counts = self._counts
        read = _some(counts.rows, "row")
        if counts.files:
            read += f" in {_some(len(counts.files), 'file')}"
        verdict, share = "all valid", ""
        if counts.invalid:
            verdict = f"{counts.invalid:,} invalid"
            share = f" ({percent(counts.invalid, counts.rows)})"
        elif counts.null or counts.broken or about.unread or not counts.rows:
            verdict = "no invalid rows"
        between = " " if len(f"{read}: {verdict}{share}") <= self._width else f"\n{_GAP}"
        painted = self._paint(verdict, _RED if counts.invalid else _GREEN)
        yield from f"{read}:{between}{painted}{share}".splitlines()

    def _totals(self, about: About) -> Iterator[str]:
        counts = self._counts
        valid = counts.rows - counts.null - counts.invalid
        table = [
            ("rows", f"{counts.rows:,}", ""),
            ("  valid", f"{valid:,}", percent(valid, counts.rows)),
            ("  invalid", f"{counts.invalid:,}", percent(counts.invalid, counts.rows)),
            ("  null", f"{counts.null:,}", percent(counts.null, counts.rows)),
            *((name, value, "") for name, value in facts(counts, about)),
        ]
        room = max(len(value) for _, value, _ in table)
        for name, value, share in table:
            yield f"{name:<18}{value:>{room}}{_GAP}{share:>{_SHARE}}".rstrip()

    def _chart(self, found: dict[str, int], whole: int, longest: int, digits: int) -> Iterator[str]:
        """A line a name, with its number, its share and a bar; the longest bar is the first."""
        most = max(found.values(), default=0)
        rest = digits + _SHARE + 3 * len(_GAP)
        name_room = max(min(longest, self._width - rest - _SHORTEST_BAR), 8)
        room = min(self._width - rest - name_room, _LONGEST_BAR)
        for name, value in list(found.items())[: 2 * MOST_ROWS]:
            shown = self._fit(name, name_room)
            bar = self._paint(self._bar(value, most, room), _RED)
            numbers = f"{value:>{digits},}{_GAP}{percent(value, whole):>{_SHARE}}"
            yield f"{self._pad(shown, name_room)}{_GAP}{numbers}{_GAP}{bar}".rstrip()
        if len(found) > 2 * MOST_ROWS:
            yield self._more(len(found) - 2 * MOST_ROWS, "")

    def _examples(self) -> Iterator[str]:
        """The first example of each of the codes that are most frequent."""
        codes = [code for code in ranked(self._counts.codes) if self._counts.examples.get(code)]
        for code in codes[:MOST_ROWS]:
            example = self._counts.examples[code][0]
            yield ""
            title = violation_title(code)
            words = self._shown(f"{code}: {title}" if title else code)
            yield from map(self._bold, self._wrapped(words))
            yield _GAP + self._fit(f"{example.file}, row {example.row:,}", self._width - 2)
            yield from self._drawn(example)
        if len(codes) > MOST_ROWS:
            yield ""
            yield self._more(len(codes) - MOST_ROWS, "code")

    def _wrapped(self, words: str) -> list[str]:
        from textwrap import wrap

        return wrap(words, self._width, subsequent_indent=_GAP)

    def _drawn(self, example: Example) -> Iterator[str]:
        """The text with carets; dots stand for the parts that an excerpt leaves out."""
        before = self._ellipsis if example.first else ""
        left = example.length - example.first - len(example.text)
        room = self._width - 4 - len(before)
        text, spans = self._spelled(example)
        for line, *marks in rows(text, spans, room):
            yield f"{_GAP}{before}{line.replace(ELLIPSIS, self._ellipsis[:1])}"
            for mark in "\n".join(filter(None, marks)).splitlines():
                caret = mark.replace(ELLIPSIS, self._ellipsis)
                yield f"{_GAP}{' ' * len(before)}{self._paint(caret, _RED)}"
        if left > 0:
            yield f"{_GAP}{self._ellipsis} {_some(left, 'more character')}"

    def _hosts(self) -> Iterator[str]:
        counts = self._counts
        if not counts.hosts:
            return
        first = dict(list(ranked(counts.hosts).items())[:MOST_ROWS])
        longest = max(width(visible(host)) for host in first)
        yield ""
        yield self._bold("Hosts with the most invalid rows")
        yield from self._chart(first, counts.invalid, longest, len(f"{max(first.values()):,}"))
        if len(counts.hosts) > MOST_ROWS:
            least = "at least " if counts.missed else ""
            yield self._more(len(counts.hosts) - MOST_ROWS, "host", least)
        if counts.missed:
            more = f"{_some(counts.missed, 'row')} more"
            yield from self._wrapped(f"Not all hosts were kept: each might have up to {more}.")

    def _files(self) -> Iterator[str]:
        files = self._counts.files
        names = first_files(files)
        heads = ("invalid", "share", "rows", "broken")
        table = [
            (f"{of.invalid:,}", percent(of.invalid, of.rows), f"{of.rows:,}", f"{of.broken:,}")
            for of in (files[name] for name in names[:MOST_FILES])
        ]
        sizes = [max(map(len, column)) for column in zip(heads, *table, strict=True)]
        room = max(self._width - sum(sizes) - len(_GAP) * len(sizes), 8)
        longest = min(max(width(visible(name)) for name in names[:MOST_FILES]), room)
        yield ""
        head = self._cells(heads, sizes)
        yield f"{self._bold(self._pad('Files', max(longest, 5)))}{self._paint(head, _DIM)}"
        for name, cells in zip(names, table, strict=False):
            shown = self._pad(self._fit(name, room), max(longest, 5))
            yield f"{shown}{self._cells(cells, sizes)}"
        if len(names) > MOST_FILES:
            yield self._more(len(names) - MOST_FILES, "file")

    def _more(self, value: int, what: str, least: str = "") -> str:
        name = f" {what}{'s' * (value != 1)}" if what else ""
        return f"{self._ellipsis} and {least}{value:,} more{name}"

    def _cells(self, cells: Sequence[str], sizes: Sequence[int]) -> str:
        return "".join(f"{_GAP}{c:>{size}}" for c, size in zip(cells, sizes, strict=True))

    def _bar(self, value: int, most: int, room: int) -> str:
        """A bar in eighths of a column; any value but 0 is visible."""
        if not self._blocks:
            return "#" * max(round(value / most * room), 1)
        full, eighths = divmod(max(round(value / most * room * 8), 1), 8)
        return _BLOCKS[8] * full + _BLOCKS[eighths].strip()

    def _fit(self, text: str, room: int) -> str:
        """The visible text, or as much of its start and its end as fit."""
        shown = self._shown(text)
        if width(shown) <= room:
            return shown
        left = room - len(self._ellipsis)
        end = _taken(shown[::-1], left - left // 2)[::-1]
        return f"{_taken(shown, left // 2)}{self._ellipsis}{end}"

    def _pad(self, shown: str, room: int) -> str:
        return shown + " " * (room - width(shown))

    def _shown(self, text: str) -> str:
        return self._encodable(visible(text))

    def _spelled(self, example: Example) -> tuple[str, list[tuple[int, int]]]:
        """A text in the characters of the encoding, and its spans in that form."""
        text, spans = example.text, list(example.spans)
        if text.isascii() or self._encodable(text) == text:
            return text, spans
        pieces = [self._encodable(c) if visible(c) == c else c for c in text]
        at = [*accumulate(map(len, pieces), initial=0)]
        return "".join(pieces), [(at[start], at[end]) for start, end in spans]

    def _encodable(self, text: str) -> str:
        return text.encode(self._encoding, "backslashreplace").decode(self._encoding)

    def _has(self, text: str) -> bool:
        try:
            text.encode(self._encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    def _bold(self, text: str) -> str:
        return self._paint(text, _BOLD)

    def _paint(self, text: str, color: str) -> str:
        return paint(text, color, self._color)


def _taken(shown: str, room: int) -> str:
    """As much of the start of a visible text as fits into this many columns."""
    kept = shown[: max(room, 0)]
    while width(kept) > room:
        kept = kept[:-1]
    return kept


def _some(value: int, what: str) -> str:
    return f"{value:,} {what}{'s' * (value != 1)}"
