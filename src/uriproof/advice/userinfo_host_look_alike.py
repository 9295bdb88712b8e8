"""The advice ``userinfo-host-look-alike``.

Owns its texts and its check; imports ``report``, ``grammar.registry`` and its siblings'
helpers. Invariant: looks at the user's name alone, and never echoes what may be a password. Where a
scheme has users, a name of two words with a dot between them is one.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ..grammar import registry
from ..grammar.scheme_table import WEB
from ..percent.hosts.addresses import address_of
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
    if userinfo is None or host is None:
        return
    name = userinfo.text.partition(":")[0]
    plain = unquote(name)
    if scheme(report) not in WEB | {""} and not _is_certain(plain):
        return
    if registry.load("advice-host-look-alike").accepts("host-look-alike", plain):
        message = f"looks like a host, but the host is {shown(host.text)}"
        yield Advice(userinfo.start, userinfo.start + len(name), "userinfo", CODE, message)


_OLDEST = frozenset({"com", "edu", "gov", "int", "mil", "net", "org"})
"""The generic domains of RFC 1591 §2: no name of a person ends so."""


def _is_certain(name: str) -> bool:
    """Whether a name is that of a host, not of a user such as first.last."""
    grammar = registry.load("advice-host-look-alike")
    if not grammar.accepts("host-name", name):  # with a delimiter behind it, or no host at all
        return grammar.accepts("host-look-alike", name)
    first, *_, last = name.lower().split(".") if "." in name else (name, "")
    return first == "www" or last in _OLDEST or address_of(name) is not None
