"""The rule ``invisible-character``. Invariant: silent on what a violation blames, and on joiners
where a script or an emoji has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ...report import Report
from ...text.drawing import named
from ...text.invisible import hidden
from ..config.settings import Settings
from ..found import Found
from . import Problem

CODE = "invisible-character"
TITLE = "A character of an IRI that cannot be seen"
WHY = (
    "An IRI may contain it, but nobody types it: it is copied along with other text, or it hides "
    "what the IRI is (RFC 3987 §4.1, §8). Software encodes it like any other character, and asks "
    "for another resource than the one that people read."
)
GOOD = "[the guide](http://example.com/guide)"
BAD = "a no-break space (U+00A0) at the end of http://example.com/guide"
SEVERITY: Literal["error", "warning", "note"] = "warning"


def check_hidden(found: Found, report: Report, settings: Settings) -> Iterator[Problem]:
    """Each character that is not seen, and is nobody's violation."""
    not_asked = [(one.start, one.end) for one in report.violations] + [*found.holes]
    for at, char in enumerate(found.text):
        what = "" if char.isascii() else hidden(found.text, at)
        if what and not any(start <= at < end for start, end in not_asked):
            parts = (one for one in report.components.values() if one.start <= at < one.end)
            inner = min(parts, key=lambda one: one.end - one.start, default=None)
            where = inner.name if inner else ""
            message = f"{named(char)} {what}"
            yield Problem(found.offset(at), found.offset(at + 1), message, component=where)
