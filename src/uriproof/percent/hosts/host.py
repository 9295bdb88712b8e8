"""Hosts: the form in which names and addresses are compared and looked up.

Owns the canonical form of a domain name, and the changes that lead to it. May import the grammars
and its siblings. Invariant: every change of a host is reported, character by
character; nothing here looks anything up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache, partial
from typing import Any, Literal, NamedTuple, TypeAlias
from unicodedata import normalize
from urllib.parse import unquote

from ...arguments import strings
from ...grammar import registry
from ...limits import LONGEST_LABEL, LONGEST_NAME, LONGEST_WRITTEN_HOST, MOST_COMPOSED
from ...report import InvalidURI
from ...text.drawing import named
from ..characters import GRAMMAR, characters, octet, spellings
from ..errors import invalid, violation
from .addresses import canonical_address, ends_in_number
from .browsers import browser_host
from .labels import ACE_PREFIX, LABEL, NAME, a_label, keeps_bidi_rule, mapping, u_label

Kind: TypeAlias = Literal["IPv4address", "IPv6address", "IPvFuture", "reg-name"]


class HostChange(NamedTuple):
    """A change to ``[start, end)``, code points of the given host; ``message`` says why."""

    start: int
    end: int
    found: str
    replacement: str
    message: str


@dataclass(frozen=True, slots=True)
class CanonicalHost:
    """A host in the form in which it is compared and looked up.

    ``text`` is ASCII and a host of RFC 3986; ``production`` is its production. ``changes`` are the
    steps from the given host to it, including characters that are kept although older software maps
    them. ``browser`` is the given host as browsers parse it, or None if they reject it.
    """

    text: str
    production: Kind
    changes: tuple[HostChange, ...]
    browser: str | None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return asdict(self) | {"changes": [change._asdict() for change in self.changes]}


class InvalidHost(InvalidURI):
    """Neither a DNS name nor an address; ``[start, end)`` is the place, in code points.

    ``browser`` is the host as browsers parse it nevertheless, or None; ``report`` is the host's.
    """

    def __init__(
        self, host: str, message: str, start: int, end: int, browser: str | None = None
    ) -> None:
        self.message = message
        self.start = start
        self.end = end
        self.browser = browser
        production = "IP-literal" if host.startswith("[") else "reg-name"
        super().__init__(invalid(host, [violation("host", production, start, end, message)]))
        self.args: tuple[Any, ...] = (host, message, start, end, browser)

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The place, as other errors give theirs."""
        return ((self.start, self.end),)

    def __str__(self) -> str:
        more = f"; browsers read {self.browser}" if self.browser else ""
        return f"{self.start}-{self.end}: {self.message}{more}"


_Refused: TypeAlias = Callable[[str, int, int], InvalidHost]


def canonical_host(host: str) -> CanonicalHost:
    """The canonical form of a host: of an address, or of a domain name in any script.

    An IPv6 address is written as RFC 5952 says. A name is percent-decoded as UTF-8, mapped by UTS
    #46 (non-transitional), and its labels become A-labels. Every change is in ``changes``.

    One rule holds for all labels, in ASCII or not, after they are mapped: letters, digits and
    hyphens, no hyphen at either end, 1 to 63 octets; 253 octets for the name, without a last dot,
    and a last label that is not a number (RFC 1123 §2.1, RFC 1035 §2.3.4). So underscores and
    ``256.1.1.1`` are refused; ``InvalidHost.browser`` says what browsers make of them. A label with
    letters outside ASCII is one of IDNA 2008, which has no symbols, and no hyphens in third and
    fourth place. The empty host, as in file URIs, stays.

    Errors: InvalidHost, for a host that is neither address nor name; TypeError. Cost: O(n); a name
    that is too long is refused before it is mapped. Spec: RFC 3986 §3.2.2, RFC 5891, RFC 5952, UTS
    #46.

    >>> found = canonical_host("Fa\\u00df.de")
    >>> found.text, found.changes[0].message, found.browser
    ('xn--fa-hia.de', 'U+0046 LATIN CAPITAL LETTER F is written in lower case', 'xn--fa-hia.de')
    >>> canonical_host("[2001:DB8:0:0::0:1]").text
    '[2001:db8::1]'
    """
    strings(host=host)
    accepts = registry.load(GRAMMAR).accepts
    browser = browser_host(host)
    refused = partial(InvalidHost, host, browser=browser)
    if host.startswith("["):
        if not accepts("IP-literal", host):
            message = "what starts with [ is an IPv6 address or an IPvFuture in brackets"
            raise refused(message, 0, len(host))
        text = canonical_address(host)
        kind: Kind = "IPv6address" if accepts("IPv6address", host[1:-1]) else "IPvFuture"
        changes: list[HostChange] = []
        if text != host:
            why = "the canonical form of the address (RFC 5952 §4)"
            if kind == "IPvFuture":
                why = "hosts are compared without case (RFC 3986 §3.2.2)"
            changes.append(HostChange(0, len(host), host, text, why))
        return CanonicalHost(text, kind, tuple(changes), browser)
    longest = MOST_COMPOSED * (LONGEST_NAME + 1)  # no mapping makes a name of more
    if len(host) > LONGEST_WRITTEN_HOST or len(unquote(host)) > longest:
        raise refused(NAME, 0, len(host))
    plain, places, changes = _decoded(host, refused)
    text = _name(plain, places, changes, refused)
    kind = "reg-name"
    if accepts("IPv4address", text):
        kind = "IPv4address"
        if text != host:
            changes.append(HostChange(0, len(host), host, text, "the name became an address"))
    changes.sort(key=lambda change: (change.end, -change.start))  # a label after its parts
    return CanonicalHost(text, kind, tuple(changes), browser)


