"""``uriproof lint --watch``: one run after the other.

Owns what is shown between runs. Imports watchfiles, an extra, by ``lint.files.watch``. Invariant: a
run begins only when a file has changed that it would check, or a configuration file; what a run
itself writes begins none.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import datetime
from time import monotonic

from ..lint.config.settings import FILES
from ..lint.session import Session
from ..text.drawing import visible
from . import _click as click

__all__ = ["watch"]

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
_MOST_NAMED = 3  # files of a change that are named


Once = Callable[[], tuple[Session, int]]


def watch(paths: tuple[str, ...], once: Once, written: str | None) -> int:
    """Call ``once`` for each run, until an interrupt. ``written`` is a file that a run writes.

    Returns the exit code of the last run where there is nothing to watch. Errors:
    KeyboardInterrupt; UsageError, without watchfiles.
    """
    from ..lint.files.watch import changes

    try:
        changed = changes(paths)
    except ImportError as error:
        raise click.UsageError("--watch needs watchfiles: install uriproof[watch]") from error
    session, code = _run(once)
    for files in changed:
        own = [file for file in files if not (written and _same(file, written))]
        counted = [f for f in own if os.path.basename(f) in FILES or session.checks(f)]
        if not counted:
            continue
        if sys.stdout.isatty():
            click.echo(_CLEAR, nl=False)
        else:
            click.echo(f"--- {_now()} {_named(counted)} ---", err=True)
        session, code = _run(once)
    return code


def _run(once: Once) -> tuple[Session, int]:
    """One run, and what it watches."""
    begun = monotonic()
    session, code = once()
    sys.stdout.flush()
    count = session.counts.files
    what = f"watching {count:,} file{'s' * (count != 1)}"
    took = f"{monotonic() - begun:.1f} s"
    click.echo(f"uriproof: {what}; run at {_now()}, {took}; Ctrl-C ends", err=True)
    return session, code


def _now() -> str:
    return datetime.now().astimezone().strftime("%H:%M:%S")


def _named(files: list[str]) -> str:
    """The files that have changed, in words."""
    names = [visible(os.path.relpath(file)) for file in files[:_MOST_NAMED]]
    more = len(files) - len(names)
    return f"{', '.join(names)}{f' and {more:,} more' * bool(more)} changed"


def _same(one: str, other: str) -> bool:
    return os.path.abspath(one) == os.path.abspath(other)
