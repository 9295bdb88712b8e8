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

from ...diagnostic import Diagnostic
from .. import Style
from . import NO_RULES, Rules
from ._places import columns_of_edit, from_here, octet_column, proper
from ._records import words

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def render(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """One ``rdf.DiagnosticResult``, a diagnostic a line. Memory: one diagnostic."""
    import json

    before = '{"source": {"name": "uriproof"}, "diagnostics": ['
    yield before
    between = "\n"
    for one in diagnostics:
        yield between + json.dumps(_diagnostic(one, rules))
        between = ",\n"
    yield "\n]}\n" if between != "\n" else "]}\n"


def _diagnostic(one: Diagnostic, rules: Rules) -> dict[str, Any]:
    code = {"value": one.code}
    rule = rules.get(one.code)
    if rule is not None and rule.url:
        code["url"] = rule.url
    record: dict[str, Any] = {
        "message": words(one),
        "location": {"path": from_here(one.file), "range": _range(one)},
        "severity": _SEVERITIES[one.severity],
        "code": code,
    }
    columns = columns_of_edit(one)
    if one.edit is not None and one.edit.safe and columns is not None:
        where = _columns(one, *columns)
        record["suggestions"] = [{"range": where, "text": proper(one.edit.replacement)}]
    return record


def _range(one: Diagnostic) -> dict[str, Any]:
    """Where a diagnostic stands; of one that goes on in further lines, what is in the first."""
    ends = one.end_column if one.end_line == one.line else len(one.source_line) + 1
    return _columns(one, one.column, ends)


def _columns(one: Diagnostic, start: int, end: int) -> dict[str, Any]:
    line = one.source_line
    return {
        "start": {"line": one.line, "column": octet_column(line, start)},
        "end": {"line": one.line, "column": octet_column(line, end)},
    }
