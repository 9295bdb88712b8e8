"""Progress on standard error, while work takes long.

Imports the standard library alone. Invariant: what goes to standard output is the same with and
without it, and it is shown on a terminal alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TextIO, TypeVar

__all__ = ["Progress"]

_T = TypeVar("_T")

_PATIENCE = 0.5  # seconds of work before it appears
_PAUSE = 0.1  # seconds between two updates
_OFTEN = 64  # items between two looks at the clock
_BAR = 30  # columns
_CLEAR = "\r\x1b[K"


class Progress:
    """A line on standard error, if that is a terminal, while nothing is printed."""

    def __init__(self) -> None:
        self._due = monotonic() + _PATIENCE
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
            self._hide()

    def make_way(self, stream: TextIO) -> None:
        """Call before writing to a stream, which may be the same terminal."""
        if stream.isatty():
            self._hide()
            self._due = monotonic() + _PATIENCE

    def _show(self, done: int, total: int | None, unit: str) -> None:
        words = f"{done:,} {unit}"
        if total:
            part = min(done / total, 1.0)
            words = f"[{'#' * int(part * _BAR):<{_BAR}}] {part:4.0%}"
        sys.stderr.write(f"{_CLEAR}checking {words}")
        sys.stderr.flush()
        self._is_shown, self._due = True, monotonic() + _PAUSE

    def _hide(self) -> None:
        if self._is_shown:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
            self._is_shown = False
