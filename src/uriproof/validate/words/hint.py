"""Hints beside violations: what was probably meant, where a near miss is well known.

Owns the recognition of near misses. Imports the grammars. Invariant: a hint changes no violation;
whether something is an address, an octet or an escape is asked of the grammar; and each hint looks
at no more than a fixed number of characters, so that all hints of a text cost O(n).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple, TypeAlias

from ...grammar.compiled import Compiled
from ...grammar.registry import load
from ...grammar.remember import per_grammar
from ..octets import encoded_character, percent_encoded
from ..recovery import Blame

WINDOW = 200
"""How many characters a hint looks at before and after what is blamed."""

_ADDRESSES = frozenset({"IPv6address", "IPvFuture"})
_SCHEME = 40
"""Characters that a scheme and its colon are looked for in; registered ones have 36 at most."""


class Hint(NamedTuple):
    """What was probably meant; ``instead`` is true where that rules the fix out.

    Percent-encoding a character fixes a URI that was meant to hold it. Where something else may
    be meant, such as white space that is no part of the URI, there is no safe fix.
    """

    words: str
    instead: bool = False


@cache
def _delimiters() -> str:
    """The characters that end an authority (RFC 3986 §3.2), out of the dividing grammar."""
    accepts = load("rfc3986-split").matcher("authority")
    return "".join(char for char in map(chr, range(0x80)) if not accepts(char))


class Place(NamedTuple):
    """A violation in its text, as the hints see it."""

    grammar: Compiled
    text: str
    component: str
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
        return rule in self.grammar.model.rules and self.grammar.accepts(rule, text)


Finder: TypeAlias = Callable[[Place], Hint | None]


def hint(place: Place) -> Hint | None:
    """What was probably meant, or None. Cost: O(1), but for the one absent scheme of a text."""
    blame = place.blame
    path, start = blame.path, blame.start
    if path[-1] in _ADDRESSES and len(path) > 1:
        return _address(place)
    first = place.text[start] if start < blame.end else ""
    finders = _BY_CHARACTER.get(first)
    if finders is None:
        finders = (_space,) if first == " " else (_other,)
    found = _first(finders, place)
    if blame.fixes and (found is None or not found.instead):
        return _first(_OTHERWISE, place) or found
    return found


def _first(finders: Iterable[Finder], place: Place) -> Hint | None:
    return next((found for find in finders if (found := find(place)) is not None), None)


def _instead(place: Place, words: str, meant: str) -> Hint:
    """Words with the text that is meant, where that is valid, short, and holds no password."""
    if len(meant) <= WINDOW and "@" not in meant and meant.isprintable():
        valid = place.accepts("URI", meant) or place.accepts("IRI", meant)
        words = f"{words}: {meant}" if valid else words
    return Hint(words, instead=True)


# What the whole text is, so that a fix of one character would hide the mistake


def _is_whole(place: Place) -> bool:
    """Whether the rule is one of a whole reference, and not of a component."""
    return place.blame.path[0] not in place.grammar.model.components


def _windows_path(place: Place) -> Hint | None:
    r"""A drive (``C:\\a`` or ``C:/a``, read as a scheme of one letter; ``file:C:\\a``), or a share
    (``\\\\host\\a``): RFC 8089 Appendix E.2 and E.3."""
    text, is_file = place.text, False
    if text[1:3] not in (":/", ":\\") and text[:2] != "\\\\":
        is_file = text[:5].lower() == "file:" and text[place.blame.start] == "\\"
        if not is_file:
            return None
    if not _is_whole(place):
        return None
    text = text[: WINDOW + 1]
    if is_file:
        text = text[5:].lstrip("\\/")
    path = text.replace("\\", "/").replace(" ", "%20")
    if text[:1].isascii() and text[:1].isalpha() and path[1:3] == ":/" and path[3:4] != "/":
        words = "write a Windows path with slashes, as a file URI"
        return _instead(place, words, f"file:///{path}")
    if text.startswith("\\\\"):
        words = "write a Windows share with slashes, as a file URI"
        return _instead(place, words, f"file:{path}")
    return None


def _base64(place: Place) -> Hint | None:
    """What base64 data cannot have (RFC 2397 §2, RFC 4648 §4)."""
    if place.text[:5].lower() != "data:":
        return None
    if ";base64," in place.text[: min(place.blame.start, WINDOW)].lower():
        return Hint("remove what is not base64 from the data", instead=True)
    return None


def _own_rules(place: Place) -> Hint | None:
    """An opaque URI whose scheme has no such escape: "tel:+1 (555) 123" (RFC 3966 §3)."""
    from ...grammar.registry import schemes

    if place.component != "path" or place.blame.kind != "illegal":
        return None
    text, char = place.text, encoded_character(place.text[place.blame.start])
    scheme, colon, rest = text[:_SCHEME].partition(":")
    opaque = colon and rest[:1] != "/"
    if not opaque or char is None or len(text) > WINDOW or not _is_whole(place):
        return None
    grammar, rule = schemes().get(scheme.lower(), ("", ""))
    if not rule or grammar == place.grammar.name:
        return None
    at = place.blame.start  # what else is wrong in the text is left out
    legal = [c if place.accepts("pchar", c) or place.accepts("reserved", c) else "" for c in text]
    if load(grammar).accepts(rule, "".join([*legal[:at], char, *legal[place.blame.end :]])):
        return None
    words = f"remove it: the scheme {scheme.lower()} does not allow it, even encoded"
    return Hint(words, instead=True)


def _backslash(place: Place) -> Hint | None:
    if place.blame.kind != "illegal":
        return None
    if (path := _windows_path(place)) is not None:
        return path
    slashed = place.text[: WINDOW + 1].replace("\\", "/")
    if place.component in ("userinfo", "host", "port"):
        words = "browsers read a backslash as a slash, and go to another host than this names"
    else:
        return _instead(place, "write a slash in place of each backslash", slashed)
    return Hint(words, instead=True)


# Characters that delimit something else


def _space(place: Place) -> Hint | None:
    beside = place.before(1), place.after(1)
    if place.component == "path" and beside[0] != "/" and beside[1] in ("/", "?", "#"):
        return Hint("remove the space: it is at the end of a path segment", instead=True)
    return _SPACE if place.blame.fixes else None


_SPACE = Hint('a space in a URI is written %20; "+" means a space in form data only')


def _bracket(place: Place) -> Hint | None:
    if place.component in ("userinfo", "host", "port"):
        return _unbracketed(place)
    found = _without_slashes(place) if place.text[:1] == "[" else None
    return found or (_BRACKETS if place.component in ("path", "query", "fragment") else None)


_BRACKETS = Hint("square brackets enclose an IP address only; elsewhere write %5B and %5D")


def _brace(place: Place) -> Hint | None:
    return Hint("braces are written %7B and %7D in a URI") if place.blame.fixes else None


def _second_fragment(place: Place) -> Hint | None:
    if place.component == "fragment" and place.blame.kind == "illegal":
        if place.before(1) == "#":
            return Hint('write one "#" before the fragment', instead=True)
        return _NUMBER_SIGN
    return None


_NUMBER_SIGN = Hint('the first "#" starts the fragment; write any other in it as %23')


def _second_at_sign(place: Place) -> Hint | None:
    if place.component == "userinfo":
        return Hint('userinfo ends at the last "@"; write any other in it as %40')
    return None


def _vertical_bar(place: Place) -> Hint | None:
    before = place.before(2)
    if before[:1] == "/" and before[1:].isalpha() and place.text[:5].lower() == "file:":
        meant = place.text[: WINDOW + 1].replace("|", ":", 1)  # RFC 8089 Appendix E.2.2
        return _instead(place, "write a colon after the letter of a drive", meant)
    return Hint("a vertical bar is written %7C in a URI") if place.blame.fixes else None


def _other(place: Place) -> Hint | None:
    """A character without a hint of its own: what the component says, or its place beyond ASCII."""
    if place.blame.kind == "missing":
        absent = place.component == "scheme" and len(place.blame.path) > 1
        return _absent_scheme(place) if absent else None
    if place.component == "port":
        return _password(place)
    if place.component == "host" and place.before(1) == "]" and place.found.isdecimal():
        return Hint("a colon is missing before the port")
    if place.component == "scheme" and place.blame.start == 0:
        return _without_slashes(place)
    if place.found.isascii() or place.blame.kind != "illegal":
        return None
    if place.component == "host":
        return Hint("a host name outside ASCII is written with xn-- in a URI (RFC 5890)")
    if place.blame.fixes and place.found.isprintable():  # RFC 3987 §4.1: no formatting characters
        return Hint("an IRI may hold it (RFC 3987); in a URI it is percent-encoded")
    return None


# Hosts


def _around(place: Place) -> str | None:
    """The authority around a place without its userinfo; None if it is longer than a window."""
    text, blame = place.text, place.blame
    low = max(blame.start - WINDOW, 0)
    start = max(text.rfind("/", low, blame.start), text.rfind("@", low, blame.start))
    end = place.delimiter(blame.start)
    end = end if end >= 0 else len(text)
    if start < 0 or end - start > WINDOW:
        return None
    return text[start + 1 : end]


def _unbracketed(place: Place) -> Hint | None:
    around = _around(place)
    address = around.strip("[]") if around is not None else ""
    if address and place.accepts("IPv6address", address):
        return Hint(f"an IPv6 address is written in brackets: [{address}]")
    return None


def _colon(place: Place) -> Hint | None:
    if place.component == "port":
        return _unbracketed(place) or _password(place)
    if place.component != "path" or place.blame.start > WINDOW or ":" in place.before():
        return None
    return _without_slashes(place) or _scheme(place)


def _scheme(place: Place) -> Hint | None:
    """A scheme that the rule does not allow, or that is misspelled."""
    scheme, rest = place.before(), place.after()
    if place.accepts("scheme", scheme):
        return Hint(f'remove the scheme "{scheme}:", which this rule does not allow', instead=True)
    if rest.startswith("//"):
        return Hint('correct the scheme before "://": it is not a valid scheme', instead=True)
    return None


def _password(place: Place) -> Hint | None:
    """A delimiter in a password ends the authority there: http://user:pass/word@host/."""
    end = place.delimiter(place.blame.end)
    rest = place.text[end : place.blame.end + WINDOW] if end >= 0 else ""
    if "@" in rest and not any(c.isspace() for c in rest[: rest.index("@")]):
        return Hint(f"in a password {rest[0]} is written {percent_encoded(rest[0])}")
    return None


