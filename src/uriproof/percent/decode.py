"""Percent-decoding: text from a URI in, data out, with faults as spans.

Owns the way from percent-encoded octets back to text or octets. Imports the grammars, their
character sets and the drawing. Invariant: without a fault, the result is that of every decoder
gives; with one, nothing is guessed: it raises, or treats each fault as the caller asked.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import get_args

from ..arguments import strings, wrong
from ..grammar import registry
from ..text.drawing import named
from ..text.names import joined
from ..validate.octets import percent_encoded
from ..validate.report import make_report
from ..validate.words.catalogue import say
from ..validate.words.messages import are, noun
from ..validate.words.messages import characters as bare_characters
from .characters import GRAMMAR, Flaw, characters, divided, pieces
from .encode import check_names
from .errors import DecodeError, DecodeFault, Errors, FaultKind, known

REPLACEMENT = "\ufffd"
_UNITS = "utf-16-be"
"""The encoding of code units in their escapes (RFC 2781 §2)."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The result of decoding, and the faults that were replaced, dropped or kept in it."""

    text: str
    faults: tuple[DecodeFault, ...]


def decode(
    text: str,
    component: str | None = None,
    *,
    errors: Errors = "raise",
    form: bool = False,
    u_escapes: bool = False,
    accept: Container[str] | Callable[[str], bool] | None = None,
    grammar: str = GRAMMAR,
    encoding: str = "utf-8",
) -> str:
    """The data behind text that was percent-encoded.

    ``errors``: raise (all faults at once), replace each with U+FFFD, drop it, or keep it unchanged.
    To drop joins what a filter of the text kept apart (Unicode TR 36 §3.5). With ``component``, or
    any other production, a character that it does not allow unencoded is also a fault; without,
    such characters are left unchanged. ``accept`` decides which characters the result can have: a
    set of them, or a function of one (``str.isprintable``).

    ``form``: a plus sign is a space, which is so in form data only, and is replaced before
    anything is percent-decoded. ``u_escapes``: read ``%uXXXX``, a UTF-16 code unit as the
    JavaScript function ``escape`` writes it; otherwise it is a fault.

    Errors: DecodeError, with every fault and its span in code points of ``text``;
    UnknownEncoding, UnknownRule, UnknownGrammar, TypeError; ValueError for an unknown ``errors``.
    Cost: O(n). Spec: RFC 3986 §2.1, §2.5; RFC 3629 §3.

    >>> decode("Helen%20%C3%98deg%C3%A5rd"), decode("a+b%2B", form=True), decode("a+b%2B")
    ('Helen Ødegård', 'a b+', 'a+b+')
    >>> decode("scr%FFipt", errors="drop"), decode("%C4rzteblatt", encoding="latin-1")
    ('script', 'Ärzteblatt')
    >>> decode("100%")
    Traceback (most recent call last):
    uriproof.percent.errors.DecodeError: This cannot be decoded.
    100%
       ^
      bad-escape  3  "%" must be followed by two hex digits; write %25.
    """
    if isinstance(text, str) and (errors == "raise" or errors in _ERRORS):
        try:
            if component is None or _matcher(component, grammar)(text):
                plain = text.replace("+", " ") if form else text
                if "%" not in plain and plain.isascii() and encoding == "utf-8":
                    found = plain
                else:
                    found = read(plain, encoding)
                if accept is None or all(map(_asked(accept), found)):
                    return found
        except (UnicodeError, TypeError):
            pass  # something is wrong, and is found out in the long way
    options = errors, form, u_escapes, accept, grammar, encoding
    return decode_report(text, component, *options).text


