"""The amount of work that a caller waits for: one bound for all machines of grammars together.

Owns the count of steps. Imports the errors. Invariant: the count depends on the request, never on
the elapsed time; without a bound nothing is counted; and work within a bound inside another counts
for both.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..limits import MAX_STEPS_OF_WORK
from .errors import GrammarLimit


class TooMuchWork(Exception):
    """The request takes more steps than allowed; no stored value is unfinished."""


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
    outer = _left.get()
    allowed = steps if outer is None else min(steps, outer.steps)
    own = _Left(allowed)
    token = _left.set(own)
    try:
        yield
    finally:
        _left.reset(token)
        if outer is not None:
            outer.steps -= allowed - own.steps


@contextmanager
def limited(what: str, steps: int = MAX_STEPS_OF_WORK) -> Iterator[None]:
    """Within it, whatever takes more steps ends in GrammarLimit, which says ``what`` takes them.

    So does what is nested more deeply than Python calls functions.

    >>> with limited("a table of all texts", 10):
    ...     spend(11)
    Traceback (most recent call last):
    uriproof.grammar.errors.GrammarLimit: a table of all texts takes more than 10 steps of work
    """
    outer = _left.get()
    try:
        with at_most(steps):
            yield
    except TooMuchWork:
        if outer is not None and outer.steps < 0:
            raise  # it is the work around it that is too much
        raise GrammarLimit(f"{what} takes more than {steps:,} steps of work") from None
    except RecursionError:
        raise GrammarLimit(f"{what} is nested too deeply") from None


def spend(steps: int) -> None:
    """Count steps. Errors: TooMuchWork, when none is left."""
    left = _left.get()
    if left is not None:
        left.steps -= steps
        if left.steps < 0:
            raise TooMuchWork
