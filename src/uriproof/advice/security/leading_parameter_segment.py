"""The advice ``leading-parameter-segment``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: reports each place once.
"""

from collections.abc import Iterator

from ...report import Advice, Report
from .._pieces import pieces
from .._schemes import is_hierarchical

CODE = "leading-parameter-segment"
TITLE = "A segment that is only a parameter"
WHY = (
    "A segment may have parameters after a semicolon (RFC 3986 §3.3); a server that cuts them "
    "off reads //, another segment than the filter before it."
)
CASE = "CVE-2020-11989 and CVE-2020-13933, Apache Shiro: /;/admin and /admin/%3Bpage."
ALARMS = 0
GOOD = "http://example.com/a;v=1/b"
BAD = "http://example.com/;/admin"


def find(report: Report) -> Iterator[Advice]:
    path = report.components.get("path")
    if path is not None and is_hierarchical(report) and (";" in path.text or "%3" in path.text):
        for start, segment in pieces(path, "/"):
            if segment.startswith(";") or segment[:3].lower() == "%3b":
                message = "servers that strip path parameters read an empty segment; others do not"
                yield Advice(start, start + len(segment), "path", CODE, message)