def _decoded(host: str, refused: _Refused) -> tuple[str, list[int], list[HostChange]]:
    """The characters of a name, their offsets in the host (with the end), and the changes."""
    for sign in re.finditer("%", host):
        if octet(host[sign.start() : sign.start() + 3]) is None:
            raise refused("a percent sign is followed by two hexadecimal digits", *sign.span())
    changes: list[HostChange] = []
    plain: list[str] = []
    places = [0]
    for written, char in spellings(host):
        start, end = places[-1], places[-1] + len(written)
        if not char:
            message = "these escapes are not UTF-8, so they encode no name (RFC 3986 §3.2.2)"
            raise refused(message, start, end)
        if char != written:
            why = f"{named(char)}, percent-encoded"
            if char.isascii() and char not in _ascii():
                raise refused(f"{why}, is not allowed in a host name", start, end)
            changes.append(HostChange(start, end, written, char, why))
        plain.append(char)
        places.append(end)
    return "".join(plain), places, changes


def _name(plain: str, places: list[int], changes: list[HostChange], refused: _Refused) -> str:
    """The name in A-labels. Errors: InvalidHost."""

    def wrong(message: str, first: int = 0, last: int = len(plain)) -> InvalidHost:
        return refused(message, places[first], places[last])

    made: list[str] = []
    label: list[str] = []
    start = 0
    for at, char in enumerate([*plain, "."]):
        try:
            new = _mapped(char, places[at : at + 2], changes)
        except ValueError as error:
            raise wrong(str(error), at, at + 1) from error
        if new != ".":
            label.append(new)
            continue
        mapped = normalize("NFC", "".join(label))
        if mapped != "".join(label):
            found, why = plain[start:at], "this is composed with the characters next to it (NFC)"
            changes.append(HostChange(places[start], places[at], found, mapped, why))
        try:
            made.append(_made(mapped))
        except ValueError as error:
            raise wrong(str(error), start, at) from error
        if len(".".join(made).removesuffix(".")) > LONGEST_NAME:
            raise wrong(NAME)
        if made[-1] != mapped:
            why = "written as an A-label (RFC 5890 §2.3.2.1)"
            changes.append(HostChange(places[start], places[at], mapped, made[-1], why))
        label, start = [], at + 1
    name = ".".join(made)
    if plain and not name:
        raise wrong("nothing of the name is left by name preparation (UTS #46)")
    if "" in made[:-1]:
        raise wrong("a label of a name must not be empty (RFC 1034 §3.1)")
    if ACE_PREFIX in name and not keeps_bidi_rule([u_label(part) or part for part in made]):
        raise wrong("right-to-left labels and others are mixed in a way that confuses (RFC 5893)")
    if ends_in_number(name) and not registry.load(GRAMMAR).accepts("IPv4address", name):
        raise wrong("a name that ends in a number is not a host name (RFC 1123 §2.1)")
    return name


def _mapped(char: str, span: list[int], changes: list[HostChange]) -> str:
    """One character by UTS #46; a change is added. Errors: ValueError."""
    new, why = mapping(char)
    if why:
        changes.append(HostChange(span[0], span[-1], char, new, why))
    if not _ascii().issuperset(c for c in new if c.isascii()):
        read = f", read as {new}," if why else ""
        raise ValueError(f"{named(char)}{read} is not allowed in a host name (RFC 1123 §2.1)")
    return new


@cache
def _ascii() -> frozenset[str]:
    """The ASCII characters of host names: those of the labels, and the dot (RFC 1123 §2.1)."""
    return characters("let-dig", "advice-host-look-alike") | {"-", "."}


def _made(label: str) -> str:
    """A label that is mapped, in ASCII. Errors: ValueError."""
    if label.startswith("-") or label.endswith("-"):
        raise ValueError("a label must not begin or end with a hyphen (RFC 1123 §2.1)")
    made = a_label(label)
    if made is None and label.startswith(ACE_PREFIX) and u_label(label) is None:
        raise ValueError("this is not a valid A-label (RFC 5890 §2.3.2.1)")
    if len(made or label) > LONGEST_LABEL:
        raise ValueError(LABEL)
    return made or label
