"""The advice ``at-sign-past-authority``.

Owns its texts and its check; imports ``report`` and a helper beside it. Invariant: an at
sign further on is data.
"""

from collections.abc import Iterator

from ..report import Advice, Report
from ._pieces import after_host, shown

CODE = "at-sign-past-authority"
TITLE = "An at sign right after the authority has ended"
WHY = (
    "The authority ends at the first / ? or #, and only an @ before that ends user information "
    "(RFC 3986 §3.2). Parsers that look for the @ first take what follows it for the host (§7.6)."
)
GOOD = "http://good.example.com/#@example.net"
BAD = "http://good.example.com#@example.net/"


def find(report: Report) -> Iterator[Advice]:
    host, after = after_host(report)
    if after is not None and after.text.startswith("@"):
        message = f"this @ is not part of the authority: the host is {shown(host.text)}"
        yield Advice(after.start, after.start + 1, after.name, CODE, message)
