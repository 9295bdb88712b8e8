"""What a cleaning found and did: steps, doubts and obstacles.

Owns the values that ``clean`` makes and commands show. Imports the standard library alone.
Invariant: values are immutable, and every offset is a half-open range ``[start, end)`` of code
points in the text that was given.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["ADVANCED", "RULES", "Cleaning", "Doubt", "NotCleaned", "Obstacle", "Step"]

ADVANCED = {
    "trim": "leave out white space at either end",
    "backslashes": "write / for \\ before the query, in the schemes where browsers do",
    "stray-percent": "write %25 for a percent sign without two hexadecimal digits",
    "delimiters": "encode brackets outside of an IP-literal, a second #, an @ in the userinfo",
    "idna": "write labels of the host that are not ASCII as A-labels (IDNA 2003)",
}
"""The steps that are taken on request alone, each of which decides what was meant."""

RULES = ("URI", "URI-reference", "absolute-URI", "relative-ref")
"""The rules that a text can be cleaned for: those that have components (RFC 3986 section 3)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change: ``[start, end)`` of the text given, in code points, became ``replacement``.

    ``name`` is ``encode``, or one of ``ADVANCED``. ``component`` is empty for white space that
    stood around the URI.
    """

    name: str
    start: int
    end: int
    component: str
    found: str
    replacement: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """What cannot be known from the text: it was read as ``message`` says, not guessed at.

    ``instead`` is what would have to stand at ``[start, end)`` if the other thing was meant.
    """

    code: str
    start: int
    end: int
    message: str
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What keeps the text from being a URI: no encoding mends it, or none that was asked for.

    ``step`` is the one of ``ADVANCED`` that would mend it, if there is one.
    """

    start: int
    end: int
    component: str
    production: str
    message: str
    step: str | None = None


@dataclass(frozen=True)
class Cleaning:
    """All that was done to one text. Offsets are code points of ``text``, the text given."""

    text: str
    rule: str
    result: str
    steps: tuple[Step, ...]
    doubts: tuple[Doubt, ...]
    obstacles: tuple[Obstacle, ...]

    @property
    def ok(self) -> bool:
        """True exactly when the rule accepts ``result``."""
        return not self.obstacles

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {**asdict(self), "ok": self.ok}


class NotCleaned(ValueError):
    """Raised by ``clean``: ``cleaning`` holds the obstacles, with their spans."""

    def __init__(self, cleaning: Cleaning) -> None:
        self.cleaning = cleaning
        super().__init__(cleaning)

    @property
    def faults(self) -> tuple[Obstacle, ...]:
        """The obstacles."""
        return self.cleaning.obstacles

    def __str__(self) -> str:
        # The text itself is left out: it may hold a password.
        lines = [f"{o.start}-{o.end} {o.component}: {o.message}" for o in self.cleaning.obstacles]
        return "\n".join([f"cannot be cleaned to a {self.cleaning.rule}", *lines])
