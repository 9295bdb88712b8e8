"""The advice ``encoded-slash``.

Owns its texts and its check; imports ``report`` and the scan for octets. Invariant: speaks of
the path alone, for in a query or fragment an encoded slash is ordinary data.

>>> from uriproof import check
>>> for a in find(check(BAD)): print(a.start, a.end, a.message)
20 23 an encoded slash: data to some servers, the end of a segment to others
"""

from collections.abc import Iterator

from ..report import Advice, Report
from ._octets import encoded, octet, runs

CODE = "encoded-slash"
TITLE = "An encoded slash in a path"
WHY = (
    "An encoded slash is data within one segment, a bare one ends the segment. Many servers and "
    "proxies decode before they divide, or refuse it, so that two of them read different paths "
    "(RFC 3986 §2.2, §7.3)."
)
GOOD = "http://example.com/a/b"
BAD = "http://example.com/a%2Fb"


def find(report: Report) -> Iterator[Advice]:
    for component in encoded(report):
        if component.name == "path":
            for start, end in runs(component, lambda triplet: octet(triplet) == ord("/")):
                message = "an encoded slash: data to some servers, the end of a segment to others"
                yield Advice(start, end, component.name, CODE, message)
