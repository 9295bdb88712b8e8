"""The advice ``extra-dots-segment``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: reports each place once.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ...report import Advice, Report
from .._pieces import pieces

CODE = "extra-dots-segment"
TITLE = "A segment of three dots or more"
WHY = (
    "It is no dot-segment (RFC 3986 §3.3), but a filter that removes ../ once makes one of "
    "....// or .../...//."
)
CASE = "CVE-2005-2169, PHPSource Printer, and CVE-2005-0202, Mailman (CWE-35)."
ALARMS = 0
GOOD = "http://example.com/a.../b"
BAD = "http://example.com/....//etc/passwd"


def find(report: Report) -> Iterator[Advice]:
    path = report.components.get("path")
    if path is not None and ("..." in path.text or "%2" in path.text):
        for start, segment in pieces(path, "/"):
            plain = unquote(segment).strip("\\/")
            if len(plain) > 2 and not plain.strip("."):  # noqa: PLR2004
                message = "a filter that removes ../ once can turn this into a dot-segment"
                yield Advice(start, start + len(segment), "path", CODE, message)
