"""Diagnostics as JSON: ``json``, ``jsonl``, ``gitlab``, ``rdjson`` and ``sarif``.

Imports ``diagnostic``. Invariant: each output is JSON (RFC 8259) in ASCII: one text, also if
reading stops, or one a line; offsets and columns are code points, but in ``rdjson``.

``gitlab`` is "Code Quality report format" in GitLab's documentation, with just the properties that
it reads; a fingerprint holds no line number, and no two are the same.

``rdjson`` is reviewdog's diagnostic format (``rdf.Position`` of reviewdog.proto): columns are
octets of UTF-8, from 1, and a suggestion is in one line. Paths are from the folder of the run:
reviewdog, which runs there, finds the root by itself. The octets of a line are counted as
displayed: if a non-ASCII password is before a diagnostic, its columns count one octet for each of
the password's characters.

``sarif`` is SARIF 2.1.0, as GitHub's code scanning and others read it: one log that its JSON schema
accepts, also if there are no diagnostics; columns are code points, ends exclusive, and the log says
so; a path is a relative reference, from the root of the repository; a fix is a safe one. The
results come before the tool, so that its list of rules has only those that occurred. The limits are
those of "SARIF support for code scanning" in GitHub's documentation.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from ...diagnostic import Diagnostic, Place, RuleInfo
from ...limits import MOST_SARIF_RESULTS
from .. import Style, dumps, json_array
from . import NO_RULES, Given, Rules
from ._records import (
    Fingerprints,
    edit_places,
    fix_of,
    from_here,
    line_at,
    octet_column,
    record,
    relative,
    uri_of,
    words,
)

_OF_GITLAB = {"error": "major", "warning": "minor", "note": "info"}
_OF_REVIEWDOG = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def as_json(diagnostics: Given, style: Style, rules: Rules = NO_RULES) -> Iterator[str]:
    """An array of what ``_records.record`` gives. Memory: one diagnostic."""
    return json_array(record(one) for one in diagnostics)


def as_jsonl(diagnostics: Given, style: Style, rules: Rules = NO_RULES) -> Iterator[str]:
    """A line of what ``_records.record`` gives each. Memory: one diagnostic."""
    for one in diagnostics:
        yield dumps(record(one)) + "\n"


def as_gitlab(diagnostics: Given, style: Style, rules: Rules = NO_RULES) -> Iterator[str]:
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


def as_rdjson(diagnostics: Given, style: Style, rules: Rules = NO_RULES) -> Iterator[str]:
    """One ``rdf.DiagnosticResult``, a diagnostic a line. Memory: one diagnostic."""
    yield '{"source": {"name": "uriproof"}, "diagnostics": '
    yield from json_array(_diagnostic(one, rules) for one in diagnostics)
    yield "}\n"


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
    # A suggestion is applied at a keystroke, without a look at its unsafe parts.
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


_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"


def as_sarif(diagnostics: Given, style: Style, rules: Rules = NO_RULES) -> Iterator[str]:
    """The log, a result a line. Memory: the fingerprints of one file, and the rules met."""
    import json

    head = {"$schema": _SCHEMA, "version": "2.1.0"}
    root = {_ROOT: {"description": {"text": "The root of the repository."}}}
    run = {"columnKind": "unicodeCodePoints", "originalUriBaseIds": root}
    yield f'{json.dumps(head)[:-1]}, "runs": [{json.dumps(run)[:-1]}, "results": '
    prints = Fingerprints()
    met: dict[str, Diagnostic] = {}
    coming = iter(diagnostics)

    def results() -> Iterator[dict[str, Any]]:
        for one in islice(coming, MOST_SARIF_RESULTS):
            met.setdefault(one.code, one)
            yield _result(one, [*met].index(one.code), prints)

    yield from json_array(results())
    if left := sum(1 for _ in coming):
        yield f', "invocations": {json.dumps([_notification(left)])}'
    driver = {"name": "uriproof", "semanticVersion": _version()}
    driver_rules = [_rule(one, rules.get(code)) for code, one in met.items()]
    yield f', "tool": {json.dumps({"driver": {**driver, "rules": driver_rules}})}}}]}}\n'


def _version() -> str:
    from ... import __version__

    return __version__


def _notification(left: int) -> dict[str, Any]:
    text = f"{left:,} more diagnostics are left out: the maximum of a run is {MOST_SARIF_RESULTS:,}"
    notification = {"level": "warning", "message": {"text": text}}
    return {"executionSuccessful": True, "toolExecutionNotifications": [notification]}


def _location(file: str) -> dict[str, str]:
    uri = uri_of(file)
    if uri.startswith("file:"):
        return {"uri": uri}
    return {"uri": uri, "uriBaseId": _ROOT}


def _result(one: Diagnostic, index: int, prints: Fingerprints) -> dict[str, Any]:
    artifact = _location(one.file)
    # Several, as all have to change for the URL to be right (SARIF 2.1.0 §3.27.12).
    locations = [
        {"physicalLocation": {"artifactLocation": artifact, "region": _region(place)}}
        for place in one.places
    ]
    result: dict[str, Any] = {
        "ruleId": one.code,
        "ruleIndex": index,
        "level": one.severity,
        "message": {"text": words(one)},
        "locations": locations,
        "partialFingerprints": {"primaryLocationLineHash": prints.of_line(one)},
    }
    # A fix in a log is made without a look at it: only those that are safe.
    edits = edit_places(one) if one.fixable == "safe" else []
    if edits:
        replacements = [
            {"deletedRegion": _region(place), "insertedContent": {"text": edit.replacement}}
            for place, edit in edits
        ]
        change = {"artifactLocation": artifact, "replacements": replacements}
        result["fixes"] = [{"description": {"text": fix_of(one)}, "artifactChanges": [change]}]
    return result


def _region(place: Place) -> dict[str, int]:
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _rule(one: Diagnostic, known: RuleInfo | None) -> dict[str, Any]:
    """A rule of the tool: with the page that explains it, if that is known."""
    rule: dict[str, Any] = {"id": one.code, "name": one.code.title().replace("-", "")}
    rule["defaultConfiguration"] = {"level": one.severity}
    if known is None:
        return rule
    rule["shortDescription"] = {"text": known.title}
    rule["fullDescription"] = {"text": known.why}
    if known.url:
        rule["helpUri"] = known.url
    if known.help:
        rule["help"] = {"text": known.why, "markdown": known.help}
    return rule
