"""The advice ``encoded-backslash``.

Owns its texts and its check; imports ``report`` and helpers beside it. Invariant: reports
hierarchical paths alone.
"""

from collections.abc import Iterator

from ..percent.characters import octet
from ..report import Advice, Report
from ._octets import runs
from ._schemes import is_hierarchical

CODE = "encoded-backslash"
TITLE = "An encoded backslash in a path"
WHY = (
    "Decoded, a backslash divides the names of files on some systems: what is one segment of the "
    "URI becomes several there, with dot-segments that no filter of the URI saw (RFC 3986 §7.3)."
)
GOOD = "http://example.com/a/b"
BAD = "http://example.com/a%5Cb"


def find(report: Report) -> Iterator[Advice]:
    path = report.components.get("path")
    if path is not None and "%" in path.text and is_hierarchical(report):
        for start, end in runs(path, lambda triplet: octet(triplet) == ord("\\")):
            message = "an encoded backslash: on some systems it separates file names"
            yield Advice(start, end, path.name, CODE, message)
