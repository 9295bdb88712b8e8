"""Attacks by way of the scheme, the host and the port: URIs that lead elsewhere than they seem to.

Owns these rules. Imports ``report``, the table of schemes, and helpers. Invariant: nothing is
looked up in the DNS; a port is one that browsers refuse, or one of another scheme, never both.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address

from ...grammar.schemes import DATUM, DEFAULT_PORTS, HOSTS, ORIGINS
from ...report import Report
from ...text.names import and_list
from .._hosts import (
    INTERNAL,
    LOOPBACK,
    METADATA,
    OLDEST,
    WILDCARD,
    carried_address,
    is_below,
    is_domain,
    is_metadata,
    purpose,
    target,
)
from .._parts import after_host, decoded, is_code, scheme, shown
from .._rule import Has, Place, rule

_DEFANGED = {
    **dict.fromkeys(("hxxp", "hxtp", "htxp", "hxxtp", "hxp", "meow"), "http"),
    **dict.fromkeys(("hxxps", "hxps", "meows"), "https"),
    "fxp": "ftp",
    "fxps": "ftps",
    "wxs": "ws",
    "wxss": "wss",
    "sxxh": "ssh",
}


@rule(
    title="A defanged scheme",
    why="""Reports of attacks write hxxp for http so that nobody follows the link. No software
    supports this scheme (RFC 3986 §3.1), and software that restores such links turns the address of
    an attack into a link again.""",
    case="Draft draft-grimminck-safe-ioc-sharing: Safe sharing of indicators of compromise.",
    instead=("misspelled-scheme",),
    good="http://example.com/",
    bad="hxxp://example.com/",
    trigger=lambda text, has: has.get("scheme") in _DEFANGED,
)
def defanged_scheme(report: Report) -> Iterator[Place]:
    where, meant = report.components["scheme"], _DEFANGED[scheme(report)]
    message = f"This scheme was changed so that nobody follows the link; {meant} is meant."
    yield where.start, where.end, "scheme", message


@rule(
    title="A URI with code inside another URI",
    why="""A filter of the first scheme sees a harmless one; software that acts on it follows the
    inner URI (RFC 3986 §3.1, §7).""",
    case="""CVE-2005-1531, Firefox: view-source:javascript: ran with the rights of the browser (MFSA
    2005-43).""",
    good="view-source:javascript",
    bad="view-source:javascript:alert(1)",
    trigger=lambda text, has: "host" not in has,
)
def nested_script(report: Report) -> Iterator[Place]:
    path = report.components.get("path")
    if path is None or not scheme(report):
        return
    if scheme(report) not in DATUM and is_code(decoded(path.text)):
        message = f"The URI inside {scheme(report)} runs code when it is followed."
        yield path.start, path.end, "path", message


@rule(
    title="A file on another host",
    why="""A file URI with a host is a share on that host (RFC 8089 §2, Appendix E.3). To open it,
    Windows signs in there and sends a hash of the user's password.""",
    case="VU#672268, 2015: Redirect to SMB; CVE-2024-21413, Outlook.",
    good="file:///share/a",
    bad="file://example.com/share/a",
    trigger=lambda text, has: has.get("scheme") == "file",
)
def remote_file(report: Report) -> Iterator[Place]:
    found = target(report)
    if found and found.name not in LOOPBACK:
        message = "This is a share on another host; Windows logs in there automatically."
        yield found.host.start, found.host.end, "host", message


_SMUGGLE = frozenset(
    {"gopher", "gophers", "dict", "tftp", "netdoc", "jar"}  # curl and Java
    | {"php", "phar", "expect", "glob", "ogg", "rar", "ssh2", "zip", "zlib", "compress.zlib"}  # PHP
    | {"compress.bzip2", "ldap", "ldaps", "ldapi", "rmi", "iiop", "corbaname", "jndi"}  # JNDI
)


@rule(
    title="A scheme that can send arbitrary bytes to any server",
    why="""Software that fetches URIs of every scheme can be made to send these bytes to servers of
    another protocol, or to read its own streams (RFC 3986 §7.1, §7.4).""",
    case="""Orange Tsai, 2017: A New Era of SSRF (gopher to Redis and Memcached); CVE-2021-44228,
    Log4j (ldap and rmi).""",
    good="https://example.com/",
    bad="gopher://example.com:6379/_SET%20x",
    trigger=lambda text, has: has.get("scheme") in _SMUGGLE,
)
def smuggling_scheme(report: Report) -> Iterator[Place]:
    where = report.components["scheme"]
    message = "Few clients need this scheme, but attacks on servers use it."
    yield where.start, where.end, "scheme", message


