"""The advice ``host-like-query``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: reports each place once.
"""

from collections.abc import Iterator

from ...report import Advice, Report
from .._pieces import after_host
from ._names import is_domain

CODE = "host-like-query"
TITLE = "A query or fragment that is a host"
WHY = (
    "Without a path the host ends at ? or # (RFC 3986 §3.2); software that looks for the "
    "trusted name at the end of the text finds it there (§7.6)."
)
CASE = (
    "PortSwigger, URL validation bypass cheat sheet: attacker.com?allowed.com and "
    "attacker.com#allowed.com."
)
ALARMS = 0
GOOD = "http://example.net/?example.com"
BAD = "http://example.net?example.com"


def find(report: Report) -> Iterator[Advice]:
    host, after = after_host(report)
    if after is not None and host.text and is_domain(after.text.partition("/")[0]):
        message = "not the host, but checks of how the text ends take it for one"
        yield Advice(after.start, after.end, after.name, CODE, message)
