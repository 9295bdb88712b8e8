"""A diagnostic as JSON-ready values, and its text in a line.

Owns the fields that the formats ``json`` and ``jsonl`` share, and the wording that the others do.
Imports ``diagnostic`` and ``drawing``. Invariant: a key is never renamed and never left out.
"""

from __future__ import annotations

from typing import Any

from ...diagnostic import Diagnostic
from ...text.drawing import visible
from ...text.paths import readable
from ._places import columns_of_edit, shown

COLOURS = {"error": "31;1", "warning": "33;1", "note": "36;1"}
"""The colour of each severity."""

_MOST_QUOTED = 200
_MOST_OF_A_URL = 2_000

__all__ = ["COLOURS", "fix_of", "place_of", "record", "words"]


def record(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic as JSON-ready values; offsets and columns are code points, ends exclusive.

    Offsets count from 0 in the decoded text of the file, without a byte order mark; lines and
    columns from 1. ``edit`` is None where there is no fix. ``url`` is cut after its first 2,000
    code points: a ``data:`` URL of a megabyte may have thousands of diagnostics; ``url_start`` and
    ``url_end`` say where all of it stands.
    """
    edit = diagnostic.edit
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "file": readable(diagnostic.file),
        "line": diagnostic.line,
        "column": diagnostic.column,
        "end_line": diagnostic.end_line,
        "end_column": diagnostic.end_column,
        "start": diagnostic.start,
        "end": diagnostic.end,
        "message": diagnostic.message,
        "component": diagnostic.component,
        "production": diagnostic.production,
        "expected": list(diagnostic.expected),
        "section": diagnostic.section,
        "hint": diagnostic.hint,
        "url": diagnostic.url[:_MOST_OF_A_URL],
        "url_start": diagnostic.url_start,
        "url_end": diagnostic.url_end,
        "edit": edit
        and {
            "start": edit.start,
            "end": edit.end,
            "replacement": edit.replacement,
            "safe": edit.safe,
        },
    }


def place_of(diagnostic: Diagnostic) -> str:
    """``file:line:column``, visible, with columns in code points."""
    return f"{visible(shown(diagnostic.file))}:{diagnostic.line}:{diagnostic.column}"


def fix_of(diagnostic: Diagnostic) -> str:
    """What the fix does, in words; empty where there is none.

    >>> from uriproof.diagnostic import Diagnostic, Edit
    >>> fix_of(Diagnostic("a", 4, 5, 1, 5, 1, 6, "c", "error", "", "", 0, 9, "http://a b",
    ...                   edit=Edit(4, 5, "%20", True)))
    'replace it with "%20"'
    """
    edit = diagnostic.edit
    if edit is None:
        return ""
    what = f'"{visible(edit.replacement)}"'
    if not edit.replacement:
        words = "remove it"
    elif edit.start == edit.end:
        words = f"insert {what}"
    else:
        words = f"replace {_replaced(diagnostic)} with {what}"
    return words if edit.safe else f"{words} (unsafe: it may change the meaning)"


def _replaced(diagnostic: Diagnostic) -> str:
    """What a fix replaces: what is blamed, or more than that, which is then quoted."""
    edit, columns = diagnostic.edit, columns_of_edit(diagnostic)
    if edit is None or columns is None or (edit.start, edit.end) == _span(diagnostic):
        return "it"
    start, end = columns
    if end - start > _MOST_QUOTED:
        return "it"
    text = visible(diagnostic.source_line[start - 1 : end - 1])
    return f'"{text}"' if len(text) <= _MOST_QUOTED else "it"


def _span(diagnostic: Diagnostic) -> tuple[int, int]:
    return diagnostic.start, diagnostic.end


def words(diagnostic: Diagnostic) -> str:
    """The message, hint and fix of a diagnostic in one visible line."""
    text = visible(diagnostic.message)
    if diagnostic.hint:
        text += f"; {visible(diagnostic.hint)}"
    fix = fix_of(diagnostic)
    return f"{text}; fix: {fix}" if fix else text
