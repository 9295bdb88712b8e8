"""Commands that CI systems read from a log, ``azure`` and ``github``, and a summary: ``markdown``.

Imports ``diagnostic`` and ``drawing``. Invariant: whatever a path or a message holds, a diagnostic
is one command, and no text in it is read as another, nor in the summary as Markdown or HTML; what
GitHub would not show as an annotation is a line of the log, and the output says so; the counts of
the summary are of all diagnostics, also where the list of them is cut.

The contracts are ``##vso[task.logissue]`` ("Logging commands", Microsoft Learn), with the escapes
of ``azure-pipelines-task-lib``; and "Workflow commands for GitHub Actions", with the escapes of its
toolkit (``@actions/core``). GitHub shows ten errors, ten warnings and ten notices of a step.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator

from ...diagnostic import Diagnostic
from ...limits import LARGEST_SUMMARY, MOST_ANNOTATIONS
from ...text.drawing import visible
from ...text.names import cause, some
from .. import Style
from . import NO_RULES, Given, Rules
from ._records import also, fix_of, going_on, graded, place_of, relative, words

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable that names the file for the step's summary."""

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_GITHUB_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_GITHUB_PROPERTY = {**_GITHUB_DATA, **str.maketrans({":": "%3A", ",": "%2C"})}
_AZURE_DATA = str.maketrans({"%": "%AZP25", "\r": "%0D", "\n": "%0A"})
_AZURE_PROPERTY = {**_AZURE_DATA, **str.maketrans({"]": "%5D", ";": "%3B"})}


def as_azure(diagnostics: Given, style: Style, rules: Rules = NO_RULES) -> Iterator[str]:
    """A command each; a note, of which there is no type, is a line of the log."""
    for one in diagnostics:
        if one.severity == "note":
            # The log is searched for commands anywhere in a line.
            logged = f"{place_of(one)}: {one.code} {words(one)}"
            yield logged.replace("##", "# #") + "\n"
            continue
        properties = {
            "type": one.severity,
            "sourcepath": visible(relative(one.file)),
            "linenumber": str(one.line),
            "columnnumber": str(one.column),
            "code": one.code,
        }
        listed = "".join(f"{k}={v.translate(_AZURE_PROPERTY)};" for k, v in properties.items())
        yield f"##vso[task.logissue {listed}]{words(one).translate(_AZURE_DATA)}\n"


def as_github(diagnostics: Given, style: Style, rules: Rules = NO_RULES) -> Iterator[str]:
    """A command each, as many as are shown; the summary is added to the file that GitHub names."""
    summary = Summary()
    count: Counter[str] = Counter()
    for one in diagnostics:
        summary.add(one)
        kind = _COMMANDS[one.severity]
        count[kind] += 1
        # One notice is kept for the notice below.
        if count[kind] <= MOST_ANNOTATIONS - (kind == "notice"):
            yield _command(kind, one)
        else:
            # The log is searched for commands at the start of lines, and for old ones anywhere.
            logged = f"diagnostic {place_of(one)}: {one.code} {words(one)}"
            yield logged.replace("##[", "## [") + "\n"
    left = sum(max(n - MOST_ANNOTATIONS + (kind == "notice"), 0) for kind, n in count.items())
    if left:
        shown = f"GitHub shows {MOST_ANNOTATIONS} of a kind and step"
        text = f"{some(left, 'more diagnostic')} {'is' if left == 1 else 'are'} in the log: {shown}"
        yield f"::notice title=uriproof::{text}\n"
    file = os.environ.get(SUMMARY)
    if file:
        try:
            _add("".join(summary.lines(rules)).encode("utf-8", "backslashreplace"), file)
        except OSError as error:
            why = visible(f"{SUMMARY}: {cause(error)}").translate(_GITHUB_DATA)
            yield f"::warning title=uriproof::no summary was written. {why}\n"


def _add(summary: bytes, file: str) -> None:
    """Add to the summary of the step, of which GitHub takes nothing if it is too long."""
    with open(file, "ab") as stream:
        if stream.tell() + len(summary) > LARGEST_SUMMARY:
            raise OSError(0, f"the step's summary may have {LARGEST_SUMMARY:,} octets")
        stream.write(summary)


