"""A linter's findings about a URL or a place in a file: between linting and rendering.

Owns ``Diagnostic``, ``Place``, ``Edit`` and ``RuleInfo``. Imports only the standard library.
Invariant: every offset is a half-open range of code points in the file's decoded text; lines and
columns count from 1, columns in code points.

**The count.** A diagnostic is one code in one URL, however many places of the URL it blames; what
is about no URL is a diagnostic a place. Every number of diagnostics that is shown or written, by
the summary, ``--statistics``, every output format, the baseline and ``--add-ignore``, counts these.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]
"""A violation is an error, advice a warning; a note is about the file."""

SEVERITIES: tuple[Severity, ...] = ("note", "warning", "error")
"""All severities, the lowest first."""


class Place(NamedTuple):
    """The range ``[start, end)`` of a file's text, with the lines and columns of its ends."""

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


class Edit(NamedTuple):
    """A replacement of ``[start, end)`` of a file's text, in the escaping of its format.

    ``safe`` is true if it cannot change the meaning of the file.
    """

    start: int
    end: int
    replacement: str
    safe: bool


class Diagnostic(NamedTuple):
    """One diagnostic. ``places`` are the blamed ranges, in text order and disjoint: at least one.

    ``lines`` holds the lines in which a place begins or ends, by number, without their ends.
    ``url`` is the whole URL as the format decodes it, ``url_start`` and ``url_end`` its place in
    the file. ``edits`` fix it together, in text order. No password is in ``url``, ``message`` or
    ``lines``: they are masked, by as many characters.

    >>> one = Diagnostic("a", "c", "error", "", (Place(4, 5, 1, 5, 1, 6),), ((1, "a://b c"),))
    >>> one.line, one.column, one.source_line
    (1, 5, 'a://b c')
    """

    file: str
    code: str
    severity: Severity
    message: str
    places: tuple[Place, ...]
    lines: tuple[tuple[int, str], ...]
    url: str = ""
    url_start: int = 0
    url_end: int = 0
    component: str = ""
    production: str = ""
    expected: tuple[str, ...] = ()
    section: str = ""
    hint: str = ""
    edits: tuple[Edit, ...] = ()

    @property
    def start(self) -> int:
        """The start of the first place."""
        return self.places[0].start

    @property
    def end(self) -> int:
        """The end of the first place."""
        return self.places[0].end

    @property
    def line(self) -> int:
        """The line that the first place begins in."""
        return self.places[0].line

    @property
    def column(self) -> int:
        """The column that the first place begins in."""
        return self.places[0].column

    @property
    def end_line(self) -> int:
        """The line that the first place ends in."""
        return self.places[0].end_line

    @property
    def end_column(self) -> int:
        """The column behind the first place."""
        return self.places[0].end_column

    @property
    def last_line(self) -> int:
        """The line that the last place ends in."""
        return self.places[-1].end_line

    @property
    def source_line(self) -> str:
        """The line that the first place begins in, without its end."""
        return self.lines[0][1]

    @property
    def fixable(self) -> Literal["", "safe", "unsafe"]:
        """Whether there are edits, and whether all of them are safe."""
        if not self.edits:
            return ""
        return "safe" if all(edit.safe for edit in self.edits) else "unsafe"


class RuleInfo(NamedTuple):
    """The facts about a code, for formats that explain the listed codes.

    ``title`` is a phrase and ``why`` a sentence or more, in plain text; ``help`` is a page in
    Markdown. ``url`` is the address of the specification, empty for the linter's own rules.
    """

    code: str
    title: str
    why: str
    severity: Severity
    url: str = ""
    help: str = ""