@rule(
    title="A name that contains an address",
    why="""Some DNS services answer a name with the address that is written in it, so a list of
    blocked addresses does not catch it (RFC 3986 §7.4). A private address in any other name is at
    least misleading.""",
    case="""OWASP, Server-Side Request Forgery Prevention Cheat Sheet; PortSwigger, URL validation
    bypass cheat sheet: 127.0.0.1.nip.io.""",
    good="http://10.example.com/",
    bad="http://10.0.0.1.nip.io/",
)
def address_in_name(report: Report) -> Iterator[Place]:
    found = target(report)
    if found is None or found.addresses:
        return
    carried = carried_address(found.name)
    if is_below(found.name, WILDCARD) or (carried and purpose(IPv4Address(carried))):
        leads = f"contains {carried}" if carried else "resolves to an address written in it"
        message = f"This name {leads}; checks of addresses do not see it."
        yield found.host.start, found.host.end, "host", message


@rule(
    title="A domain in front of another one",
    why="""The registrable domain is at the end of a name (RFC 3986 §3.2.2, §7.6). Its owner can
    choose any text before it, such as a trusted name, and a check of how the name starts accepts
    it.""",
    case="PortSwigger, URL validation bypass cheat sheet: allowed-domain.com.attacker.com.",
    alarms=7,
    good="http://com.example.net/",
    bad="http://example.com.attacker.net/",
)
def domain_inside_host(report: Report) -> Iterator[Place]:
    found = target(report)
    if found is None or found.addresses or scheme(report) == "":
        return
    labels = found.name.split(".")
    # "example.com.br" and "www.gov.bc.ca" are of a country: more than its letters must come after.
    for at in range(1, len(labels) - 2):
        if labels[at] in OLDEST and max(map(len, labels[at + 1 :])) > len("br"):
            break
    else:
        if labels[0] not in LOOPBACK or len(labels) < 3 or found.name in LOOPBACK:  # noqa: PLR2004
            return
        at = 0
    inside, owner = ".".join(labels[: at + 1]), ".".join(labels[at + 1 :])
    message = f"This name reads like {shown(inside)} but belongs to {shown(owner)}."
    yield found.host.start, found.host.end, "host", message


@rule(
    title="A host that ends with a dot",
    why="""The dot at the end of a name is the root of the DNS. The name leads to the same machine
    (RFC 3986 §3.2.2), but lists of hosts, cookies, certificates and HSTS compare strings.""",
    case="""CVE-2022-30115, curl: HSTS is evaded by a dot behind the host; CVE-2022-27779, curl:
    cookies.""",
    alarms=1,
    good="http://example.com/",
    bad="http://example.com./",
    trigger=lambda text, has: has.get("host", "").endswith("."),
)
def host_trailing_dot(report: Report) -> Iterator[Place]:
    found = target(report)
    if found and not found.addresses:
        message = (
            "This is the same host as without the dot, but a different text in lists of hosts."
        )
        yield found.host.end - 1, found.host.end, "host", message


def _may_be_internal(text: str, has: Has) -> bool:
    host = has.get("host", "")
    return "." not in host[:-1] or not host.isascii() or "%" in host or _top(host) in _TOPS


def _top(host: str) -> str:
    return host.removesuffix(".").rpartition(".")[2]


_TOPS = frozenset(map(_top, INTERNAL))


@rule(
    title="A name of an internal network",
    why="""The public DNS has no names of one label, and none below domains such as local, internal
    and home.arpa (RFC 6761 §6, RFC 6762 §3 and Appendix G, RFC 8375 §3, RFC 9476 §2). The network
    of the reader decides where they lead, often to servers that trust every client inside, such as
    databases and services of a cluster.""",
    case="""OWASP, Server-Side Request Forgery Prevention Cheat Sheet: a name that only the internal
    DNS resolves, such as http://redis:6379/.""",
    good="http://example.com/",
    bad="http://redis:6379/",
    trigger=_may_be_internal,
)
def internal_name(report: Report) -> Iterator[Place]:
    """Silent on names that have advice of their own; a name of an IP version is not a name."""
    found = target(report) if scheme(report) in HOSTS else None
    if found is None or found.addresses or found.host.text.startswith("["):
        return
    name, host = found.name, found.host
    if name in METADATA or is_below(name, LOOPBACK) or is_below(name, WILDCARD):
        return
    if "." not in name or is_below(name, INTERNAL):
        message = "Only an internal network knows this name; elsewhere it means another machine."
        yield host.start, host.end, "host", message


@rule(
    title="A name of the reader's own machine",
    why="""localhost and the names below it mean the machine that reads the URI (RFC 6761 §6.3), and
    so do some names of the public DNS. A check of addresses does not find them.""",
    case="""OWASP, Server-Side Request Forgery Prevention Cheat Sheet; GitHub Enterprise, by way of
    a service on localhost (Orange Tsai, 2017: A New Era of SSRF).""",
    good="http://example.com/",
    bad="http://localhost:6379/",
)
def loopback_name(report: Report) -> Iterator[Place]:
    found = target(report)
    if found and is_below(found.name, LOOPBACK):
        message = "This name leads to the reader's own machine."
        yield found.host.start, found.host.end, "host", message


