"""Percent-encoding: data in, text that fits in a component out.

Owns the way from text or octets to bare characters and percent-encoded octets. Imports the grammars
and their character sets. Invariant: the result decodes to the data, and the given production
accepts it; data that cannot be written is an error, with its place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from operator import itemgetter
from typing import Any, Literal, Self, TypeAlias

from ..arguments import strings, strings_or_none
from ..grammar import registry
from ..grammar.machine.automaton import DEAD
from ..text.drawing import named
from ..validate.octets import escapes
from .characters import GRAMMAR, characters
from .errors import CharacterError, OctetError, ProductionError, known

Base64: TypeAlias = Literal["standard", "url"]
Data: TypeAlias = str | bytes | bytearray | memoryview
Scalar: TypeAlias = Data | int | float

ASCII = 128
_BASE64 = ("standard", "url")
FORM = "form-urlencoded"
"""The grammar of the characters that form data leaves bare."""


def encode(
    data: Scalar,
    component: str | None = None,
    *,
    keep: str = "",
    minimal: bool = False,
    every: bool = False,
    grammar: str = GRAMMAR,
    encoding: str = "utf-8",
) -> str:
    """Data as text for a component of a URI.

    Only unreserved characters are left unencoded, which is right anywhere in a URI, for the
    result contains no delimiter. ``component`` is a component or any other production
    (``query``, ``segment``, ``key`` with ``grammar="key-value"``) that has to accept the result.

    More stays bare on request: the delimiters in ``keep``, or with ``minimal`` all that the
    component allows, its delimiters too. With ``every``, no octet stays bare.

    Text is written in ``encoding`` first (RFC 3986 §2.5: UTF-8), a number is what ``str`` makes of
    it; octets are taken as they are, as by ``encode_octets``. A datum of one or two dots stays a
    dot segment in a path: no encoding keeps it from being resolved (§6.2.2.2).

    Errors: ProductionError, CharacterError, each with its place; UnknownEncoding, UnknownRule,
    UnknownGrammar, ValueError for options that contradict; TypeError.
    Cost: O(n). Spec: RFC 3986 §2.1-2.5.

    >>> encode("Helen Ødegård"), encode("a/b?c=d", "query", minimal=True)
    ('Helen%20%C3%98deg%C3%A5rd', 'a/b?c=d')
    >>> encode("a=b&c", "value", grammar="key-value", minimal=True)
    'a=b%26c'
    >>> encode("2026/11 a:b", "path", keep="/")
    '2026/11%20a%3Ab'
    """
    if component is None and not (minimal or every or keep) and grammar == GRAMMAR:
        coder = _datum()  # the way that most calls take
    else:
        check_names(component, grammar)
        coder = coder_of(component, minimal, every, kept(keep), grammar)
    if not isinstance(data, str):
        data = scalar(data)
        if isinstance(data, bytes) and encoding != "utf-8":
            raise ValueError("encoding is for text; for octets, encode_octets has read_as")
    return coder.encode(data, encoding)


def encode_octets(
    octets: bytes | bytearray | memoryview,
    component: str | None = None,
    *,
    keep: str = "",
    minimal: bool = False,
    every: bool = False,
    grammar: str = GRAMMAR,
    base64: Base64 | None = None,
    read_as: str | None = None,
) -> str:
    """Octets as text for a component of a URI; ``decode_octets`` gives them back.

    They are encoded unchanged, whatever they mean. With ``read_as`` they are decoded from that
    encoding and written in UTF-8; nothing is guessed, and invalid octets are an error. ``base64``
    writes them as Base64 text first, with RFC 4648's ``standard`` alphabet or that for ``url``, and
    padding. The other options are those of ``encode``.

    Errors: ProductionError, OctetError, each with its place; UnknownEncoding, UnknownRule,
    UnknownGrammar, ValueError for options that contradict; TypeError.
    Cost: O(n). Spec: RFC 3986 §2.1, §2.5.

    >>> encode_octets(b"4 \\xf7 3"), encode_octets(b"4 \\xf7 3", read_as="latin-1")
    ('4%20%F7%203', '4%20%C3%B7%203')
    >>> encode_octets(b"\\xfb\\xff", base64="url")
    '-_8%3D'
    """
    data = _read(octets, base64, read_as)
    return encode(data, component, keep=keep, minimal=minimal, every=every, grammar=grammar)


@lru_cache(16)
def form_writer(encoding: str = "utf-8") -> Callable[[Scalar], str]:
    """A writer of names and values of form data: a space is ``+``; ``*-._`` and alphanumerics stay.

    Errors: UnknownEncoding, TypeError; of the writer: CharacterError, TypeError. Its cost: O(n).
    Spec: WHATWG URL, application/x-www-form-urlencoded percent-encode set, with spaceAsPlus.

    >>> form_writer()("a b+c~*")
    'a+b%2Bc%7E*'
    """
    literal = characters("LIT", FORM)
    table = list(_table(literal))
    (table[ord(" ")],) = characters("SPACE", FORM)
    coder = _Coder(None, FORM, tuple(table), _runs(literal), None, literal, True)
    return coder.writer(encoding)


class Spelled(str):
    """Data that was decoded, and how it was ``written``: it is equal to any other text."""

    __slots__ = ("written",)
    written: str

    def __new__(cls, data: str, written: str = "") -> Self:
        made = super().__new__(cls, data)
        made.written = written
        return made


@dataclass
class _Coder:
    """One choice of a production and its bare characters, ready to write octets."""

    production: str | None
    grammar: str
    table: tuple[str, ...]
    bare: Callable[[str], Any]
    accepts: Callable[[str], Any] | None
    prefers: frozenset[str]
    loops: bool  # the production accepts whatever the table writes, but perhaps not nothing

    def encode(self, data: str | bytes, encoding: str) -> str:
        """The data written. Errors: CharacterError, ProductionError, UnknownEncoding."""
        if isinstance(data, str) and encoding == "utf-8" and self.bare(data) is not None:
            text = data
        else:
            text = self.write(_octets(data, encoding))
        if (self.loops and text) or self.accepts is None or self.accepts(text):
            return text
        return self.walk(data, encoding)

    def writer(
        self, encoding: str, empty: bool = True, as_read: bool = False
    ) -> Callable[[Scalar], str]:
        """A writer of data: of none if it can be ``empty``, and ``as_read`` if that is known.

        Errors: UnknownEncoding, TypeError; of the writer: as ``encode``.
        """
        known(encoding)
        bare = self.bare if self.loops and encoding == "utf-8" else _runs(frozenset())
        accepts = self.accepts if as_read and encoding == "utf-8" else None

        def write(data: Scalar) -> str:
            if data.__class__ is str and bare(data):
                return data
            if accepts and isinstance(data, Spelled) and accepts(data.written):
                return data.written
            data = scalar(data)
            if data and self.loops:
                return self.write(_octets(data, encoding))
            return "" if empty and not data else self.encode(data, encoding)

        return write

    def write(self, octets: bytes) -> str:
        return _write(self.table, octets)

    def walk(self, data: str | bytes, encoding: str) -> str:
        """The data, each octet in the form that the production accepts at its place.

        Bare if that is preferred or the only way, else percent-encoded. Errors: ProductionError, at
        the first octet that it accepts in neither form, or if it is incomplete.
        """
        octets = data.encode(encoding) if isinstance(data, str) else data
        step, encodes = self._step, self._encodes
        state = 0
        written: list[str] = []
        for at, octet in enumerate(octets):
            char, triplet = chr(octet), escapes()[octet]
            literal = DEAD if octet >= ASCII or (encodes and char == "%") else step(state, char)
            escaped = step(state, triplet) if encodes else DEAD
            if literal == DEAD == escaped:
                start = _index(data, at, encoding)
                found = named(data[start]) if isinstance(data, str) else f"octet 0x{octet:02X}"
                words = f"{found} at {start} is not allowed there, bare or percent-encoded"
                raise self._error(words, start, start + 1)
            as_it_is = literal != DEAD and (char in self.prefers or escaped == DEAD)
            state = literal if as_it_is else escaped
            written.append(char if as_it_is else triplet)
        text = "".join(written)
        if self.accepts is not None and not self.accepts(text):
            end = len(data)
            raise self._error("it ends too early" if data else "the data is empty", end, end)
        return text

    @cached_property
    def _encodes(self) -> bool:
        return registry.load(self.grammar).model.escape is not None

    @cached_property
    def _step(self) -> Callable[[int, str], int]:
        assert self.production is not None  # noqa: S101 -- without one, all is accepted
        automaton = registry.load(self.grammar).automaton(self.production)
        rows, of = automaton.rows, automaton.alphabet.of

        def step(state: int, word: str) -> int:
            for char in word:
                state = rows[state][of(char)]
                if state == DEAD:
                    break
            return state

        return step

    def _error(self, what: str, start: int, end: int) -> ProductionError:
        assert self.production is not None  # noqa: S101 -- without one, all is accepted
        rule = registry.load(self.grammar).rule(self.production)
        abnf = " ".join(rule.text.split())
        return ProductionError(
            f"this is not a valid {rule.name}: {what}; {abnf}", start, end, rule.name
        )


class _Walker(_Coder):
    """For a production in which the place decides what can be bare: path-noscheme, host."""

    def write(self, octets: bytes) -> str:
        try:
            return self.walk(octets, "")
        except ProductionError:  # it began like an address in brackets, but is a name
            return _write(self.table, octets)


@cache
def _datum() -> _Coder:
    """The coder of data for any place."""
    return coder_of(None, False, False, frozenset(), GRAMMAR)


@lru_cache(256)
def coder_of(
    component: str | None, minimal: bool, every: bool, keep: frozenset[str], grammar: str
) -> _Coder:
    if every and (minimal or keep):
        other = "as few as possible (minimal)" if minimal else "all but some (keep)"
        raise ValueError(f"every octet encoded, or {other}: choose one")
    compiled = registry.load(grammar)
    unreserved = characters("unreserved")
    chosen = frozenset() if every else unreserved | keep
    if component is None:
        if minimal:
            raise ValueError("minimal needs a component, which says what need not be encoded")
        return _Coder(None, grammar, _table(chosen), _runs(chosen), None, chosen, True)
    production = compiled.rule_name(component)
    accepts = compiled.matcher(production)
    own, loops = in_loop(production, grammar)
    if loops and not chosen <= own:
        raise ValueError(f"{named(min(chosen - own))} is not allowed unencoded in a {production}")
    bare = own if minimal and loops else chosen
    if loops or not minimal:
        return _Coder(production, grammar, _table(bare), _runs(bare), accepts, bare, loops)
    everything = frozenset(map(chr, range(ASCII)))
    table = _table(own | unreserved)
    return _Walker(production, grammar, table, _runs(frozenset()), accepts, everything, False)


@cache
def in_loop(production: str, grammar: str) -> tuple[frozenset[str], bool]:
    """The characters that a production accepts alone, and whether it is a loop over them."""
    compiled = registry.load(grammar)
    escaped = compiled.accepts(production, "%00")
    # Data is never left as what could be read as an escape, even if the grammar allows a bare "%".
    own = characters(production, grammar) - frozenset("%" if escaped else "")
    # A leaf that accepts each of these alone, and escapes, is a loop over them: segment, query,
    # userinfo. Characters that can be bare in it can be so anywhere; a test checks all grammars.
    loops = escaped and production in compiled.model.leaves and own > characters("unreserved")
    return own, loops


def _runs(bare: frozenset[str]) -> Callable[[str], Any]:
    """A matcher of texts with only these characters, at least one."""
    if not bare:
        return re.compile("(?!)").fullmatch
    return re.compile(f"[{re.escape(''.join(sorted(bare)))}]+").fullmatch


def _table(bare: frozenset[str]) -> tuple[str, ...]:
    """The written form of each octet: the ASCII character that it stands for, or a triplet."""
    return tuple(chr(o) if chr(o) in bare else triplet for o, triplet in enumerate(escapes()))


def _write(table: Sequence[str], octets: bytes) -> str:
    """Each octet as the table says. A getter of many items is the fastest way to look up many."""
    return "".join(itemgetter(*octets)(table)) if octets else ""


def scalar(value: object, where: str = "data") -> str | bytes:
    """The same text or octets; a number is what ``str`` makes of it. Errors: TypeError."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    if isinstance(value, bool) or value is None:
        words = "write what its receiver reads, such as"
        raise TypeError(f"{where} is {value}: {words} {_IN_JSON[value]!r} or ''")
    if isinstance(value, int | float):
        return str(value)
    words = "a text, octets or a number is encoded"
    raise TypeError(f"{where} is of type {type(value).__name__}: {words}")


