"""A line a finding: where, the code, and what is wrong.

Owns the format ``concise``. Imports ``diagnostic`` and ``drawing``. Invariant: one line each, of
visible characters, as the problem matcher reads it; columns are code points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...diagnostic import Diagnostic
from ...text.drawing import visible
from .. import Style
from . import NO_RULES, Rules
from ._records import place_of

_COLOURS = {"error": "31;1", "warning": "33;1", "note": "36;1"}


def render(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """``file:line:column: code message``."""
    for one in diagnostics:
        place, code = place_of(one), one.code
        if style.colour:
            place = f"\x1b[1m{place}\x1b[0m"
            code = f"\x1b[{_COLOURS[one.severity]}m{code}\x1b[0m"
        yield f"{place}: {code} {visible(one.message)}\n"
