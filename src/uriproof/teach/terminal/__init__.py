"""``uriproof teach --terminal``: a live explanation and the lessons, in a terminal.

Owns how it starts. Imports Textual, an extra, when it is run. Invariant: whatever is shown of a
text or a grammar was answered by ``handle``; nothing of them reaches the terminal but in its
visible form.
"""

from __future__ import annotations

import sys

from ...extras import needs
from ...text.drawing import visible

__all__ = ["run"]


def run(lesson: str | None = None, file: str | None = None) -> int:
    """Run it until it is left: 0 then, 2 where there is no terminal or FILE cannot be read.

    ``lesson`` is a lesson's id or number to begin with; ``file`` a grammar to follow while it is
    edited, or a lesson of one's own (``.toml``). Errors: ImportError without Textual.
    """
    with needs("teach"):
        import textual
    del textual
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        words = "--terminal needs a terminal; uriproof teach opens the page in a browser"
        sys.stderr.write(f"Error: {words}\n")
        return 2
    from .app import Teach
    from .files import read_text

    if file is not None:
        try:
            read_text(file)
        except OSError as error:
            words = f"{visible(file)} cannot be read: {error.strerror or error}"
            sys.stderr.write(f"Error: {words}\n")
            return 2
    return Teach(lesson=lesson, file=file).run() or 0
