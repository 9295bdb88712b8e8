"""The advice ``http-userinfo``.

Owns its texts and its check; imports ``report`` and a helper beside it. Invariant: a password
is left to ``userinfo-password``.
"""

from collections.abc import Iterator

from ..grammar.scheme_table import WEB
from ..report import Advice, Report
from ._schemes import scheme

CODE = "http-userinfo"
TITLE = "User information in an HTTP or WebSocket URI"
WHY = (
    "Senders must not generate user information in http and https URIs, and recipients should "
    "treat it as an error in what others sent, for it is mostly used to obscure the host "
    "(RFC 9110 §4.2.4). ws and wss URIs have none at all (RFC 6455 §3)."
)
GOOD = "http://example.com/"
BAD = "http://user@example.com/"


def find(report: Report) -> Iterator[Advice]:
    userinfo = report.components.get("userinfo")
    if userinfo is not None and ":" not in userinfo.text and scheme(report) in WEB:
        message = f"{scheme(report)} URIs have no user information: leave it out, with its @"
        yield Advice(userinfo.start, userinfo.end + 1, "userinfo", CODE, message)
