"""The advice ``loopback-name``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: looks nothing up in the DNS.
"""

from collections.abc import Iterator

from ...report import Advice, Report
from ._hosts import LOOPBACK, is_below, target

CODE = "loopback-name"
TITLE = "A name that means the reader's own machine"
WHY = (
    "Names at and below localhost mean the machine that reads the URI (RFC 6761 §6.3), and so "
    "do some names of the public DNS: a check of addresses sees none of them."
)
CASE = (
    "OWASP, Server-Side Request Forgery Prevention Cheat Sheet; GitHub Enterprise, by way of "
    "a service on localhost (Orange Tsai, 2017: A New Era of SSRF)."
)
ALARMS = 0
GOOD = "http://example.com/"
BAD = "http://localhost:6379/"


def find(report: Report) -> Iterator[Advice]:
    found = target(report)
    if found and is_below(found.name, LOOPBACK):
        message = "this name leads to the reader's own machine"
        yield Advice(found.host.start, found.host.end, "host", CODE, message)
