"""Progress on standard error, while work takes long.

Imports the standard library. Invariant: standard output is the same with and without it, and
it is shown only on a terminal, in one line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from time import monotonic
from typing import TextIO, TypeVar

_T = TypeVar("_T")

_PATIENCE = 0.5  # seconds of work before it appears
_PAUSE = 0.1  # seconds between two updates
_OFTEN = 64  # items between two looks at the clock
_BARS = (30, 20, 10)  # columns: few sizes, so that the bar keeps still while numbers grow
_WIDTH = 80  # columns of a terminal that does not say how many it has
_CLEAR = "\r\x1b[K"


class Progress:
    """A line on standard error, if that is a terminal, while nothing is printed."""

    def __init__(self) -> None:
        self._start = monotonic()
        self._due = self._start + _PATIENCE
        self._is_shown = False

    def over(
        self,
        items: Iterable[_T],
        total: int | None,
        weight: Callable[[_T], int],
        unit: str = "bytes",
        often: int = _OFTEN,
    ) -> Iterator[_T]:
        """The items. ``total`` is the sum of all weights, in units, or None if it is not known.

        The clock is looked at every ``often`` items.
        """
        if not sys.stderr.isatty():
            yield from items
            return
        done = 0
        try:
            for number, item in enumerate(items):
                if number % often == 0 and monotonic() >= self._due:
                    self._show(done, total, unit)
                done += weight(item)
                yield item
        finally:
            self.close()

    def scanned(self, rows: int, invalid: int, share: float | None) -> None:
        """Call when more rows are done; ``share`` is of 1, None if the total is not known. The time
        left assumes a constant speed."""
        if not sys.stderr.isatty() or monotonic() < self._due:
            return
        seconds = monotonic() - self._start
        words = [f"{rows:,} rows"]
        if rows and seconds > 0:
            words.append(f"{rows / seconds:,.0f} a second")
        if share:
            words.append(
                f"{timedelta(seconds=round(seconds * (1.0 - min(share, 1.0)) / share))} left"
            )
        words.append(f"{invalid:,} invalid")
        self._write("scanning", share, ", ".join(words))

    def make_way(self, stream: TextIO) -> None:
        """Call before writing to a stream, which can be the same terminal."""
        if stream.isatty():
            self.close()
            self._due = monotonic() + _PATIENCE

    def _show(self, done: int, total: int | None, unit: str) -> None:
        if total:
            self._write("checking", done / total, "")
        else:
            self._write("checking", None, f"{done:,} {unit}")

    def _write(self, doing: str, share: float | None, words: str) -> None:
        """One line: a bar as long as the room allows, if the share is known, and words."""
        line = f"{doing} {words}"
        room = _columns() - 1  # some terminals wrap a line that fills the last column
        if share is not None:
            part = min(share, 1.0)
            # Never 100% before the end.
            line = f"{int(part * 100):3}%  {words}".rstrip()
            left = room - len(doing) - len(line) - 4
            size = next((size for size in _BARS if size <= left), 0)
            bar = f"[{'#' * int(part * size):<{size}}] " if size else ""
            line = f"{doing} {bar}{line}"
        sys.stderr.write(f"{_CLEAR}{line[:room]}")
        sys.stderr.flush()
        self._is_shown, self._due = True, monotonic() + _PAUSE

    def close(self) -> None:
        """Take the line away."""
        if self._is_shown:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
            self._is_shown = False


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _WIDTH
    except (OSError, ValueError):
        return _WIDTH
