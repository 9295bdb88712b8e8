"""Diagnostics as a JUnit report: a test suite a file, a test case a diagnostic.

Owns the format ``junit``. Imports ``diagnostic`` and ``drawing``. Invariant: the report keeps to
the schema that Jenkins reads by (junit-10.xsd of its xUnit plugin), and no two runs over the same
files differ: it holds no time and no host.

Where nothing is wrong, one test case says so, for an empty report is taken for a failure to test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from ...diagnostic import Diagnostic
from .. import Style
from . import NO_RULES, Rules
from ._places import relative
from ._records import fix_of
from ._xml import PROLOGUE, element, text


def render(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """The suites in the order of the files. Memory: the diagnostics of one file."""
    yield f'{PROLOGUE}<testsuites name="uriproof">\n'
    some = False
    for file, found in groupby(diagnostics, attrgetter("file")):
        some = True
        yield from _suite(relative(file), list(found))
    if not some:
        counts = {"name": "uriproof", "tests": "1", "failures": "0", "errors": "0"}
        yield f" {element('testsuite', counts, open_=True)}\n"
        case = {"name": "No URL is wrong", "classname": "uriproof"}
        yield f"  {element('testcase', case)}\n </testsuite>\n"
    yield "</testsuites>\n"


def _suite(file: str, found: list[Diagnostic]) -> Iterator[str]:
    skipped = sum(one.severity == "note" for one in found)
    counts = {
        "name": file,
        "tests": str(len(found)),
        "failures": str(len(found) - skipped),
        "errors": "0",
        "skipped": str(skipped),
    }
    yield f" {element('testsuite', counts, open_=True)}\n"
    for one in found:
        case = {"name": f"{one.code} at {one.line}:{one.column}", "classname": file}
        yield f"  {element('testcase', case, open_=True)}\n"
        if one.severity == "note":
            yield f"   {element('skipped', {'message': one.message})}\n"
        else:
            about = {"type": one.severity, "message": one.message}
            lines = [f"{file}:{one.line}:{one.column}: {one.code}", f"URL: {one.url[:2000]}"]
            lines += [f"{file}:{p.line}:{p.column}: also here" for p in one.places[1:]]
            lines += [f"hint: {one.hint}"] * bool(one.hint)
            lines += [f"fix: {fix_of(one)}"] * bool(one.edits)
            body = text("\n".join(line.replace("\n", " ") for line in lines))
            yield f"   {element('failure', about, open_=True)}{body}</failure>\n"
        yield "  </testcase>\n"
    yield " </testsuite>\n"
