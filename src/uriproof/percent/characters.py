"""Characters and octets: the sets of the grammar, escapes, and octets as text.

Owns the way from a rule to a set of characters, from an escape to its octet, and the reading of
octets that might not be text. Imports the grammars. Invariant: no set is written down; each is the
ASCII characters that the rule's matcher accepts. Pieces cover the octets, in order; the readable
ones together are what a strict decoder reads in them; time is linear for any number of faults.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from functools import cache, lru_cache
from threading import local
from typing import Literal, NamedTuple, TypeAlias

from ..grammar import registry
from ..grammar.schemes import AS_ENCODED, CHARACTERS
from ..text.patterns import lazy

GRAMMAR = "rfc3986"

DOTS = frozenset({".", ".."})
"""Dot-segments, which are steps in a path (RFC 3986 §3.3)."""

DIRECTIVE = ":~:"
"""Where the directive of a fragment begins (WICG, URL Fragment Text Directives, section 3.1)."""

ASCII = tuple(map(chr, range(128)))
"""All characters that a URI can hold, and those ASCII characters that it cannot."""


@cache
def characters(rule: str, grammar: str = GRAMMAR) -> frozenset[str]:
    """The ASCII characters that a rule accepts as a whole text.

    For a set of characters (unreserved, sub-delims) these are its members; for a loop (segment,
    query, userinfo, reg-name) those that can be bare in it. A percent sign never can.

    Errors: UnknownRule, UnknownGrammar. Cost: 128 matches, once. Spec: RFC 3986 Appendix A.

    >>> sorted(characters("gen-delims"))
    ['#', '/', ':', '?', '@', '[', ']']
    >>> sorted(characters("query") - characters("segment"))
    ['/', '?']
    """
    compiled = registry.load(grammar)
    match = compiled.matcher(compiled.rule_name(rule))
    return frozenset(char for char in ASCII if match(char))


def decodable(scheme: str, component: str, text: str) -> frozenset[str]:
    """The characters whose octets mean the same in a component: unreserved ones, or none at all.

    A URN, an address of mail or a tag is another one decoded; and "-" is syntax in a directive.

    >>> "~" in decodable("HTTP", "path", "/%7e"), decodable("urn", "path", "a:%7e")
    (True, frozenset())
    """
    kept = scheme.lower() in AS_ENCODED | CHARACTERS
    if kept or (component == "fragment" and DIRECTIVE in text):
        return frozenset()
    return characters("unreserved")


@lru_cache(1024)  # 484 texts are escapes; the cache is bounded for those that are not
def octet(escape: str) -> int | None:
    """The octet that a ``pct-encoded`` stands for; None for any other text (RFC 3986 §2.1).

    >>> octet("%2f"), octet("%zz"), octet("%2")
    (47, None, None)
    """
    if registry.load(GRAMMAR).accepts("pct-encoded", escape):
        return int(escape[1:], 16)
    return None


def keep_dots(path: str, written: str) -> str:
    """A path as it was written anew, in which no other segment has become a dot-segment.

    Resolving removes dot-segments, and not what is encoded (RFC 3986 §5.2.4).

    >>> keep_dots("%2e%2e/%61/..", "../a/..")
    '%2E%2E/a/..'
    """
    segments = zip(path.split("/"), written.split("/"), strict=True)
    return "/".join(
        new.replace(".", "%2E") if new in DOTS and new != old else new for old, new in segments
    )


Flaw: TypeAlias = Literal["overlong", "surrogate", "invalid"]


class Piece(NamedTuple):
    """The octets ``[start, end)`` as ``text``, or the ``flaw`` why they are not text."""

    start: int
    end: int
    text: str
    flaw: Flaw | None = None


# Sequences that UTF-8 could write but must not (RFC 3629 §3): overlong forms; surrogates.
_FLAWED = lazy(
    rb"(?P<overlong>(?:[\xC0\xC1][\x80-\xBF]|\xE0[\x80-\x9F][\x80-\xBF]|\xF0[\x80-\x8F][\x80-\xBF]{2})+)"
    rb"|(?P<surrogate>(?:\xED[\xA0-\xBF][\x80-\xBF])+)"
)

_MARK = "\udc00"  # no strict decoder gives a lone surrogate
_HANDLER = "uriproof.mark"
_seen = local()


def _mark(error: UnicodeError) -> tuple[str, int]:
    """An error handler (see ``codecs.register_error``) that remembers the places of its calls."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    _seen.spans.append((error.start, error.end))
    return _MARK, error.end


