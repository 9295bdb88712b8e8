"""Other processes of Python, started so that the working directory has no say in what they import.

Owns how they are started, and the one that is stopped if it takes too long. Imports the standard
library alone. Invariant: no module is imported from the working directory; whatever a process does,
the one that started it goes on.

``multiprocessing`` starts ``python -c``, which looks for modules in the working directory first,
even for ``multiprocessing`` itself; and that may be a checkout, or a folder of pupils.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

__all__ = ["Worker", "apart", "context"]

_SAFE = "PYTHONSAFEPATH"
_STARTING = 60.0
"""Seconds in which a process starts, on the busiest machine; then something is wrong."""

_lock = Lock()


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
        with apart():
            return SpawnProcess._Popen(process_obj)


class _Context(SpawnContext):
    Process = _Process


def context() -> SpawnContext:
    """What processes and pools of them are made with: each process is started anew, not forked."""
    if os.name == "posix":  # a helper of its own, which is started by the first lock
        from multiprocessing.resource_tracker import ensure_running

        with apart():
            ensure_running()
    return _Context()


class Worker:
    """A process that answers one request after the other, and is replaced when it does not.

    It calls ``begin(*arguments)``, once, which gives the function that answers. Requests, answers
    and arguments are pickled.
    """

    def __init__(self, begin: Callable[..., Callable[[Any], Any]], *arguments: Any) -> None:
        self._begin, self._arguments = begin, arguments
        self._process: _Process | None = None
        self._pipe: Connection[Any, Any] | None = None

    def ask(self, request: Any, seconds: float) -> Any:
        """The answer. Errors: TimeoutError, for one that takes longer; EOFError or another OSError,
        if the process ends. In either case the next request is for a new process."""
        try:
            pipe = self._pipe or self._start()
            pipe.send(request)
            return self._answer(pipe, seconds)
        except BaseException:
            self.stop()
            raise

    def _start(self) -> Connection[Any, Any]:
        made = context()
        self._pipe, other = made.Pipe()
        self._process = _Process(
            target=_serve, args=(other, self._begin, self._arguments), daemon=True
        )
        self._process.start()
        other.close()
        self._answer(self._pipe, _STARTING)
        return self._pipe

    def _answer(self, pipe: Connection[Any, Any], seconds: float) -> Any:
        if not pipe.poll(seconds):
            raise TimeoutError
        return pipe.recv()

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