def _command(kind: str, one: Diagnostic) -> str:
    """A diagnostic as a workflow command; columns are those of one line, or none."""
    properties = {"title": f"uriproof ({one.code})", "file": visible(relative(one.file))}
    properties |= {"line": str(one.line), "endLine": str(one.end_line)}
    if one.line == one.end_line:
        properties |= {"col": str(one.column), "endColumn": str(one.end_column)}
    listed = ",".join(f"{k}={v.translate(_GITHUB_PROPERTY)}" for k, v in properties.items())
    # Where annotations are not shown beside the code, the place is all there is to go by.
    return f"::{kind} {listed}::{f'{place_of(one)}: {words(one)}'.translate(_GITHUB_DATA)}\n"


_MOST_LISTED = 500
"""Diagnostics listed one by one: more than anybody reads on a page."""

_ROOM = 1 << 19
"""Octets of that list: a summary of a GitHub step may have 1 MiB."""

_MOST_OF_A_MESSAGE = 500  # characters in a cell: one that quotes a long URL would push out others


def as_markdown(diagnostics: Given, style: Style, rules: Rules = NO_RULES) -> Iterator[str]:
    """Counts by code, then the diagnostics. Memory: the rows that are listed."""
    summary = Summary()
    for one in diagnostics:
        summary.add(one)
    yield from summary.lines(rules)


class Summary:
    """The summary of a stream of diagnostics."""

    def __init__(self) -> None:
        self._codes: Counter[str] = Counter()
        self._files: set[str] = set()
        self._rows: list[str] = []
        self._room = _ROOM

    def add(self, one: Diagnostic) -> None:
        """Take in one more."""
        self._codes[one.code] += 1
        self._files.add(one.file)
        if len(self._rows) < _MOST_LISTED and self._room > 0:
            fix = fix_of(one)
            message = visible(one.message)[:_MOST_OF_A_MESSAGE]
            text = graded(one) + going_on(message, also(one), fix and f"fix: {fix}")
            self._rows.append(f"| {code(place_of(one))} | `{one.code}` | {cell(text)} |\n")
            self._room -= len(self._rows[-1].encode("utf-8", "backslashreplace"))

    def lines(self, rules: Rules) -> Iterator[str]:
        """The summary."""
        yield "## uriproof\n\n"
        total = self._codes.total()
        if not total:
            yield "Nothing is reported of what was checked.\n"
            return
        yield f"{some(total, 'diagnostic')} in {some(len(self._files), 'file')}.\n\n"
        yield "| Count | Code | What |\n| ---: | --- | --- |\n"
        for code, number in sorted(self._codes.items(), key=lambda item: (-item[1], item[0])):
            rule = rules.get(code)
            yield f"| {number:,} | `{code}` | {cell(rule.title) if rule else ''} |\n"
        yield "\n| Where | Code | What |\n| --- | --- | --- |\n"
        yield from self._rows
        if total > len(self._rows):
            more = total - len(self._rows)
            yield f"\nThe first {len(self._rows):,} are listed, {more:,} more not.\n"


# What begins something within a line of CommonMark or of GitHub's extensions of it (§2.4 of either:
# any ASCII punctuation may be escaped), and the bar, which ends a cell. A colon makes a link of
# "http://" and a picture of ":100:", unless it is a reference.
_SPECIAL = re.compile(r"[\\`*_\[\]<>#|~$@&]|:(?=\S)")


def cell(value: str) -> str:
    """A text as it stands in a cell of a table.

    >>> print(cell("host: a|b<c> http://h/"))
    host: a\\|b\\<c\\> http&#58;//h/
    """
    return _SPECIAL.sub(lambda found: "&#58;" if found[0] == ":" else f"\\{found[0]}", value)


def code(value: str) -> str:
    """A text as code in a cell; one that would end the code, or the cell, as any other.

    >>> code("a_b.md:1:2"), code("a|b")
    ('`a_b.md:1:2`', 'a\\\\|b')
    """
    return f"`{value}`" if {"`", "|", "\\"}.isdisjoint(value) else cell(value)