def decode_octets(text: str, component: str | None = None, *, grammar: str = GRAMMAR) -> bytes:
    """The octets behind text that was percent-encoded; a bare character is its octet in ASCII.

    Errors: DecodeError for a bad escape, for a character that is not in ASCII, and for what
    ``component``, or any other production, does not allow; UnknownRule, UnknownGrammar, TypeError.
    Cost: O(n). Spec: RFC 3986 §2.1.

    >>> decode_octets("4%20%F7%203")
    b'4 \\xf7 3'
    """
    strings(text=text)
    check_names(component, grammar)
    if text.isascii() and (component is None or _matcher(component, grammar)(text)):
        try:
            return _octets_of(text)
        except UnicodeError:
            pass  # a bad escape, which is reported below
    faults = tuple(
        DecodeFault(*found.span(), found[0], "illegal", f"{named(found[0][0])} is not in ASCII")
        for found in re.finditer("[^\0-\x7f]+", text)
    )
    if faults:
        raise DecodeError(text, faults, component is not None and _secret(component))
    return decode(text, component, grammar=grammar, encoding="latin-1").encode("latin-1")


def read(text: str, encoding: str) -> str:
    """A text without faults, percent-decoded; faults are not reported.

    Errors: UnicodeError, if there is any fault or the encoding is not one for bare characters;
    UnknownEncoding, TypeError. Cost: O(n), in C.
    """
    if encoding == "utf-8" or _is_utf8(known(encoding)):
        if "%" in text:
            # No bare character can complete the octets of an escape, nor the other way round.
            return _octets_of(text).decode()
        if not text.isascii():
            text.encode()  # a lone surrogate
        return text
    if not text.isascii():
        raise UnicodeError("the octets of bare characters are those of ASCII, or unknown")
    return _octets_of(text).decode(encoding)


def read_as_browsers_do(text: str, encoding: str) -> str:
    """As ``read``, in UTF-8; invalid escapes stay, and invalid UTF-8 becomes U+FFFD.

    Errors: UnicodeError, for a lone surrogate. Cost: O(n). Spec: WHATWG URL, percent-decode; the
    Encoding Standard, UTF-8 decode without BOM.
    """
    try:
        return read(text, encoding)
    except UnicodeDecodeError:
        return _octets_of(without_stray(text)).decode("utf-8", "replace")


def _octets_of(text: str) -> bytes:
    """The octets of a text: those of its escapes, and in UTF-8 those of bare characters.

    Python's own escapes of octets are those of RFC 3986 section 2.1 in another spelling: a
    backslash and an x, then two hexadecimal digits. Errors: UnicodeError, for a bad escape or a
    lone surrogate.
    """
    written = text.replace("\\", "%5C").replace("%", "\\x")
    return _unescape(written.encode())[0].encode("latin-1")


_unescape = codecs.getdecoder("unicode_escape")


@cache
def _matcher(component: str, grammar: str) -> Callable[[str], object]:
    check_names(component, grammar)
    compiled = registry.load(grammar)
    return compiled.matcher(compiled.rule_name(component))


def decode_report(
    text: str,
    component: str | None = None,
    errors: Errors = "raise",
    form: bool = False,
    u_escapes: bool = False,
    accept: Container[str] | Callable[[str], bool] | None = None,
    grammar: str = GRAMMAR,
    encoding: str = "utf-8",
) -> Decoded:
    """As ``decode``, with the faults that were not raised.

    >>> report = decode_report("%zz%C0%AF", errors="replace")
    >>> [(f.start, f.end, f.kind) for f in report.faults]
    [(0, 1, 'bad-escape'), (3, 9, 'overlong')]
    """
    strings(text=text)
    if errors not in _ERRORS:
        same = _PYTHONS.get(str(errors))
        instead = f": write {same!r}" if same else ""
        raise ValueError(f"errors is one of {', '.join(_ERRORS)}, not {errors!r}{instead}")
    check_names(component, grammar)
    accepts = None if accept is None else _asked(accept)
    scan = _Scan(text, known(encoding), u_escapes, accepts, errors)
    if component is not None:
        scan.validated(component, grammar)
    scan.read(text.replace("+", " ") if form else text)
    faults = scan.faults()
    if faults and errors == "raise":
        raise DecodeError(text, faults, component is not None and _secret(component))
    return Decoded("".join(scan.out), faults)


_ERRORS: tuple[str, ...] = get_args(Errors)
_PYTHONS = {"strict": "raise", "ignore": "drop"}
"""What Python's own decoders call them; ``replace`` is the same."""


