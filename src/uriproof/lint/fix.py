"""Fixes: what a violation's fix is in the escaping of its file.

Owns the making of edits, and the writing of files. Imports ``diagnostic``, ``report`` and the rest
of ``lint`` below the engine. Invariant: what an edit writes, the format of the file decodes to the
replacement of the fix.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from ..diagnostic import Diagnostic, Edit
from ..report import Violation
from .escapes import ESCAPES
from .found import Found
from .source import Source, encoded

__all__ = ["edit_of", "fixed", "write"]


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


def fixed(text: str, diagnostics: Iterable[Diagnostic], unsafe: bool) -> str:
    """The text with the edits of the diagnostics; of two that overlap, the first."""
    edits = {d.edit for d in diagnostics if d.edit is not None and (d.edit.safe or unsafe)}
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end, e.replacement)):
        if edit.start >= at:
            pieces += text[at : edit.start], edit.replacement
            at = edit.end
    return "".join([*pieces, text[at:]])


def write(path: str, text: str, source: Source) -> None:
    """A text into its file, whole or not at all; a link stays one, and the mode stays.

    Errors: OSError; UnicodeEncodeError, for what the encoding of the file does not have.
    """
    data = encoded(text, source)
    target = os.path.realpath(path)
    partial = f"{target}.{os.getpid()}.uriproof"
    try:
        with open(partial, "xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(partial, os.stat(target).st_mode & 0o7777)
        os.replace(partial, target)
    except BaseException:
        if os.path.exists(partial):
            os.unlink(partial)
        raise
