r"""Results as texts of one line, for the cache, and back.

Owns that form. Imports ``diagnostic`` and the result. Invariant: what is read back equals what was
stored; a text of any other form is no result; no password is stored.

>>> one = Result("a.txt")
>>> one.urls = 3
>>> stored(one), restored("a.txt", "3,0").urls, restored("a.txt", "3,0 [0")
('3,0', 3, None)
"""

from __future__ import annotations

from ...diagnostic import Diagnostic, Edit, Place
from .analyze import Result

__all__ = ["restored", "stored"]

_LONGEST = 50_000
"""Characters of a result that is stored: minified files have long lines."""


def stored(result: Result) -> str | None:
    """A result in one line of ASCII; None for one that is not to be kept."""
    if result.is_borrowed or result.records or result.lost:
        return None
    if result.empty:
        return f"{result.urls},{result.iris}"
    if any(one.component == "userinfo" for one in result.diagnostics):
        return None  # an edit may hold a password
    import json

    diagnostics = [one[1:] for one in result.diagnostics]  # all are of the same file
    text = json.dumps([result.suppressed, diagnostics], separators=(",", ":"))
    return f"{result.urls},{result.iris} {_sum(text)} {text}" if len(text) <= _LONGEST else None


def _sum(text: str) -> str:
    """A checksum: half of a line is no result."""
    from zlib import crc32

    return str(crc32(text.encode("ascii")))


def restored(file: str, text: str) -> Result | None:
    """The result that was stored; None where the text is none."""
    numbers, *rest = text.split(" ", 2)
    result = Result(file)
    try:
        result.urls, result.iris = map(int, numbers.split(","))
        if rest:
            import json

            known, kept = rest
            if known != _sum(kept):
                return None
            result.suppressed, found = json.loads(kept)
            result.diagnostics = [_diagnostic(file, *values) for values in found]
    except (TypeError, ValueError):
        return None
    return result


def _diagnostic(
    file: str,
    code: str,
    severity: str,
    message: str,
    places: list[list[int]],
    lines: list[tuple[int, str]],
    *more: object,
) -> Diagnostic:
    """A diagnostic of its fields, as JSON has them. Errors: TypeError."""
    made = Diagnostic(
        *(file, code, severity, message),  # type: ignore[arg-type]
        tuple(Place(*place) for place in places),
        tuple((number, line) for number, line in lines),
        *more,  # type: ignore[arg-type]
    )
    edits: list[Edit] = [Edit(*edit) for edit in made.edits]
    return made._replace(expected=tuple(made.expected), edits=tuple(edits))
