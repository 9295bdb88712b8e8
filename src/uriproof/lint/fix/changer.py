"""What becomes of a file with diagnostics: it is fixed, they are suppressed, or a patch is shown.

Owns the change of one file and the account of it. Imports the rest of ``lint.fix``,
``lint.suppress`` and ``lint.engine``. Invariant: a file is written whole or not at all, and what is
left is what a new check of the file would report; no password is in what is shown.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Literal, NamedTuple

from ...diagnostic import Diagnostic
from ..engine.analyze import Reader, Result
from ..files.source import Source, Unread, encoded, read
from .apply import Fixed, fix, moves
from .fixes import applied, write

__all__ = ["Change", "Changer"]

Mode = Literal["fix", "patch", "terminal", "suppress"]
"""What is done: files are fixed, a patch is made, the same is shown to a person, or diagnostics are
suppressed."""


class Change(NamedTuple):
    """A URL, or a comment, that was changed: where it stood, and both texts, passwords masked."""

    file: str
    line: int
    column: int
    before: str
    after: str


class Changer:
    """Changes files, one by one; ``changes`` has what was fixed, if that is to be ``listed``.

    ``read_as`` gives the text of a file's bytes and how it is read, and ``check`` what is wrong
    there. ``complain`` is given what could not be done, and whether that is an error, and ``show``
    the lines of patches.
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
        colour: bool = False,
    ) -> None:
        self._mode, self._unsafe, self._reason, self._listed = mode, unsafe, reason, listed
        self._read_as, self._check = read_as, check
        self._complain, self._show, self._colour = complain, show, colour
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
            unshown: list[Diagnostic] = []
            if self._mode in {"patch", "terminal"}:
                omitted = self._show_difference(source, done, reader)
                unshown = [d for d in done.fixed if not omitted.isdisjoint(_edited(source.text, d))]
            elif given is None:
                write(file, text, source)
        except (OSError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or str(error)
            self._complain(f"{file}: {why}: not fixed", True)
            return unchanged
        if self._listed:
            self.changes += _changes(source.text, done, reader)
        left = sorted([*_left(after.diagnostics, hidden), *unshown], key=lambda d: (d.start, d.end))
        return left, None if given is None else data

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

    def _show_difference(self, source: Source, done: Fixed, reader: Reader) -> frozenset[int]:
        """Show what would change; the lines whose changes are not shown. Errors: NotWritten."""
        from .diff import changed, diff, patch_of

        if self._mode == "terminal":
            shown = reader.masked(source.text), reader.masked(done.text)
            lines_ = changed(source.text, done.edits)
            self._show(diff(source.file, *shown, lines_, colour=self._colour))
            return frozenset()
        lines, left = patch_of(source, done.text, done.edits, reader.masked)
        self._show(lines)
        for line in left:
            why = "not in the patch, which would show a password"
            self._complain(f"{source.file}:{line}: {why}", False)
        return frozenset(left)


def _edited(text: str, diagnostic: Diagnostic) -> Iterator[int]:
    """The lines that the edits of a diagnostic are in, from 1. Cost: O(n)."""
    for edit in diagnostic.edits:
        first = text.count("\n", 0, edit.start) + 1
        yield from range(first, first + text.count("\n", edit.start, edit.end) + 1)


def _left(after: Iterable[Diagnostic], hidden: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What is reported of a changed file: what was hidden before (on other lines, or in the
    baseline) is hidden now."""
    unreported = Counter((d.code, d.url) for d in hidden)
    left: list[Diagnostic] = []
    for one in after:
        if unreported[one.code, one.url] > 0:
            unreported[one.code, one.url] -= 1
        else:
            left.append(one)
    return left


def _changes(before: str, done: Fixed, reader: Reader) -> Iterator[Change]:
    """What was fixed in a text, URL by URL. Cost: O(n)."""
    in_order = sorted(done.fixed, key=lambda d: (d.url_start, d.url_end, d.start))
    moved = moves(done.edits)
    masked = reader.masked(before), reader.masked(done.text)
    for span, group in groupby(in_order, key=lambda d: (d.url_start, d.url_end)):
        one = next(group)
        # What is taken out is no URL.
        start, end = span if one.url else (one.edits[0].start, one.edits[-1].end)
        texts = masked[0][start:end], masked[1][moved(start) : moved(end)]
        yield Change(one.file, one.line, one.column, *texts)