_IN_JSON = {None: "null", False: "false", True: "true"}


def _read(octets: object, base64: Base64 | None, read_as: str | None) -> str | bytes:
    """Octets as the text that they are, or are to become."""
    if isinstance(octets, str):
        raise TypeError("data must be octets, not a text: use encode, or encode the text first")
    if not isinstance(octets, bytes | bytearray | memoryview):
        raise TypeError(f"octets are of type bytes, not {type(octets).__name__}")
    data = bytes(octets)
    if base64 is not None:
        if read_as is not None:
            raise ValueError("base64 takes octets as they are, read_as decodes them: choose one")
        if base64 not in _BASE64:
            raise ValueError(f"base64 is 'standard' or 'url', not {base64!r}")
        from base64 import standard_b64encode, urlsafe_b64encode

        write = urlsafe_b64encode if base64 == "url" else standard_b64encode
        return write(data).decode("ascii")
    if read_as is None:
        return data
    known(read_as)
    try:
        return data.decode(read_as)
    except UnicodeDecodeError as error:
        what = f"octet 0x{data[error.start]:02X} at {error.start}: {error.reason}"
        raise OctetError(f"no text in {read_as}: {what}", error.start, error.end) from None
    except UnicodeError as error:
        raise OctetError(f"no text in {read_as}: {error}", 0, len(data)) from None


