"""Addresses that are not global, and addresses that carry another.

Owns the registries of special-purpose addresses, as data. Imports the standard library alone.
Invariant: the verdict depends on this table, not on the version of Python.
"""

from __future__ import annotations

from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator
    from ipaddress import IPv4Network, IPv6Network

Address: TypeAlias = IPv4Address | IPv6Address

# The registries of RFC 6890 §2.2.2 and §2.2.3 as IANA keeps them, and the blocks of multicast
# (RFC 5771, RFC 4291 §2.7) and site-local addresses (RFC 3879). "" is for blocks that are globally
# reachable within one that is not: the longest prefix decides.
_BLOCKS = (
    ("0.0.0.0/8", "this host or network"),  # RFC 791 §3.2, RFC 1122 §3.2.1.3
    ("10.0.0.0/8", "private"),  # RFC 1918 §3
    ("100.64.0.0/10", "shared by a provider"),  # RFC 6598 §7
    ("127.0.0.0/8", "loopback"),  # RFC 1122 §3.2.1.3
    ("169.254.0.0/16", "link-local"),  # RFC 3927 §2.1
    ("172.16.0.0/12", "private"),  # RFC 1918 §3
    ("192.0.0.0/24", "for protocols"),  # RFC 6890 §2.1
    ("192.0.0.9/32", ""),  # RFC 7723: Port Control Protocol Anycast
    ("192.0.0.10/32", ""),  # RFC 8155: Traversal Using Relays around NAT Anycast
    ("192.0.2.0/24", "documentation"),  # RFC 5737 §3
    ("192.168.0.0/16", "private"),  # RFC 1918 §3
    ("198.18.0.0/15", "benchmarking"),  # RFC 2544 Appendix C
    ("198.51.100.0/24", "documentation"),  # RFC 5737 §3
    ("203.0.113.0/24", "documentation"),  # RFC 5737 §3
    ("224.0.0.0/4", "multicast"),  # RFC 5771 §3
    ("240.0.0.0/4", "reserved"),  # RFC 1112 §4
    ("255.255.255.255/32", "broadcast"),  # RFC 919 §7
    ("::/128", "unspecified"),  # RFC 4291 §2.5.2
    ("::1/128", "loopback"),  # RFC 4291 §2.5.3
    ("64:ff9b:1::/48", "local translation"),  # RFC 8215 §3
    ("100::/64", "discarded"),  # RFC 6666 §4
    ("100:0:0:1::/64", "dummy"),  # RFC 9780
    ("2001::/23", "for protocols"),  # RFC 2928 §2
    ("2001::/32", ""),  # RFC 4380 §2.6: Teredo, which carries an IPv4 address
    ("2001:1::1/128", ""),  # RFC 7723
    ("2001:1::2/128", ""),  # RFC 8155
    ("2001:1::3/128", ""),  # RFC 9665
    ("2001:2::/48", "benchmarking"),  # RFC 5180 §8
    ("2001:3::/32", ""),  # RFC 7450: Automatic Multicast Tunneling
    ("2001:4:112::/48", ""),  # RFC 7535: AS112
    ("2001:10::/28", "identifiers"),  # RFC 4843: ORCHID, deprecated
    ("2001:20::/28", ""),  # RFC 7343: ORCHIDv2
    ("2001:30::/28", ""),  # RFC 9374: drone remote identification
    ("2001:db8::/32", "documentation"),  # RFC 3849 §4
    ("3fff::/20", "documentation"),  # RFC 9637 §4
    ("5f00::/16", "segment routing"),  # RFC 9602 §6
    ("fc00::/7", "unique local"),  # RFC 4193 §3
    ("fe80::/10", "link-local"),  # RFC 4291 §2.5.6
    ("fec0::/10", "site-local"),  # RFC 3879 §4
    ("ff00::/8", "multicast"),  # RFC 4291 §2.7
)

_LOW = 0xFFFF_FFFF
# First 96 bits of addresses whose last 32 are an IPv4 address.
_IPV4_LAST = {
    0,  # IPv4-compatible: RFC 4291 §2.5.5.1
    0xFFFF,  # IPv4-mapped: RFC 4291 §2.5.5.2
    0xFFFF_0000,  # IPv4-translated: RFC 2765 §2.1
    0x0064_FF9B << 64,  # the well-known prefix: RFC 6052 §2.1
}
_ISATAP = {0x0000_5EFE, 0x0200_5EFE}  # RFC 5214 §6.1: in bits 64 to 95


@cache
def _blocks() -> tuple[tuple[IPv4Network | IPv6Network, str], ...]:
    found = [(ip_network(block), what) for block, what in _BLOCKS]
    return tuple(sorted(found, key=lambda item: -item[0].prefixlen))


def purpose(address: Address) -> str:
    """What an address that is not global is for; "" for one that is.

    Cost: constant. Source: RFC 6890 §2.2.2 and §2.2.3, and the IANA registries that it began.

    >>> purpose(IPv4Address("192.0.0.192")), purpose(IPv4Address("192.0.0.9"))
    ('for protocols', '')
    """
    blocks = (what for block, what in _blocks() if address in block)
    return next(blocks, "")


def reached(address: Address) -> Iterator[Address]:
    """The address, and the IPv4 addresses that it carries.

    >>> [str(one) for one in reached(IPv6Address("2002:7f00:1::"))]
    ['2002:7f00:1::', '127.0.0.1']
    """
    yield address
    if isinstance(address, IPv6Address):
        value = int(address)
        if value >> 32 in _IPV4_LAST and value > 1:
            yield IPv4Address(value & _LOW)
        if value >> 112 == 0x2002:  # noqa: PLR2004 -- 6to4: RFC 3056 §2
            yield IPv4Address(value >> 80 & _LOW)
        if value >> 96 == 0x2001_0000:  # noqa: PLR2004 -- Teredo: RFC 4380 §4
            yield IPv4Address(value >> 64 & _LOW)
            yield IPv4Address(~value & _LOW)
        if value >> 32 & _LOW in _ISATAP:
            yield IPv4Address(value & _LOW)
