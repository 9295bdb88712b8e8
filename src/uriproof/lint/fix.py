"""Fixes: what a violation's fix is in the escaping of its file.

Owns the making of edits. Imports ``diagnostic``, ``report`` and ``lint.escapes``. Invariant: what
an edit writes, the format of the file decodes to the replacement of the fix.
"""

from __future__ import annotations

from ..diagnostic import Edit
from ..report import Violation
from .escapes import ESCAPES
from .found import Found

__all__ = ["edit_of"]


def edit_of(found: Found, violation: Violation) -> Edit | None:
    """The edit of a file that mends a violation, or None if nothing mends it silently.

    Safe is what the file's own syntax delimits, and no percent sign that may have been meant.
    """
    fix = violation.fix
    if fix is None:
        return None
    safe = found.delimited and violation.kind == "illegal" and not set(violation.found) & _DIRT
    written = ESCAPES[found.escape](fix.replacement)
    return Edit(found.offset(fix.start), found.offset(fix.end), written, safe)


_DIRT = frozenset("\"'`\\")
"""What is in a URL mostly because it stood around it."""
