"""Attacks by way of the authority beside its host: its ports, and where it ends.

Owns these rules. Imports ``report``, the table of schemes, and helpers. Invariant: a port is one
that browsers refuse, or one of another scheme, but never both.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar.scheme_table import DEFAULT_PORTS, ORIGINS
from ...report import Report
from .._pieces import after_host
from .._rule import Place, rule
from .._schemes import scheme
from ._names import is_domain

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
    "blocked-port",
    title="A port that browsers refuse",
    why=(
        "Servers of other protocols read an HTTP request as commands of their own, so that "
        "browsers refuse their ports (WHATWG Fetch Standard §2.10, RFC 3986 §7.1). Other clients "
        "connect."
    ),
    case=(
        "VU#476267, 2001: HTML forms that send commands to servers of mail; NAT Slipstreaming, "
        "2020 (CVE-2020-16022)."
    ),
    alarms=0,
    good="http://example.com:8080/",
    bad="http://example.com:25/",
)
def blocked_port(report: Report) -> Iterator[Place]:
    port = report.components.get("port")
    if port is not None and _is_blocked(scheme(report), port.text.lstrip("0")):
        message = "browsers refuse this port: the server there has another protocol"
        yield port.start, port.end, "port", message


def _is_blocked(name: str, number: str) -> bool:
    """Whether browsers refuse a port, without leading zeros, for URIs of a scheme."""
    own = {"21"} if name == "ftp" else frozenset[str]()
    return name in ORIGINS and number in _BLOCKED - own


@rule(
    "host-like-query",
    title="A query or fragment that is a host",
    why=(
        "Without a path the host ends at ? or # (RFC 3986 §3.2); software that looks for the "
        "trusted name at the end of the text finds it there (§7.6)."
    ),
    case=(
        "PortSwigger, URL validation bypass cheat sheet: attacker.com?allowed.com and "
        "attacker.com#allowed.com."
    ),
    alarms=0,
    good="http://example.net/?example.com",
    bad="http://example.net?example.com",
)
def host_like_query(report: Report) -> Iterator[Place]:
    host, after = after_host(report)
    if after is not None and host.text and is_domain(after.text.partition("/")[0]):
        message = "not the host, but checks of how the text ends take it for one"
        yield after.start, after.end, after.name, message


@rule(
    "other-scheme-port",
    title="The default port of another scheme",
    why=(
        "A port that another scheme has by default (RFC 3986 §3.2.3) sends one protocol to a "
        "server of another; with the ports of http and https swapped, either fails or an "
        "unencrypted connection is made."
    ),
    case=(
        "Orange Tsai, 2017: A New Era of SSRF (protocol smuggling); PortSwigger, URL validation "
        "bypass cheat sheet."
    ),
    alarms=2,
    good="http://example.com:8080/",
    bad="http://example.com:443/",
)
def other_scheme_port(report: Report) -> Iterator[Place]:
    port, name = report.components.get("port"), scheme(report)
    if port is None or not port.text or name not in DEFAULT_PORTS:
        return
    number = port.text.lstrip("0")
    if number == DEFAULT_PORTS[name] or _is_blocked(name, number):
        return
    owners = [other for other, default in DEFAULT_PORTS.items() if default == number]
    if owners:
        message = f"{number} is the default port of {' and '.join(owners)}, not of {name}"
        yield port.start - 1, port.end, "port", message
