"""``uriproof serve``: the HTTP service.

May import every other layer. Invariant: this module has only the options; ``service`` answers.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from signal import SIGTERM, signal
from typing import Any

import click

from ..extras import needs
from ..limits import MOST_SECONDS
from ..service.limits import MULTIPROC, Limits
from ._group import examples

__all__ = ["command"]

_MOST = Limits()


def _number(
    name: str,
    default: int,
    words: str,
    values: click.IntRange = click.IntRange(min=1),  # noqa: B008 -- never changed
    metavar: str = "N",
) -> Callable[[Any], Any]:
    """An option that is a number."""
    return click.option(
        name, type=values, metavar=metavar, default=default, show_default=True, help=words
    )


@click.command(
    short_help="Serve reports over HTTP.",
    epilog=examples(
        ("uriproof serve --port 8765", "on this machine"),
        ("uriproof serve --host 0.0.0.0 --workers 4", "for others, in four processes"),
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@_number("--port", 8765, "Port to listen on; 0: any free port.", click.IntRange(0, 65535))
@_number("--workers", 1, "Number of processes.")
@_number("--max-body", _MOST.body, "Maximum request size in bytes.", metavar="BYTES")
@_number("--max-items", _MOST.items, "Maximum lines in a request.")
@_number("--max-length", _MOST.length, "Maximum characters in a text.")
@_number(
    "--max-seconds", _MOST.seconds, "Request timeout in seconds.", click.IntRange(1, MOST_SECONDS)
)
@_number(
    "--stop-after",
    30,
    "Seconds that open requests have to finish at shutdown.",
    click.IntRange(0, MOST_SECONDS),
    metavar="SECONDS",
)
def command(*, host: str, port: int, workers: int, stop_after: int, **most: int) -> int:
    """Serve reports over HTTP: JSON Lines to POST /check, one answer a line.

    GET /health is the health check, /metrics has metrics for Prometheus, and /openapi.json
    describes the API. There is no authentication: run it behind a proxy that authenticates.
    Requires pip install "uriproof[serve]".

    \b
    Exit code: 0  stopped by a signal
               2  invalid usage, or the port cannot be used
    """
    with needs("serve"):
        import uvicorn

        from ..processes import apart
        from ..service import app
    del app
    Limits(**{name.removeprefix("max_"): value for name, value in most.items()}).export()
    with ExitStack() as stack:
        stack.enter_context(apart())  # for the processes of the workers
        before = signal(SIGTERM, lambda *_: None)  # uvicorn raises it again after it has stopped
        stack.callback(signal, SIGTERM, before)
        if workers > 1 and MULTIPROC not in os.environ:
            folder = tempfile.TemporaryDirectory(prefix="uriproof-", ignore_cleanup_errors=True)
            os.environ[MULTIPROC] = stack.enter_context(folder)
            stack.callback(os.environ.pop, MULTIPROC)
        try:
            uvicorn.run(
                "uriproof.service.app:application",
                factory=True,
                host=host,
                port=port,
                workers=workers,
                http="uriproof.service.connection:Connection",
                access_log=False,
                timeout_graceful_shutdown=stop_after,
                use_colors=False if os.environ.get("NO_COLOR") else None,
            )
        except SystemExit as error:  # raised by uvicorn if it cannot listen
            return 2 if error.code else 0
    return 0
