"""The report of a scan: for a terminal, as a page, as JSON; the same facts in each.

Owns ``About``, the JSON and how numbers are written. Invariant: a part that is neither nothing nor
all is never written as 0% or as 100%; reading the JSON returns exactly the written data, including
lone surrogates: they are escapes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..summary import Counts

__all__ = ["LEAST_TIMED", "MOST_FILES", "MOST_ROWS", "About", "as_json", "duration", "facts"]
__all__ += ["first_files", "percent", "speed"]

VERSION = 1
"""Of the JSON: changes if a key is renamed or its meaning changes, not with new keys."""

LEAST_TIMED = 10_000
"""Rows of which the time is shown."""

MOST_FILES = 10
MOST_ROWS = 10
"""Rows of a table in the terminal; a page has more."""

_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))


class About(NamedTuple):
    """The scan: lines of a name and a value, such as ``("Rule", "URI of rfc3986")``.

    ``seconds`` is the elapsed time, 0 if unknown; ``before`` are the rows that an earlier run had
    done, which took no time of this one. ``unread`` is the number of files not read, or not to
    their end. ``made`` is the time of its end, such as ``2026-05-04 10:00 UTC``.
    """

    lines: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    before: int = 0
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
    for least, decimals in ((10, 1), (0.1, 2), (0.01, 3)):
        if share >= least:
            return f"{share:.{decimals}f}%"
    return f"{share:.4f}%"


def duration(seconds: float) -> str:
    """A time in its two largest units.

    >>> duration(0.84), duration(59.6), duration(200), duration(7_500), duration(10**6)
    ('0.8 s', '1 min', '3 min 20 s', '2 h 5 min', '11 d 13 h')
    """
    if seconds < 10:  # noqa: PLR2004 -- then tenths count
        return f"{seconds:.1f} s"
    left = round(seconds)
    for at, (name, size) in enumerate(_UNITS):
        if left >= size:
            rest = _UNITS[at + 1 : at + 2]
            more = [f"{left % size // small} {short}" for short, small in rest]
            return " ".join([f"{left // size} {name}", *(m for m in more if m[0] != "0")])
    return "0 s"


def speed(rows: int, seconds: float) -> str:
    """Rows a second; of less than ten, one decimal.

    >>> speed(3_000_000, 1.5), speed(1, 4)
    ('2,000,000', '0.2')
    """
    each = rows / seconds
    return f"{each:,.0f}" if each >= 10 else f"{each:.1f}"  # noqa: PLR2004


def facts(counts: Counts, about: About) -> list[tuple[str, str]]:
    """The facts of a run besides its verdicts: names and values, without empty ones.

    Of a few rows there is no time: it would be that of the start.
    """
    rows = counts.rows - about.before
    found = [
        ("violations", f"{counts.violations:,}"),
        ("broken rows", f"{counts.broken:,}"),
    ]
    if about.unread:
        found.append(("files not read", f"{about.unread:,}"))
    if about.before:
        found.append(("done before", f"{about.before:,}"))
    if about.seconds > 0 and rows >= LEAST_TIMED:
        found.append(("time", duration(about.seconds)))
        found.append(("rows a second", speed(rows, about.seconds)))
    return found


def first_files(files: Mapping[str, tuple[int, int, int, int]]) -> list[str]:
    """The names of files, those with most invalid rows first, then those with most broken ones."""
    return sorted(files, key=lambda name: (-files[name][2], -files[name][3], name))


def as_json(counts: Counts, about: About = NOTHING) -> str:
    """The counts and the scan as one object, in ASCII, two spaces a level."""
    import json

    found = {
        "version": VERSION,
        "about": dict(about.lines),
        "made": about.made,
        "seconds": round(about.seconds, 3),
        "before": about.before,
        "unread": about.unread,
        **counts.to_dict(),
    }
    return json.dumps(found, indent=2) + "\n"
