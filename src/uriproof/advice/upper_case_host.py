"""The advice ``upper-case-host``.

Owns its texts and its check; imports ``report``. Invariant: the digits
of percent-encoding do not count, for they should be in upper case.
"""

from collections.abc import Iterator

from ..report import Advice, Report

CODE = "upper-case-host"
TITLE = "Upper-case letters in a host"
WHY = (
    "Case means nothing in a host, but the strings differ: producers should write names and "
    "hexadecimal addresses in lower case (RFC 3986 §3.2.2, §6.2.2.1, RFC 5952 §4.3)."
)
GOOD = "http://example.com/"
BAD = "http://Example.COM/"


def find(report: Report) -> Iterator[Advice]:
    host = report.components.get("host")
    if host is None or host.text == host.text.lower():
        return
    first, *others = host.text.split("%")
    bare = first + "".join(piece[2:] for piece in others)
    if bare != bare.lower():
        message = "a host in upper case: write it in lower case"
        yield Advice(host.start, host.end, "host", CODE, message)
