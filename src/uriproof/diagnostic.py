"""What a linter reports of one place in one file: the narrow waist between linting and rendering.

Owns ``Diagnostic``, ``Edit`` and ``RuleInfo``. Imports the standard library alone. Invariant:
every offset is a half-open range of code points in the file's decoded text; lines and columns
count from 1, columns in code points.
"""

from __future__ import annotations

from typing import Literal

from .records import NamedTuple

__all__ = ["Diagnostic", "Edit", "RuleInfo", "Severity"]

Severity = Literal["error", "warning", "note"]
"""A violation is an error, advice a warning; a note is about the file."""


class Edit(NamedTuple):
    """A replacement of ``[start, end)`` of a file's text, in the escaping of its format.

    ``safe`` is true where it cannot change what the file means.
    """

    start: int
    end: int
    replacement: str
    safe: bool


class Diagnostic(NamedTuple):
    """One diagnostic. ``source_line`` is the line that it starts in, without its end.

    ``url`` is the whole URL as the format decodes it, ``url_start`` and ``url_end`` where it
    stands in the file. No password is in ``url``, ``message`` or ``source_line``: they are masked,
    by as many characters.
    """

    file: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    severity: Severity
    message: str
    url: str
    url_start: int
    url_end: int
    source_line: str
    component: str = ""
    production: str = ""
    expected: tuple[str, ...] = ()
    section: str = ""
    hint: str = ""
    edit: Edit | None = None


class RuleInfo(NamedTuple):
    """What is known of a code, for formats that explain what they list.

    ``title`` is a phrase and ``why`` a sentence or more, in plain text; ``help`` is a page in
    Markdown. ``url`` is where the rule is specified, empty for rules of the linter's own.
    """

    code: str
    title: str
    why: str
    severity: Severity
    url: str = ""
    help: str = ""
