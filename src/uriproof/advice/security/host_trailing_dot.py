"""The advice ``host-trailing-dot``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: looks nothing up in the DNS.
"""

from collections.abc import Iterator

from ...report import Advice, Report
from ._hosts import target

CODE = "host-trailing-dot"
TITLE = "A host that ends with a dot"
WHY = (
    "The dot at the end of a name is the root of the DNS and leads to the same machine (RFC "
    "3986 §3.2.2), but lists of hosts, cookies, certificates and HSTS compare strings."
)
CASE = (
    "CVE-2022-30115, curl: HSTS is evaded by a dot behind the host; CVE-2022-27779, curl: cookies."
)
ALARMS = 1
GOOD = "http://example.com/"
BAD = "http://example.com./"


def find(report: Report) -> Iterator[Advice]:
    found = target(report)
    if found and found.host.text.endswith(".") and not found.addresses:
        message = "the same host as without the dot, but a different string in lists of hosts"
        yield Advice(found.host.end - 1, found.host.end, "host", CODE, message)
