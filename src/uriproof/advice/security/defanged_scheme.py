"""The advice ``defanged-scheme``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: reports each place once.
"""

from collections.abc import Iterator

from ...report import Advice, Report
from .._schemes import scheme

CODE = "defanged-scheme"
TITLE = "A defanged scheme"
WHY = (
    "Reports of attacks write hxxp for http, so that nobody follows the link. No software "
    "knows the scheme (RFC 3986 §3.1); and software that restores such links turns the "
    "address of an attack into a link."
)
CASE = "Draft draft-grimminck-safe-ioc-sharing: Safe sharing of indicators of compromise."
ALARMS = 0
INSTEAD = ("misspelled-scheme",)
GOOD = "http://example.com/"
BAD = "hxxp://example.com/"

_DEFANGED = {
    "hxxp": "http",
    "hxxps": "https",
    "hxtp": "http",
    "htxp": "http",
    "hxxtp": "http",
    "meow": "http",
    "meows": "https",
    "hxp": "http",
    "hxps": "https",
    "fxp": "ftp",
    "fxps": "ftps",
    "wxs": "ws",
    "wxss": "wss",
    "sxxh": "ssh",
}


def find(report: Report) -> Iterator[Advice]:
    name = scheme(report)
    if name in _DEFANGED:
        where = report.components["scheme"]
        message = f"a defanged scheme, so that nobody follows it: {_DEFANGED[name]} is meant"
        yield Advice(where.start, where.end, "scheme", CODE, message)