def kept(keep: str) -> frozenset[str]:
    """The delimiters to keep. Errors: ValueError, for any other character; TypeError."""
    if not isinstance(keep, str):
        raise TypeError(f"keep is a str of delimiters, not {type(keep).__name__}")
    found = frozenset(keep)
    if others := found - characters("reserved") - characters("unreserved"):
        words = "is not a delimiter (reserved, RFC 3986 section 2.2), and is always encoded"
        raise ValueError(f"{named(min(others))} {words}")
    return found


def check_names(component: object, grammar: object) -> None:
    """That both are names. Errors: TypeError."""
    strings_or_none(component=component)
    strings(grammar=grammar)


def _octets(data: str | bytes, encoding: str) -> bytes:
    """A text in octets; octets as they are. Errors: CharacterError, UnknownEncoding, TypeError."""
    if isinstance(data, bytes):
        return data
    if encoding != "utf-8":
        known(encoding)
    try:
        return data.encode(encoding)
    except UnicodeEncodeError as error:
        start, end = error.start, error.end
        what = f"{named(data[start])} at {start} has no octets in {encoding}"
        if "\ud800" <= data[start] <= "\udfff":
            what += "; half of a surrogate pair is not a character (RFC 3629 §3)"
        raise CharacterError(what, start, end) from None
    except UnicodeError as error:
        raise CharacterError(f"{encoding}: {error}", 0, len(data)) from None


def _index(data: str | bytes, octet: int, encoding: str) -> int:
    """Which code point of a text an octet belongs to; in octets, the octet itself."""
    if isinstance(data, bytes):
        return octet
    before = range(1, len(data) + 1)
    return bisect_right(before, octet, key=lambda n: len(data[:n].encode(encoding)))
