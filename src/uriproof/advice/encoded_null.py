"""The advice ``encoded-null``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: silent
where any octet may be meant.
"""

from collections.abc import Iterator

from ..percent.characters import octet
from ..report import Advice, Report
from ._octets import encoded_runs
from ._schemes import has_octets

CODE = "encoded-null"
TITLE = "An encoded NUL"
WHY = (
    "Software with the strings of C stops reading at a NUL: the rest of the name, such as its "
    "extension, is lost. An application should reject %00 where it expects no raw data, warns "
    "RFC 3986 §7.3."
)
GOOD = "http://example.com/a.png"
BAD = "http://example.com/a%00.png"


def find(report: Report) -> Iterator[Advice]:
    if not has_octets(report):
        for component, start, end in encoded_runs(report, lambda triplet: octet(triplet) == 0):
            message = "an encoded NUL: some software ends the string here"
            yield Advice(start, end, component.name, CODE, message)
