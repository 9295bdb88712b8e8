"""Advice on paths: segments that software divides, decodes or removes in different ways.

Owns these rules. Imports ``report``, the table of schemes, ``percent`` and helpers beside it.
Invariant: a span lies within the path.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..grammar.schemes import DATUM
from ..percent.characters import DOTS, octet
from ..report import Report
from ._parts import decoded, is_hierarchical, pieces, runs, scheme
from ._rule import Place, rule


@rule(
    title="A dot-segment with a parameter",
    why="""A semicolon can separate a parameter from the rest of its segment (RFC 3986 §3.3). In the
    generic syntax, "..;" is not a dot-segment; a server that removes parameters first turns it into
    one after the proxy has checked the path.""",
    good="http://example.com/a;v=1/b",
    bad="http://example.com/a/..;/b",
    trigger=lambda text, has: ";" in has.get("path", ""),
)
def dot_segment_parameter(report: Report) -> Iterator[Place]:
    """The span is the whole segment."""
    for start, segment in pieces(report.components["path"], "/"):
        name, semicolon, _ = segment.partition(";")
        if semicolon and decoded(name) in DOTS:
            message = "Servers that strip path parameters read a dot-segment here; others do not."
            yield start, start + len(segment), "path", message


_LED_TO = (
    "Write the path that these dot-segments lead to; some software removes them, and some does not."
)


@rule(
    title="Dot-segments that are not at the start of a relative reference",
    why="""The segments "." and ".." are meant for the start of a relative-path reference. Anywhere
    else they are removed before use, but not by all software at the same time, so a check might see
    a different path than the server (RFC 3986 §3.3, §5.2.4, §6.2.2.3). Percent-encoded dots count
    as dots (§2.3).""",
    good="../b/c",
    bad="http://example.com/a/../../b",
    trigger=lambda text, has: "." in (path := has.get("path", "")) or "%2" in path,
)
def dot_segments(report: Report) -> Iterator[Place]:
    """The dot-segments that a relative-path reference starts with are where they belong."""
    path = report.components["path"]
    if scheme(report) in DATUM:
        return
    leading = not path.text.startswith("/") and report.components.keys().isdisjoint(
        {"scheme", "host"}
    )
    first = last = -1
    for start, segment in pieces(path, "/"):
        if (decoded(segment)) in DOTS:
            if not leading:
                first = start if first < 0 else first
                last = start + len(segment)
            continue
        leading = False
        if first >= 0:
            yield first, last, "path", _LED_TO
            first = -1
    if first >= 0:
        yield first, last, "path", _LED_TO


@rule(
    title="An encoded backslash in a path",
    why="""After decoding, a backslash separates file names on some systems: one segment of the URI
    becomes several, and dot-segments can appear that no filter of the URI saw (RFC 3986 §7.3).""",
    good="http://example.com/a/b",
    bad="http://example.com/a%5Cb",
    trigger=lambda text, has: "%5c" in has.get("path", ""),
)
def encoded_backslash(report: Report) -> Iterator[Place]:
    """Reports hierarchical paths alone."""
    if is_hierarchical(report):
        for start, end in runs(report.components["path"], lambda t: octet(t) == ord("\\")):
            message = "This is an encoded backslash; on some systems it separates file names."
            yield start, end, "path", message
