"""Processes that work on chunks, and what happens when one of them ends.

Owns ``answers``. Imports ``work`` for its answers. Invariant: each chunk is answered once; a
process has one chunk at a time, so that memory is bounded; when the caller stops, all end.

Processes are started anew, not forked. They leave an interrupt to the process that started them,
and end when it does, for whatever reason.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.abc import MetaPathFinder
from multiprocessing.connection import Connection, wait
from typing import Any, TypeAlias

from ...processes import context
from .read import Chunk
from .work import Done, Failed

__all__ = ["answers"]

Answer: TypeAlias = Done | Failed
Run: TypeAlias = "deque[Chunk]"

_TRIES = 2
"""How often a chunk is given to a process, if the first one ends while it works on it."""


def answers(
    runs: Iterable[list[Chunk]], work: Callable[[Chunk], Answer], processes: int
) -> Iterator[tuple[Chunk, Answer]]:
    """Each chunk with its answer, in the order in which they are done.

    A process is given the chunks of a run one after the other; where no run is left, those that
    have chunks are divided. Where reading a chunk fails, the rest of its run is tried as well.
    Errors: RuntimeError for an error of the program itself in a process.
    """
    if processes == 1:
        for run in runs:
            for chunk in run:
                yield chunk, work(chunk)
        return
    pool = _Pool(runs, work)
    try:
        pool.start(processes)
        yield from pool.answers()
    finally:
        pool.stop()


class _Member:
    """A process, what it works on, and what it does next."""

    def __init__(self, work: Callable[[Chunk], Answer]) -> None:
        made = context()
        self.pipe, other = made.Pipe()
        self.process = made.Process(target=_serve, args=(other, work), daemon=True)
        with _without_interrupts():
            self.process.start()
        other.close()
        self.run: Run = deque()
        self.chunk: Chunk | None = None
        self.tries = 0

    def give(self, chunk: Chunk, tries: int = 1) -> None:
        self.chunk, self.tries = chunk, tries
        with suppress(OSError):  # it has ended: so says the pipe when it is read
            self.pipe.send(chunk)

    def end(self) -> int | None:
        self.process.kill()
        self.process.join()
        self.pipe.close()
        return self.process.exitcode


class _Pool:
    def __init__(self, runs: Iterable[list[Chunk]], work: Callable[[Chunk], Answer]) -> None:
        self._runs = iter(runs)
        self._work = work
        self._members: list[_Member] = []
        self._ready: deque[Run] = deque()

    def start(self, processes: int) -> None:
        for _ in range(processes):
            self._members.append(_Member(self._work))

    def stop(self) -> None:
        for member in self._members:
            member.end()
        self._members.clear()

    def answers(self) -> Iterator[tuple[Chunk, Answer]]:
        while True:
            for member in self._members:
                if member.chunk is None and (chunk := self._next(member)) is not None:
                    member.give(chunk)
            busy = {member.pipe: member for member in self._members if member.chunk is not None}
            if not busy:
                return
            self._look_ahead()
            for pipe in wait(list(busy)):
                member = busy[pipe]  # type: ignore[index]  # the pipes that it was given
                chunk = member.chunk
                assert chunk is not None  # noqa: S101 -- it is busy
                answer = self._answer(member)
                if answer is not None:
                    member.chunk = None
                    yield chunk, answer

    def _look_ahead(self) -> None:
        """Read the next run while all processes are at work."""
        if not self._ready and (run := next(self._runs, None)) is not None:
            self._ready.append(deque(run))

    def _next(self, member: _Member) -> Chunk | None:
        if not member.run:
            self._look_ahead()
            if self._ready:
                member.run = self._ready.popleft()
            else:  # the second half of what another has most of
                other = max(self._members, key=lambda each: len(each.run))
                member.run.extend(
                    reversed([other.run.pop() for _ in range((len(other.run) + 1) // 2)])
                )
        return member.run.popleft() if member.run else None

    def _answer(self, member: _Member) -> Answer | None:
        """What a process says; None if it ended, and another has been given its chunk."""
        try:
            answer = member.pipe.recv()
        except (EOFError, OSError):
            return self._replaced(member)
        if isinstance(answer, str):
            raise RuntimeError(  # noqa: TRY004 -- an error of the program
                f"in a process of the scan:\n{answer}"
            )
        made: Answer = answer
        return made

    def _replaced(self, member: _Member) -> Answer | None:
        member.process.join(5)
        code = member.end()
        new = _Member(self._work)
        new.run, chunk = member.run, member.chunk
        self._members[self._members.index(member)] = new
        assert chunk is not None  # noqa: S101 -- it was busy
        if member.tries < _TRIES:
            new.give(chunk, member.tries + 1)
            return None
        how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
        return Failed(
            f"the process that read it ended {how}, {_TRIES} times; if memory is short, "
            "try fewer processes with --jobs",
            f"rows {chunk.first:,} to {chunk.first + chunk.rows - 1:,}",
        )


class _NoPandas(MetaPathFinder):
    """Where pandas is installed, pyarrow imports it to make any array: half a second, for nothing.

    Nothing that runs in the processes of a scan uses it.
    """

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError(f"{fullname} is not used here", name=fullname)


def _serve(pipe: Connection, work: Callable[[Chunk], Answer]) -> None:
    """What runs in a process, until the pipe is closed."""
    sys.meta_path.insert(0, _NoPandas())
    while True:
        try:
            chunk: Any = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer: Any = work(chunk)
        except Exception:
            import traceback

            answer = traceback.format_exc()
        try:
            pipe.send(answer)
        except OSError:
            return


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """What is started within ignores interrupts; only the main thread can see to that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
