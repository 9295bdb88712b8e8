"""The advice ``lower-case-hex``.

Owns its texts and its check; imports ``report`` and the scan for octets. Invariant: an octet
that need not be encoded at all is left to ``encoded-unreserved``.
"""

from collections.abc import Iterator

from ..grammar.scheme_table import CHARACTERS
from ..report import Advice, Report
from ._octets import encoded_runs, stands_for
from ._schemes import scheme

CODE = "lower-case-hex"
TITLE = "Lower-case hexadecimal digits in percent-encoding"
WHY = (
    "%c3 and %C3 stand for the same octet, but compare as different strings. Upper case is the "
    "normal form, and what producers should write (RFC 3986 §2.1, §6.2.2.1)."
)
GOOD = "http://example.com/caf%C3%A9"
BAD = "http://example.com/caf%c3%a9"


def _is_lower_case(triplet: str) -> bool:
    return triplet != triplet.upper() and not stands_for(triplet, "unreserved")


def find(report: Report) -> Iterator[Advice]:
    if scheme(report) in CHARACTERS:
        return
    for component, start, end in encoded_runs(report, _is_lower_case):
        message = "hexadecimal digits in lower case: write them in upper case"
        yield Advice(start, end, component.name, CODE, message)
