"""The advice ``port-out-of-range``.

Owns its texts and its check; imports ``report``. Invariant: no port is ever converted whole, for
it may have thousands of digits.
"""

from collections.abc import Iterator

from ..report import Advice, Report

CODE = "port-out-of-range"
TITLE = "A port that no transport protocol has"
WHY = (
    "The grammar allows any digits, but ports have 16 bits, and 0 is reserved (RFC 9293 §3.1, "
    "RFC 6335 §6). Software that does not check reads the number modulo 65536."
)
GOOD = "http://example.com:8080/"
BAD = "http://example.com:65536/"

_LAST = "65535"


def find(report: Report) -> Iterator[Advice]:
    port = report.components.get("port")
    if port is not None and port.text:
        digits = port.text.lstrip("0")
        if not digits or (len(digits), digits) > (len(_LAST), _LAST):
            yield Advice(port.start, port.end, "port", CODE, f"ports run from 1 to {_LAST}")
