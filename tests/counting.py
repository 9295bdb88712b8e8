"""Steps counted, not timed: calls, and the characters that are touched beside them.

Owns the counter and the text that reports to it. Invariant: the same call gives the same count on
any machine, however busy.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, SupportsIndex

_touched = 0

_WHOLE = (
    *("count", "encode", "endswith", "expandtabs", "isspace", "join", "lower", "lstrip"),
    *("partition", "replace", "rpartition", "rsplit", "rstrip", "split", "splitlines"),
    *("strip", "title", "translate", "upper", "isprintable", "__add__", "__contains__"),
)
_STOPPING = ("isprintable", "isspace", "endswith")
_RANGED = ("find", "index", "rfind", "rindex")


class Counted(str):
    """A text that counts the characters that its methods read or copy; its slices do so, too."""

    __slots__ = ()

    def __getitem__(self, at: SupportsIndex | slice) -> str:
        piece = str.__getitem__(self, at)
        _touch(len(piece))
        return Counted(piece) if isinstance(at, slice) else piece

    def __iter__(self) -> Any:
        _touch(len(self))
        return str.__iter__(self)


def _touch(characters: int) -> None:
    global _touched  # noqa: PLW0603 -- the counter
    _touched += characters


def _whole(name: str) -> Callable[..., Any]:
    method = getattr(str, name)

    def counted(self: str, *args: Any, **more: Any) -> Any:
        result = method(self, *args, **more)
        # What is the text itself is not copied, and what is false at once is not read on.
        brief = result is self or (name.endswith("strip") and result == self)
        _touch(1 if brief or (result is False and name in _STOPPING) else len(self))
        return Counted(result) if type(result) is str else result

    return counted


def _ranged(name: str) -> Callable[..., Any]:
    method = getattr(str, name)

    def counted(self: str, wanted: str, low: int = 0, high: int | None = None) -> Any:
        high = len(self) if high is None else min(high, len(self))
        result = method(self, wanted, low, high)
        if result < 0:
            _touch(max(high - low, 0))
        else:
            _touch(high - result if name.startswith("r") else result - low)
        return result

    return counted


for _name in _WHOLE:
    setattr(Counted, _name, _whole(_name))
for _name in _RANGED:
    setattr(Counted, _name, _ranged(_name))


@contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage is collected: what other tests left behind has finalizers, which make calls."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def steps(call: Callable[[], object]) -> int:
    """The calls that a call makes, and the characters of counted texts that it touches."""
    global _touched  # noqa: PLW0603
    calls = 0

    def event(frame: FrameType, kind: str, arg: object) -> None:
        nonlocal calls
        calls += kind in ("call", "c_call")

    _touched = 0
    before = sys.getprofile()
    with _uncollected():
        sys.setprofile(event)
        try:
            call()
        finally:
            sys.setprofile(before)
    return calls + _touched


def operations(call: Callable[[], object]) -> int:
    """The bytecodes that a call executes, and the characters of counted texts that it touches.

    These see a loop that calls nothing; they take ten times as long to count as steps.
    """
    global _touched  # noqa: PLW0603
    executed = 0

    def event(frame: FrameType, kind: str, arg: object) -> Callable[..., Any]:
        nonlocal executed
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        executed += kind == "opcode"
        return event

    _touched = 0
    before = sys.gettrace()
    with _uncollected():
        sys.settrace(event)
        try:
            call()
        finally:
            sys.settrace(before)
    return executed + _touched


def growth(
    prepare: Callable[[int], Callable[[], object]],
    size: int,
    count: Callable[[Callable[[], object]], int] = steps,
) -> float:
    """How many times as many steps ten times the size takes, or what else is counted.

    What is made once for all is made before, with another size: what is remembered of a text does
    not count as remembered.
    """
    # Counted, too: from Python 3.13 on, a first traced call misses opcodes that later ones see.
    count(prepare(size + 1))
    small, large = count(prepare(size)), count(prepare(10 * size))
    return large / small