@rule(
    title="A cloud metadata service",
    why="""Machines in a cloud get their keys from a link-local address. A server that fetches any
    URI can be made to get them for the sender of the URI (RFC 3927 §2.1, RFC 3986 §7.4). Every
    spelling and every name of the address is recognized.""",
    case="""Capital One, 2019: keys of 100 million customers' data by way of
    http://169.254.169.254/.""",
    instead=("special-purpose-address", "ipv4-look-alike", "mapped-host"),
    good="http://example.com/latest/meta-data/",
    bad="http://169.254.169.254/latest/meta-data/",
)
def metadata_host(report: Report) -> Iterator[Place]:
    found = target(report)
    if found and is_metadata(found):
        message = "This is a cloud metadata service, which gives out credentials."
        yield found.host.start, found.host.end, "host", message


# WHATWG Fetch Standard, bad ports
_BLOCKED = frozenset({
    "1", "7", "9", "11", "13", "15", "17", "19", "20", "21", "22", "23", "25", "37", "42", "43",
    "53", "69", "77", "79", "87", "95", "101", "102", "103", "104", "109", "110", "111", "113",
    "115", "117", "119", "123", "135", "137", "139", "143", "161", "179", "389", "427", "465",
    "512", "513", "514", "515", "526", "530", "531", "532", "540", "548", "554", "556", "563",
    "587", "601", "636", "989", "990", "993", "995", "1719", "1720", "1723", "2049", "3659",
    "4045", "4190", "5060", "5061", "6000", "6566", "6665", "6666", "6667", "6668", "6669",
    "6679", "6697", "10080",
})  # fmt: skip


@rule(
    title="A port that browsers block",
    why="""Servers of other protocols can read an HTTP request as commands of their own, so browsers
    block their ports (WHATWG Fetch Standard §2.10, RFC 3986 §7.1). Other clients connect.""",
    case="""VU#476267, 2001: HTML forms that send commands to servers of mail; NAT Slipstreaming,
    2020 (CVE-2020-16022).""",
    good="http://example.com:8080/",
    bad="http://example.com:25/",
    trigger=lambda text, has: "port" in has,
)
def blocked_port(report: Report) -> Iterator[Place]:
    port = report.components["port"]
    if _is_blocked(scheme(report), port.text.lstrip("0")):
        message = "Browsers reject this port; the server there has another protocol."
        yield port.start, port.end, "port", message


def _is_blocked(name: str, number: str) -> bool:
    """Whether browsers refuse a port, without leading zeros, for URIs of a scheme."""
    own = {"21"} if name == "ftp" else frozenset[str]()
    return name in ORIGINS and number in _BLOCKED - own


@rule(
    title="A query or fragment that is a host",
    why="""Without a path, the host ends at "?" or "#" (RFC 3986 §3.2). Software that looks for the
    trusted name at the end of the text finds it there (§7.6).""",
    case="""PortSwigger, URL validation bypass cheat sheet: attacker.com?allowed.com and
    attacker.com#allowed.com.""",
    good="http://example.net/?example.com",
    bad="http://example.net?example.com",
    trigger=lambda text, has: "query" in has or "fragment" in has,
)
def host_like_query(report: Report) -> Iterator[Place]:
    host, after = after_host(report)
    if after is not None and host.text and is_domain(after.text.partition("/")[0]):
        message = "This is not the host, but a check of how the text ends takes it for one."
        yield after.start, after.end, after.name, message


@rule(
    title="The default port of another scheme",
    why="""The default port of another scheme (RFC 3986 §3.2.3) sends one protocol to a server of
    another. If the ports of http and https are swapped, the connection fails or is not
    encrypted.""",
    case="""Orange Tsai, 2017: A New Era of SSRF (protocol smuggling); PortSwigger, URL validation
    bypass cheat sheet.""",
    alarms=2,
    good="http://example.com:8080/",
    bad="http://example.com:443/",
    trigger=lambda text, has: has.get("port"),
)
def other_scheme_port(report: Report) -> Iterator[Place]:
    port, name = report.components["port"], scheme(report)
    if name not in DEFAULT_PORTS:
        return
    number = port.text.lstrip("0")
    if number == DEFAULT_PORTS[name] or _is_blocked(name, number):
        return
    owners = [other for other, default in DEFAULT_PORTS.items() if default == number]
    if owners:
        message = f"{number} is the default port for {and_list(owners)}, not for {name}."
        yield port.start - 1, port.end, "port", message
