"""Diagnostics as Checkstyle's XML report.

Owns the format ``checkstyle``. Imports ``diagnostic`` and ``drawing``. Invariant: well-formed XML
1.0, whatever a path or a message holds; each file has one element, with its diagnostics in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from ...diagnostic import Diagnostic
from .. import Style
from . import NO_RULES, Rules
from ._places import relative
from ._records import words
from ._xml import PROLOGUE, element

_SEVERITIES = {"error": "error", "warning": "warning", "note": "info"}


def render(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """A ``file`` each, in it an ``error`` each. Memory: one diagnostic."""
    yield f'{PROLOGUE}<checkstyle version="4.3">\n'
    for file, found in groupby(diagnostics, attrgetter("file")):
        yield f" {element('file', {'name': relative(file)}, open_=True)}\n"
        for one in found:
            yield f"  {element('error', _attributes(one))}\n"
        yield " </file>\n"
    yield "</checkstyle>\n"


def _attributes(one: Diagnostic) -> dict[str, str]:
    return {
        "line": str(one.line),
        "column": str(one.column),
        "severity": _SEVERITIES[one.severity],
        "message": words(one),
        "source": f"uriproof.{one.code}",
    }
