"""How the screens of the terminal are driven and read by tests.

Owns that. Reads the application. Invariant: there is no terminal, and nothing is kept of a run
unless a test gives it a place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from textual.pilot import Pilot

from uriproof.teach.terminal.app import Teach
from uriproof.teach.terminal.explain import Explain
from uriproof.teach.terminal.lessons import Lessons
from uriproof.teach.terminal.progress import Progress

NARROW, WIDE = (80, 24), (140, 42)
Go = Callable[[Teach, Pilot[int]], Awaitable[None]]


def drive(go: Go, size: tuple[int, int] = NARROW, **options: Any) -> Teach:
    """Run the application without a terminal, and ``go`` in it once all is shown."""
    options.setdefault("progress", Progress(None))
    app = Teach(**options)

    async def inside() -> None:
        async with app.run_test(size=size) as pilot:
            await settled(app, pilot)
            await go(app, pilot)

    asyncio.run(inside())
    return app


async def settled(app: Teach, pilot: Pilot[int]) -> None:
    """Wait until everything that was asked is shown."""
    for _ in range(1_000):
        await pilot.pause(0.02)
        screen = app.screen
        if app.opening or (isinstance(screen, Lessons) and screen.lessons is None):
            continue
        if not isinstance(screen, Explain) or screen.settled:
            await pilot.pause()
            return
    raise AssertionError("no answer")


def drawn(app: Teach) -> str:
    """What is on the screen, as text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in strips[: app.size.height])