def _secret(component: str) -> bool:
    """Whether messages must not show the text: userinfo might hold a password (§3.2.1)."""
    return component.lower() in ("userinfo", "authority")


def _asked(accept: Container[str] | Callable[[str], bool]) -> Callable[[str], bool]:
    if callable(accept):
        return accept
    if not isinstance(accept, Container) or isinstance(accept, bytes | bytearray | memoryview):
        raise wrong("accept", accept, "a set of characters, or a function of one")
    return accept.__contains__


@cache
def _escape() -> re.Pattern[str]:
    """An escape of either kind, or a percent sign that begins none."""
    hexdig = f"[{''.join(sorted(characters('HEXDIG')))}]"
    return re.compile(f"%(?:(?P<octet>{hexdig}{{2}})|u(?P<unit>{hexdig}{{4}}))?")


@cache
def _token() -> re.Pattern[str]:
    """An escape of either kind, or a character."""
    return re.compile(f"{_escape().pattern}|[^%]")


def without_stray(text: str) -> str:
    """A text in which each percent sign that begins no escape is one."""
    return _escape().sub(lambda found: found[0] if found["octet"] else "%25" + found[0][1:], text)


class _Scan:
    """One reading of a text, character by character: its result, and the faults."""

    def __init__(
        self,
        text: str,
        encoding: str,
        u_escapes: bool,
        accepts: Callable[[str], bool] | None,
        errors: Errors,
    ) -> None:
        self.out: list[str] = []
        self._faults: list[_Fault] = []
        self._text = text
        self._encoding = encoding
        self._u_escapes = u_escapes
        self._accepts = accepts
        self._illegal: set[int] = set()
        self._errors = errors
        self._production = ""
        self._octets = bytearray()
        self._starts: list[int] = []  # the place of each octet in the text
        self._are_units = False  # UTF-16 code units, of JavaScript's escapes
        self._end = 0

    def validated(self, component: str, grammar: str) -> None:
        """The characters that the production does not allow at their places, and missing ones.

        A bad escape is left to the reading, which reports it.
        """
        compiled = registry.load(grammar)
        self._production = compiled.rule_name(component)
        for violation in make_report(compiled, self._text, self._production).violations:
            if violation.kind == "missing":
                place = (violation.start, violation.end)
                self._faults.append(_Fault(*place, "missing", violation.message))
            elif violation.kind == "illegal":
                self._illegal.update(range(violation.start, violation.end))

    def read(self, text: str) -> None:
        """``text`` is the one to read; faults show the one that was given."""
        for match in _token().finditer(text):
            start, end = match.span()
            octet, unit = match.groups()
            char = text[start]
            escapes = octet or (self._u_escapes and unit)
            if char == "%" and not escapes:
                self._refuse(start, end, "u-escape" if unit else "bad-escape", _about_escape(unit))
            elif start in self._illegal:
                self._refuse(start, end, "illegal", self._no_escapes() if escapes else "")
            elif "\ud800" <= char <= "\udfff":
                words = f"{named(char)} is half of a surrogate pair, not a character."
                self._refuse(start, end, "surrogate", words)
            elif char > "\x7f":
                self._read_octets()
                self._give(char, start, end)
            elif escapes:
                self._take(bytes.fromhex(escapes), start, unit is not None)
            else:
                self._take(char.encode(), start, False)
            self._end = end
        self._read_octets()

    def _take(self, octets: bytes, start: int, are_units: bool) -> None:
        """Octets that belong together with those before them, if these are of the same kind."""
        if are_units != self._are_units:
            self._read_octets()
            self._are_units = are_units
        self._octets += octets
        self._starts += [start, start + 3][: len(octets)]

    def _refuse(self, start: int, end: int, kind: FaultKind, message: str) -> None:
        self._read_octets()
        self._fault(start, end, kind, message)

    def _no_escapes(self) -> str:
        place = noun(self._production, self._production)
        return say("not-allowed", what="percent-encoding is", place=place)

    def _give(self, char: str, start: int, end: int) -> None:
        """One character of the result, if it is accepted."""
        if self._accepts is None or self._accepts(char):
            self.out.append(char)
        else:
            self._fault(start, end, "not-accepted", f"{named(char)} is not one of those accepted.")

    def _read_octets(self) -> None:
        """The octets so far, as text: they belong together until another character."""
        octets, starts = bytes(self._octets), [*self._starts, self._end]
        encoding = _UNITS if self._are_units else self._encoding
        self._octets.clear()
        self._starts.clear()
        for piece in pieces(octets, encoding):
            start, end = starts[piece.start], starts[piece.end]
            if piece.flaw is not None:
                self._fault(start, end, *self._flaw(piece.flaw, octets[piece.start : piece.end]))
            elif self._accepts is None or all(map(self._accepts, piece.text)):
                self.out.append(piece.text)
            else:
                for one in divided(piece, encoding):
                    for char in one.text:
                        self._give(char, starts[one.start], starts[one.end])

    def _flaw(self, flaw: Flaw, octets: bytes) -> tuple[Flaw, str, int]:
        """The kind of octets that are not text, what is said of them, and how often."""
        if self._are_units:
            return "surrogate", "Half of a surrogate pair is not a character.", 1
        message = _MESSAGES[flaw].format(_bytes(octets), self._encoding.upper())
        # As many as any decoder puts there (Unicode Standard, section 3.9).
        count = len(octets.decode("utf-8", "replace")) if _is_utf8(self._encoding) else 1
        return flaw, message, count

    def _fault(
        self, start: int, end: int, kind: FaultKind, message: str = "", count: int = 1
    ) -> None:
        """One fault; what follows another of the same message is a part of that.

        The escapes of JavaScript each stay a fault, since each is written in another way.
        """
        last = self._faults[-1] if self._faults and kind != "u-escape" else None
        if last and last.end == start and (last.kind, last.message) == (kind, message):
            last.end = end
        else:
            self._faults.append(_Fault(start, end, kind, message))
        if self._errors == "replace":
            self.out.append(REPLACEMENT * count)
        elif self._errors == "keep":
            self.out.append(self._text[start:end])

    def faults(self) -> tuple[DecodeFault, ...]:
        """All faults, in text order."""
        faults = sorted(self._faults, key=lambda fault: fault.start)
        return tuple([self._told(fault) for fault in faults])

    def _told(self, fault: _Fault) -> DecodeFault:
        found = self._text[fault.start : fault.end]
        message = fault.message or _about_illegal(found, self._production)
        return DecodeFault(fault.start, fault.end, found, fault.kind, message)


