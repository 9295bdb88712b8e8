"""The advice ``smuggling-scheme``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: reports each place once.
"""

from collections.abc import Iterator

from ...report import Advice, Report
from .._schemes import scheme

CODE = "smuggling-scheme"
TITLE = "A scheme that can send arbitrary bytes to any server"
WHY = (
    "Software that fetches URIs of every scheme can be made to send these to servers that "
    "have another protocol, or to read streams of its own (RFC 3986 §7.1, §7.4)."
)
CASE = (
    "Orange Tsai, 2017: A New Era of SSRF (gopher to Redis and Memcached); "
    "CVE-2021-44228, Log4j (ldap and rmi)."
)
ALARMS = 0
GOOD = "https://example.com/"
BAD = "gopher://example.com:6379/_SET%20x"

_SMUGGLE = frozenset(
    {"gopher", "gophers", "dict", "tftp", "netdoc", "jar"}  # curl and Java
    | {"php", "phar", "expect", "glob", "ogg", "rar", "ssh2", "zip", "zlib", "compress.zlib"}  # PHP
    | {"compress.bzip2", "ldap", "ldaps", "ldapi", "rmi", "iiop", "corbaname", "jndi"}  # JNDI
)


def find(report: Report) -> Iterator[Advice]:
    if scheme(report) in _SMUGGLE:
        where = report.components["scheme"]
        message = "few clients need this scheme, but attacks on servers use it"
        yield Advice(where.start, where.end, "scheme", CODE, message)
