"""Other Python processes, started so that they never import from the working directory.

Owns how they are started, the pool of them, and the one that is stopped if it takes too long.
Imports only the standard library. Invariant: no module is imported from the working directory;
whatever a process does, its parent continues; no process outlives its parent.

``multiprocessing`` starts ``python -c``, which looks for modules in the working directory first,
even for ``multiprocessing`` itself; and that can be a checkout, or a folder of pupils.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING, Any

from .limits import STARTING_SECONDS

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

__all__ = ["BrokenProcessPool", "Pool", "Worker", "apart"]

_SAFE = "PYTHONSAFEPATH"

_AHEAD = 2
"""Requests that each process has at once: one in progress, one waiting. More
would only take memory: a request can be some megabytes of a file."""

_lock = threading.Lock()


@contextmanager
def apart() -> Iterator[None]:
    """Within, a Python that is started does not look for modules in its working directory.

    It goes by the environment, for ``multiprocessing`` passes no options; a Python that is told to
    ignore that (``-E``) passes this on, and ``-I`` is safe.
    """
    with _lock:
        before = os.environ.get(_SAFE)
        os.environ[_SAFE] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[_SAFE]
            else:
                os.environ[_SAFE] = before


class _Process(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 -- the name that multiprocessing calls
        with apart(), _without_interrupts():
            return SpawnProcess._Popen(process_obj)


class _Spawning(SpawnContext):
    Process = _Process


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """A process that is started within ignores interrupts from its first moment, before it could
    say so itself. Only the main thread can see to that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _context() -> SpawnContext:
    """The context of processes and pools: each process is started anew, not forked."""
    if os.name == "posix":  # a helper of its own, which is started by the first lock
        from multiprocessing.resource_tracker import ensure_running

        with apart():
            ensure_running()
    return _Spawning()


class Pool(ProcessPoolExecutor):
    """Processes that answer requests. Each calls ``begin(*arguments)``, once, which gives the
    function that answers. Requests, answers and arguments are pickled.

    Processes are started anew, so guard the main module of your program with
    ``if __name__ == "__main__":``. With ``fork``, they share the modules loaded
    by now, and arguments are not pickled.

    If one of them is killed, all end, and what waits for an answer raises ``BrokenProcessPool``.
    """

    def __init__(
        self,
        processes: int,
        begin: Callable[..., Callable[[Any], Any]],
        *arguments: Any,
        fork: bool = False,
    ) -> None:
        made = get_context("fork") if fork else _context()
        super().__init__(processes, made, _begin, (begin, arguments))
        self._most, self._fork, self._is_broken = processes * _AHEAD, fork, False
        if fork:  # a collection would write to the memory that they share, and so copy it
            gc.freeze()

    def ask(self, request: Any) -> Future[Any]:
        """The answer, when it is there. Errors: ``BrokenProcessPool``."""
        try:
            return self.submit(_ask, request)
        except BrokenProcessPool:
            self._is_broken = True
            raise

    def answers(self, requests: Iterable[Any]) -> Iterator[Any]:
        """The answers, in the order of the requests, of which only a few are read ahead.

        Errors: those of the function that answers; ``BrokenProcessPool``.
        """
        pending: deque[Future[Any]] = deque()
        for request in requests:
            pending.append(self.ask(request))
            if len(pending) >= self._most:
                yield self.result(pending.popleft())
        while pending:
            yield self.result(pending.popleft())

    def result(self, answer: Future[Any]) -> Any:
        """The answers. Errors: as ``answers``."""
        try:
            return answer.result()
        except BrokenProcessPool:
            self._is_broken = True
            raise

    def __exit__(self, *_: object) -> None:
        # Requests whose results are not needed are not started. A broken pool might never be done.
        self.shutdown(wait=not self._is_broken, cancel_futures=True)
        if self._fork:
            gc.unfreeze()


_answer: Callable[[Any], Any]


def _begin(begin: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]) -> None:
    """Set up a process of a pool. An interrupt is for the one that started it."""
    global _answer  # noqa: PLW0603 -- a process is set up once
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _answer = begin(*arguments)


def _end_with_parent() -> None:
    """A pool of the standard library waits for requests for ever, if who makes them is killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _ask(request: Any) -> Any:
    return _answer(request)


class Worker:
    """A process that answers one request after the other, and is replaced when it does not.

    It calls ``begin(*arguments)``, once, which gives the function that answers. Requests, answers
    and arguments are pickled.
    """

    def __init__(self, begin: Callable[..., Callable[[Any], Any]], *arguments: Any) -> None:
        self._begin, self._arguments = begin, arguments
        self._has_ended = False
        self._process: _Process | None = None
        self._pipe: Connection[Any, Any] | None = None

    def ask(self, request: Any, seconds: float) -> Any:
        """The answer. Errors: TimeoutError, for one that takes longer; EOFError or OSError, if the
        process ends. In either case the next request is for a new process."""
        if self._has_ended:
            raise EOFError
        try:
            pipe = self._pipe or self._start()
            pipe.send(request)
            return self._answer(pipe, seconds)
        except BaseException:
            self.stop()
            raise

    def _start(self) -> Connection[Any, Any]:
        made = _context()
        self._pipe, other = made.Pipe()
        self._process = _Process(
            target=_serve, args=(other, self._begin, self._arguments), daemon=True
        )
        self._process.start()
        other.close()
        self._answer(self._pipe, STARTING_SECONDS)
        return self._pipe

    def _answer(self, pipe: Connection[Any, Any], seconds: float) -> Any:
        if not pipe.poll(seconds):
            raise TimeoutError
        return pipe.recv()

    def end(self) -> None:
        """Stop the process for good, also from another thread."""
        self._has_ended = True
        self.stop()

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def _serve(
    pipe: Connection[Any, Any], begin: Callable[..., Callable[[Any], Any]], arguments: Any
) -> None:
    """The other process, until the pipe is closed. An interrupt is for the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answer = begin(*arguments)
    pipe.send(None)
    while True:
        try:
            request = pipe.recv()
        except EOFError:
            return
        pipe.send(answer(request))
