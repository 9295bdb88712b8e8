"""Fixes made in a text, and proved by looking at it again; and what becomes of their file.

Owns the proof that a fix is right, the change of one file, and the account of it. Imports the rest
of ``lint.fix``, ``lint.suppress`` and ``lint.engine``. Invariant: in the fixed text every URL has
its place, and is unchanged except for the edits; each edited URL is valid; fixing again changes
nothing. A file is written whole or not at all, and the remaining diagnostics are those of a new
check; no password is shown.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from typing import Literal, NamedTuple

from ...diagnostic import Diagnostic, Edit
from ..engine.analyze import Reader, Result
from ..files.source import Source, Unread, encoded, read
from ..found import Found
from .fixes import Group, applied, chosen, write

_TRIES = 64
"""Texts that are checked again, at most, to find the edits that hold; each costs a search of all of
it: by halves, this many find the few bad edits among thousands."""


class Fixed(NamedTuple):
    """The fixed text, the edits that make it, in text order, and the fixed diagnostics."""

    text: str
    edits: tuple[Edit, ...] = ()
    fixed: tuple[Diagnostic, ...] = ()


def fix(
    text: str, diagnostics: Iterable[Diagnostic], reader: Reader, unsafe: bool = False
) -> Fixed:
    """Make the edits of diagnostics, the safe ones or all, if they hold.

    An edit holds if its URL is valid afterwards, and no other URL has changed. Cost: O(n) to find
    and to validate, twice if all edits hold.

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
    edits = tuple(edit for group in held for edit in group.edits)
    return Fixed(applied(text, edits), edits, tuple(d for d in given if id(d) in made))


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
        # One that does not hold might do so next to another: until nothing is added.
        while left:
            more = self._added(held, left)
            if len(more) == len(held):
                break
            held = more
            left = _without(left, held)
        return held

    def _added(self, held: list[Group], groups: list[Group]) -> list[Group]:
        """The groups that hold already, and as many of more as do; by halves if not all do."""
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
        """The groups with wrong URLs; None if something else is wrong."""
        self._tries += 1
        edits = [edit for group in groups for edit in group.edits]
        moved = moves(edits)
        within = _within(
            [(e.start, e.end) for group in groups if not group.url for e in group.edits]
        )
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
    """The offset after edits, which are in text order, of an offset outside of them."""
    ends = [edit.end for edit in edits]
    shifts = [0, *accumulate(len(e.replacement) - (e.end - e.start) for e in edits)]
    return lambda offset: offset + shifts[bisect_right(ends, offset)]


def _within(spans: Sequence[tuple[int, int]]) -> Callable[[int, int], bool]:
    """Whether a range lies within one of some spans, which are in text order."""
    starts = [start for start, _ in spans]

    def within(start: int, end: int) -> bool:
        at = bisect_right(starts, start) - 1
        return at >= 0 and end <= spans[at][1]

    return within


def _kept(found: Found, now: Found, group: Group, moved: Callable[[int], int]) -> bool:
    """Whether a URL after its edits is unchanged except for them."""
    spans = [(edit.start, edit.end) for edit in group.edits]
    fresh = [(moved(e.end) - len(e.replacement), moved(e.end)) for e in group.edits]
    before = ((moved(at), char) for at, char in _outside(found, spans))
    # "%%41" and "%20s" can be taken for holes: so holes that begin in an edit are left out.
    holes = [(now.offset(a), now.offset(b)) for a, b in now.holes]
    is_edited = _within(fresh)
    left = [(a, b) for a, b in holes if not is_edited(a, a + 1)]
    return (
        found.rule == now.rule
        and list(before) == list(_outside(now, fresh))
        and left == [(moved(found.offset(a)), moved(found.offset(b))) for a, b in found.holes]
    )


