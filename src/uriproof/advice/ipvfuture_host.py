"""The advice ``ipvfuture-host``.

Owns its texts and its check; imports ``report``. Invariant: the span is the host, brackets
included.
"""

from collections.abc import Iterator

from ..report import Advice, Report

CODE = "ipvfuture-host"
TITLE = "An IP address of a version that does not exist"
WHY = (
    "IPvFuture is reserved for addresses after IPv6. There are none yet, so no software can "
    "reach such a host (RFC 3986 §3.2.2)."
)
GOOD = "http://[2606:4700::1111]/"
BAD = "http://[v1.fe80::a]/"


def find(report: Report) -> Iterator[Advice]:
    host = report.components.get("host")
    if host is not None and host.text[:2].lower() == "[v":
        message = "no such version of IP exists yet: nothing can reach this host"
        yield Advice(host.start, host.end, "host", CODE, message)
