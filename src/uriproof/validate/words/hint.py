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
from ...grammar.schemes import registered
from ...text.drawing import named
from ...text.invisible import hidden, hides
from ..octets import encoded_character, percent_encoded
from ..recovery import Blame

WINDOW = 200
"""How many characters a hint looks at before and after what is blamed."""

_ADDRESSES = frozenset({"IPv6address", "IPvFuture"})
_LABEL = 80
"""Characters of the text of a link that its end is looked for in: a line of it."""
_SCHEME = 40
"""Characters that a scheme and its colon are looked for in; registered ones have 36 at most."""
_WRAPPING = frozenset("\t\n\r")  # RFC 3986 Appendix C


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
    """What was probably meant, or None. Cost: O(1)."""
    blame = place.blame
    path, start = blame.path, blame.start
    if path[-1] in _ADDRESSES and len(path) > 1:
        return _address(place)
    first = place.text[start] if start < blame.end else ""
    finders = _BY_CHARACTER.get(first)
    if finders is None:
        finders = (_white_space, _space) if first.isspace() else (_other,)
    found = _first(finders, place)
    if blame.fixes and (found is None or not found.instead):
        return _first(_OTHERWISE, place) or found
    return found


def _first(finders: Iterable[Finder], place: Place) -> Hint | None:
    return next((found for find in finders if (found := find(place)) is not None), None)


# What the whole text is, so that a fix of one character would hide the mistake


def _is_whole(place: Place) -> bool:
    """Whether the rule is one of a whole reference, and not of a component."""
    return place.blame.path[0] not in place.grammar.model.components


def _invisible(place: Place) -> Hint | None:
    start, end = place.blame.start, place.blame.end
    if not hides(place.text[start:end]):
        return None
    for at in range(start, end):
        if place.text[at] in _WRAPPING:
            words = "remove the line break or tab, which may come from the text around the URI"
            return Hint(words, instead=True)
        if what := hidden(place.text, at):
            return Hint(f"remove {named(place.text[at])}, which {what}", instead=True)
    return None


def _second_uri(place: Place) -> Hint | None:
    """A scheme and "//" after what is blamed, or after white space in it a registered scheme or
    "www."."""
    if not _is_whole(place):
        return None
    after = place.after(_SCHEME)
    before, slashes, _ = after.partition("://")
    word = (before.split() or [""])[-1] if slashes else ""
    between = before[: len(before) - len(word)]
    near = between[-1:].isspace() or not between
    if word and near and place.accepts("scheme", word):
        return Hint(f'write one URI at a time: "{word}://" starts another one', instead=True)
    scheme, colon, _ = after.partition(":")
    is_next = (colon and registered(scheme) is not None) or after.startswith("www.")
    if place.found[-1:].isspace() and is_next:
        return Hint("write one URI at a time: after the white space, another one starts", True)
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


# What stands around a URI


def _white_space(place: Place) -> Hint | None:
    blame, found = place.blame, place.found
    if not found.isspace():
        return None
    if blame.start == 0:
        return Hint("white space before a URI is no part of it", instead=True)
    if blame.end == len(place.text):
        return Hint("white space after a URI is no part of it", instead=True)
    return None


def _byte_order_mark(place: Place) -> Hint | None:
    if place.blame.start == 0:
        return Hint("a byte order mark at the start of a file is no part of the URI", instead=True)
    return None


def _quotation_mark(place: Place) -> Hint | None:
    blame, text = place.blame, place.text
    # One that ends what another began within the text is data: "?q="a"".
    closes = text[0] != text[blame.start] and place.before().count(text[blame.start]) % 2
    is_last = blame.end == len(text) and not closes
    if blame.start == 0 or is_last or place.before(2) == "//":
        return Hint("a quotation mark around a URI is no part of it", instead=True)
    return None


def _angle_bracket(place: Place) -> Hint | None:
    blame, text = place.blame, place.text
    if text[:1] == "<" and text[-1:] == ">" and (blame.start == 0 or blame.end == len(text)):
        words = "angle brackets around a URI are no part of it (RFC 3986 Appendix C)"
        return Hint(words, instead=True)
    found = _placeholder(place, "<", ">")
    if found is None and (blame.start == 0 or blame.end == len(text)):
        return Hint("an angle bracket at the end of a URI is no part of it", instead=True)
    return found


# What a template fills in


def _brace(place: Place) -> Hint | None:
    found = _placeholder(place, "{", "}")
    if found is not None or not place.blame.fixes:
        return found
    other, around = ("}", place.after()) if place.found[0] == "{" else ("{", place.before())
    if other not in place.found and other not in around:
        return Hint(f'complete the placeholder: there is no "{other}"', instead=True)
    return Hint("braces are written %7B and %7D in a URI")


