"""The advice ``encoded-ascii-in-host``.

Owns its texts and its check; imports ``report``, ``grammar.registry`` and the scan for octets.
Invariant: unreserved and control characters are left to the advice about them.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ..percent.characters import octet
from ..report import Advice, Report
from ._octets import runs, stands_for
from ._pieces import shown

CODE = "encoded-ascii-in-host"
TITLE = "An encoded delimiter or other ASCII character in a host"
WHY = (
    "Percent-encoding in a registered name is for the octets of characters outside ASCII. A "
    "parser that decodes before it divides the URI sees another host than one that does not "
    "(RFC 3986 §3.2.2, §7.3, §7.6)."
)
GOOD = "http://good.example.com/"
BAD = "http://good.com%2Fexample.com/"


def _needs_encoding(triplet: str) -> bool:
    value = octet(triplet)
    return (
        value is not None
        and chr(value).isascii()
        and not stands_for(triplet, "unreserved")
        and not stands_for(triplet, "CTL", "rfc5234")
    )


def find(report: Report) -> Iterator[Advice]:
    host = report.components.get("host")
    if host is not None and "%" in host.text:
        for start, end in runs(host, _needs_encoding):
            plain = shown(unquote(report.text[start:end]))
            message = (
                f"an encoded {plain} in a host: software that decodes too early sees another host"
            )
            yield Advice(start, end, host.name, CODE, message)
