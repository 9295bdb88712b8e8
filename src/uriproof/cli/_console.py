"""The terminal: whether it shows colour, how wide it is, and a bar for work that takes long.

May import ``render``, and ``rich`` once a bar is shown. Invariant: what goes to standard output is
the same with and without a bar, and nothing decorated goes anywhere but to a terminal, unless
FORCE_COLOR asks for it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, TextIO, TypeVar

from ..render import Style
from ..text.drawing import WIDTH

if TYPE_CHECKING:
    from rich.progress import Progress

_T = TypeVar("_T")

_PATIENCE = 0.5  # seconds of work before a bar appears
_OFTEN = 64  # items between two looks at the clock
_NARROWEST = 40


def style(stream: TextIO, advice: bool | None) -> Style:
    """How output to a stream should look. NO_COLOR wins over FORCE_COLOR (no-color.org)."""
    terminal = stream.isatty()
    dumb = os.environ.get("TERM") == "dumb"
    colour = bool(os.environ.get("FORCE_COLOR")) or (terminal and not dumb)
    width = WIDTH
    if terminal:
        try:
            # One column less: some terminals wrap a line that fills the last one.
            width = min(WIDTH, os.get_terminal_size(stream.fileno()).columns - 1)
        except (OSError, ValueError):
            width = WIDTH
    return Style(colour and not os.environ.get("NO_COLOR"), max(width, _NARROWEST), advice)


class Watch:
    """A bar on standard error, if that is a terminal, while work takes long and prints nothing."""

    def __init__(self) -> None:
        self._since = monotonic()
        self._bar: Progress | None = None

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
                if number % often == 0:
                    self._show(done, total, unit)
                done += weight(item)
                yield item
        finally:
            self._hide()

    def make_way(self, stream: TextIO) -> None:
        """Call before writing to a stream: the bar must not stand among what is printed."""
        if stream.isatty():
            self._hide()
            self._since = monotonic()

    def _show(self, done: int, total: int | None, unit: str) -> None:
        if self._bar is None:
            if monotonic() - self._since < _PATIENCE:
                return
            self._bar = _bar(total, unit)
        self._bar.update(self._bar.task_ids[0], completed=done)

    def _hide(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _bar(total: int | None, unit: str) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("proofreading"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%" if total else f"{{task.completed:,.0f}} {unit}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    bar.add_task("", total=total)
    bar.start()
    return bar
