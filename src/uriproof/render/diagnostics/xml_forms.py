"""Reports in XML: ``checkstyle`` and ``junit``.

Imports ``diagnostic`` and ``drawing``. Invariant: well-formed XML 1.0, whatever characters a path
or a message holds. ``junit``, with a test suite a file and a test case a diagnostic, keeps to the
schema that Jenkins reads by (junit-10.xsd of its xUnit plugin), and no two runs over the same files
differ: it holds no time and no host.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import attrgetter

from ...diagnostic import Diagnostic
from ...text.drawing import visible
from .. import Style
from . import Given, Rules
from ._records import fix_of, relative, words

_PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n'

# XML 1.0 §2.4 demands escapes only for those three and the quote; a character that is not a Char
# (§2.2) has no glyph either, and is made visible.
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_OF_CHECKSTYLE = {"error": "error", "warning": "warning", "note": "info"}


def as_checkstyle(diagnostics: Given, style: Style, rules: Rules = dict) -> Iterator[str]:
    """A ``file`` each, in it an ``error`` each. Memory: one diagnostic."""
    yield f'{_PROLOGUE}<checkstyle version="4.3">\n'
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
        "severity": _OF_CHECKSTYLE[one.severity],
        "message": words(one),
        "source": f"uriproof.{one.code}",
    }


def as_junit(diagnostics: Given, style: Style, rules: Rules = dict) -> Iterator[str]:
    """The suites in the order of the files; without diagnostics, one test case says so, because an
    empty report is taken for a failure to test. Memory: the diagnostics of one file."""
    yield f'{_PROLOGUE}<testsuites name="uriproof">\n'
    some = False
    for file, found in groupby(diagnostics, attrgetter("file")):
        some = True
        yield from _suite(relative(file), list(found))
    if not some:
        counts = {"name": "uriproof", "tests": "1", "failures": "0", "errors": "0"}
        yield f" {element('testsuite', counts, open_=True)}\n"
        case = {"name": "Nothing is reported", "classname": "uriproof"}
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
            body = text_of("\n".join(line.replace("\n", " ") for line in lines))
            yield f"   {element('failure', about, open_=True)}{body}</failure>\n"
        yield "  </testcase>\n"
    yield " </testsuite>\n"


def text_of(value: str) -> str:
    """Character data, or the value of an attribute; line ends stay in character data.

    >>> text_of("a<b\\n\\0")
    'a&lt;b\\n\\\\x00'
    """
    return "\n".join(visible(line) for line in value.split("\n")).translate(_ESCAPES)


def element(name: str, attributes: Mapping[str, str], *, open_: bool = False) -> str:
    """An empty element, or its start tag."""
    written = "".join(f' {key}="{text_of(value)}"' for key, value in attributes.items())
    return f"<{name}{written}{'' if open_ else '/'}>"
