"""The rule ``suppression-without-reason``. Invariant: it applies only where ``require-reason`` is
set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from ..config.settings import Settings
from ..suppress.comments import Suppression
from . import Problem

CODE = "suppression-without-reason"
TITLE = "A suppression without a reason"
WHY = (
    "Later readers cannot tell whether it still applies. With `require-reason`, the words after "
    "the codes have to give the reason."
)
GOOD = 'URL = "http://example.com/a b"  # uriproof: ignore[path-illegal] the server requires it'
BAD = 'URL = "http://example.com/a b"  # uriproof: ignore[path-illegal]'
SEVERITY: Literal["error", "warning", "note"] = "warning"


def applies(settings: Settings) -> bool:
    return settings.require_reason


def check_suppressions(
    known: list[Suppression], settings: Settings, is_active: Callable[[str], bool]
) -> Iterator[Problem]:
    """Each suppression with a missing reason."""
    for one in known:
        if one.verb != "enable" and not one.reason:
            yield Problem(one.start, one.end, "give a reason after the codes")
