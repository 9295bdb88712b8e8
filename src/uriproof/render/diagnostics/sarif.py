"""Diagnostics as SARIF 2.1.0, as GitHub's code scanning and others read it.

Owns the format ``sarif``. Imports ``diagnostic`` and ``percent``. Invariant: the output is one
SARIF log that its JSON schema accepts, also if there are no diagnostics; columns are code points,
ends exclusive, and the log says so; a path is a relative reference, from the root of the
repository; a fix is a safe one.

The results come before the tool, so that the rules that it lists are those that were met. The
limits are those of "SARIF support for code scanning" in GitHub's documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...diagnostic import Diagnostic, Place, RuleInfo
from .. import Style, dumps
from . import NO_RULES, Rules
from ._records import Fingerprints, edit_places, fix_of, uri_of, words

_MOST = 25_000
"""Results of a run that GitHub takes; one more, and it takes none."""

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"


def as_sarif(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """The log, a result a line. Memory: the fingerprints of one file, and the rules met."""
    import json

    head = {"$schema": _SCHEMA, "version": "2.1.0"}
    root = {_ROOT: {"description": {"text": "The root of the repository."}}}
    run = {"columnKind": "unicodeCodePoints", "originalUriBaseIds": root}
    yield f'{json.dumps(head)[:-1]}, "runs": [{json.dumps(run)[:-1]}, "results": ['
    prints = Fingerprints()
    met: dict[str, Diagnostic] = {}
    between = "\n"
    number = 0
    for number, one in enumerate(diagnostics, 1):
        if number > _MOST:
            continue  # counted, and reported below
        index = len(met)
        if one.code in met:
            index = list(met).index(one.code)
        else:
            met[one.code] = one
        yield between + dumps(_result(one, index, prints))
        between = ",\n"
    yield "\n" * bool(number) + "]"
    left = number - _MOST
    if left > 0:
        yield f', "invocations": {json.dumps([_notification(left)])}'
    driver = {"name": "uriproof", "semanticVersion": _version()}
    driver_rules = [_rule(one, rules.get(code)) for code, one in met.items()]
    yield f', "tool": {json.dumps({"driver": {**driver, "rules": driver_rules}})}}}]}}\n'


def _version() -> str:
    from ... import __version__

    return __version__


def _notification(left: int) -> dict[str, Any]:
    text = f"{left:,} more diagnostics are left out: a run may have {_MOST:,}"
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