codecs.register_error(_HANDLER, _mark)


def pieces(octets: bytes, encoding: str) -> Iterator[Piece]:
    """The octets in pieces; adjacent faults with the same reason are one piece.

    Errors: LookupError for an encoding that does not exist. Cost: O(n).

    >>> [(p.text or p.flaw) for p in pieces(b"a\\xc0\\xafb\\xff", "utf-8")]
    ['a', 'overlong', 'b', 'invalid']
    """
    spans: list[tuple[int, int]] = []
    try:
        texts = [octets.decode(encoding)]
    except UnicodeError:
        texts, spans = _read(octets, encoding)
    utf8 = codecs.lookup(encoding).name == "utf-8"
    at = 0
    first = last = 0  # adjacent faults
    for text, (start, end) in zip(texts, [*spans, (len(octets), len(octets))], strict=True):
        if text or at < start:  # a byte order mark is read, and no text
            yield from _flaws(octets, first, last, utf8)
            yield Piece(at, start, text)
            first = start
        last = at = end
    yield from _flaws(octets, first, last, utf8)


def spellings(text: str, encoding: str = "utf-8") -> Iterator[tuple[str, str]]:
    """The characters of a valid text, each as it is written and as it is read.

    Octets that are not a character are read as "". Cost: O(n).

    >>> [*spellings("a%C3%A9%FF")]
    [('a', 'a'), ('%C3%A9', 'é'), ('%FF', '')]
    """
    for run in _RUNS.findall(text):
        if run[0] != "%":
            yield from zip(run, run, strict=True)
            continue
        for piece in pieces(octets_of(run), encoding):
            for start, end, read, _ in divided(piece, encoding):
                yield run[3 * start : 3 * end], read


_RUNS = lazy("(?:%..)+|[^%]+")


def octets_of(escapes: str) -> bytes:
    """The octets of escapes, and nothing else."""
    return bytes.fromhex(escapes.replace("%", ""))


def rewritten(text: str, octets: dict[str, str]) -> str:
    """A valid text with the digits after each percent sign looked up in a table of ``spelled``."""
    pieces = text.split("%")
    for at in range(1, len(pieces)):
        piece = pieces[at]
        pieces[at] = octets[piece[:2]] + piece[2:]
    return "".join(pieces)


@cache
def spelled() -> tuple[dict[str, str], dict[str, str]]:
    """For two hex digits of either case: the octet in upper case; the same, or decoded.

    The grammar decides what a digit is and what is unreserved (RFC 3986 §2.1, §2.3).
    """
    digits = characters("HEXDIG")
    upper = {a + b: f"%{a}{b}".upper() for a in digits for b in digits}
    plain = {
        pair: char if (char := chr(int(pair, 16))) in characters("unreserved") else octet
        for pair, octet in upper.items()
    }
    return upper, plain


def divided(piece: Piece, encoding: str) -> Iterator[Piece]:
    """The characters of a piece, or the piece, if it cannot be divided."""
    sizes = [len(char.encode(encoding, "replace")) for char in piece.text]
    at = piece.start
    if at + sum(sizes) != piece.end:  # no text, characters with a state, a byte order mark
        yield piece
        return
    for char, size in zip(piece.text, sizes, strict=True):
        yield Piece(at, at + size, char)
        at += size


def _read(octets: bytes, encoding: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The readable texts, and between them the spans of the rest."""
    _seen.spans = []
    try:
        texts = octets.decode(encoding, _HANDLER).split(_MARK)
    except UnicodeError:  # this decoder takes no help, and says nothing of the rest
        return ["", ""], [(0, len(octets))]
    spans: list[tuple[int, int]] = _seen.spans
    if len(texts) != len(spans) + 1:
        return ["", ""], [(0, len(octets))]
    return texts, spans


def _flaws(octets: bytes, start: int, end: int, utf8: bool) -> Iterator[Piece]:
    """The octets ``[start, end)``, none of which is text, by their flaws."""
    at = start
    for match in _FLAWED.finditer(octets, start, end) if utf8 else ():
        if at < match.start():
            yield Piece(at, match.start(), "", "invalid")
        at = match.end()
        yield Piece(*match.span(), "", "overlong" if match["overlong"] else "surrogate")
    if at < end:
        yield Piece(at, end, "", "invalid")
