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
from ...text.drawing import named, visible
from ...text.invisible import hidden, hides
from ..octets import encoded_character
from ..recovery import Blame
from .catalogue import say
from .messages import with_article

WINDOW = 200
"""How many characters a hint looks at before and after what is blamed."""

_ADDRESSES = frozenset({"IPv6address", "IPvFuture"})
_SHOWN = 20
"""Characters of a part of an address that a sentence quotes."""
_LABEL = 80
"""Characters of the text of a link that its end is looked for in: a line of it."""
_SCHEME = 40
"""Characters that a scheme and its colon are looked for in; registered ones have 36 at most."""
_WRAPPING = frozenset("\t\n\r")  # RFC 3986 Appendix C


class Hint(NamedTuple):
    """What was probably meant, or why not; ``instead`` is true where that rules the fix out.

    Percent-encoding a character fixes a URI that was meant to hold it. Where something else may
    be meant, such as white space that is no part of the URI, there is no safe fix.
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
    if path[-1] in _ADDRESSES:
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
    return None


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
    if place.blame.kind != "illegal":
        return None
    if (path := _windows_path(place)) is not None:
        return path
    after, slashed = place.after(5), place.text[: WINDOW + 1].replace("\\", "/")
    digits = after[1:] if after[:1] == "u" else ""
    if after[:1] in ("/", '"') or (len(digits) == 4 and _is_hex(place, digits)):  # noqa: PLR2004
        return _json(place)
    if place.component in ("userinfo", "host", "port"):
        words = "browsers read a backslash as a slash, and go to another host than this names"
    elif after[:1] == "%":
        words = "a backslash before an escape may come from LaTeX or a shell; leave it out"
    else:
        return _instead(place, "write a slash in place of each backslash", slashed)
    return Hint(words, instead=True)


def _json(place: Place) -> Hint:
    """A text as a JSON string has it (RFC 8259 §7)."""
    import json

    try:
        meant = json.loads(f'"{place.text}"') if len(place.text) <= WINDOW else ""
    except ValueError:
        meant = ""
    encoded = "".join(c if c.isascii() else encoded_character(c) or c for c in meant)
    return _instead(place, "undo the escapes of JSON", encoded)


def _is_hex(place: Place, digits: str) -> bool:
    return all(place.accepts("HEXDIG", digit) for digit in digits)


# Characters that delimit something else


def _space(place: Place) -> Hint | None:
    beside = place.before(1), place.after(1)
    if place.component == "path" and beside[0] != "/" and beside[1] in ("/", "?", "#"):
        return Hint("remove the space: it is at the end of a path segment", instead=True)
    return _SPACE if place.blame.fixes and place.component == "query" else None


_SPACE = Hint('write %20; "+" means a space only in form data')


def _bracket(place: Place) -> Hint | None:
    found = _without_slashes(place) if place.text[:1] == "[" else None
    text, end = place.text, place.blame.end
    closed = end - 1 if text[end - 1] == "]" else text.find("]", end, end + _LABEL)
    if found is None and text.startswith("](", closed):
        return Hint("write the target of the Markdown link alone", instead=True)
    return found


def _second_fragment(place: Place) -> Hint | None:
    if place.blame.kind == "illegal" and place.component == "fragment" and place.before(1) == "#":
        return Hint('write one "#" before the fragment', instead=True)
    return None


def _at_sign(place: Place) -> Hint | None:
    """What is said of a password, too, in which no fix is shown."""
    return Hint(f"write {place.blame.fixes[0]}") if place.blame.fixes else None


def _vertical_bar(place: Place) -> Hint | None:
    before = place.before(2)
    if before[:1] == "/" and before[1:].isalpha() and place.text[:5].lower() == "file:":
        meant = place.text[: WINDOW + 1].replace("|", ":", 1)  # RFC 8089 Appendix E.2.2
        return _instead(place, "write a colon after the letter of a drive", meant)
    return None


def _other(place: Place) -> Hint | None:
    """A character without a hint of its own: what the component says, or its place beyond ASCII."""
    if place.blame.kind == "missing":
        absent = place.component == "scheme" and len(place.blame.path) > 1
        return _absent_scheme(place) if absent else None
    if place.component == "host" and place.before(1) == "]" and place.found.isdecimal():
        return Hint(f'put ":" before the port: ":{place.found}"')
    if place.component == "scheme" and place.blame.start == 0:
        return _without_slashes(place)
    if place.found.isascii() or place.blame.kind != "illegal":
        return None
    is_data = place.blame.fixes and place.component != "userinfo"
    if is_data and place.found.isprintable():  # RFC 3987 §4.1: no formatting characters
        return Hint("percent-encode it, or check the text as an IRI")
    return None


# Hosts


def _colon(place: Place) -> Hint | None:
    if place.component != "path" or place.blame.start > WINDOW or ":" in place.before():
        return None
    return _without_slashes(place) or _scheme(place)


def _scheme(place: Place) -> Hint | None:
    """A scheme that the rule does not allow, or that is misspelled."""
    scheme, rest = place.before(), place.after()
    if place.accepts("scheme", scheme):
        whole = with_article(place.blame.path[0])
        message = say("scheme-not-allowed", whole=whole)
        return Hint(f'remove the scheme "{scheme}:"', instead=True, message=message)
    if rest.startswith("//"):
        return Hint(None, instead=True, message=say("scheme-not-valid"))
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
    zoneless, percent, _ = address.partition("%")
    if percent and place.accepts("IPv6address", zoneless):
        return Hint(None, message=say("zone"))
    if place.accepts("IPv4address", address):
        return Hint(None, message=say("ipv4-bracketed"))
    if ":" not in address and address[:1] not in ("v", "V") and place.accepts("reg-name", address):
        return Hint(None, message=say("name-bracketed")) if address else None
    if place.blame.path[-1] == "IPvFuture":
        return Hint(None, message=say("future"))
    return Hint(None, message=_groups(place, address))


def _groups(place: Place, address: str) -> str:
    """What is wrong with the groups of an IPv6 address (RFC 4291 §2.2)."""
    halves = address.split("::")
    if ":::" in address:
        return say("three-colons")
    if len(halves) > 2:  # noqa: PLR2004
        return say("zeros-once")
    groups = [g for half in halves for g in half.split(":")] if address else []
    groups = [g for g in groups if g]
    for group in groups:
        if "." in group:
            words = _octets(place, group)
            if words:
                return words
        elif not all(place.accepts("HEXDIG", c) for c in group):
            return say("group", group=visible(group[:_SHOWN]))
        elif not place.accepts("h16", group):
            return say("group-digits", group=group[:_SHOWN])
    count = len(groups) + sum("." in g for g in groups[-1:])
    if len(halves) == 2 and count > 7:  # noqa: PLR2004 -- RFC 4291 §2.2
        return say("groups-with-zeros", count=count)
    if any("." in g for g in groups[:-1]):
        return say("ipv4-end")
    if len(halves) == 1 and count != 8:  # noqa: PLR2004
        return say("groups", count=count)
    return say("one-colon")


def _octets(place: Place, address: str) -> str:
    """What is wrong with the octets of an IPv4 address."""
    octets = address.split(".")
    for octet in octets:
        if not octet or place.accepts("dec-octet", octet):
            continue
        is_number = octet.isdecimal() and octet.isascii()
        name = "octet-zero" if is_number and octet.startswith("0") else "octet"
        return say(name, octet=visible(octet[:_SHOWN]))
    if len(octets) != 4 or not all(octets):  # noqa: PLR2004
        return say("octets", count=len([o for o in octets if o]))
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


_OTHERWISE = (_second_uri, _invisible, _windows_path)
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
    "@": (_at_sign,),
    "|": (_vertical_bar,),
    "\ufeff": (_byte_order_mark, _other),
}
"""By the first blamed character, so that most violations cost no look at all."""
