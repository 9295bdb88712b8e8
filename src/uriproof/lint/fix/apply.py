"""Texts with their fixes in, looked at again.

Owns the proof that a fix does what it is meant to. Imports ``lint.fix`` and ``lint.find``.
Invariant: in what it gives, every URL is where it was, and is what it was but for the edits; each
that was edited is valid. Mending it once more changes nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from ...diagnostic import Diagnostic, Edit
from ...report import Report
from ..files.source import Source, spoken
from ..found import Found
from .fixes import Group, applied, chosen

if TYPE_CHECKING:
    from ..engine.analyze import Engine

__all__ = ["Mended", "Reader", "mend", "reader"]

_TRIES = 64
"""Texts that are looked at again, at most, to tell apart which edits hold and which do not."""


@dataclass(frozen=True, slots=True)
class Reader:
    """How a file is read: what is found in a text, the verdict on it, and its components."""

    find: Callable[[str], Iterable[Found]]
    accepts: Callable[[Found], bool]
    report: Callable[[Found], Report]

    def concealed(self, text: str) -> str:
        """The text with an asterisk for each character of a password. Cost: O(n)."""
        from ..engine.passwords import password

        pieces: list[str] = []
        at = 0
        for found in self.find(text):
            span = password(self.report(found), found.holes) if "@" in found.text else None
            if span is not None:
                start, end = found.offset(span[0]), found.offset(span[1])
                hidden = "".join(char if char in "\r\n" else "*" for char in text[start:end])
                pieces += text[at:start], hidden
                at = end
        return "".join([*pieces, text[at:]])


def reader(engine: Engine, source: Source, data: bytes = b"") -> Reader:
    """How an engine reads a file; ``data`` are its first bytes, for what they say that runs it."""
    from ..find import finders

    format_ = engine.format(source.file, data)
    find = finders()[format_].find
    called = spoken(source.file, data)
    judge = engine.judge(format_)
    return Reader(lambda text: find(text, called), judge.accepts, judge.report)


@dataclass(frozen=True, slots=True)
class Mended:
    """The text after, the diagnostics that are mended, and those whose edits were not made."""

    text: str
    mended: tuple[Diagnostic, ...] = ()
    refused: tuple[Diagnostic, ...] = ()


def mend(
    text: str, diagnostics: Iterable[Diagnostic], reader: Reader, unsafe: bool = False
) -> Mended:
    """Make the edits of diagnostics, the safe ones or all, so far as they hold.

    An edit holds if its URL is valid afterwards, and nothing else that is found has changed.
    Cost: O(n) to find and to judge, twice where all edits hold.

    >>> from uriproof.lint.config.settings import Settings
    >>> from uriproof.lint.engine.analyze import Engine
    >>> from uriproof.lint.files.source import decoded
    >>> engine, data = Engine(Settings()), b"<a href='/x#y#z'>"
    >>> said = engine.lint("a.html", data).diagnostics
    >>> mend(data.decode(), said, reader(engine, decoded("a.html", data))).text
    "<a href='/x#y%23z'>"
    """
    said = list(diagnostics)
    groups = chosen(text, said, unsafe)
    if not groups:
        return Mended(text)
    held = _Trial(text, reader).settled(groups)
    done = {id(d) for group in held for d in group.diagnostics}
    wanted = [d for group in groups for d in group.diagnostics]
    refused = tuple(d for d in wanted if id(d) not in done)
    mended = tuple(d for d in said if id(d) in done)
    return Mended(applied(text, held), mended, refused)


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
        moved = _moves(edits)
        within = _within([edit for group in groups if not group.url for edit in group.edits])
        touched = {(group.start, group.end): group for group in groups if group.url}
        after = iter(self._reader.find(applied(self._text, groups)))
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
            elif not (_kept(found, now, group, moved) and self._reader.accepts(now)):
                wrong.append(group)
        return wrong if next(after, None) is None else None


def _without(groups: Iterable[Group], others: Iterable[Group]) -> list[Group]:
    known = {id(group) for group in others}
    return [group for group in groups if id(group) not in known]


def _moves(edits: Sequence[Edit]) -> Callable[[int], int]:
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
