"""Sets of code points as sorted ranges, and the classes that a family of sets divides them into.

Owns the arithmetic of character sets. Imports only the model. Invariant: a ``Ranges`` is sorted,
disjoint and merged, so that two equal sets are equal tuples.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache

from .model import MAX_CODE_POINT, CharVal, NumVal

Ranges = tuple[tuple[int, int], ...]

MAX_REMEMBERED = 10_000
"""Characters whose class is remembered: more than any honest text has, little memory for others."""

EMPTY: Ranges = ()
ANY: Ranges = ((0, MAX_CODE_POINT),)


def union(*sets: Ranges) -> Ranges:
    """All code points that are in one of the sets.

    >>> union(((48, 57),), ((58, 60), (70, 70)))
    ((48, 60), (70, 70))
    """
    merged: list[tuple[int, int]] = []
    for low, high in sorted(r for s in sets for r in s):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def overlap(a: Ranges, b: Ranges) -> bool:
    """True when some code point is in both sets."""
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i][1] < b[j][0]:
            i += 1
        elif b[j][1] < a[i][0]:
            j += 1
        else:
            return True
    return False


def minus(a: Ranges, b: Ranges) -> Ranges:
    """The code points of ``a`` that are not in ``b``."""
    kept: list[tuple[int, int]] = []
    for first, high in a:
        low = first
        for cut_low, cut_high in b:
            if cut_high < low or cut_low > high:
                continue
            if cut_low > low:
                kept.append((low, cut_low - 1))
            low = cut_high + 1
        if low <= high:
            kept.append((low, high))
    return tuple(kept)


@lru_cache(maxsize=1_000)
def both(a: Ranges, b: Ranges) -> Ranges:
    """The code points that are in both sets.

    >>> both(((48, 57), (97, 122)), ((57, 97),))
    ((57, 57), (97, 97))
    """
    return minus(a, minus(a, b))


@lru_cache(maxsize=1_000)
def of_char(char: str, case_sensitive: bool) -> Ranges:
    """One character of a quoted string: both cases of a letter unless ``%s`` (RFC 5234 §2.3)."""
    points = {ord(char)} if case_sensitive else {ord(char.lower()), ord(char.upper())}
    return union(tuple((p, p) for p in sorted(points)))


def of_terminal(element: CharVal | NumVal) -> tuple[Ranges, ...]:
    """The sets that a terminal element matches, one per code point of its length."""
    if isinstance(element, CharVal):
        return tuple(of_char(c, element.case_sensitive) for c in element.text)
    if element.is_range:
        return (((element.points[0], element.points[1]),),)
    return tuple(((p, p),) for p in element.points)


class Alphabet:
    """The coarsest classes of code points that a family of sets cannot tell apart.

    Class 0 holds the code points that are in no set. ``starts[i]`` is the first code point of the
    i-th interval, ``ids[i]`` its class. Any number of threads can use one.

    >>> a = Alphabet([((48, 57),), ((97, 102),)])
    >>> a.size, a.of("0"), a.of("f"), a.of("z")
    (3, 1, 2, 0)
    """

    __slots__ = ("_known", "_ranges", "_samples", "ids", "size", "starts")

    def __init__(self, sets: Iterable[Ranges]) -> None:
        family = sorted(set(sets))
        cuts: dict[int, set[int]] = {0: set()}
        for number, ranges in enumerate(family):
            for low, high in ranges:
                cuts.setdefault(low, set()).symmetric_difference_update({number})
                cuts.setdefault(high + 1, set()).symmetric_difference_update({number})
        inside: frozenset[int] = frozenset()
        known: dict[frozenset[int], int] = {frozenset(): 0}
        starts: list[int] = []
        ids: list[int] = []
        for start in sorted(c for c in cuts if c <= MAX_CODE_POINT):
            inside ^= cuts[start]
            id_ = known.setdefault(inside, len(known))
            if not ids or ids[-1] != id_:
                starts.append(start)
                ids.append(id_)
        self._fill(starts, ids)

    @classmethod
    def from_intervals(cls, starts: list[int], ids: list[int]) -> Alphabet:
        """The alphabet that an earlier one described by its intervals."""
        alphabet = cls.__new__(cls)
        alphabet._fill(starts, ids)
        return alphabet

    def _fill(self, starts: list[int], ids: list[int]) -> None:
        self.starts: list[int] = starts
        self.ids: list[int] = ids
        self.size: int = max(ids) + 1
        self._known: dict[str, int] = {}
        self._ranges: tuple[Ranges, ...] | None = None
        self._samples: tuple[str, ...] | None = None

    def of(self, char: str) -> int:
        """The class of a character."""
        id_ = self._known.get(char)
        return self._find(char) if id_ is None else id_

    def encode(self, text: str) -> list[int]:
        """The class of each character of a text. Cost: O(n)."""
        known = self._known
        try:
            return list(map(known.__getitem__, text))  # no bytecode for each character
        except KeyError:
            # Data that another thread might be reading is never changed: it is replaced.
            if len(known) > MAX_REMEMBERED:
                self._known = known = {}
            for char in set(text).difference(known):
                known[char] = self._find(char)
            return [known[char] for char in text]

    def _find(self, char: str) -> int:
        return self.ids[bisect_right(self.starts, ord(char)) - 1]

    def classes(self, ranges: Ranges) -> frozenset[int]:
        """The classes that make up a set of the family (or of a union of its sets)."""
        found = set()
        for low, high in ranges:
            i = bisect_right(self.starts, low) - 1
            while i < len(self.starts) and self.starts[i] <= high:
                found.add(self.ids[i])
                i += 1
        return frozenset(found)

    def ranges(self, class_: int) -> Ranges:
        """The code points of one class. Cost: all classes at the first call, then O(1)."""
        if self._ranges is None:
            ends = [*self.starts[1:], MAX_CODE_POINT + 1]
            sets: list[list[tuple[int, int]]] = [[] for _ in range(self.size)]
            for start, end, id_ in zip(self.starts, ends, self.ids, strict=True):
                sets[id_].append((start, end - 1))
            self._ranges = tuple(map(tuple, sets))
        return self._ranges[class_]

    def samples(self) -> tuple[str, ...]:
        """A character of each class that has any. Cost: that of ``ranges``."""
        if self._samples is None:
            classes = filter(self.ranges, range(self.size))
            self._samples = tuple(map(self.sample, classes))
        return self._samples

    def sample(self, class_: int) -> str:
        """A character of the class, a printable one if there is one."""
        ranges = self.ranges(class_)
        for low, high in ranges:
            for point in range(max(low, 0x21), min(high, 0x7E) + 1):
                return chr(point)
        return chr(ranges[0][0])
