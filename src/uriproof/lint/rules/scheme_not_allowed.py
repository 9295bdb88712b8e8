"""The rule ``scheme-not-allowed``. Invariant: it applies only where ``schemes`` is set, and never
to a relative reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ...report import Report
from ..config.settings import Settings
from ..found import Found
from . import Problem

CODE = "scheme-not-allowed"
TITLE = "A scheme that the configuration does not allow"
WHY = "The option `schemes` lists the schemes that may be used, and this one is not among them."
GOOD = "https://example.com/"
BAD = "ftp://example.com/"
SEVERITY: Literal["error", "warning", "note"] = "error"


def applies(settings: Settings) -> bool:
    return bool(settings.schemes)


def check_url(found: Found, report: Report, settings: Settings) -> Iterator[Problem]:
    """The scheme, unless it is allowed or filled in by a template."""
    scheme = report.components.get("scheme")
    if scheme is None or any(a < scheme.end and scheme.start < b for a, b in found.holes):
        return
    if scheme.text.lower() not in {allowed.lower() for allowed in settings.schemes}:
        message = f"the scheme {scheme.text} is not one of {', '.join(settings.schemes)}"
        span = found.offset(scheme.start), found.offset(scheme.end)
        yield Problem(*span, message, component="scheme")
