"""Diagnostics as pylint's parseable output has them, for whatever reads that.

Owns the format ``pylint``. Imports ``diagnostic`` and ``drawing``. Invariant: one line each, of
visible characters: ``path:line: [code] message``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...diagnostic import Diagnostic
from ...text.drawing import visible
from .. import Style
from . import NO_RULES, Rules
from ._places import relative
from ._records import graded, words


def render(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """``path:line: [code] message``; the column, which that form has not, begins the message."""
    for one in diagnostics:
        place = f"{visible(relative(one.file))}:{one.line}"
        yield f"{place}: [{one.code}] column {one.column}: {graded(one)}{words(one)}\n"
