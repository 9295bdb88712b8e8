"""Diagnostics as JSON Lines: one object a diagnostic and a line.

Owns the format ``jsonl``. Imports ``diagnostic``. Invariant: each line is one JSON text
(RFC 8259) in ASCII; offsets and columns are code points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...diagnostic import Diagnostic
from .. import Style, dumps
from . import NO_RULES, Rules
from ._records import record


def render(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """A line of what ``_records.record`` gives each. Memory: one diagnostic."""
    for one in diagnostics:
        yield dumps(record(one)) + "\n"
