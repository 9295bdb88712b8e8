r"""Differences between two texts of a file, as patch and git apply read them.

Owns the unified format. Imports ``text``.
Invariant: git apply makes the one file of the other of what ``patch`` writes, whatever their bytes,
their line ends and the name; no line that is secret is in it.

>>> lines, _ = patch("a.txt", "a\nb\nc\n", "a\nB\nc\n")
>>> print("".join(lines), end="")
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
from collections.abc import Container, Iterable, Iterator
from math import inf

from ...text.columns import paint
from ...text.drawing import visible

__all__ = ["diff", "patch"]

_CONTEXT = 3
_NO_END = "\\ No newline at end of file\n"
_BOLD = "1"
_COLOURS = {"-": "31", "+": "32", "@": "36"}

Change = tuple[int, int, int, int]
"""Lines [a, b) of the one text become [c, d) of the other; numbers count from 0."""


def diff(file: str, before: str, after: str, colour: bool) -> Iterator[str]:
    """The difference for people, a line at a time, without control characters; nothing where there
    is none. What is not to be shown is masked already. Cost: O(n log n)."""
    if before != after:
        one, other = _lines(before), _lines(after)
        for head in f"--- a/{visible(file)}", f"+++ b/{visible(file)}":
            yield f"{paint(head, _BOLD, colour)}\n"
        for line in _hunks(one, other, _changes(one, other), ()):
            yield _shown(line, colour)


def patch(
    file: str, before: str, after: str, shown: tuple[str, str] | None = None
) -> tuple[list[str], list[int]]:
    """The difference for git apply, a line at a time, and the lines whose changes are not in it.

    The texts are the bytes of the files, in UTF-8 where they are that (PEP 383). ``shown`` are the
    same two with secrets masked, line for line: no line that differs there is in the patch. A
    change is left out if it is in such a line, or right above one: all that surrounds it then has
    to be shorter, and git apply takes a change without a line below it for one at the end.

    A line ends with LF alone, as for patch: what else ends lines is part of them. Added and removed
    lines are found by what comes next, so that another patch may be shorter: a longest common
    subsequence (difflib) is quadratic where lines repeat. Cost: O(n log n).
    """
    one, other = _lines(before), _lines(after)
    masked, also = map(_lines, shown or (before, after))
    secret = {at for at, line in enumerate(one) if line != masked[at]}
    new = {at for at, line in enumerate(other) if line != also[at]}
    kept: list[Change] = []
    left: list[int] = []
    for change in _changes(one, other):
        a, b, c, d = change
        if secret.isdisjoint(range(a, b + 1)) and new.isdisjoint(range(c, d)):
            kept.append(change)
        else:
            left += range(a + 1, max(a + 1, b) + 1)
    if not kept:
        return [], left
    head = [f"--- {_quoted(f'a/{file}')}\n", f"+++ {_quoted(f'b/{file}')}\n"]
    return [*head, *_hunks(one, other, kept, secret)], left


_ESCAPES = {"\n": "n", "\t": "t", "\r": "r", '"': '"', "\\": "\\"}


def _quoted(name: str) -> str:
    r"""A name as git writes it: in quotes where it holds what may end it or is not text.

    >>> _quoted("a/b c\n"), _quoted("a/b c")
    ('"a/b c\\n"', 'a/b c\t')
    """
    if name.isprintable() and not any(char in _ESCAPES for char in name):
        return f"{name}\t" if " " in name else name  # so that all of it is read
    pieces = ['"']
    for char in name:
        if char in _ESCAPES:
            pieces.append("\\" + _ESCAPES[char])
        elif char.isprintable():
            pieces.append(char)
        else:
            octets = char.encode("utf-8", "surrogateescape")
            pieces += (f"\\{octet:03o}" for octet in octets)
    return "".join(pieces) + '"'


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


def _hunks(
    before: list[str], after: list[str], changes: Iterable[Change], secret: Container[int]
) -> Iterator[str]:
    """The hunks, changes that are near to each other in one; secret lines are in none."""
    together: list[Change] = []
    moved = 0  # lines, by the hunks so far
    for change in changes:
        if together:
            gap = range(together[-1][1], change[0])
            if len(gap) > 2 * _CONTEXT or any(at in secret for at in gap):
                yield from _hunk(before, after, together, secret, moved)
                moved += sum((d - c) - (b - a) for a, b, c, d in together)
                together = []
        together.append(change)
    if together:
        yield from _hunk(before, after, together, secret, moved)


def _hunk(
    before: list[str], after: list[str], changes: list[Change], secret: Container[int], moved: int
) -> Iterator[str]:
    start, end = changes[0][0], changes[-1][1]
    for _ in range(_CONTEXT):
        start -= start > 0 and start - 1 not in secret
        end += end < len(before) and end not in secret
    longer = sum((d - c) - (b - a) for a, b, c, d in changes)
    yield f"@@ -{_range(start, end)} +{_range(start + moved, end + moved + longer)} @@\n"
    at = start
    for a, b, c, d in changes:
        yield from _marked(" ", before[at:a])
        yield from _marked("-", before[a:b])
        yield from _marked("+", after[c:d])
        at = b
    yield from _marked(" ", before[at:end])


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


def _shown(line: str, colour: bool) -> str:
    """A line in its visible form."""
    body, _, rest = line.partition("\n")
    shown = "\t".join(visible(piece) for piece in body.removesuffix("\r").split("\t"))
    return f"{paint(shown, _COLOURS.get(body[:1], ''), colour and body[:1] in _COLOURS)}\n{rest}"
