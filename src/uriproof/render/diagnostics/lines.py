"""Formats of a line a diagnostic, for people and logs: ``concise`` and ``pylint``.

Imports ``diagnostic`` and ``drawing``. Invariant: one line each, of visible characters, as the
problem matcher reads it; columns are code points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...diagnostic import Diagnostic
from ...text.drawing import visible
from .. import Style
from . import NO_RULES, Rules
from ._places import relative
from ._records import COLOURS, also, graded, place_of, words


def as_concise(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """``file:line:column: code message``, the message after its severity unless that is error."""
    for one in diagnostics:
        place = style.paint(place_of(one), "1")
        code = style.paint(one.code, COLOURS[one.severity])
        more = also(one)
        yield f"{place}: {code} {graded(one)}{visible(one.message)}{more and f'; {more}'}\n"


def as_pylint(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """``path:line: [code] message``; the column, which that form has not, begins the message."""
    for one in diagnostics:
        place = f"{visible(relative(one.file))}:{one.line}"
        yield f"{place}: [{one.code}] column {one.column}: {graded(one)}{words(one)}\n"
