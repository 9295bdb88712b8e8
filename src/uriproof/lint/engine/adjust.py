"""What the settings make of a diagnostic: how severe it is, and whether its fix is offered.

Owns the meaning of ``severity``, ``fixable`` and ``unfixable``. Imports ``diagnostic`` and the rest
of ``lint`` below the engine. Invariant: a diagnostic is neither added nor dropped, and differs in
its severity and its edits alone.
"""

from __future__ import annotations

from ...diagnostic import Diagnostic, Severity
from ..codes import names
from ..config.select import Selection, strongest
from ..config.settings import Settings

__all__ = ["Adjustment"]

_ALL = ("all",)


class Adjustment:
    """The adjustment of diagnostics under some settings; false where it changes none."""

    def __init__(self, settings: Settings) -> None:
        self._severity = settings.severity
        self._fixable = Selection(settings.fixable, settings.unfixable)
        chosen = settings.fixable != _ALL or bool(settings.unfixable)
        self._is_needed = chosen or bool(self._severity)
        self._known: dict[str, tuple[Severity | None, bool]] = {}

    def __bool__(self) -> bool:
        return self._is_needed

    def of(self, diagnostic: Diagnostic) -> Diagnostic:
        """The diagnostic as the settings want it. Cost: constant, after the first of a code."""
        code = diagnostic.code
        if code not in self._known:
            group = names()[code]
            severity = strongest(self._severity, code, group)
            self._known[code] = severity, self._fixable.has(code, group)
        severity, fixable = self._known[code]
        return diagnostic._replace(
            severity=severity or diagnostic.severity,
            edits=diagnostic.edits if fixable else (),
        )
