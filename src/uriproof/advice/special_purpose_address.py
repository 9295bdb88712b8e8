"""The advice ``special-purpose-address``.

Owns its texts and its check; imports ``report`` and ``grammar.registry``. Invariant: looks at
addresses alone, never at names, and resolves nothing.

>>> from uriproof import check
>>> for a in find(check(BAD)): print(a.start, a.end, a.message)
7 22 an address that is not global: it means another machine elsewhere
"""

from collections.abc import Iterator
from ipaddress import ip_address

from ..grammar import registry
from ..report import Advice, Report

CODE = "special-purpose-address"
TITLE = "An address that is not global"
WHY = (
    "Loopback, private, link-local and other special-purpose addresses mean another machine to "
    "each reader, and in a URI from outside they reach for what is inside (RFC 6890 §2.2.2, "
    "§2.2.3, RFC 3986 §1.1). An IPv6 address can carry an IPv4 one (RFC 4291 §2.5.5.2)."
)
GOOD = "http://8.8.8.8/"
BAD = "http://169.254.169.254/"


def find(report: Report) -> Iterator[Advice]:
    host = report.components.get("host")
    if host is None or not (host.text[:1] == "[" or host.text[-1:].isdigit()):
        return
    text, production = host.text, "IPv4address"
    if text[0] == "[":
        text, production = text[1:-1], "IPv6address"
    if registry.load("rfc3986").accepts(production, text):
        address = ip_address(text)
        mapped = getattr(address, "ipv4_mapped", None)
        if not (mapped or address).is_global:
            carries = f", by way of {mapped}" if mapped else ""
            message = f"an address that is not global{carries}: it means another machine elsewhere"
            yield Advice(host.start, host.end, "host", CODE, message)
