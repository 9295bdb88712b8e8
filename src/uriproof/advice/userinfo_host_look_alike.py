"""The advice ``userinfo-host-look-alike``.

Owns its texts and its check; imports ``report``, ``grammar.registry`` and its siblings'
helpers. Invariant: looks at the user's name alone, and never echoes what may be a password.

>>> from uriproof import check
>>> for a in find(check(BAD)): print(a.start, a.end, a.message)
7 23 looks like a host, but the host is "example.net"
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ..grammar import registry
from ..percent.schemes import WEB
from ..report import Advice, Report
from ._pieces import shown
from ._schemes import scheme

CODE = "userinfo-host-look-alike"
TITLE = "User information that looks like a host"
WHY = (
    "All before the @ is user information, however much it looks like a host that the reader "
    "trusts: the oldest trick of misleading URIs (RFC 3986 §7.6)."
)
GOOD = "http://example.com/"
BAD = "http://good.example.com@example.net/"


def find(report: Report) -> Iterator[Advice]:
    userinfo, host = report.components.get("userinfo"), report.components.get("host")
    if userinfo is None or host is None or scheme(report) not in WEB | {""}:
        return
    name = userinfo.text.partition(":")[0]
    if registry.load("advice-host-look-alike").accepts("host-look-alike", unquote(name)):
        message = f"looks like a host, but the host is {shown(host.text)}"
        yield Advice(userinfo.start, userinfo.start + len(name), "userinfo", CODE, message)