def _without_slashes(place: Place) -> Hint | None:
    """A host with a port where a URI or reference should start."""
    text = place.text
    colon = text.find(":", place.blame.start, place.blame.start + WINDOW)
    if place.blame.start and text[place.blame.start] == ":":
        colon = place.blame.start
    if text[:1] == "[":
        colon = text.find("]:", 0, WINDOW) + 1
    if colon <= 0 or not text[colon + 1 : colon + 2].isdecimal():
        return None
    reference = _reference_rule(place.grammar)
    if reference is None or not place.grammar.accepts(reference, f"//{text}"):
        return None
    meant = f"//{text}" if len(text) < WINDOW else "with // before it"
    return Hint(f"a host with a port, without a scheme, is written {meant}", instead=True)


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


# Schemes


def _absent_scheme(place: Place) -> Hint | None:
    """There is one in a text at most, so that this may look at all of it."""
    text = place.text
    if text.startswith("://"):
        return Hint('the scheme is missing before "://"')
    if place.accepts("IPv6address", text):
        return Hint(
            f"an IPv6 address is written //[{text}] in a reference, with a scheme before it"
        )
    reference = _reference_rule(place.grammar)
    if reference is None or not place.grammar.accepts(reference, text):
        return None
    start, slashes, rest = text[:WINDOW].partition("//")
    if slashes and rest and place.accepts("scheme", start):
        return Hint(f'a colon is missing: "{start}://"')
    return Hint(f"without a scheme it is a relative reference: {reference} allows it")


@per_grammar
def _reference_rule(grammar: Compiled) -> str | None:
    """The rule of a reference that has an authority and no scheme (RFC 3986: relative-ref)."""
    from ...grammar.compile.shapes import shapes

    if grammar.model.split is None:
        return None
    for rule in grammar.model.starts:
        made = [] if rule in grammar.model.components else shapes(grammar.model, rule)
        names = {slot.component for shape in made for slot in shape.slots}
        if "host" in names and "scheme" not in names:
            return rule
    return None


_OTHERWISE = (_windows_path, _base64, _own_rules)
"""What may be wrong with the text wherever a character in it could be encoded."""

_BY_CHARACTER: dict[str, tuple[Finder, ...]] = {
    "\\": (_backslash,),
    ":": (_colon,),
    "{": (_brace,),
    "}": (_brace,),
    "[": (_bracket,),
    "]": (_bracket,),
    "#": (_second_fragment,),
    "@": (_second_at_sign,),
    "|": (_vertical_bar,),
}
"""By the first blamed character, so that most violations cost no look at all."""
