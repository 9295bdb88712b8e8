"""What can be wrong with percent-encoded text: faults, and the error that carries them.

Owns the values that decoding tells with. Imports the drawing alone. Invariant: values are
immutable, and every offset is one of a code point in the encoded text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..text.drawing import draw

__all__ = ["DecodeError", "DecodeFault", "Errors", "FaultKind"]

Errors: TypeAlias = Literal["raise", "replace", "drop", "keep"]
FaultKind: TypeAlias = Literal[
    "bad-escape",
    "u-escape",
    "overlong",
    "surrogate",
    "invalid",
    "illegal",
    "missing",
    "not-accepted",
]


@dataclass(frozen=True, slots=True)
class DecodeFault:
    """One thing that cannot be decoded, at ``[start, end)``, code points of the encoded text.

    ``kind``: ``bad-escape`` (a percent sign without two hex digits), ``u-escape`` (``%uXXXX``),
    ``overlong``, ``surrogate`` or otherwise ``invalid`` octets, ``illegal`` (cannot stand where
    it does in the component), ``missing`` (of no width: the component is not complete),
    ``not-accepted`` (decodes to a character that the caller does not accept).
    """

    start: int
    end: int
    found: str
    kind: FaultKind
    message: str

    def to_dict(self) -> dict[str, str | int]:
        """JSON-ready."""
        return {
            "start": self.start,
            "end": self.end,
            "found": self.found,
            "kind": self.kind,
            "message": self.message,
        }


class DecodeError(ValueError):
    """Text that cannot be decoded; ``faults`` holds all that is wrong, in the order of ``text``.

    ``str(error)`` draws the text with carets, unless it may hold a password (userinfo).
    """

    def __init__(self, text: str, faults: tuple[DecodeFault, ...], secret: bool = False) -> None:
        self.text = text
        self.faults = faults
        self._secret = secret
        super().__init__(text, faults)

    def __str__(self) -> str:
        lines = ["this cannot be decoded"]
        if not self._secret:
            lines += draw(self.text, [(f.start, f.end) for f in self.faults])
        lines += (f"{f.start}-{f.end} {f.kind}: {f.message}" for f in self.faults[:_MOST_TOLD])
        if len(self.faults) > _MOST_TOLD:
            lines.append(f"and {len(self.faults) - _MOST_TOLD:,} more")
        return "\n".join(lines)


_MOST_TOLD = 20
