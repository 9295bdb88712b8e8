"""``uriproof lint --watch``: one run after the other.

Owns the messages between runs. Imports watchfiles, an extra, by ``lint.files.walk``. Invariant: a
run begins only when a file that it would check, or a configuration file, has changed; files that a
run itself writes, standard output included, do not begin one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from time import monotonic

import click

from ..extras import needs
from ..lint.config.settings import FILES
from ..lint.session import Session
from ..text.drawing import visible
from ..text.names import some

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
_MOST_NAMED = 3  # files of a change that are named


Once = Callable[[], tuple[Session, int]]


def watch(paths: tuple[str, ...], once: Once, written: str | None) -> int:
    """Call ``once`` for each run, until an interrupt. ``written`` is a file that a run writes.

    Returns the exit code of the last run, if there is nothing to watch. Errors: KeyboardInterrupt;
    ImportError, without watchfiles.
    """
    from ..lint.files.walk import changes, checks

    with needs("watch"):
        changed = changes(paths)
    own_output = os.path.abspath(written) if written else None
    session, code = _run(once)
    for files in changed:
        own = [f for f in files if os.path.abspath(f) != own_output and not _is_output(f)]
        counted = [f for f in own if os.path.basename(f) in FILES or checks(session.configs, f)]
        if not counted:
            continue
        if sys.stdout.isatty():
            click.echo(_CLEAR, nl=False)
        else:
            click.echo(f"--- {_now()} {_named(counted)} ---", err=True)
        session, code = _run(once)
    return code


def _run(once: Once) -> tuple[Session, int]:
    """One run, and a message about what it watches."""
    begun = monotonic()
    session, code = once()
    sys.stdout.flush()
    what = f"watching {some(session.counts.files, 'file')}"
    took = f"{monotonic() - begun:.1f} s"
    click.echo(f"uriproof: {what}; run at {_now()}, {took}; press Ctrl-C to stop", err=True)
    return session, code


def _now() -> str:
    return datetime.now().astimezone().strftime("%H:%M:%S")


def _named(files: list[str]) -> str:
    """The changed files, in words."""
    names = [visible(os.path.relpath(file)) for file in files[:_MOST_NAMED]]
    more = len(files) - len(names)
    return f"{', '.join(names)}{f' and {more:,} more' * bool(more)} changed"


def _is_output(file: str) -> bool:
    """Whether standard output or standard error goes to a file."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # gone, or a stream without a number
            if os.path.samestat(os.stat(file), os.fstat(stream.fileno())):
                return True
    return False
