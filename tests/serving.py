"""Servers for the time of a test: in a process of its own, or in a thread of this one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import BaseServer

SRC = Path(__file__).parent.parent / "src"


@contextmanager
def serving(arguments: list[str], log: Path, cwd: Path | None = None) -> Iterator[int]:
    """Runs Python with these arguments, in which ``{}`` is the port, which is yielded.

    The server takes connections by then; what it writes is in ``log``. It has ended afterwards.
    """
    with running(arguments, log, cwd) as (port, _):
        yield port


@contextmanager
def running(
    arguments: list[str], log: Path, cwd: Path | None = None
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """As ``serving``, with the process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    command = [sys.executable, *(part.format(port) for part in arguments)]
    paths = os.pathsep.join(filter(None, [str(SRC), os.environ.get("PYTHONPATH", "")]))
    with log.open("wb") as stream:
        environment = {**os.environ, "PYTHONPATH": paths}
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=stream, stderr=stream)
    try:
        for _ in range(2400):  # against a hang: it is a state that is waited for
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, log.read_text("utf-8")
            time.sleep(0.05)
        yield port, process
    finally:
        process.terminate()
        process.wait(120)


@contextmanager
def answering(server: BaseServer) -> Iterator[None]:
    """A server that answers in a thread, and has ended afterwards."""
    thread = threading.Thread(target=server.serve_forever, args=[0.02])
    thread.start()
    yield
    server.shutdown()
    thread.join()
