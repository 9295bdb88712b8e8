"""Diagnostics as a GitLab code quality report.

Owns the format ``gitlab``. Imports ``diagnostic``. Invariant: one JSON array, of objects with just
the properties that GitLab reads; a fingerprint holds no line number, and no two are the same.

The contract is "Code Quality report format" in GitLab's documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...diagnostic import Diagnostic
from .. import Style, json_array
from . import NO_RULES, Rules
from ._places import Fingerprints, relative
from ._records import words

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def render(
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
        "severity": _SEVERITIES[one.severity],
        "location": {
            "path": relative(one.file),
            "lines": {"begin": one.line, "end": one.last_line},
        },
    }
