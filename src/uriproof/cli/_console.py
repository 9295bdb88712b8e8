"""The terminal: whether it shows colour, and how wide it is.

May import ``render``. Invariant: nothing decorated goes anywhere but to a terminal, unless
FORCE_COLOR asks for it.
"""

from __future__ import annotations

import os
from typing import TextIO

from ..render import Style
from ..text.drawing import WIDTH

_NARROWEST = 40


def style(stream: TextIO, advice: bool | None) -> Style:
    """How output to a stream should look. NO_COLOR wins over FORCE_COLOR (no-color.org)."""
    terminal = stream.isatty()
    dumb = os.environ.get("TERM") == "dumb"
    colour = bool(os.environ.get("FORCE_COLOR")) or (terminal and not dumb)
    width = WIDTH
    if terminal:
        try:
            # One column less: some terminals wrap a line that fills the last one.
            width = min(WIDTH, os.get_terminal_size(stream.fileno()).columns - 1)
        except (OSError, ValueError):
            width = WIDTH
    return Style(colour and not os.environ.get("NO_COLOR"), max(width, _NARROWEST), advice)
