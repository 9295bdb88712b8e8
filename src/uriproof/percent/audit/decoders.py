"""The audit of decoders: what each makes of an escape, and where that departs from RFC 3986.

Owns the model that the data in ``encoders_data`` fills, and the questions that are asked of every
decoder. Imports the grammars and its siblings. Invariant: every judgement is the grammar's, or
what ``decode`` says; none is written down.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ...grammar import registry
from ..characters import ASCII, characters, octet, percent_encoded
from ..decode import decode, decode_octets
from ..errors import DecodeError
from .encoders import UnknownEncoder

__all__ = ["NOT_TEXT", "NO_ESCAPES", "PROBES", "Decoded", "Decoder"]
__all__ += ["UnknownDecoder", "decoder", "decoders"]

_DATA = Path(__file__).parent / "encoders_data" / "decoders.toml"

PROBES = ("%41", "%20", "%2F", "%5B", "%25", "+", "%C3%A9", "%FF", "%00", "%u00e9", "%zz", "%")
"""Texts on which decoders differ, and one on which none does."""

NO_ESCAPES = ("%u00e9", "%zz", "%4", "%")
"""Texts that no component of a URI may hold, for a percent sign in them starts no escape."""

NOT_TEXT = ("%FF", "%C0%AF", "%ED%A0%80")
"""Escapes of octets that are no UTF-8: a stray one, an overlong form, a surrogate (RFC 3629 §3)."""

Decoded: TypeAlias = str | bytes | None
"""What a decoder gives: text, octets, or None for an error."""


class UnknownDecoder(UnknownEncoder):
    """No decoder of that name is known; ``known`` are those that are."""

    what = "decoder"


@dataclass(frozen=True, slots=True)
class Decoder:
    """One decoder, and what it makes of a text. The fields are told in the data."""

    name: str
    family: str
    purpose: Literal["data", "display"]
    source: str
    note: str
    keeps: frozenset[str]
    plus: str
    no_escape: Literal["keep", "error", "whole"]
    octets: Literal["utf-8", "latin-1", "octets"]
    not_utf8: Literal["replace", "error", "whole", "keep"]
    units: bool

    def output(self, text: str) -> Decoded:
        """What it gives for a text. Cost: O(n).

        >>> [decoder("decodeURI").output(text) for text in ("%C3%A9%2F", "%FF")]
        ['é%2F', None]
        >>> decoder("Java URLDecoder").output("a+b%FF"), decoder("PHP urldecode").output("%FF")
        ('a b\ufffd', b'\\xff')
        """
        found = bytearray()
        units = ""  # of UTF-16, where they are read
        for piece, value in self._pieces(text):
            if value is None and piece == "%" and self.no_escape != "keep":
                return None if self.no_escape == "error" else text
            if value is None and len(piece) == len("u0000"):
                units += chr(int(piece[1:], 16))
            elif self.octets == "latin-1":
                units += piece if value is None else chr(value)
            elif value is None or chr(value) in self.keeps:
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

    def _pieces(self, text: str) -> Iterator[tuple[str, int | None]]:
        """The text in pieces, each with the octet that it is an escape of, if it is one."""
        at = 0
        while at < len(text):
            piece = text[at : at + 3]
            unit = text[at + 1 : at + 6]
            if text[at] != "%":
                yield text[at], None
                at += 1
            elif octet(piece) is not None:
                yield piece, int(piece[1:], 16)
                at += 3
            elif self.units and unit[:1] == "u" and _is_hex(unit[1:]):
                yield unit, None
                at += 6
            else:
                yield "%", None
                at += 1

    @property
    def lenient(self) -> tuple[str, ...]:
        """For data: which of ``NO_ESCAPES`` it takes, though no URI may hold them."""
        return tuple(text for text in NO_ESCAPES if self.output(text) is not None)

    @property
    def misread(self) -> tuple[str, ...]:
        """For data: which of the probes that mean something (``decode``) it reads otherwise."""
        return tuple(
            text
            for text in PROBES
            if _legal(text) and (said := _meant(text)) is not None and self.output(text) not in said
        )

    @property
    def not_text(self) -> tuple[str, ...]:
        """For data: which of ``NOT_TEXT`` it gives as text, and no error and no octets."""
        found = [(text, self.output(text)) for text in NOT_TEXT]
        return tuple(text for text, given in found if isinstance(given, str))

    @property
    def delimiting(self) -> tuple[str, ...]:
        """For display: the reserved characters, and %, that it decodes: it shows another URI."""
        return self._decoded(characters("reserved") | {"%"})

    @property
    def controls(self) -> tuple[str, ...]:
        """For display: the control characters that it decodes."""
        return self._decoded(frozenset(c for c in ASCII if not c.isprintable()))

    def _decoded(self, chars: frozenset[str]) -> tuple[str, ...]:
        return tuple(c for c in ASCII if c in chars and self.output(percent_encoded(c)) == c)

    def to_dict(self, texts: tuple[str, ...] = PROBES) -> dict[str, Any]:
        """JSON-ready: what it makes of each text (octets in hex), and where that is judged bad."""
        judged: dict[str, Any] = {
            "lenient": list(self.lenient),
            "not_text": list(self.not_text),
            "misread": list(self.misread),
        }
        if self.purpose == "display":
            judged = {"delimiting": list(self.delimiting), "controls": list(self.controls)}
        made: dict[str, Any] = {}
        for text in texts:
            given = self.output(text)
            made[text] = {"octets": given.hex(" ")} if isinstance(given, bytes) else given
        return {
            "name": self.name,
            "family": self.family,
            "purpose": self.purpose,
            "source": self.source,
            "note": self.note or None,
            "output": made,
            **judged,
        }


@cache
def decoders() -> tuple[Decoder, ...]:
    """All decoders, in the order of the data. Cost: one small file is read, once."""
    made = []
    controls = frozenset(c for c in ASCII if not c.isprintable())
    for entry in tomllib.loads(_DATA.read_text(encoding="utf-8"))["decoder"]:
        made.append(
            Decoder(
                name=entry["name"],
                family=entry["family"],
                purpose=entry["purpose"],
                source=entry["source"],
                note=entry.get("note", ""),
                keeps=frozenset(entry.get("keeps", ""))
                | (frozenset() if entry.get("controls", True) else controls),
                plus=entry.get("plus", "+"),
                no_escape=entry["no_escape"],
                octets=entry["octets"],
                not_utf8=entry.get("not_utf8", "replace"),
                units=entry.get("units", False),
            )
        )
    return tuple(made)


def decoder(name: str) -> Decoder:
    """A decoder by name; case does not count. Errors: UnknownDecoder, with near names."""
    for each in decoders():
        if each.name.lower() == name.lower():
            return each
    raise UnknownDecoder(name, tuple(each.name for each in decoders()))


def _legal(text: str) -> bool:
    """Whether some component may hold the text; the query holds whatever any other does."""
    return registry.load("rfc3986").accepts("query", text)


def _meant(text: str) -> tuple[str, bytes] | None:
    """What a text means, as text and as octets; None where its octets are no text."""
    try:
        return decode(text), decode_octets(text)
    except DecodeError:
        return None


def _escaped(char: str) -> str:
    """A character, or, where it stands for an octet that is no text (PEP 383), its escape."""
    octet = ord(char) - 0xDC00
    return f"%{octet:02X}" if 0x80 <= octet <= 0xFF else char  # noqa: PLR2004


def _is_hex(text: str) -> bool:
    accepts = registry.load("rfc3986").accepts
    return len(text) == len("0000") and all(accepts("HEXDIG", char) for char in text)
