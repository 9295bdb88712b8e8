"""A parser in any language, asked by lines of JSON.

Owns the protocol: ``{"text", "rule"}`` goes in as a line of ASCII, and a line comes out with
``valid``, which is true, false, or null if the parser has nothing like the rule, and perhaps with
``host``, the host that the parser finds, and ``message``, what it says of an invalid text.
Invariant: whatever the program does (end, hang, print nonsense or megabytes), each text gets an
answer or the name of a failure, and no process is left behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple

SECONDS = 10.0
"""Without a line for so long, a program hangs. Java and Mono take two seconds to start."""
LONGEST_LINE = 1 << 16
"""Octets of an answer. An answer repeats at most a host, so a longer one is a fault."""
IN_FLIGHT = 64
"""Questions sent before their answers are read: few enough for any pipe, so nobody waits."""
MOST_SENT = 1 << 14
"""Octets of these questions, for the same reason; a longer text is sent by itself."""
MOST_WAITING = 4 * IN_FLIGHT
"""Lines that wait to be read: what prints more than it is asked is held up, and costs no memory."""
MOST_STARTS = 200
"""A program that fails so often is not started again: the rest of the texts is not asked."""
STDERR_KEPT = 2000
"""Octets of the standard error that a report can show."""

CRASH, HANG, NONSENSE, GIVEN_UP = "crash", "hang", "nonsense", "not asked"


class Answer(NamedTuple):
    """What a program says of a text: a verdict, the host that it found, or a failure's name."""

    valid: bool | None
    host: str | None = None
    failure: str = ""
    message: str | None = None


class NotStarted(Exception):
    """The program cannot be started; the message says why."""


class Program:
    """A program that is running, or will be as soon as something is asked.

    A context manager: at its end no process is left. Errors: NotStarted.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self.command = list(command)
        self.starts = 0
        self._folder, self._environment, self._seconds = folder, environment, seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes] = queue.Queue(MOST_WAITING)
        self._threads: list[threading.Thread] = []
        self._said: deque[bytes] = deque(maxlen=STDERR_KEPT // 100)

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    @property
    def said(self) -> str:
        """The end of what the program wrote to standard error."""
        return b"".join(self._said)[-STDERR_KEPT:].decode("utf-8", "replace")

    def ask(self, text: str, rule: str) -> Answer:
        """The answer for one text."""
        return next(self.ask_all([text], rule))

    def ask_all(self, texts: Sequence[str], rule: str) -> Iterator[Answer]:
        """The answer for each text, in order. A failure costs one text, and starts it again."""
        at = 0
        while at < len(texts):
            if self.starts >= MOST_STARTS and self._process is None:
                yield Answer(None, failure=GIVEN_UP)
                at += 1
                continue
            for answer in self._batch(_lot(texts[at : at + IN_FLIGHT], rule)):
                at += 1
                yield answer

    def _batch(self, questions: list[bytes]) -> Iterator[Answer]:
        """The answers up to the first failure, which is the last one."""
        process = self._process or self._start()
        assert process.stdin is not None  # noqa: S101 -- it is a pipe
        with contextlib.suppress(OSError):  # a program that has ended gives no line below
            process.stdin.write(b"".join(questions))
            process.stdin.flush()
        for _ in questions:
            answer = self._answer()
            yield answer
            if answer.failure:
                self._stop()
                return
        if not self._lines.empty():  # more lines than questions: which answers what is unknown
            self._stop()

    def _answer(self) -> Answer:
        try:
            line = self._lines.get(timeout=self._seconds)
        except queue.Empty:
            return Answer(None, failure=HANG)
        return _read(line) if line else Answer(None, failure=CRASH)

    def _start(self) -> subprocess.Popen[bytes]:
        self.starts += 1
        try:
            process = subprocess.Popen(  # noqa: S603 -- the command is what the user asked for
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                env=None if self._environment is None else {**os.environ, **self._environment},
                start_new_session=True,
            )
        except OSError as error:
            raise NotStarted(f"cannot start {self.command[0]}: {error.strerror}") from error
        self._process = process
        self._lines = queue.Queue(MOST_WAITING)
        self._threads = [
            threading.Thread(target=_pump, args=(pipe, put), daemon=True)
            for pipe, put in (
                (process.stdout, self._lines.put),
                (process.stderr, self._said.append),
            )
        ]
        for thread in self._threads:
            thread.start()
        return process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for thread in self._threads:
            while thread.is_alive():  # it may wait for room in the queue
                with contextlib.suppress(queue.Empty):
                    self._lines.get(timeout=0.01)
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()


def _pump(pipe: IO[bytes], put: Callable[[bytes], object]) -> None:
    """Pass on each line, cut to its maximum; an empty one at the end."""
    with contextlib.suppress(OSError, ValueError):
        while line := pipe.readline(LONGEST_LINE):
            put(line)
    put(b"")


def _lot(texts: Sequence[str], rule: str) -> list[bytes]:
    """The lines for as many of the texts as can be sent at once: for one at least."""
    lines: list[bytes] = []
    size = 0
    for text in texts:
        line = json.dumps({"text": text, "rule": rule}).encode("ascii") + b"\n"
        size += len(line)
        if lines and size > MOST_SENT:
            break
        lines.append(line)
    return lines


def _read(line: bytes) -> Answer:
    try:
        found = json.loads(
            line.decode("utf-8", "replace"), strict=False
        )  # a host can be any octets
        valid, host, message = found["valid"], found.get("host"), found.get("message")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Answer(None, failure=NONSENSE)
    if not isinstance(valid, bool | None) or not isinstance(host, str | None):
        return Answer(None, failure=NONSENSE)
    return Answer(valid, host, message=message if isinstance(message, str) else None)
