"""The rule ``scheme-not-allowed``. Owns its texts; imports nothing. Invariant: it speaks only where
``schemes`` is set, and never of a relative reference."""

from typing import Literal

CODE = "scheme-not-allowed"
TITLE = "A scheme that the configuration does not allow"
WHY = "The option `schemes` lists the schemes that may be used, and this one is not among them."
GOOD = "https://example.com/"
BAD = "ftp://example.com/"
SEVERITY: Literal["error", "warning", "note"] = "error"
