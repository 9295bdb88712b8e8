"""Diagnostics as reviewdog's diagnostic format, with suggestions.

Owns the format ``rdjson``. Imports ``diagnostic``. Invariant: columns are octets of UTF-8, from 1,
as the format's definition has them (``rdf.Position`` of reviewdog.proto); a suggestion stands in
one line, and its range is exact.

Paths are from the folder of the run: reviewdog, which runs there, finds the root by itself. The
fixes that are suggested are the safe ones: a suggestion is taken by a click.

The octets of a line are counted as it is shown: if a password that holds other than ASCII stands
before a diagnostic, its columns count one octet for each of the password's characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...diagnostic import Diagnostic, Place
from .. import Style, dumps
from . import NO_RULES, Rules
from ._places import edit_places, from_here, line_at, octet_column
from ._records import words

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def render(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """One ``rdf.DiagnosticResult``, a diagnostic a line. Memory: one diagnostic."""
    before = '{"source": {"name": "uriproof"}, "diagnostics": ['
    yield before
    between = "\n"
    for one in diagnostics:
        yield between + dumps(_diagnostic(one, rules))
        between = ",\n"
    yield "\n]}\n" if between != "\n" else "]}\n"


def _diagnostic(one: Diagnostic, rules: Rules) -> dict[str, Any]:
    code = {"value": one.code}
    rule = rules.get(one.code)
    if rule is not None and rule.url:
        code["url"] = rule.url
    path = from_here(one.file)
    locations = [{"path": path, "range": _range(one, place)} for place in one.places]
    record: dict[str, Any] = {
        "message": words(one, places=False),
        "location": locations[0],
        "severity": _SEVERITIES[one.severity],
        "code": code,
    }
    if len(locations) > 1:
        record["related_locations"] = [
            {"message": "also here", "location": location} for location in locations[1:]
        ]
    # What is suggested is made at a keystroke, without a look at what is unsafe in it.
    edits = edit_places(one) if one.fixable == "safe" else []
    if edits:
        record["suggestions"] = [
            {"range": _range(one, place), "text": edit.replacement} for place, edit in edits
        ]
    return record


def _range(one: Diagnostic, place: Place) -> dict[str, Any]:
    return {
        "start": _position(one, place.line, place.column),
        "end": _position(one, place.end_line, place.end_column),
    }


def _position(one: Diagnostic, line: int, column: int) -> dict[str, int]:
    return {"line": line, "column": octet_column(line_at(one, line), column)}
