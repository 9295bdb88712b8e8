"""Hosts as software reads them in the end: labels, addresses, and names that lead elsewhere.

Owns the registries of special-purpose addresses and the lists of names of the attack patterns, as
data; the decoding of A-labels (RFC 5890 §2.3.2.1) and of percent-encoded labels (RFC 3986 §3.2.2).
Imports ``report``, the readers of hosts and helpers beside it; rules that run by default import it
only when they need it. Invariant: nothing is looked up, the verdict does not depend on the version
of Python, and a label longer than the 63 characters that the DNS allows is never decoded, because
Punycode takes quadratic time.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from urllib.parse import unquote

from ..grammar import registry
from ..limits import LONGEST_LABEL, LONGEST_NAME
from ..percent.hosts.addresses import CARRIES_IPV4, address_of
from ..percent.hosts.browsers import browser_host
from ..percent.hosts.labels import ACE_PREFIX, from_punycode
from ..report import Component, Report
from ._parts import MAPPED, pieces, scheme

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

Address: TypeAlias = IPv4Address | IPv6Address

_LOW = 0xFFFF_FFFF
# First 96 bits of addresses whose last 32 are an IPv4 address, IPv4-compatible ones too (RFC 4291
# §2.5.5.1).
_IPV4_LAST = CARRIES_IPV4 | {0}
_ISATAP = {0x0000_5EFE, 0x0200_5EFE}  # RFC 5214 §6.1: in bits 64 to 95


@cache
def _blocks() -> tuple[tuple[IPv4Network | IPv6Network, str], ...]:
    blocks = import_module("uriproof._generated.special_addresses").BLOCKS
    found = [(ip_network(block), what) for block, what in blocks.items()]
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


def special(address: Address) -> Iterator[tuple[Address, str]]:
    """The address, or what it carries, that is not global, and what it is for.

    >>> [(str(one), what) for one, what in special(IPv6Address("64:ff9b::10.0.0.1"))]
    [('10.0.0.1', 'private, through 10.0.0.1')]
    """
    for one in reached(address):
        if what := purpose(one):
            yield one, what if one == address else f"{what}, through {one}"


class DecodedLabel(NamedTuple):
    """A label as it stands, its place in the whole text, and what it decodes to, if it does."""

    start: int
    end: int
    text: str
    decoded: str | None


def decoded_labels(host: Component | None) -> Iterator[DecodedLabel]:
    """The labels of a host that are not plain ASCII; none of a host that is too long for a name.

    >>> host = Component("host", "host", 0, 15, "www.xn--mnchen-3ya")
    >>> [label.decoded for label in decoded_labels(host)]
    ['münchen']
    """
    if host is None or len(unquote(host.text)) > LONGEST_NAME + 1:
        return
    for start, text in pieces(host, "."):
        if text[:4].lower() == ACE_PREFIX:
            yield DecodedLabel(start, start + len(text), text, _decoded(text))
        elif "%" in text or not text.isascii():
            decoded = unquote(text)
            if not decoded.isascii():
                yield DecodedLabel(start, start + len(text), text, decoded.lower())


def _decoded(label: str) -> str | None:
    text = from_punycode(label) if len(label) <= LONGEST_LABEL else None
    return text and text.lower()


def decoded_name(name: str) -> str:
    """A name with its A-labels as the characters that they stand for.

    >>> decoded_name("xn--mnchen-3ya.example.com")
    'münchen.example.com'
    """
    parts = name.split(".")
    return ".".join((part.startswith(ACE_PREFIX) and _decoded(part)) or part for part in parts)


OLDEST = frozenset({"com", "edu", "gov", "int", "mil", "net", "org"})
"""The generic domains of RFC 1591 §2: no name of a person ends so."""


def is_domain(name: str) -> bool:
    """Whether a text is a host name below one of the oldest domains, or starts with www.

    >>> is_domain("example.com"), is_domain("www.example.de"), is_domain("index.html")
    (True, True, False)
    """
    first, dot, rest = name.lower().partition(".")
    if not dot or not registry.load("advice-host-look-alike").accepts("host-name", name):
        return False
    return rest.rpartition(".")[2] in OLDEST or (first == "www" and "." in rest)


_NAMES = import_module("uriproof._generated.special_names").NAMES
INTERNAL, LOOPBACK, METADATA, WILDCARD = (
    frozenset[str](_NAMES[kind]) for kind in ("internal", "loopback", "metadata", "wildcard")
)
"""Names that lead elsewhere, with all below them, and the addresses of services of metadata;
``grammars/special-names.toml`` explains each."""


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
    return Target(host, *_read(host.text, scheme(report) in MAPPED))


@lru_cache(16)
def _read(host: str, mapped: bool) -> tuple[str, tuple[Address, ...]]:
    """The name and the addresses of a target. Several rules ask about the same host."""
    name = ((mapped and browser_host(host)) or unquote(host).lower()).removesuffix(".")
    address = address_of(name)
    return name, tuple(reached(address)) if address else ()


def is_below(name: str, names: frozenset[str]) -> bool:
    """Whether a name is one of these, or below one.

    >>> is_below("a.nip.io", WILDCARD), is_below("anip.io", WILDCARD)
    (True, False)
    """
    if len(name) > LONGEST_NAME:
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
    return found.name in METADATA or any(str(a) in METADATA for a in found.addresses)
