"""Diagnostics as one JSON array, one object a diagnostic and a line.

Owns the format ``json``. Imports ``diagnostic``. Invariant: the output is one valid JSON text
(RFC 8259) in ASCII, also if reading stops; offsets and columns are code points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...diagnostic import Diagnostic
from .. import Style, json_array
from . import NO_RULES, Rules
from ._records import record


def render(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """An array of what ``_records.record`` gives. Memory: one diagnostic."""
    return json_array(record(one) for one in diagnostics)
