"""The advice ``remote-file``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: looks nothing up in the DNS.
"""

from collections.abc import Iterator

from ...report import Advice, Report
from .._schemes import scheme
from ._hosts import LOOPBACK, target

CODE = "remote-file"
TITLE = "A file on another host"
WHY = (
    "A file URI with a host is a share of that host (RFC 8089 §2, Appendix E.3): to open it, "
    "Windows signs in there, with a hash of the user's password."
)
CASE = "VU#672268, 2015: Redirect to SMB; CVE-2024-21413, Outlook."
ALARMS = 0
GOOD = "file:///share/a"
BAD = "file://example.com/share/a"


def find(report: Report) -> Iterator[Advice]:
    found = target(report) if scheme(report) == "file" else None
    if found and found.name not in LOOPBACK:
        message = "a share on another host, where systems log in automatically"
        yield Advice(found.host.start, found.host.end, "host", CODE, message)