@dataclass(slots=True)
class _Fault:
    """A fault that may grow; characters that are not allowed get their message at the end."""

    start: int
    end: int
    kind: FaultKind
    message: str


@lru_cache(256)  # a text mostly has the same few faults
def _about_escape(unit: str | None) -> str:
    """What is said of "%" that begins no escape, or of a JavaScript escape of a code unit."""
    if unit is None:
        return joined(say("bad-escape"), f"write {percent_encoded('%')}")
    value = int(unit, 16)
    is_character = not 0xD800 <= value <= 0xDFFF  # noqa: PLR2004 -- surrogates (RFC 3629 §3)
    meant = percent_encoded(chr(value)) if is_character else ""
    words = "%uXXXX is a JavaScript escape, not one of URIs."
    return joined(words, meant and f"write {meant}")


def _about_illegal(found: str, production: str) -> str:
    names = ["a character"] if _secret(production) else bare_characters([found])
    return say("not-allowed", what=are(names), place=noun(production, production))


_MESSAGES = {
    "overlong": "{0} longer than UTF-8 allows, which is often an attack.",
    "surrogate": "{0} half of a surrogate pair, which UTF-8 does not have.",
    "invalid": "{0} not valid {1}.",
}
_SHOWN = 8


def _bytes(octets: bytes) -> str:
    more = f" and {len(octets) - _SHOWN:,} more" if len(octets) > _SHOWN else ""
    shown = octets[:_SHOWN].hex(" ").upper() + more
    return f"The bytes {shown} are" if len(octets) > 1 else f"The byte {shown} is"


@cache
def _is_utf8(encoding: str) -> bool:
    return codecs.lookup(encoding).name == "utf-8"
