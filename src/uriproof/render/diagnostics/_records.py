"""A diagnostic as JSON-ready values, and its text in a line.

Owns the fields that the formats ``json`` and ``jsonl`` share, and the wording that the others do.
Imports ``diagnostic`` and ``drawing``. Invariant: a key is never renamed and never left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...diagnostic import Diagnostic, Edit
from ...text.drawing import visible
from ...text.paths import readable
from ._places import line_at, place_of_edit, shown

COLOURS = {"error": "31;1", "warning": "33;1", "note": "36;1"}
"""The colour of each severity."""

VERSION = 1
"""Another number if a key is removed or changes its meaning, as schemas/lint.schema.json says."""

_MOST_QUOTED = 200
_MOST_OF_A_URL = 2_000
_MOST_LISTED = 3
_MOST_REPLACED = 40

__all__ = ["COLOURS", "also", "fix_of", "graded", "listed", "place_of", "record", "words"]


def record(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic as JSON-ready values; offsets and columns are code points, ends exclusive.

    Offsets count from 0 in the decoded text of the file, without a byte order mark; lines and
    columns from 1. ``places`` are all that is blamed, and ``line`` to ``end`` those of the first.
    ``edits`` is empty where there is no fix. ``url`` is cut after its first 2,000 code points: a
    ``data:`` URL may be a megabyte; ``url_start`` and ``url_end`` say where all of it stands.
    """
    return {
        "version": VERSION,
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "file": readable(diagnostic.file),
        "line": diagnostic.line,
        "column": diagnostic.column,
        "end_line": diagnostic.end_line,
        "end_column": diagnostic.end_column,
        "start": diagnostic.start,
        "end": diagnostic.end,
        "places": [place._asdict() for place in diagnostic.places],
        "message": diagnostic.message,
        "component": diagnostic.component,
        "production": diagnostic.production,
        "expected": list(diagnostic.expected),
        "section": diagnostic.section,
        "hint": diagnostic.hint,
        "url": readable(diagnostic.url[:_MOST_OF_A_URL]),
        "url_start": diagnostic.url_start,
        "url_end": diagnostic.url_end,
        "edits": [
            {"start": e.start, "end": e.end, "replacement": e.replacement, "safe": e.safe}
            for e in diagnostic.edits
        ],
    }


def graded(diagnostic: Diagnostic) -> str:
    """The severity before a message, where it is not that of an error, which needs no word."""
    return "" if diagnostic.severity == "error" else f"{diagnostic.severity}: "


def place_of(diagnostic: Diagnostic) -> str:
    """``file:line:column``, visible, with columns in code points."""
    return f"{visible(shown(diagnostic.file))}:{diagnostic.line}:{diagnostic.column}"


def fix_of(diagnostic: Diagnostic) -> str:
    """What the fix does, in words; empty where there is none.

    >>> from uriproof.diagnostic import Diagnostic, Edit, Place
    >>> places = Place(4, 5, 1, 5, 1, 6), Place(6, 7, 1, 7, 1, 8)
    >>> edits = Edit(4, 5, "%20", True), Edit(6, 7, "%7C", True)
    >>> fix_of(Diagnostic("a", "c", "error", "", places, ((1, "a://b c|"),), edits=edits[:1]))
    'replace it with "%20"'
    >>> fix_of(Diagnostic("a", "c", "error", "", places, ((1, "a:/b c|"),), edits=edits))
    'replace " " with "%20" and "|" with "%7C"'
    """
    edits = diagnostic.edits
    if not edits:
        return ""
    words = _change(diagnostic, edits)
    return words if diagnostic.fixable == "safe" else f"{words} (unsafe: it may change the meaning)"


def _change(diagnostic: Diagnostic, edits: Sequence[Edit]) -> str:
    first = edits[0]
    if not first.replacement:
        return "remove it"
    if first.start == first.end:
        return f'insert "{visible(first.replacement)}"'
    raws = [_raw(diagnostic, edit) for edit in edits]
    if sum(len(raw) for raw in raws) > _MOST_REPLACED and all(map(_is_encoding, edits)):
        return f"percent-encode {'it' if len(edits) == 1 else 'them'} as UTF-8"
    if len(edits) == 1 and (first.start, first.end) == (diagnostic.start, diagnostic.end):
        return f'replace it with "{visible(first.replacement)}"'
    pairs = (
        f'{raw} with "{visible(edit.replacement)}"' for raw, edit in zip(raws, edits, strict=True)
    )
    return f"replace {listed(dict.fromkeys(pairs))}"


def _is_encoding(edit: Edit) -> bool:
    """Whether an edit puts nothing but percent-encoded octets."""
    return len(edit.replacement) % 3 == 0 and not edit.replacement[::3].strip("%")


def listed(words: Iterable[str]) -> str:
    """Some words in a sentence; of many the first, and how many more there are.

    >>> listed("ab"), listed("abcde")
    ('a and b', 'a, b, c and 2 more')
    """
    shown = list(words)
    if len(shown) > _MOST_LISTED + 1:
        shown[_MOST_LISTED:] = [f"{len(shown) - _MOST_LISTED:,} more"]
    *others, last = shown
    return f"{', '.join(others)} and {last}" if others else last


def _raw(diagnostic: Diagnostic, edit: Edit) -> str:
    """What an edit replaces, in quotation marks; "it" where that is long or in several lines."""
    place = place_of_edit(diagnostic, edit)
    if place is None or edit.end - edit.start > _MOST_QUOTED:
        return "it"
    line = line_at(diagnostic, place.line)
    text = visible(line[place.column - 1 : place.end_column - 1])
    return f'"{text}"' if len(text) <= _MOST_QUOTED else "it"


def also(diagnostic: Diagnostic) -> str:
    """Where else than in the first place; empty where there is no other.

    >>> from uriproof.diagnostic import Diagnostic, Place
    >>> places = Place(4, 5, 1, 5, 1, 6), Place(6, 7, 1, 7, 1, 8)
    >>> also(Diagnostic("a", "c", "error", "", places, ((1, "a://b c|"),)))
    'also at column 7'
    """
    others = diagnostic.places[1:]
    if not others:
        return ""
    if any(place.line != diagnostic.line for place in others):
        return f"also at {listed(f'{place.line}:{place.column}' for place in others)}"
    return f"also at column{'s' * (len(others) > 1)} {listed(str(p.column) for p in others)}"


def words(diagnostic: Diagnostic, *, places: bool = True) -> str:
    """The message, further places, hint and fix of a diagnostic in one visible line."""
    fix = fix_of(diagnostic)
    more = (
        also(diagnostic) if places else "",
        visible(diagnostic.hint),
        f"fix: {fix}" if fix else "",
    )
    return "; ".join([visible(diagnostic.message), *filter(None, more)])
