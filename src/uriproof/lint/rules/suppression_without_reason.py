"""The rule ``suppression-without-reason``. Owns its texts; imports nothing. Invariant: it speaks
only where ``require-reason`` is set."""

from typing import Literal

CODE = "suppression-without-reason"
TITLE = "A suppression that does not say why"
WHY = (
    "Whoever reads it later cannot tell whether it still holds. With `require-reason`, the words "
    "after the codes say it."
)
GOOD = 'URL = "http://example.com/a b"  # uriproof: ignore[path-illegal] as the server wants it'
BAD = 'URL = "http://example.com/a b"  # uriproof: ignore[path-illegal]'
SEVERITY: Literal["error", "warning", "note"] = "warning"
