"""Fixes made in a text, and proved by looking at it again.

Owns the proof that a fix does what it is meant to. Imports ``lint.fix.fixes`` and ``lint.engine``.
Invariant: in the fixed text every URL is where it was, and is what it was but for the edits; each
that was edited is valid. Fixing it once more changes nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ...diagnostic import Diagnostic, Edit
from ..engine.analyze import Reader
from ..found import Found
from .fixes import Group, applied, chosen

__all__ = ["Fixed", "fix", "moves"]

_TRIES = 64
"""Texts that are looked at again, at most, to find the edits that hold."""


class Fixed(NamedTuple):
    """The fixed text, the edits that make it, in text order, the diagnostics that were fixed, and
    those whose edits were not made."""

    text: str
    edits: tuple[Edit, ...] = ()
    fixed: tuple[Diagnostic, ...] = ()
    refused: tuple[Diagnostic, ...] = ()


def fix(
    text: str, diagnostics: Iterable[Diagnostic], reader: Reader, unsafe: bool = False
) -> Fixed:
    """Make the edits of diagnostics, the safe ones or all, where they hold.

    An edit holds if its URL is valid afterwards, and no other URL has changed. Cost: O(n) to find
    and to validate, twice where all edits hold.

    >>> from uriproof.lint.config.settings import Settings
    >>> from uriproof.lint.engine.analyze import Engine
    >>> engine, html = Engine(Settings()), "<a href='/x y#z'>"
    >>> found = engine.lint("a.html", html.encode()).diagnostics
    >>> fix(html, found, engine.reader("a.html")).text
    "<a href='/x%20y#z'>"
    """
    given = list(diagnostics)
    groups = chosen(text, given, unsafe)
    if not groups:
        return Fixed(text)
    held = _Trial(text, reader).settled(groups)
    made = {id(d) for group in held for d in group.diagnostics}
    tried = [d for group in groups for d in group.diagnostics]
    refused = tuple(d for d in tried if id(d) not in made)
    edits = tuple(edit for group in held for edit in group.edits)
    return Fixed(applied(text, edits), edits, tuple(d for d in given if id(d) in made), refused)


class _Trial:
    """The edits of one text, tried."""

    def __init__(self, text: str, reader: Reader) -> None:
        self._text = text
        self._reader = reader
        self._before = list(reader.find(text))
        self._tries = 0

    def settled(self, groups: list[Group]) -> list[Group]:
        """The groups that hold together, in text order."""
        known = {(found.start, found.end) for found in self._before}
        left = [g for g in groups if not g.url or (g.start, g.end) in known]
        held: list[Group] = []
        # One that does not hold may do so beside another: until nothing is added.
        while left:
            more = self._added(held, left)
            if len(more) == len(held):
                break
            held = more
            left = _without(left, held)
        return held

    def _added(self, held: list[Group], groups: list[Group]) -> list[Group]:
        """The groups that hold already, and as many of more as do; by halves where not all do."""
        if not groups or self._tries >= _TRIES:
            return held
        together = sorted([*held, *groups], key=lambda g: g.edits[0].start)
        wrong = self._wrong(together)
        if wrong is not None:
            fewer = _without(groups, wrong)
            if len(fewer) == len(groups):
                return together if not wrong else held
            return self._added(held, fewer)
        if len(groups) == 1:
            return held
        half = len(groups) // 2
        return self._added(self._added(held, groups[:half]), groups[half:])

    def _wrong(self, groups: list[Group]) -> list[Group] | None:
        """The groups whose URLs are not as they should be; None where something else is not."""
        self._tries += 1
        edits = [edit for group in groups for edit in group.edits]
        moved = moves(edits)
        within = _within([edit for group in groups if not group.url for edit in group.edits])
        touched = {(group.start, group.end): group for group in groups if group.url}
        after = iter(self._reader.find(applied(self._text, edits)))
        wrong: list[Group] = []
        for found in self._before:
            if within(found.start, found.end):
                continue
            now = next(after, None)
            if now is None or (moved(found.start), moved(found.end)) != (now.start, now.end):
                return None
            group = touched.get((found.start, found.end))
            if group is None:
                if (found.rule, found.text, found.holes) != (now.rule, now.text, now.holes):
                    return None
            elif not (_kept(found, now, group, moved) and self._reader.judge.accepts(now)):
                wrong.append(group)
        return wrong if next(after, None) is None else None


def _without(groups: Iterable[Group], others: Iterable[Group]) -> list[Group]:
    known = {id(group) for group in others}
    return [group for group in groups if id(group) not in known]


def moves(edits: Sequence[Edit]) -> Callable[[int], int]:
    """Where an offset outside of edits, which are in text order, is after them."""
    ends = [edit.end for edit in edits]
    shifts = [0, *accumulate(len(e.replacement) - (e.end - e.start) for e in edits)]
    return lambda offset: offset + shifts[bisect_right(ends, offset)]


def _within(edits: Sequence[Edit]) -> Callable[[int, int], bool]:
    """Whether a range lies within one of some edits, which are in text order."""
    starts = [edit.start for edit in edits]

    def within(start: int, end: int) -> bool:
        at = bisect_right(starts, start) - 1
        return at >= 0 and end <= edits[at].end

    return within


def _kept(found: Found, now: Found, group: Group, moved: Callable[[int], int]) -> bool:
    """Whether a URL after its edits is what it was, but for them."""
    spans = [(edit.start, edit.end) for edit in group.edits]
    fresh = [(moved(e.end) - len(e.replacement), moved(e.end)) for e in group.edits]
    before = ((moved(at), char) for at, char in _outside(found, spans))
    # "%%41" and "%20s" may be taken for holes: so what begins in an edit is left out.
    holes = [(now.offset(a), now.offset(b)) for a, b in now.holes]
    lows = [low for low, _ in fresh]
    left = [(a, b) for a, b in holes if not _begins_in(a, lows, fresh)]
    return (
        found.rule == now.rule
        and list(before) == list(_outside(now, fresh))
        and left == [(moved(found.offset(a)), moved(found.offset(b))) for a, b in found.holes]
    )


def _begins_in(at: int, lows: Sequence[int], spans: Sequence[tuple[int, int]]) -> bool:
    """Whether an offset lies in one of some spans, which are in order and begin at ``lows``."""
    number = bisect_right(lows, at) - 1
    return number >= 0 and at < spans[number][1]


def _outside(found: Found, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """The code points of a URL that are outside of some spans, with where they stand."""
    rest = iter([*spans, (found.end + 1, found.end + 1)])
    start, end = next(rest)
    for index, char in enumerate(found.text):
        at = found.offset(index)
        while at >= end:
            start, end = next(rest)
        if at < start:
            yield at, char
