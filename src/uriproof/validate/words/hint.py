"""Hints beside violations: what was probably meant, where a near miss is well known.

Owns the recognition of near misses. Imports the grammars. Invariant: a hint changes no violation;
whether something is an address, an octet or an escape is asked of the grammar; and each hint looks
at no more than a fixed number of characters, so that all hints of a text cost O(n).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ...grammar.compiled import Compiled
from ...grammar.remember import per_grammar
from ..octets import encoded_character, percent_encoded
from .addresses import address_hint
from .place import WINDOW, Hint, Place

_ADDRESSES = frozenset({"IPv6address", "IPvFuture"})


Finder: TypeAlias = Callable[[Place], Hint | None]


def hint(place: Place) -> Hint | None:
    """What was probably meant, or None. Cost: O(1), but for the one absent scheme of a text."""
    blame = place.blame
    path, start = blame.path, blame.start
    if path[-1] in _ADDRESSES and len(path) > 1:
        return address_hint(place)
    first = place.text[start] if start < blame.end else ""
    finders = _BY_CHARACTER.get(first)
    if finders is None:
        finders = (_white_space, _space) if first.isspace() else (_other,)
    for find in finders:
        found = find(place)
        if found is not None:
            return found
    return None


# What stands around a URI


def _white_space(place: Place) -> Hint | None:
    blame, found = place.blame, place.found
    if not found.isspace():
        return None
    if blame.start == 0:
        return Hint("white space before a URI is no part of it", instead=True)
    if blame.end == len(place.text):
        return Hint("white space after a URI is no part of it", instead=True)
    if not found.isprintable():
        return Hint("a line break or tab may come from the text around the URI")
    return None


def _byte_order_mark(place: Place) -> Hint | None:
    if place.blame.start == 0:
        return Hint("a byte order mark at the start of a file is no part of the URI", instead=True)
    return None


def _quotation_mark(place: Place) -> Hint | None:
    blame = place.blame
    if blame.start == 0 or blame.end == len(place.text) or place.before(2) == "//":
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
    return found or (Hint("braces are written %7B and %7D in a URI") if place.blame.fixes else None)


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
    if "=" in inner or not inner.strip() or _is_guid(inner):
        return None
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
    if len(digits) == 4 and all(place.accepts("HEXDIG", c) for c in digits):  # noqa: PLR2004
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
    if place.blame.kind != "illegal":
        return None
    if place.component in ("userinfo", "host", "port"):
        words = "browsers read a backslash as a slash, and go to another host than this names"
    elif place.after(1) == "%":
        words = "a backslash before an escape may come from LaTeX or a shell; leave it out"
    elif place.component == "scheme" or place.before(2)[1:] == ":":
        words = "a Windows path is written with slashes in a URI: file:///C:/folder/file"
    else:
        words = "a backslash delimits nothing in a URI; a slash may be meant"
    return Hint(words, instead=True)


# Characters that delimit something else


def _space(place: Place) -> Hint | None:
    return _SPACE if place.blame.fixes else None


_SPACE = Hint('a space in a URI is written %20; "+" means a space in form data only')


def _bracket(place: Place) -> Hint | None:
    if place.component in ("userinfo", "host", "port"):
        return _unbracketed(place)
    found = _without_slashes(place) if place.text[:1] == "[" else None
    return found or (_BRACKETS if place.component in ("path", "query", "fragment") else None)


_BRACKETS = Hint("square brackets enclose an IP address only; elsewhere write %5B and %5D")


def _second_fragment(place: Place) -> Hint | None:
    if place.component == "fragment" and place.blame.kind == "illegal":
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
    if place.blame.kind == "missing":
        absent = place.component == "scheme" and len(place.blame.path) > 1
        return _absent_scheme(place) if absent else None
    if place.component == "port":
        return _password(place)
    if place.component == "host" and place.before(1) == "]" and place.found.isdecimal():
        return Hint("a colon is missing before the port")
    if place.component == "scheme" and place.blame.start == 0:
        return _authority_alone(place)
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
    return _without_slashes(place)


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


def _authority_alone(place: Place) -> Hint | None:
    return _without_slashes(place) if place.blame.start == 0 else None


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
