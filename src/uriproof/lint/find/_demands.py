r"""Values that a schema says are URIs: what stands beside ``"format": "uri"``.

Owns which values of a JSON Schema or an OpenAPI document, in JSON or in YAML, have to be URIs (JSON
Schema Validation 2020-12 §7.3.5 and §7.3.6), and where in YAML those keys are that OpenAPI has URLs
of. Imports ``find._json`` and ``find._openapi``. Invariant: nothing is found here; what was found
elsewhere gets its profile.

>>> text = '{"type": "string", "default": "http://a/\u00e9", "format": "uri"}'
>>> spans_in_json(text)
[(31, 41)]
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from ...text.patterns import lazy
from ..found import Found
from ._json import STRING
from ._openapi import role

__all__ = ["demanded", "spans_in_json", "spans_in_yaml"]

Span = tuple[int, int]

_NAMES = r"uri(?:-reference|-template)?"
_URI = lazy(_NAMES)
_FORMAT = lazy(rf"""\bformat["']?[ \t]*+:\s*+["']?{_NAMES}\b(?!-)""")
# Keywords whose values are instances of the schema that they are in.
_INSTANCES = frozenset(("default", "example", "examples", "const", "enum"))

_TOKEN = lazy(
    rf'"(?P<string>{STRING})(?:"(?P<colon>\s*+:)?+|(?P<unclosed>))'
    r"|(?P<open>[\[{])|(?P<close>[\]}])"
)
_LINE = lazy(
    r"^(?P<indent>[ ]*+)(?P<dashes>(?:-[ ]++)*+)"
    r"(?:(?P<quote>[\"']?)(?P<key>[^\s\"'#:{\[][^\"'#:\n]*+)(?P=quote)[ \t]*+:(?=[ \t\r\n]|\Z))?+"
    r"[ \t]*+(?P<value>[^\n]*+)",
    re.MULTILINE,
)


def demanded(found: Iterable[Found], spans: Callable[[], list[Span]]) -> Iterator[Found]:
    """What was found, as URIs where it begins in one of some spans, which are in text order.

    They are asked for when something was found that is not ASCII.
    """
    known: list[Span] | None = None
    for one in found:
        if one.profile is not None or one.text.isascii():
            yield one
            continue
        if known is None:
            known = spans()
        at = bisect_right(known, (one.start, one.end)) - 1
        inside = at >= 0 and one.start < known[at][1]
        yield one._replace(profile="uri") if inside else one


class _Mapping:
    """A mapping or a sequence that is open: where it begins, its key now, and its instances."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.key = ""
        self.is_uri = False
        self.instances: list[Span] = []

    def value(self, start: int, end: int, text: str) -> None:
        """A value of the key stands between two offsets."""
        if self.key in _INSTANCES:
            self.instances.append((start, end))
        elif self.key == "format" and _URI.fullmatch(text[start:end].strip(" \t\r\"'")):
            self.is_uri = True

    def closed(self) -> list[Span]:
        return self.instances if self.is_uri else []


def spans_in_json(text: str) -> list[Span]:
    """Where the instances stand that a schema in JSON says are URIs. Cost: O(n)."""
    if _FORMAT.search(text) is None:
        return []
    found: list[Span] = []
    open_ = [_Mapping(0)]
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "open":
            open_.append(_Mapping(match.start()))
        elif kind == "colon":
            open_[-1].key = match["string"]
        elif kind == "string":
            open_[-1].value(*match.span("string"), text)
        elif kind == "close" and len(open_) > 1:
            done = open_.pop()
            found += done.closed()
            open_[-1].value(done.start, match.end(), text)
    return _outermost(found)


def spans_in_yaml(text: str, openapi: bool) -> list[Span]:
    """Where the values stand that are URIs: of a schema, or of an OpenAPI document by their keys.

    Block mappings and sequences are read, line by line. Cost: O(n).
    """
    if not openapi and _FORMAT.search(text) is None:
        return []
    found: list[Span] = []
    open_: list[_Mapping] = []
    for match in _LINE.finditer(text):
        key, dashes = match["key"], bool(match["dashes"])
        column = match.end("dashes" if key else "indent") - match.start()
        while open_ and (
            open_[-1].start > column or (key and dashes and open_[-1].start == column)
        ):
            found += open_.pop().closed()
        if key:
            if not open_ or open_[-1].start < column:
                open_.append(_Mapping(column))
            open_[-1].key = key
            if openapi and role([one.key for one in open_]) in {"reference", "template"}:
                found.append(match.span("value"))
        if open_ and (key or dashes):
            open_[-1].value(*match.span("value"), text)
    for one in open_:
        found += one.closed()
    return _outermost(found)


def _outermost(spans: Iterable[Span]) -> list[Span]:
    """Spans in text order; of those that are in another, that one."""
    kept: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept
