r"""Differences between two texts of a file, as patch and git apply read them.

Owns the unified format. Imports ``drawing``.
Invariant: without colour, patch makes the one text of the other, whatever their line ends.

>>> print("".join(diff("a.txt", "a\nb\nc\n", "a\nB\nc\n", colour=False)), end="")
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 a
-b
+B
 c
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from math import inf

from ...text.columns import paint
from ...text.drawing import visible

__all__ = ["diff"]

_CONTEXT = 3
_NO_END = "\\ No newline at end of file\n"
_BOLD = "1"
_COLOURS = {"-": "31", "+": "32", "@": "36"}

Change = tuple[int, int, int, int]
"""Lines [a, b) of the one text become [c, d) of the other; numbers count from 0."""


def diff(
    file: str,
    before: str,
    after: str,
    colour: bool,
    hide: Callable[[str], str] = lambda text: text,
) -> Iterator[str]:
    """The difference, a line at a time, each with its end; nothing where there is none.

    A line ends with LF alone, as for patch: what else ends lines is part of them. With ``colour``
    it is for a terminal, and control characters are escaped. ``hide`` is put over both texts,
    line for line, to mask passwords; a patch does not apply to what it has masked.

    Added and removed lines are found by what comes next, so that another patch may be shorter: a
    longest common subsequence (difflib) is quadratic where lines repeat. Cost: O(n log n).
    """
    if before == after:
        return
    name = visible(file.replace("\\", "/").removeprefix("./").lstrip("/"))
    if any(char.isspace() for char in name):
        name += "\t"  # so that patch reads all of it
    for sign, side in (("-", "a"), ("+", "b")):
        head = f"{sign * 3} {side}/{name}"
        yield f"{paint(head, _BOLD, colour)}\n"
    changes = list(_changes(_lines(before), _lines(after)))
    for line in _hunks(_lines(hide(before)), _lines(hide(after)), changes):
        yield _coloured(line) if colour else line


def _lines(text: str) -> list[str]:
    """The lines, each with its LF, if it has one."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _changes(before: list[str], after: list[str]) -> Iterator[Change]:
    """What differs, in order."""
    first = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        first += 1
    last = 0
    most = min(len(before), len(after)) - first
    while last < most and before[-1 - last] == after[-1 - last]:
        last += 1
    left, right = before[first : len(before) - last], after[first : len(after) - last]
    if len(left) == len(right):
        start = None
        for at, (one, other) in enumerate(zip([*left, ""], [*right, ""], strict=True), first):
            if one != other and start is None:
                start = at
            elif one == other and start is not None:
                yield start, at, start, at
                start = None
        return
    for a, b, c, d in _aligned(left, right):
        yield first + a, first + b, first + c, first + d


def _aligned(left: list[str], right: list[str]) -> Iterator[Change]:
    """What differs where the numbers of lines do: at each difference, the nearest line that is
    the same again, unless the lines after it are."""
    here, there = _places(left), _places(right)
    i = j = 0
    while i < len(left) or j < len(right):
        a, c = i, j
        while i < len(left) and j < len(right) and left[i] != right[j]:
            gone = _next(here, right[j], i) - i
            new = _next(there, left[i], j) - j
            nearest = min(gone, new)
            changed = left[i + 1 : i + 2] == right[j + 1 : j + 2] != []
            if nearest > len(left) + len(right) or (nearest > 1 and changed):
                i, j = i + 1, j + 1
            elif gone == nearest:
                i += int(gone)
            else:
                j += int(new)
        if i == len(left) or j == len(right):
            i, j = len(left), len(right)
        if (a, c) != (i, j):
            yield a, i, c, j
        i, j = i + 1, j + 1


def _places(lines: list[str]) -> dict[str, list[int]]:
    """Where each line stands, in order."""
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        places.setdefault(line, []).append(number)
    return places


def _next(places: dict[str, list[int]], line: str, at: int) -> float:
    """Where a line stands next, from ``at`` on; infinity if nowhere."""
    known = places.get(line, [])
    number = bisect_left(known, at)
    return known[number] if number < len(known) else inf


def _hunks(before: list[str], after: list[str], changes: list[Change]) -> Iterator[str]:
    """The hunks, changes that are near to each other in one."""
    together: list[Change] = []
    for change in changes:
        if together and change[0] - together[-1][1] > 2 * _CONTEXT:
            yield from _hunk(before, after, together)
            together = []
        together.append(change)
    yield from _hunk(before, after, together)


def _hunk(before: list[str], after: list[str], changes: list[Change]) -> Iterator[str]:
    first, _, second, _ = changes[0]
    above = min(_CONTEXT, first)
    _, last, _, end = changes[-1]
    below = min(_CONTEXT, len(before) - last)
    old, new = (first - above, last + below), (second - above, end + below)
    yield f"@@ -{_range(*old)} +{_range(*new)} @@\n"
    at = first - above
    for a, b, c, d in changes:
        yield from _marked(" ", before[at:a])
        yield from _marked("-", before[a:b])
        yield from _marked("+", after[c:d])
        at = b
    yield from _marked(" ", before[at : last + below])


def _range(start: int, end: int) -> str:
    """The first line and how many there are; before the first where there are none."""
    count = end - start
    if count == 1:
        return f"{start + 1}"
    return f"{start + bool(count)},{count}"


def _marked(mark: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if line.endswith("\n"):
            yield f"{mark}{line}"
        else:
            yield f"{mark}{line}\n{_NO_END}"


def _coloured(line: str) -> str:
    """A line for a terminal, in its visible form."""
    body, _, rest = line.partition("\n")
    colour = _COLOURS.get(body[:1])
    shown = "\t".join(visible(piece) for piece in body.removesuffix("\r").split("\t"))
    return f"{paint(shown, colour) if colour else shown}\n{rest}"
