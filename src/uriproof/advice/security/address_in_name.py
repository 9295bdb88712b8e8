"""The advice ``address-in-name``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: looks nothing up in the DNS.
"""

from collections.abc import Iterator
from ipaddress import IPv4Address

from ...report import Advice, Report
from .._addresses import purpose
from ._hosts import WILDCARD, carried_address, is_below, target

CODE = "address-in-name"
TITLE = "A name that contains an address"
WHY = (
    "Some services of the DNS answer a name with the address that is written in it, so that a "
    "list of refused addresses does not see it (RFC 3986 §7.4). A private address in any "
    "other name is at least misleading."
)
CASE = (
    "OWASP, Server-Side Request Forgery Prevention Cheat Sheet; PortSwigger, URL validation "
    "bypass cheat sheet: 127.0.0.1.nip.io."
)
ALARMS = 0
GOOD = "http://10.example.com/"
BAD = "http://10.0.0.1.nip.io/"


def find(report: Report) -> Iterator[Advice]:
    found = target(report)
    if found is None or found.addresses:
        return
    carried = carried_address(found.name)
    if is_below(found.name, WILDCARD) or (carried and purpose(IPv4Address(carried))):
        leads = f"contains {carried}" if carried else "resolves to an address written in it"
        message = f"this name {leads}: checks of addresses do not see it"
        yield Advice(found.host.start, found.host.end, "host", CODE, message)
