"""The advice ``encoded-slash``.

Owns its texts and its check; imports ``report`` and helpers beside it. Invariant: reports
hierarchical paths alone, for in a query or fragment, and in schemes whose path is one datum, an
encoded slash is ordinary data.
"""

from collections.abc import Iterator

from ..percent.characters import octet
from ..report import Advice, Report
from ._octets import runs
from ._schemes import is_hierarchical

CODE = "encoded-slash"
TITLE = "An encoded slash in a path"
WHY = (
    "An encoded slash is data within one segment, a bare one ends the segment. Many servers and "
    "proxies decode before they divide, or refuse it, so that two of them read different paths "
    "(RFC 3986 §2.2, §7.3). Where a scheme asks for it, as mailto, news and ftp do, it is right "
    "(RFC 6068 §2, RFC 5538 §3, RFC 1738 §3.2.2)."
)
GOOD = "http://example.com/a/b"
BAD = "http://example.com/a%2Fb"


def find(report: Report) -> Iterator[Advice]:
    path = report.components.get("path")
    if path is not None and "%" in path.text and is_hierarchical(report):
        for start, end in runs(path, lambda triplet: octet(triplet) == ord("/")):
            message = "an encoded slash: some servers read data, others the end of a segment"
            yield Advice(start, end, path.name, CODE, message)
