"""The terminal: whether it shows colour, and how wide it is.

May import ``render``. Invariant: nothing decorated goes anywhere but to a terminal, unless
FORCE_COLOR or ``--color always`` asks for it.
"""

from __future__ import annotations

import os
from typing import TextIO

from ..render import Style
from ..text.drawing import WIDTH
from . import _click as click
from ._streams import takes_escapes

__all__ = ["color_option", "style"]

_NARROWEST = 40


color_option = click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    help="Color the output; auto: on a terminal.",
)


def style(stream: TextIO, advice: bool | None, color: str = "auto") -> Style:
    """How output to a stream should look; ``color`` is the value of the option.

    NO_COLOR wins over FORCE_COLOR (no-color.org), and the option over both; COLUMNS is the width.
    """
    terminal = stream.isatty()
    colour = color == "always"
    if color == "auto" and not os.environ.get("NO_COLOR"):
        forced = os.environ.get("FORCE_COLOR")
        colour = terminal and os.environ.get("TERM") != "dumb"
        if forced:
            colour = forced not in {"0", "false"}  # force-color.org leaves no colour open
    if colour and terminal:
        colour = takes_escapes(stream)
    return Style(colour, max(_width(stream, terminal), _NARROWEST), advice)


def _width(stream: TextIO, terminal: bool) -> int:
    """The columns of output to a stream."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given[:5]):
        return int(given[:5])
    if not terminal:
        return WIDTH
    try:
        # One column less: some terminals wrap a line that fills the last one.
        return min(WIDTH, os.get_terminal_size(stream.fileno()).columns - 1)
    except (OSError, ValueError):
        return WIDTH
