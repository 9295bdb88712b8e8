"""The advice ``dot-segment-parameter``.

Owns its texts and its check; imports ``report`` and a helper beside it. Invariant: the span is
the whole segment.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ..report import Advice, Report
from ._pieces import pieces

CODE = "dot-segment-parameter"
TITLE = "A dot-segment with a parameter"
WHY = (
    "A semicolon may separate a parameter from the rest of its segment (RFC 3986 §3.3). To "
    'the generic syntax "..;" is no dot-segment; a server that cuts parameters off first '
    "makes it one, unnoticed by the proxy before it."
)
GOOD = "http://example.com/a;v=1/b"
BAD = "http://example.com/a/..;/b"

_DOTS = frozenset({".", ".."})


def find(report: Report) -> Iterator[Advice]:
    path = report.components.get("path")
    if path is not None and ";" in path.text:
        for start, segment in pieces(path, "/"):
            name, semicolon, _ = segment.partition(";")
            if semicolon and unquote(name) in _DOTS:
                message = "servers that strip path parameters read a dot-segment; others do not"
                yield Advice(start, start + len(segment), "path", CODE, message)
