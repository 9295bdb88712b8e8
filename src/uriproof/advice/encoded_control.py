"""The advice ``encoded-control``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: NUL and
line breaks are left to the advice about them.
"""

from collections.abc import Iterator

from ..percent.characters import octet
from ..report import Advice, Report
from ._octets import encoded_runs, stands_for
from ._schemes import has_octets

CODE = "encoded-control"
TITLE = "An encoded control character"
WHY = (
    "Control characters have no place in text that people read, and once decoded they act on "
    "terminals, logs and protocols (RFC 3986 §7.3)."
)
GOOD = "http://example.com/?text=a%20b"
BAD = "http://example.com/?text=a%1Bb"


def _is_control(triplet: str) -> bool:
    return (
        octet(triplet) != 0
        and stands_for(triplet, "CTL", "rfc5234")
        and not stands_for(triplet, "CR", "rfc5234")
        and not stands_for(triplet, "LF", "rfc5234")
    )


def find(report: Report) -> Iterator[Advice]:
    if not has_octets(report):
        for component, start, end in encoded_runs(report, _is_control):
            message = "an encoded control character: decoded, it affects terminals and logs"
            yield Advice(start, end, component.name, CODE, message)
