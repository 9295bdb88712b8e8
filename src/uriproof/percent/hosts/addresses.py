"""Addresses: which hosts are addresses, and the canonical form of each.

Owns the canonical form of IPv6 addresses, and the numbers that browsers take for IPv4 addresses.
May import the grammars. Invariant: the grammar decides which texts are addresses or numbers; only
the value is computed here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ...grammar import registry
from ...limits import MOST_IPV4_DIGITS
from ..characters import GRAMMAR

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

_OCTETS = 4
# Addresses that hold an IPv4 address in their last 32 bits, known by their first 96 (RFC 5952
# section 5): IPv4-mapped (RFC 4291 section 2.5.5.2), IPv4-translated (RFC 2765 section 2.1), and
# those of the well-known prefix (RFC 6052 section 2.4).
CARRIES_IPV4 = frozenset({0xFFFF, 0xFFFF_0000, 0x0064_FF9B << 64})


def address_of(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is, by the grammar; None for a name and for an IPvFuture.

    >>> address_of("[::1]"), address_of("127.1")
    (IPv6Address('::1'), None)
    """
    from ipaddress import IPv4Address, IPv6Address

    accepts = registry.load(GRAMMAR).accepts
    if _is_ipv6(host):
        return IPv6Address(host[1:-1])
    return IPv4Address(host) if accepts("IPv4address", host) else None


def _is_ipv6(host: str) -> bool:
    """Whether a host is an IPv6 address in its brackets."""
    bare = host[1:-1]
    return host == f"[{bare}]" and registry.load(GRAMMAR).accepts("IPv6address", bare)


@lru_cache(1024)
def canonical_address(host: str) -> str:
    """An IP-literal in its canonical form, with brackets; any other host unchanged.

    Lower case, no leading zeros, ``::`` for the longest run of two or more zero fields, and the
    first of the longest; an IPv4 address within is kept if the prefix shows that it is one.

    Cost: O(n). Spec: RFC 5952 §4 and §5; RFC 3986 §3.2.2 for an IPvFuture, which has no case.

    >>> canonical_address("[0:0:0:0:0:FFFF:C000:201]"), canonical_address("[1:0:2:3:4:5:6:7]")
    ('[::ffff:192.0.2.1]', '[1:0:2:3:4:5:6:7]')
    """
    if not _is_ipv6(host):
        return host.lower() if host.startswith("[") else host
    from ipaddress import IPv6Address

    value = int(IPv6Address(host[1:-1]))
    return f"[{written_ipv6(value, dotted=value >> 32 in CARRIES_IPV4)}]"


def written_ipv6(value: int, dotted: bool = False) -> str:
    """An IPv6 address as text; with its last 32 bits as an IPv4 address, if ``dotted``."""
    from ipaddress import IPv4Address

    fields = [f"{value >> shift & 0xFFFF:x}" for shift in range(112, -16, -16)]
    if dotted:
        fields[-2:] = [str(IPv4Address(value & 0xFFFF_FFFF))]
    best, run = (0, 0), 0
    for at, field in enumerate(fields, 1):
        run = run + 1 if field == "0" else 0
        if run > max(best[1], 1):
            best = at - run, run
    start, length = best
    if not length:
        return ":".join(fields)
    return ":".join(fields[:start]) + "::" + ":".join(fields[start + length :])


def is_ipv4_number(text: str) -> bool:
    """Whether browsers take a label for a number, which makes an IPv4 address of the host."""
    return registry.load("advice-ipv4-look-alike").accepts("number", text)


def ends_in_number(name: str) -> bool:
    """Whether the last label is a number, so that the name is an IPv4 address or nothing."""
    return is_ipv4_number(name.removesuffix(".").rpartition(".")[2])


def read_ipv4(name: str) -> str | None:
    """The address that the IPv4 parser of browsers reads; None if it refuses (WHATWG URL).

    >>> read_ipv4("0177.1"), read_ipv4("256.1.1.1"), read_ipv4("1.2.3.4.5")
    ('127.0.0.1', None, None)
    """
    from ipaddress import IPv4Address

    numbers = [_number(text) for text in name.split(".")]
    last = numbers.pop()
    if last is None or len(numbers) >= _OCTETS or last >= 256 ** (_OCTETS - len(numbers)):
        return None
    value = last
    for place, number in enumerate(numbers, 1):
        if number is None or number not in range(256):
            return None
        value += number * 256 ** (_OCTETS - place)
    return str(IPv4Address(value))


def _number(text: str) -> int | None:
    """A number in decimal, octal or hexadecimal; None for none, and for one of any more digits."""
    digits = text[2:] if text[:2].lower() == "0x" else text
    if not is_ipv4_number(text):
        return None
    digits = digits.lstrip("0") or "0"
    if len(digits) > MOST_IPV4_DIGITS:  # more than any address has, and work without bound
        return None
    try:
        base = 16 if text[:2].lower() == "0x" else 8 if text[0] == "0" else 10
        return int(digits, base)
    except ValueError:  # an 8 or 9 in octal
        return None
