"""How much work somebody waits for: one bound for all machines of grammars together.

Owns the count of steps. Imports the standard library alone. Invariant: what is counted depends on
what is asked for, never on the time that it takes; without a bound nothing is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class TooMuchWork(Exception):
    """What was asked for takes more steps than are allowed; nothing that was kept is unfinished."""


class _Left:
    """The steps that are left."""

    __slots__ = ("steps",)

    def __init__(self, steps: int) -> None:
        self.steps = steps


_left: ContextVar[_Left | None] = ContextVar("left", default=None)


@contextmanager
def at_most(steps: int) -> Iterator[None]:
    """Within it, whatever takes more steps ends in TooMuchWork. Some million steps take a second.

    >>> with at_most(10):
    ...     spend(11)
    Traceback (most recent call last):
    uriproof.grammar.work.TooMuchWork
    """
    token = _left.set(_Left(steps))
    try:
        yield
    finally:
        _left.reset(token)


def spend(steps: int) -> None:
    """Count steps. Errors: TooMuchWork, when none is left."""
    left = _left.get()
    if left is not None:
        left.steps -= steps
        if left.steps < 0:
            raise TooMuchWork
