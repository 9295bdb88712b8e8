"""The advice ``special-purpose-address``.

Owns its texts and its check; imports ``report`` and the table of addresses. Invariant: looks at
addresses alone, never at names, and resolves nothing.
"""

from collections.abc import Iterator

from ..percent.hosts.addresses import address_of
from ..report import Advice, Report
from ._addresses import purpose, reached

CODE = "special-purpose-address"
TITLE = "An address that is not global"
WHY = (
    "Loopback, private, link-local and other special-purpose addresses mean another machine "
    "to each reader, and in a URI from outside they lead into the internal network (RFC 6890 "
    "§2.2.2, §2.2.3, RFC 3986 §1.1). An IPv6 address can carry an IPv4 one (RFC 4291 §2.5.5, "
    "RFC 6052 §2.1, RFC 3056 §2, RFC 4380 §4, RFC 5214 §6.1)."
)
GOOD = "http://8.8.8.8/"
BAD = "http://169.254.169.254/"


def find(report: Report) -> Iterator[Advice]:
    host = report.components.get("host")
    if host is None or not (host.text[:1] == "[" or host.text[-1:].isdigit()):
        return
    address = address_of(host.text)
    if address is None:
        return
    for one in reached(address):
        if what := purpose(one):
            carried = "" if one == address else f", by way of {one}"
            message = f"not a global address ({what}{carried}): elsewhere it means another machine"
            yield Advice(host.start, host.end, "host", CODE, message)
            return
