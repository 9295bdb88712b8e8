"""``uriproof serve``: the HTTP service.

May import every other layer. Invariant: this module has only the options; ``service`` answers.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from signal import SIGTERM, signal

import click

from ..extras import needs
from ..limits import GREATEST_PORT, MOST_SECONDS
from ..service.limits import MULTIPROC, Limits
from ._group import examples
from ._options import integer, value

_MOST = Limits()


@click.command(
    short_help="Serve reports over HTTP.",
    epilog=examples(
        ("uriproof serve --port 8765", "on this machine"),
        ("uriproof serve --host 0.0.0.0 --workers 4", "for others, in four processes"),
    ),
)
@value("--host TEXT", "Address to listen on.", default="127.0.0.1")
@integer("--port N", "Port to listen on; 0: any free port.", 0, GREATEST_PORT, default=8765)
@integer("--workers N", "Number of processes.", default=1)
@integer("--max-body BYTES", "Maximum request size in bytes.", default=_MOST.body)
@integer("--max-items N", "Maximum lines in a request.", default=_MOST.items)
@integer("--max-length N", "Maximum characters in a text.", default=_MOST.length)
@integer("--max-seconds N", "Request timeout in seconds.", 1, MOST_SECONDS, default=_MOST.seconds)
@integer(
    "--stop-after SECONDS",
    "Seconds that open requests have to finish at shutdown.",
    0,
    MOST_SECONDS,
    default=30,
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
