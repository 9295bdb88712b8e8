"""Hints beside violations: what to do about one character, and what is wrong with an address.

Owns what is said of a place in a text; what is said of whole texts is in ``mistakes``. Imports the
grammars. Invariant: whether something is an address, an octet or a scheme is asked of the grammar;
and each hint looks at no more than a fixed number of characters, so that all hints of a text cost
O(n).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeAlias

from ...grammar.compiled import Compiled
from ...grammar.registry import load
from ...grammar.remember import per_grammar
from ...text.drawing import visible
from ...text.names import near
from ..octets import encoded_character
from ..recovery import Blame
from .catalogue import say
from .messages import with_article
from .quoted import quoted

WINDOW = 200
"""How many characters a hint looks at before and after what is blamed."""

_ADDRESSES = frozenset({"IPv6address", "IPvFuture"})
_SHOWN = 20
"""Characters of a part of an address that a sentence quotes."""


class Hint(NamedTuple):
    """What to do about a violation; ``instead`` is true if that rules the fix out.

    Percent-encoding a character fixes a URI that was meant to contain it. If something else might
    be meant, such as another slash, there is no safe fix.
    """

    words: str | None
    instead: bool = False
    message: str = ""
    """A sentence that says more of the mistake than what is said of its characters."""


@cache
def _delimiters() -> str:
    """The characters that end an authority (RFC 3986 §3.2), out of the dividing grammar."""
    accepts = load("rfc3986-split").matcher("authority")
    return "".join(char for char in map(chr, range(0x80)) if not accepts(char))


class Place(NamedTuple):
    """A violation in its text, as the hints see it."""

    text: str
    blame: Blame

    @property
    def found(self) -> str:
        """The blamed characters, or the first of them."""
        return self.text[self.blame.start : min(self.blame.end, self.blame.start + WINDOW)]

    def before(self, most: int = WINDOW) -> str:
        return self.text[max(self.blame.start - most, 0) : self.blame.start]

    def after(self, most: int = WINDOW) -> str:
        return self.text[self.blame.end : self.blame.end + most]

    def delimiter(self, at: int) -> int:
        """Where the next delimiter after an authority stands, in a window; -1 where none does."""
        ends = [e for m in _delimiters() if (e := self.text.find(m, at, at + WINDOW)) >= 0]
        return min(ends, default=-1)

    def accepts(self, rule: str, text: str) -> bool:
        """Whether the grammar has a rule that accepts a text."""
        return rule in self.blame.grammar.model.rules and self.blame.grammar.accepts(rule, text)


Finder: TypeAlias = Callable[[Place], Hint | None]


def hint(place: Place) -> Hint | None:
    """What to do about a violation, or None. Cost: O(1)."""
    blame = place.blame
    if blame.path[-1] in _ADDRESSES:
        return _address(place)
    first = place.text[blame.start] if blame.start < blame.end else ""
    is_scheme = place.blame.component == "path" and ":" in place.found and _colon(place)
    return is_scheme or _BY_CHARACTER.get(first, _other)(place)


# Single characters


def _backslash(place: Place) -> Hint | None:
    """Not in a query or fragment, where it is data."""
    if place.blame.component in ("userinfo", "host", "port"):
        words = 'remove it: browsers read it as "/" and connect to another host'
        return Hint(words, instead=True)
    return Hint('write "/" instead', instead=True) if place.blame.component == "path" else None


def _space(place: Place) -> Hint | None:
    beside = place.before(1), place.after(1)
    if place.blame.component == "path" and beside[0] != "/" and beside[1] in ("/", "?", "#"):
        return Hint("remove the space: it is at the end of a path segment", instead=True)
    return _SPACE if place.blame.encodes and place.blame.component == "query" else None


_SPACE = Hint('write %20 ("+" means a space only in form data)')


def _second_fragment(place: Place) -> Hint | None:
    kind, component = place.blame.kind, place.blame.component
    if kind == "illegal" and component == "fragment" and place.before(1) == "#":
        return Hint('write "#" once', instead=True, message=say("doubled-fragment"))
    return None


def _at_sign(place: Place) -> Hint | None:
    """What is said of a password, too, in which no fix is shown."""
    return Hint(f"write {encoded_character(place.found[0])}") if place.blame.encodes else None


def _other(place: Place) -> Hint | None:
    """A character without a hint of its own: what the component says, or its place beyond ASCII."""
    if place.blame.component == "host" and place.before(1) == "]" and place.found.isdecimal():
        return Hint(f'put ":" before the port: ":{place.found}"')
    word = _word(place.blame.grammar, place.found, place.blame.expected)
    if word or place.found.isascii() or place.blame.kind != "illegal":
        return word
    is_data = place.blame.encodes and place.blame.component != "userinfo"
    if is_data and place.found.isprintable():  # RFC 3987 §4.1: no formatting characters
        it = "it" if len(place.found) == 1 else "them"
        return Hint(f"percent-encode {it}, or check the text as an IRI")
    return None


@per_grammar
def _word(grammar: Compiled, found: str, expected: tuple[str, ...]) -> Hint | None:
    """The expected word that is most like a wrong one."""
    texts = quoted(grammar)
    words = [
        texts[e][2] if e in texts else e.strip('"') for e in expected if e in texts or e[0] == '"'
    ]
    if len(found) < len("ab") or not (nearest := near(found, words, 1, 0.01)):
        return None
    if near(found, nearest):
        return Hint(f'write "{nearest[0]}"')
    return Hint(f'the nearest word is "{nearest[0]}"') if len(words) > 1 else None


def _colon(place: Place) -> Hint | None:
    """A scheme that the rule does not allow, or that is not valid.

    After a letter, a colon might be that of a mistyped scheme: encoded, it would be so no more.
    """
    at = place.blame.start + place.found.index(":")
    if not place.blame.encodes or at > WINDOW:
        return None
    before = place.text[:at]
    if place.accepts("scheme", before):
        message = say("scheme-not-allowed", whole=with_article(place.blame.path[0]))
        return Hint(f'remove the scheme "{before}:"', instead=True, message=message)
    if place.text.startswith("://", at):
        return Hint(None, instead=True, message=say("scheme-not-valid"))
    has_scheme = place.accepts("scheme", before.partition(":")[0])
    if not has_scheme and any(place.accepts("scheme", char) for char in before):
        return Hint("write %3A only if there is no scheme before it", instead=True)
    return None


# Addresses between brackets


def _address(place: Place) -> Hint | None:
    """What is wrong with what stands between the brackets, as a person would say it."""
    text, blame = place.text, place.blame
    opening = text.rfind("[", max(blame.start - WINDOW, 0), blame.start)
    if opening < 0:
        return None
    closing = text.find("]", blame.end, blame.end + WINDOW)
    end = closing if closing >= 0 else place.delimiter(blame.end)
    address = text[opening + 1 : end if end >= 0 else blame.end + WINDOW]
    zoneless, percent, _ = address.partition("%")
    if percent and place.accepts("IPv6address", zoneless):
        return Hint(None, message=say("zone"))
    if place.accepts("IPv4address", address):
        return Hint(None, message=say("ipv4-bracketed"))
    if ":" not in address and address[:1] not in ("v", "V") and place.accepts("reg-name", address):
        return Hint(None, message=say("name-bracketed")) if address else None
    if place.blame.path[-1] == "IPvFuture":
        return Hint(None, message=say("future"))
    return Hint(None, message=_groups(place, address, blame.start - opening - 1))


def _groups(place: Place, address: str, at: int) -> str:
    """What is wrong with the groups of an IPv6 address (RFC 4291 §2.2): with the one that is read
    at an offset, if anything is, and else with their number.
    """
    begin = address.rfind(":", 0, at) + 1
    group = address[begin:].partition(":")[0]
    words = _octets(place, group, at - begin) if "." in group else ""
    if group and not ("." in group or place.accepts("h16", group)):
        are_digits = all(place.accepts("HEXDIG", char) for char in group)
        words = say("group-digits" if are_digits else "group", group=visible(group[:_SHOWN]))
    if words:
        return words
    halves = address.split("::")
    if ":::" in address[max(at - 3, 0) : at + 3]:
        return say("three-colons")
    if len(halves) > 2:  # noqa: PLR2004
        return say("zeros-once")
    groups = [g for g in address.split(":") if g]
    count = len(groups) + sum("." in g for g in groups[-1:])
    if len(halves) == 2 and count > 7:  # noqa: PLR2004 -- RFC 4291 §2.2
        return say("groups-with-zeros", count=count)
    if any("." in g for g in groups[:-1]):
        return say("ipv4-end")
    if len(halves) == 1 and count != 8:  # noqa: PLR2004
        return say("groups", count=count)
    return say("one-colon")


def _octets(place: Place, address: str, at: int) -> str:
    """What is wrong with the octet of an IPv4 address that ends at an offset or after it.

    ``256`` and ``01`` can be groups of an IPv6 address: not before a dot, which is what is blamed.
    """
    begin = address.rfind(".", 0, at) + 1
    octet = address[begin:].partition(".")[0]
    if octet and not place.accepts("dec-octet", octet):
        is_zero = octet.isdecimal() and octet.isascii() and octet.startswith("0")
        name = "octet-zero" if is_zero else "octet"
        is_before = at == begin + len(octet)
        return say(f"{name}-before" if is_before else name, octet=visible(octet[:_SHOWN]))
    octets = address.split(".")
    if len(octets) != 4 or not all(octets):  # noqa: PLR2004
        return say("octets", count=len([o for o in octets if o]))
    return ""


_BY_CHARACTER: dict[str, Finder] = {
    "\\": _backslash,
    " ": _space,
    "#": _second_fragment,
    "@": _at_sign,
}
"""By the first blamed character; what is said of all others is short."""
