"""The rule ``unused-suppression``. Owns its texts; imports nothing. Invariant: it cannot be
suppressed where it is said, only left out by ``ignore``."""

from typing import Literal

CODE = "unused-suppression"
TITLE = "A suppression that suppresses nothing"
WHY = (
    "What it was written for has been mended, or its code is misspelled. Left standing, it hides "
    "the next defect on its line."
)
GOOD = 'URL = "http://example.com/a b"  # uriproof: ignore[path-illegal] as the server wants it'
BAD = 'URL = "http://example.com/a%20b"  # uriproof: ignore[path-illegal]'
SEVERITY: Literal["error", "warning", "note"] = "warning"
