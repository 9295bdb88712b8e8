"""The advice ``truncated-character``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: reports a whole segment.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ...report import Advice, Report
from .._pieces import pieces

CODE = "truncated-character"
TITLE = "Characters that become dots or line breaks when they lose their high octet"
WHY = (
    "Software that keeps only the low octet of a character reads U+FF2E as a dot, U+010D and "
    "U+010A as a line break (RFC 3986 §2.5): a filter of the text sees neither."
)
CASE = (
    "CVE-2018-12116, Node.js: requests split by such characters; Orange Tsai, 2017: A New Era "
    "of SSRF."
)
ALARMS = 0
GOOD = "http://example.com/%EF%BC%AEa/b"
BAD = "http://example.com/%EF%BC%AE%EF%BC%AE/passwd"


def find(report: Report) -> Iterator[Advice]:
    path = report.components.get("path")
    if path is not None and "%" in path.text:
        for start, segment in pieces(path, "/"):
            plain = unquote(segment)
            low = "".join(chr(ord(char) & 0xFF) for char in plain)
            if (low == ".." != plain) or ("\r\n" in low and "\r\n" not in plain):
                message = "without their high octets, these are dots or a line break"
                yield Advice(start, start + len(segment), "path", CODE, message)
