"""Attacks by way of the scheme: what it makes software do.

Owns these rules. Imports ``report``, the table of schemes, and helpers. Invariant: a scheme is
compared in lower case.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar.scheme_table import DATUM
from ...report import Report
from .._code import is_code
from .._pieces import decoded
from .._rule import Place, rule
from .._schemes import scheme
from ._hosts import LOOPBACK, target

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


@rule(
    "defanged-scheme",
    title="A defanged scheme",
    why=(
        "Reports of attacks write hxxp for http, so that nobody follows the link. No software "
        "knows the scheme (RFC 3986 §3.1); and software that restores such links turns the "
        "address of an attack into a link."
    ),
    case="Draft draft-grimminck-safe-ioc-sharing: Safe sharing of indicators of compromise.",
    alarms=0,
    instead=("misspelled-scheme",),
    good="http://example.com/",
    bad="hxxp://example.com/",
)
def defanged_scheme(report: Report) -> Iterator[Place]:
    name = scheme(report)
    if name in _DEFANGED:
        where = report.components["scheme"]
        message = f"a defanged scheme, so that nobody follows it: {_DEFANGED[name]} is meant"
        yield where.start, where.end, "scheme", message


@rule(
    "nested-script",
    title="A URI of code within another URI",
    why=(
        "A filter that looks at the first scheme sees a harmless one; what acts on it follows the "
        "inner URI (RFC 3986 §3.1, §7)."
    ),
    case=(
        "CVE-2005-1531, Firefox: view-source:javascript: ran with the rights of the browser (MFSA "
        "2005-43)."
    ),
    alarms=0,
    good="view-source:javascript",
    bad="view-source:javascript:alert(1)",
)
def nested_script(report: Report) -> Iterator[Place]:
    path = report.components.get("path")
    if path is None or "host" in report.components or not scheme(report):
        return
    if scheme(report) not in DATUM and is_code(decoded(path.text)):
        message = f"the URI inside {scheme(report)} runs code when followed"
        yield path.start, path.end, "path", message


@rule(
    "remote-file",
    title="A file on another host",
    why=(
        "A file URI with a host is a share of that host (RFC 8089 §2, Appendix E.3): to open it, "
        "Windows signs in there, with a hash of the user's password."
    ),
    case="VU#672268, 2015: Redirect to SMB; CVE-2024-21413, Outlook.",
    alarms=0,
    good="file:///share/a",
    bad="file://example.com/share/a",
)
def remote_file(report: Report) -> Iterator[Place]:
    found = target(report) if scheme(report) == "file" else None
    if found and found.name not in LOOPBACK:
        message = "a share on another host, where systems log in automatically"
        yield found.host.start, found.host.end, "host", message


_SMUGGLE = frozenset(
    {"gopher", "gophers", "dict", "tftp", "netdoc", "jar"}  # curl and Java
    | {"php", "phar", "expect", "glob", "ogg", "rar", "ssh2", "zip", "zlib", "compress.zlib"}  # PHP
    | {"compress.bzip2", "ldap", "ldaps", "ldapi", "rmi", "iiop", "corbaname", "jndi"}  # JNDI
)


@rule(
    "smuggling-scheme",
    title="A scheme that can send arbitrary bytes to any server",
    why=(
        "Software that fetches URIs of every scheme can be made to send these to servers that "
        "have another protocol, or to read streams of its own (RFC 3986 §7.1, §7.4)."
    ),
    case=(
        "Orange Tsai, 2017: A New Era of SSRF (gopher to Redis and Memcached); CVE-2021-44228, "
        "Log4j (ldap and rmi)."
    ),
    alarms=0,
    good="https://example.com/",
    bad="gopher://example.com:6379/_SET%20x",
)
def smuggling_scheme(report: Report) -> Iterator[Place]:
    if scheme(report) in _SMUGGLE:
        where = report.components["scheme"]
        message = "few clients need this scheme, but attacks on servers use it"
        yield where.start, where.end, "scheme", message
