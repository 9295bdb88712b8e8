"""The advice ``encoded-line-break``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: silent
where a specification asks for encoded line breaks.

>>> from uriproof import check
>>> for a in find(check(BAD)): print(a.start, a.end, a.message)
26 32 an encoded line break: decoded, it can start a line of its own
"""

from collections.abc import Iterator

from ..report import Advice, Report
from ._octets import encoded, runs, stands_for
from ._schemes import has_octets, scheme

CODE = "encoded-line-break"
TITLE = "An encoded line break"
WHY = (
    "Decoded and copied into a line-based protocol, a carriage return or line feed starts a new "
    "line there: a header or a command of the attacker's choice (RFC 3986 §7.3, RFC 9110 §5.5). "
    "In mailto and sms URIs it is how a line break is written (RFC 6068 §5, RFC 5724)."
)
GOOD = "http://example.com/?text=a%20b"
BAD = "http://example.com/?text=a%0D%0Ab"


def _wanted(triplet: str) -> bool:
    return stands_for(triplet, "CR", "rfc5234") or stands_for(triplet, "LF", "rfc5234")


def find(report: Report) -> Iterator[Advice]:
    for component in encoded(report):
        for start, end in runs(component, _wanted):
            if scheme(report) not in {"mailto", "sms"} and not has_octets(report):
                message = "an encoded line break: decoded, it can start a line of its own"
                yield Advice(start, end, component.name, CODE, message)
