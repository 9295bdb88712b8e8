"""What is wrong with an address between brackets, as a person would say it.

Owns the words for addresses. Imports the near misses. Invariant: whether something is an address,
a group or an octet is asked of the grammar.
"""

from __future__ import annotations

from .place import WINDOW, Hint, Place


def address_hint(place: Place) -> Hint | None:
    """What is wrong with what stands between the brackets, as a person would say it."""
    text, blame = place.text, place.blame
    opening = text.rfind("[", max(blame.start - WINDOW, 0), blame.start)
    if opening < 0:
        return None
    closing = text.find("]", blame.end, blame.end + WINDOW)
    end = closing if closing >= 0 else place.delimiter(blame.end)
    address = text[opening + 1 : end if end >= 0 else blame.end + WINDOW]
    zoneless, percent, zone = address.partition("%")
    if percent and place.accepts("IPv6address", zoneless):
        name = zone.removeprefix("25")
        return Hint(
            "RFC 3986 has no zone identifiers"
            + (f": RFC 6874 wrote [{zoneless}%25{name}], RFC 9844 withdrew it" if name else "")
        )
    if place.accepts("IPv4address", address):
        return Hint(f"an IPv4 address takes no brackets: {address}")
    if ":" not in address and address[:1] not in ("v", "V") and place.accepts("reg-name", address):
        return Hint(f"a name takes no brackets: {address}")
    if place.blame.path[-1] == "IPvFuture":
        return Hint("an address of another version is written v, its number, a dot and the address")
    words = _groups(place, address)
    return Hint(words) if words else None


def _groups(place: Place, address: str) -> str:
    """What is wrong with the groups of an IPv6 address (RFC 4291 §2.2)."""
    halves = address.split("::")
    if len(halves) > 2 or ":::" in address:  # noqa: PLR2004
        return 'a run of zeros may be left out as "::" only once'
    groups = [g for half in halves for g in half.split(":")] if address else []
    groups = [g for g in groups if g]
    for group in groups:
        if "." in group:
            words = _octets(place, group)
            if words:
                return words
        elif not all(place.accepts("HEXDIG", c) for c in group):
            return f'a group is one to four hexadecimal digits, and "{group[:20]}" is not'
        elif not place.accepts("h16", group):
            return f'a group has at most four hexadecimal digits, and "{group[:20]}" has more'
    count = len(groups) + sum("." in g for g in groups[-1:])
    if len(halves) == 2 and count > 7:  # noqa: PLR2004 -- RFC 4291 §2.2
        return f'with "::" an IPv6 address has at most seven groups, and this has {count}'
    if len(halves) == 1 and count != 8:  # noqa: PLR2004
        return f"an IPv6 address has eight groups, and this has {count}"
    if any("." in g for g in groups[:-1]):
        return "an IPv4 address is only allowed at the end of an IPv6 address"
    return 'groups are separated by one colon, and "::" stands for groups of zeros'


def _octets(place: Place, address: str) -> str:
    """What is wrong with the octets of an IPv4 address."""
    octets = address.split(".")
    for octet in octets:
        if not octet or place.accepts("dec-octet", octet):
            continue
        if octet.isdecimal() and octet.isascii():
            if octet.startswith("0"):
                return f"an octet has no leading zero, and {octet[:20]} has one"
            return f"an octet is at most 255, and {octet[:20]} is more"
        return f'an octet is a number from 0 to 255, and "{octet[:20]}" is none'
    if len(octets) != 4 or not all(octets):  # noqa: PLR2004
        return f"an IPv4 address has four octets, and this has {len([o for o in octets if o])}"
    return ""
