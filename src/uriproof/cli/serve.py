"""``uriproof serve``: the HTTP service.

May import every other layer. Invariant: what the service answers is made by the service; here are
its options alone.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack

import click

from ..service.limits import MULTIPROC, Limits
from ._group import examples

__all__ = ["command"]

_MOST = Limits()


@click.command(
    short_help="Serve reports over HTTP.",
    epilog=examples(
        ("uriproof serve --port 8765", "on this machine"),
        ("uriproof serve --host 0.0.0.0 --workers 4", "for others, in four processes"),
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=8765,
    show_default=True,
    help="Port to listen on; 0: any that is free.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    default=1,
    show_default=True,
    help="Number of processes.",
)
@click.option(
    "--max-body",
    type=click.IntRange(min=1),
    metavar="OCTETS",
    default=_MOST.body,
    show_default=True,
    help="Most octets of a request.",
)
@click.option(
    "--max-items",
    type=click.IntRange(min=1),
    metavar="N",
    default=_MOST.items,
    show_default=True,
    help="Most lines of a request.",
)
@click.option(
    "--max-length",
    type=click.IntRange(min=1),
    metavar="N",
    default=_MOST.length,
    show_default=True,
    help="Most characters of a text.",
)
@click.option(
    "--max-seconds",
    type=click.IntRange(min=1),
    metavar="N",
    default=_MOST.seconds,
    show_default=True,
    help="Most seconds for a request.",
)
@click.option(
    "--stop-after",
    metavar="SECONDS",
    type=click.IntRange(min=0),
    default=30,
    show_default=True,
    help="Most seconds for open requests when it is stopped.",
)
def command(*, host: str, port: int, workers: int, stop_after: int, **most: int) -> int:
    """Serve reports over HTTP: JSON Lines to POST /check, one answer a line.

    GET /health shows that it runs, /metrics has counts for Prometheus, /openapi.json describes
    it. There is no authentication: put it behind a proxy that has one.
    Needs uvicorn and Starlette: install uriproof[serve].

    \b
    Exit code: 0  stopped by a signal
               2  invalid usage, or the port cannot be used
    """
    try:
        import uvicorn

        from ..processes import apart
        from ..service import app
    except ImportError as error:
        needs = f"This needs uvicorn and Starlette: install uriproof[serve] ({error})"
        raise click.UsageError(needs) from error
    del app
    Limits(**{name.removeprefix("max_"): value for name, value in most.items()}).export()
    with ExitStack() as stack:
        stack.enter_context(apart())  # for the processes of the workers
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
                access_log=False,
                timeout_graceful_shutdown=stop_after,
                use_colors=False if os.environ.get("NO_COLOR") else None,
            )
        except SystemExit as error:  # what uvicorn does when it cannot listen
            return 2 if error.code else 0
    return 0
