"""Where a URI leads: names and addresses as software reads them in the end.

Owns the reading of hosts that the rules of this group share, and their lists of names. Imports
``report``, ``validate``, the readers of hosts and the helpers of advice. Invariant: nothing is
looked up.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote

from ...grammar import registry
from ...percent.hosts.addresses import address_of
from ...percent.hosts.browsers import browser_host
from ...report import Component, Report
from .._addresses import Address, reached
from .._schemes import MAPPED, scheme

LOOPBACK = frozenset(
    # RFC 6761 §6.3, and what files of hosts have beside it
    {"localhost", "localhost.localdomain", "localhost4", "localhost6", "loopback"}
    | {"localhost4.localdomain4", "localhost6.localdomain6", "ip6-localhost", "ip6-loopback"}
    # Names of the public DNS that lead to 127.0.0.1, with all below them
    | {"localtest.me", "lvh.me", "vcap.me", "lacolhost.com", "localh.st", "fuf.me", "yoogle.com"}
    | {"localho.st", "lcl.host", "local.gd", "spoofed.burpcollaborator.net"}
)
"""Names that mean the reader's own machine, as do all names below them."""

WILDCARD = frozenset(
    {"nip.io", "sslip.io", "xip.io", "xip.lhjmmc.cn", "1u.ms", "rbndr.us", "traefik.me"}
    | {"ip6.name", "xip.name", "backname.io", "ipq.co", "my.local-ip.co", "plex.direct"}
)
"""Services of the DNS that answer a name with the address that is written in it."""

METADATA = frozenset(
    {"metadata", "metadata.google.internal", "metadata.goog"}  # Google Cloud
    | {"instance-data", "instance-data.ec2.internal"}  # Amazon EC2
    | {"metadata.azure.internal"}  # Azure
    | {"metadata.packet.net", "metadata.platformequinix.com"}  # Equinix Metal
    | {"metadata.tencentyun.com", "metadata.nicob.net"}  # Tencent; a name for 169.254.169.254
    | {"rancher-metadata"}  # Rancher
)
"""Names of the services that give a machine in a cloud its secrets."""

METADATA_ADDRESSES = frozenset(
    {"169.254.169.254", "fd00:ec2::254", "fd20:ce::254"}  # most; EC2 and Google Cloud by IPv6
    | {"169.254.170.2", "169.254.170.23", "fd00:ec2::23"}  # Amazon ECS and EKS
    | {"168.63.129.16", "100.100.100.200", "192.0.0.192"}  # Azure, Alibaba, Oracle
    | {"169.254.0.23"}  # Tencent
)
"""Their addresses, each in its canonical form."""


_LONGEST = 253


class Target(NamedTuple):
    """A host; its name in lower case, decoded, without the last dot; the addresses it carries."""

    host: Component
    name: str
    addresses: tuple[Address, ...]


def target(report: Report) -> Target | None:
    """Where a report's URI leads; None without a host. Cost: O(n)."""
    host = report.components.get("host")
    if host is None or not host.text:
        return None
    read = browser_host(host.text) if scheme(report) in MAPPED else None
    name = (read or unquote(host.text).lower()).removesuffix(".")
    address = address_of(name)
    return Target(host, name, tuple(reached(address)) if address else ())


def inner(text: str) -> Report:
    """The report of a text that stands within another, such as the value of a parameter."""
    from ...validate.report import make_report

    return make_report(registry.load("rfc3986"), text, "URI-reference")


def is_below(name: str, names: frozenset[str]) -> bool:
    """Whether a name is one of these, or below one.

    >>> is_below("a.nip.io", WILDCARD), is_below("anip.io", WILDCARD)
    (True, False)
    """
    if len(name) > _LONGEST:  # no name of the DNS (RFC 1035 §2.3.4)
        return False
    while name and name not in names:
        _, _, name = name.partition(".")
    return bool(name)


def carried_address(name: str) -> str:
    """The IPv4 address that labels of a name write, with dots or hyphens; "" if none does.

    >>> carried_address("app.10-0-0-1.nip.io"), carried_address("www.127.0.0.1.sslip.io")
    ('10.0.0.1', '127.0.0.1')
    """
    words = name.replace("-", ".").split(".")
    for at in range(len(words) - 3):
        dotted = ".".join(words[at : at + 4])
        if words[at].isdigit() and address_of(dotted) is not None:
            return dotted
    return ""


def is_metadata(found: Target) -> bool:
    """Whether it is a service that gives a machine in a cloud its secrets."""
    return found.name in METADATA or any(str(a) in METADATA_ADDRESSES for a in found.addresses)
