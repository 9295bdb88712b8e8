"""The audit of other encoders and decoders: their behavior, and where it breaks the grammar.

Owns the questions about each; their behavior is data, in ``data``, each with its source.
Imports the package. Invariant: every judgment is that of the grammar or of
``decode``; none is written down.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

from uriproof.grammar import registry
from uriproof.percent.characters import ASCII, GRAMMAR, characters, octet
from uriproof.percent.decode import decode, decode_octets
from uriproof.percent.errors import DecodeError
from uriproof.validate.octets import percent_encoded

__all__ = ["NOT_TEXT", "NO_ESCAPES", "PROBES", "Coder", "Decoded", "Decoder", "Encoder"]
__all__ += ["UnknownCoder", "components", "decoder", "decoders", "encoder", "encoders", "read_data"]

CONTROLS = frozenset(c for c in ASCII if not c.isprintable())
PLAIN = frozenset(c for c in ASCII if c.isalnum())

PROBES = ("%41", "%20", "%2F", "%5B", "%25", "+", "%C3%A9", "%FF", "%00", "%u00e9", "%zz", "%")
"""Texts on which decoders differ, and one on which none does."""

NO_ESCAPES = ("%u00e9", "%zz", "%4", "%")
"""Texts that no component of a URI can hold: a percent sign in them starts no escape."""

NOT_TEXT = ("%FF", "%C0%AF", "%ED%A0%80")
"""Escapes of invalid UTF-8: a stray octet, an overlong form, a surrogate (RFC 3629 §3)."""

Decoded: TypeAlias = str | bytes | None
"""The result of a decoder: text, octets, or None for an error."""

Characters: TypeAlias = tuple[str, ...]


class UnknownCoder(LookupError):
    """No encoder, or no decoder, of that name is known; ``known`` are those that are."""

    def __init__(self, what: str, name: str, known: tuple[str, ...]) -> None:
        from difflib import get_close_matches

        self.name, self.known = name, known
        near = get_close_matches(name, known, n=3, cutoff=0.4)
        advice = f"near names: {', '.join(near)}" if near else f"known are {', '.join(known)}"
        super().__init__(f"no {what} {name!r}; {advice}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Coder:
    """The common fields of encoders and decoders; ``purpose`` is data, or whole URIs."""

    name: str
    family: str
    purpose: str
    source: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoder(Coder):
    """One encoder, and its effect on each ASCII character.

    ``purpose`` is ``data`` or ``cleaning``; ``into`` is the component it is for, empty for any
    (or for a whole URI).
    """

    bare: frozenset[str]
    into: str = ""
    space: str = f"%{ord(' '):02X}"
    drops: str = ""

    def output(self, char: str) -> str:
        """Its output for one ASCII character.

        >>> encoder("Python 3 quote_plus").output(" "), encoder("escape").output("/")
        ('+', '/')
        """
        if char in self.bare:
            return char
        if char in self.drops:
            return ""
        return self.space if char == " " else percent_encoded(char)

    def breaks(self, production: str) -> Characters:
        """The ASCII characters for which its output is not allowed by the production.

        The output is put after a letter, so that a first place makes no difference.

        >>> "".join(encoder("encodeURI").breaks("segment"))
        '#/?'
        """
        accepts = registry.load(GRAMMAR).accepts
        return tuple(c for c in ASCII if not accepts(production, "a" + self.output(c)))

    @property
    def delimiting(self) -> Characters:
        """The reserved characters that it leaves bare: a datum with one might be divided."""
        return tuple(sorted(self.bare & characters("reserved")))

    @property
    def needless(self) -> Characters:
        """The unreserved characters that it encodes (RFC 3986 section 2.3)."""
        return self.needless_in("unreserved")

    def needless_in(self, production: str) -> Characters:
        """Characters that it encodes needlessly: the production allows them bare.

        >>> "".join(encoder("encodeURIComponent").needless_in("query"))
        '$&+,/:;=?@'
        """
        return tuple(sorted(characters(production) - self.bare))

    @property
    def illegal(self) -> Characters:
        """For cleaning: illegal characters that it leaves bare (in ``into``, or in any URI)."""
        return tuple(sorted(self.bare - self.legal - {"%"}))

    @property
    def meddling(self) -> Characters:
        """For cleaning: legal characters that it encodes or drops: an escape, or a delimiter."""
        return tuple(sorted((self.legal | {"%"}) - self.bare))

    @property
    def legal(self) -> frozenset[str]:
        """For cleaning: the characters that can be bare (in ``into``, or anywhere in a URI)."""
        return (
            characters(self.into)
            if self.into
            else characters("reserved") | characters("unreserved")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoder(Coder):
    """One decoder, and its results for texts. The data explains the fields.

    ``purpose`` is ``data`` or ``display``.
    """

    no_escape: Literal["keep", "error", "whole"]
    octets: Literal["utf-8", "latin-1", "octets"]
    keeps: str = ""
    controls: bool = True
    plus: str = "+"
    not_utf8: Literal["replace", "error", "whole", "keep"] = "replace"
    units: bool = False

    def output(self, text: str) -> Decoded:
        """Its result for a text. Cost: O(n).

        >>> [decoder("decodeURI").output(text) for text in ("%C3%A9%2F", "%FF")]
        ['é%2F', None]
        >>> decoder("Java URLDecoder").output("a+b%FF"), decoder("PHP urldecode").output("%FF")
        ('a b\ufffd', b'\\xff')
        """
        found = bytearray()
        units = ""  # of UTF-16, if they are read
        for piece, value in self._pieces(text):
            if value is None and piece == "%" and self.no_escape != "keep":
                return None if self.no_escape == "error" else text
            if value is None and len(piece) == len("u0000"):
                units += chr(int(piece[1:], 16))
            elif self.octets == "latin-1":
                units += piece if value is None else chr(value)
            elif value is None or self._stays(chr(value)):
                found += (self.plus if piece == "+" else piece).encode("utf-8", "surrogatepass")
            else:
                found.append(value)
        if self.octets == "latin-1":
            return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if self.octets == "octets":
            return bytes(found)
        try:
            return found.decode()
        except UnicodeDecodeError:
            if self.not_utf8 == "replace":
                return found.decode("utf-8", "replace")
            if self.not_utf8 == "keep":
                return "".join(map(_escaped, found.decode("utf-8", "surrogateescape")))
            return text if self.not_utf8 == "whole" else None

    def _stays(self, char: str) -> bool:
        return char in self.keeps or (not self.controls and char in CONTROLS)

    def _pieces(self, text: str) -> Iterator[tuple[str, int | None]]:
        """The text in pieces, each with the octet that it is an escape of, if it is one."""
        at = 0
        while at < len(text):
            piece, value, unit = text[at], octet(text[at : at + 3]), text[at + 1 : at + 6]
            if value is not None:
                piece = text[at : at + 3]
            elif piece == "%" and self.units and unit[:1] == "u" and _is_hex(unit[1:]):
                piece, at = unit, at + 1
            yield piece, value
            at += len(piece)

    @property
    def lenient(self) -> Characters:
        """For data: those of ``NO_ESCAPES`` that it accepts, although no URI can hold them."""
        return tuple(text for text in NO_ESCAPES if self.output(text) is not None)

    @property
    def not_text(self) -> Characters:
        """For data: which of ``NOT_TEXT`` it gives as text, and no error and no octets."""
        return tuple(text for text in NOT_TEXT if isinstance(self.output(text), str))

    @property
    def misread(self) -> Characters:
        """For data: which of the probes that mean something (``decode``) it reads otherwise."""
        meant = ((text, _meant(text)) for text in PROBES)
        return tuple(text for text, what in meant if what and self.output(text) not in what)

    @property
    def delimiting(self) -> Characters:
        """For display: the reserved characters, and %, that it decodes: it shows another URI."""
        return self._decoded(characters("reserved") | {"%"})

    @property
    def decoded_controls(self) -> Characters:
        """For display: the control characters that it decodes."""
        return self._decoded(CONTROLS)

    def _decoded(self, chars: frozenset[str]) -> Characters:
        return tuple(c for c in sorted(chars) if self.output(percent_encoded(c)) == c)


@cache
def components() -> tuple[str, ...]:
    """The productions that data can be put into: those that can be empty and hold escapes.

    >>> components()
    ('userinfo', 'reg-name', 'segment', 'query', 'fragment')
    """
    grammar = registry.load(GRAMMAR)
    fit = {r for r in grammar.model.leaves if all(grammar.accepts(r, t) for t in ("", "%41"))}
    order = grammar.model.components
    names = list(dict.fromkeys(order.values()))
    return tuple(sorted(fit, key=lambda rule: names.index(order[rule])))


@cache
def encoders() -> tuple[Encoder, ...]:
    """All encoders, in the order of the data. Cost: one small file is read, once."""
    made: dict[str, Encoder] = {}
    for entry in read_data("encoders")["encoder"]:
        rules, extends = entry.pop("rules", ()), entry.pop("extends", None)
        if "encodes" in entry:
            bare = made[extends].bare if extends else frozenset(ASCII)
            bare -= CONTROLS.union(entry.pop("encodes"))
        else:
            bare = PLAIN.union(entry.pop("bare"), *map(characters, rules))
        made[entry["name"]] = Encoder(bare=bare, **entry)
    return tuple(made.values())


@cache
def decoders() -> tuple[Decoder, ...]:
    """All decoders, in the order of the data. Cost: one small file is read, once."""
    return tuple(Decoder(**entry) for entry in read_data("decoders")["decoder"])


def encoder(name: str) -> Encoder:
    """An encoder by name; case does not count. Errors: UnknownCoder, with near names."""
    return _named("encoder", name, encoders())


def decoder(name: str) -> Decoder:
    """A decoder by name; case does not count. Errors: UnknownCoder, with near names."""
    return _named("decoder", name, decoders())


_Kind = TypeVar("_Kind", bound=Coder)


def _named(what: str, name: str, known: tuple[_Kind, ...]) -> _Kind:
    for each in known:
        if each.name.lower() == name.lower():
            return each
    raise UnknownCoder(what, name, tuple(each.name for each in known))


def read_data(name: str) -> dict[str, Any]:
    """One of the files of data."""
    path = Path(__file__).parent / "data" / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _meant(text: str) -> tuple[str, bytes] | None:
    """The meaning of a text, as text and as octets; None if a query cannot hold it, or it is not
    text."""
    try:
        return decode(text, "query"), decode_octets(text)
    except DecodeError:
        return None


def _escaped(char: str) -> str:
    """A character, or, if it stands for an octet that is not text (PEP 383), its escape."""
    value = ord(char) - 0xDC00
    return f"%{value:02X}" if 0x80 <= value <= 0xFF else char  # noqa: PLR2004


def _is_hex(text: str) -> bool:
    return len(text) == len("0000") and characters("HEXDIG").issuperset(text)
