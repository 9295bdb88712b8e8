"""The advice ``dot-segments``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: the
dot-segments that a relative-path reference starts with are where they belong.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ..grammar.scheme_table import DATUM
from ..report import Advice, Report
from ._pieces import pieces
from ._schemes import scheme

CODE = "dot-segments"
TITLE = "Dot-segments that are not at the start of a relative reference"
WHY = (
    'The segments "." and ".." are meant for the start of a relative-path reference. '
    "Elsewhere they are removed before use, by some software earlier than by other, so that a "
    "check may see another path than the server (RFC 3986 §3.3, §5.2.4, §6.2.2.3). Encoded "
    "dots are dots (§2.3)."
)
GOOD = "../b/c"
BAD = "http://example.com/a/../../b"

_DOTS = frozenset({".", ".."})


def find(report: Report) -> Iterator[Advice]:
    path = report.components.get("path")
    if path is None or not ("." in path.text or "%2" in path.text):
        return
    if scheme(report) in DATUM:
        return
    leading = not path.text.startswith("/") and report.components.keys().isdisjoint(
        {"scheme", "host"}
    )
    first = last = -1
    for start, segment in pieces(path, "/"):
        if (unquote(segment) if "%" in segment else segment) in _DOTS:
            if not leading:
                first = start if first < 0 else first
                last = start + len(segment)
            continue
        leading = False
        if first >= 0:
            yield _advice(first, last)
            first = -1
    if first >= 0:
        yield _advice(first, last)


def _advice(start: int, end: int) -> Advice:
    message = "dot-segments in a path: write the path that they lead to"
    return Advice(start, end, "path", CODE, message)
