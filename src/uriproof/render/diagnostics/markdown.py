"""A summary of diagnostics in Markdown: how many of what, and where.

Owns the format ``markdown``. Imports ``diagnostic`` and ``drawing``. Invariant: nothing that a path
or a message holds is read as Markdown or HTML, and no row breaks its table; the counts are of all
diagnostics, also where the list of them is cut.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ...diagnostic import Diagnostic
from ...text.drawing import visible
from .. import Style
from . import NO_RULES, Rules
from ._records import also, fix_of, graded, place_of

__all__ = ["Summary", "as_markdown"]

_MOST = 500
"""Diagnostics listed one by one."""

_ROOM = 1 << 19
"""Octets of that list: a summary of a GitHub step may have 1 MiB."""

_MOST_OF_A_MESSAGE = 500


def as_markdown(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """Counts by code, then the diagnostics. Memory: the rows that are listed."""
    summary = Summary()
    for one in diagnostics:
        summary.add(one)
    yield from summary.lines(rules)


class Summary:
    """The summary of a stream of diagnostics."""

    def __init__(self) -> None:
        self._codes: Counter[str] = Counter()
        self._files: set[str] = set()
        self._rows: list[str] = []
        self._room = _ROOM

    def add(self, one: Diagnostic) -> None:
        """Take in one more."""
        self._codes[one.code] += 1
        self._files.add(one.file)
        if len(self._rows) < _MOST and self._room > 0:
            text = graded(one) + visible(one.message)[:_MOST_OF_A_MESSAGE]
            fix = fix_of(one)
            text += "".join(f"; {more}" for more in (also(one), fix and f"fix: {fix}") if more)
            self._rows.append(f"| {cell(place_of(one))} | `{one.code}` | {cell(text)} |\n")
            self._room -= len(self._rows[-1].encode("utf-8", "backslashreplace"))

    def lines(self, rules: Rules) -> Iterator[str]:
        """The summary."""
        yield "## uriproof\n\n"
        total = self._codes.total()
        if not total:
            yield "No URL is wrong.\n"
            return
        found = f"{total:,} diagnostic{'s' * (total != 1)}"
        yield f"{found} in {len(self._files):,} file{'s' * (len(self._files) != 1)}.\n\n"
        yield "| Count | Code | What |\n| ---: | --- | --- |\n"
        for code, number in sorted(self._codes.items(), key=lambda item: (-item[1], item[0])):
            rule = rules.get(code)
            yield f"| {number:,} | `{code}` | {cell(rule.title) if rule else ''} |\n"
        yield "\n| Where | Code | What |\n| --- | --- | --- |\n"
        yield from self._rows
        if total > len(self._rows):
            more = total - len(self._rows)
            yield f"\nThe first {len(self._rows):,} are listed, {more:,} more not.\n"


# What begins something in CommonMark or in GitHub's extensions of it (§2.4 of either: any ASCII
# punctuation may be escaped), and the bar, which ends a cell. A full stop and a hyphen mean
# something only where a line begins; a colon makes a link of "http://" unless it is a reference.
_SPECIAL = str.maketrans({c: f"\\{c}" for c in "\\`*_{}[]<>()#+!|~$@&"} | {":": "&#58;"})


def cell(value: str) -> str:
    """A text as it stands in a cell of a table.

    >>> cell("a|b<c>")
    'a\\\\|b\\\\<c\\\\>'
    """
    return value.translate(_SPECIAL)