def _outside(found: Found, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """The code points of a URL that are outside of some spans, with their offsets."""
    rest = iter([*spans, (found.end + 1, found.end + 1)])
    start, end = next(rest)
    for index, char in enumerate(found.text):
        at = found.offset(index)
        while at >= end:
            start, end = next(rest)
        if at < start:
            yield at, char


Mode = Literal["fix", "patch", "terminal", "suppress"]
"""The actions: fix files, make a patch, show it to a person, or suppress diagnostics."""


class Change(NamedTuple):
    """A changed URL or comment: its old place, and both texts, passwords masked."""

    file: str
    line: int
    column: int
    before: str
    after: str


class Changer:
    """Changes files, one by one; ``changes`` has the fixes, if they are to be ``listed``.

    ``read_as`` returns the text of a file's bytes and how it is read, and ``check`` its
    diagnostics. ``complain`` is given the failures, and whether each is an error, and ``show`` the
    lines of patches.
    """

    def __init__(
        self,
        mode: Mode,
        unsafe: bool,
        reason: str,
        read_as: Callable[[str, bytes], tuple[Source, Reader]],
        check: Callable[[Source, Reader], Result],
        complain: Callable[[str, bool], None],
        show: Callable[[Iterable[str]], None],
        listed: bool = False,
        color: bool = False,
    ) -> None:
        self._mode, self._unsafe, self._reason, self._listed = mode, unsafe, reason, listed
        self._read_as, self._check = read_as, check
        self._complain, self._show, self._color = complain, show, color
        self.changes: list[Change] = []

    def change(
        self,
        file: str,
        found: list[Diagnostic],
        hidden: list[Diagnostic],
        given: bytes | None = None,
    ) -> tuple[list[Diagnostic], bytes | None]:
        """The diagnostics that are left, and what ``given``, standard input, becomes.

        ``hidden`` are others of the file, which are not reported.
        """
        unchanged = found, given
        chosen = [d for d in found if d.fixable == "safe" or (d.fixable and self._unsafe)]
        if self._mode != "suppress" and not chosen:
            return unchanged
        data = read(file, sys.maxsize) if given is None else given
        if isinstance(data, Unread):
            self._complain(f"{file}: {data.message}: not fixed", True)
            return unchanged
        source, reader = self._read_as(file, data)
        done = self._changed(file, source.text, reader, found, chosen)
        text = done.text
        if text == source.text:
            return unchanged
        try:
            data = encoded(text, source)
            after = self._check(*self._read_as(file, data))
            if self._mode in {"patch", "terminal"}:
                self._show_difference(source, done, reader)
            elif given is None:
                write(file, text, source)
        except (OSError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or str(error)
            self._complain(f"{file}: {why}: not fixed", True)
            return unchanged
        if self._listed:
            self.changes += _changes(source.text, done, reader)
        return _left(after.diagnostics, hidden), None if given is None else data

    def _changed(
        self,
        file: str,
        text: str,
        reader: Reader,
        found: list[Diagnostic],
        chosen: list[Diagnostic],
    ) -> Fixed:
        """The text with its fixes or suppressions; what cannot be suppressed is reported."""
        if self._mode != "suppress":
            return fix(text, chosen, reader, self._unsafe)
        from ..suppress.insert import add_suppressions

        edits, refused = add_suppressions(text, file, found, self._reason)
        for one, why in refused:
            self._complain(f"{one.file}:{one.line}:{one.column}: {one.code}: {why}", False)
        return Fixed(applied(text, edits))

    def _show_difference(self, source: Source, done: Fixed, reader: Reader) -> None:
        """Show what would change. Errors: NotWritten."""
        from .diff import changed, diff, patch_of

        if self._mode == "terminal":
            shown = reader.masked(source.text), reader.masked(done.text)
            lines_ = changed(source.text, done.edits)
            self._show(diff(source.file, *shown, lines_, color=self._color))
            return
        lines, why = patch_of(source, done.text, done.edits, reader.masked)
        self._show(lines)
        if why:
            self._complain(f"{source.file}: only git apply reads this patch: {why}", False)


def _left(after: Iterable[Diagnostic], hidden: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The reports on a changed file; hidden ones (on other lines, in the baseline) stay hidden."""
    unreported = Counter((d.code, d.url) for d in hidden)
    left: list[Diagnostic] = []
    for one in after:
        if unreported[one.code, one.url] > 0:
            unreported[one.code, one.url] -= 1
        else:
            left.append(one)
    return left


def _changes(before: str, done: Fixed, reader: Reader) -> Iterator[Change]:
    """The fixes in a text, URL by URL. Cost: O(n)."""
    in_order = sorted(done.fixed, key=lambda d: (d.url_start, d.url_end, d.start))
    moved = moves(done.edits)
    masked = reader.masked(before), reader.masked(done.text)
    for span, group in groupby(in_order, key=lambda d: (d.url_start, d.url_end)):
        one = next(group)
        # Removed text is not a URL.
        start, end = span if one.url else (one.edits[0].start, one.edits[-1].end)
        texts = masked[0][start:end], masked[1][moved(start) : moved(end)]
        yield Change(one.file, one.line, one.column, *texts)
