"""Diagnostics for tests, made of what they have one by one.

Owns the short form of a diagnostic of one line. Invariant: what is made is what a linter could
have made, so far as the renderers can know.
"""

from __future__ import annotations

from typing import Any

from uriproof.diagnostic import Diagnostic, Edit, Place, Severity


def diagnostic(
    file: str,
    start: int,
    end: int,
    line: int,
    column: int,
    end_line: int,
    end_column: int,
    code: str,
    severity: Severity,
    message: str,
    url: str = "",
    url_start: int = 0,
    url_end: int = 0,
    source_line: str = "",
    *,
    edit: Edit | None = None,
    more: tuple[Place, ...] = (),
    **facts: Any,
) -> Diagnostic:
    """A diagnostic of one place, and of ``more`` in the lines that it shows."""
    place = Place(start, end, line, column, end_line, end_column)
    lines = [(line, source_line)]
    lines += [(number, "") for number in range(line + 1, end_line + 1)]
    facts.setdefault("edits", () if edit is None else (edit,))
    facts.setdefault("lines", tuple(lines))
    return Diagnostic(
        *(file, code, severity, message, (place, *more)),
        url=url,
        url_start=url_start,
        url_end=url_end,
        **facts,
    )