def _placeholder(place: Place, opening: str, closing: str) -> Hint | None:
    """Delimiters around what could be a name: letters, and no assignment."""
    if _quotes(place.grammar, opening):
        return None  # a grammar of templates has placeholders of its own
    blame, text = place.blame, place.text
    if text[blame.start] == opening:
        start, end = blame.start, text.find(closing, blame.start, blame.start + WINDOW)
    else:
        start = text.rfind(opening, max(blame.start - WINDOW, 0), blame.start)
        end = blame.start
    if start < 0 or end < 0:
        return None
    inner = text[start + 1 : end].strip(opening + closing)
    if "=" in inner or '"' in inner or not inner.strip() or _is_guid(inner):
        return None  # data, such as JSON
    if opening == "<" and not inner.replace("-", "").replace(" ", "").isidentifier():
        return None  # markup, perhaps
    words = f"{opening}{inner}{closing} looks like a placeholder: fill it in before it is a URI"
    if len(inner) > 20:  # noqa: PLR2004 -- more would bury the sentence
        words = f"{opening}...{closing} looks like a placeholder: fill it in before it is a URI"
    return Hint(words, instead=True)


@per_grammar
def _quotes(grammar: Compiled, char: str) -> bool:
    """True when the grammar itself has a character in quotes. Cost: once for each grammar."""
    return any(f'"{char}"' in rule.text for rule in grammar.model.rules.values())


_GUID = 36
"""Characters of a GUID: 32 digits, four hyphens."""


def _is_guid(text: str) -> bool:
    if len(text) != _GUID:
        return False
    from uuid import UUID

    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


# Escapes


def _legacy_escape(place: Place) -> Hint | None:
    after = place.after(5)
    if place.blame.kind != "bad-escape" or after[:1] not in ("u", "U"):
        return None
    digits = after[1:]
    if len(digits) == 4 and _is_hex(place, digits):  # noqa: PLR2004
        octets = encoded_character(chr(int(digits, 16)))
        meant = f"; in UTF-8 it is {octets}" if octets else ""
        return Hint(f"%uXXXX is an escape of old scripts, not of URIs{meant}", instead=True)
    return None


def _format_directive(place: Place) -> Hint | None:
    """A percent sign of a format string: %s, %d, %(name)s."""
    after = place.after()
    if place.blame.kind != "bad-escape" or place.before(1).isdigit():
        return None
    name, bracket, rest = after[1:].partition(")") if after[:1] == "(" else ("", "", after)
    if (bracket or after[:1] != "(") and rest[:1] in ("s", "d") and not rest[1:2].isalnum():
        shown = f"%({name})s" if name else f"%{rest[:1]}"
        words = f"{shown} looks like a placeholder: fill it in before it is a URI"
        return Hint(words, instead=True)
    return None


def _backslash(place: Place) -> Hint | None:
    """Not in a query or fragment, where it is data."""
    if place.component in ("userinfo", "host", "port"):
        words = "browsers read a backslash as a slash, and go to another host than this names"
        return Hint(words, instead=True)
    return Hint('URIs use "/", not "\\"', instead=True) if place.component == "path" else None


def _is_hex(place: Place, digits: str) -> bool:
    return all(place.accepts("HEXDIG", digit) for digit in digits)


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
    text, end = place.text, place.blame.end
    closed = end - 1 if text[end - 1] == "]" else text.find("]", end, end + _LABEL)
    if text.startswith("](", closed):
        return Hint("write the target of the Markdown link alone", instead=True)
    return _BRACKETS if place.component in ("path", "query", "fragment") else None


_BRACKETS = Hint("square brackets enclose an IP address only; elsewhere write %5B and %5D")


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
    return Hint("a vertical bar is written %7C in a URI") if place.blame.fixes else None


def _other(place: Place) -> Hint | None:
    """A character without a hint of its own: what the component says, or its place beyond ASCII."""
    if place.component == "port":
        return _password(place)
    if place.component == "host" and place.before(1) == "]" and place.found.isdecimal():
        return Hint("a colon is missing before the port")
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
    return None


def _password(place: Place) -> Hint | None:
    """A delimiter in a password ends the authority there: http://user:pass/word@host/."""
    end = place.delimiter(place.blame.end)
    rest = place.text[end : place.blame.end + WINDOW] if end >= 0 else ""
    if "@" in rest and not any(c.isspace() for c in rest[: rest.index("@")]):
        return Hint(f"in a password {rest[0]} is written {percent_encoded(rest[0])}")
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


_OTHERWISE = (_second_uri, _invisible, _base64, _own_rules)
"""What may be wrong with the text wherever a character in it could be encoded."""

_BY_CHARACTER: dict[str, tuple[Finder, ...]] = {
    "\\": (_backslash,),
    "%": (_legacy_escape, _format_directive),
    ":": (_colon,),
    "{": (_brace,),
    "}": (_brace,),
    "<": (_angle_bracket,),
    ">": (_angle_bracket,),
    '"': (_quotation_mark,),
    "“": (_quotation_mark, _other),
    "”": (_quotation_mark, _other),
    "[": (_bracket,),
    "]": (_bracket,),
    "#": (_second_fragment,),
    "@": (_second_at_sign,),
    "|": (_vertical_bar,),
    "\ufeff": (_byte_order_mark, _other),
}
"""By the first blamed character, so that most violations cost no look at all."""
