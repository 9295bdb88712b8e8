"""Diagnostics as JSON: ``json``, ``jsonl``, ``gitlab`` and ``rdjson``.

Imports ``diagnostic``. Invariant: each output is JSON (RFC 8259) in ASCII: one text, also if
reading stops, or one a line; offsets and columns are code points, but in ``rdjson``.

``gitlab`` is "Code Quality report format" in GitLab's documentation, with just the properties that
it reads; a fingerprint holds no line number, and no two are the same.

``rdjson`` is reviewdog's diagnostic format (``rdf.Position`` of reviewdog.proto): columns are
octets of UTF-8, from 1, and a suggestion stands in one line. Paths are from the folder of the run:
reviewdog, which runs there, finds the root by itself. The octets of a line are counted as it is
shown: if a password that holds other than ASCII stands before a diagnostic, its columns count one
octet for each of the password's characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...diagnostic import Diagnostic, Place
from .. import Style, dumps, json_array
from . import NO_RULES, Rules
from ._records import (
    Fingerprints,
    edit_places,
    from_here,
    line_at,
    octet_column,
    record,
    relative,
    words,
)

_OF_GITLAB = {"error": "major", "warning": "minor", "note": "info"}
_OF_REVIEWDOG = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def as_json(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """An array of what ``_records.record`` gives. Memory: one diagnostic."""
    return json_array(record(one) for one in diagnostics)


def as_jsonl(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """A line of what ``_records.record`` gives each. Memory: one diagnostic."""
    for one in diagnostics:
        yield dumps(record(one)) + "\n"


def as_gitlab(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """The array, one object a line. Memory: the fingerprints of one file."""
    prints = Fingerprints()
    return json_array(_issue(one, prints.of(one)) for one in diagnostics)


def _issue(one: Diagnostic, fingerprint: str) -> dict[str, Any]:
    return {
        "description": words(one),
        "check_name": one.code,
        "fingerprint": fingerprint,
        "severity": _OF_GITLAB[one.severity],
        "location": {
            "path": relative(one.file),
            "lines": {"begin": one.line, "end": one.last_line},
        },
    }


def as_rdjson(
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
        "severity": _OF_REVIEWDOG[one.severity],
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
