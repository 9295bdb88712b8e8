"""IRIs as URIs, and URIs as IRIs.

Owns the two mappings of RFC 3987 section 3. Imports the grammars and its siblings. Invariant: an
IRI made of a URI maps back to it, but for the case of digits and escapes of unreserved characters;
no host becomes another one by more than its case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from unicodedata import category

from ..grammar import registry
from ..percent import _octets
from ..percent.characters import characters
from ..percent.clean import divided, percent_encoded
from ..percent.components import Fault, InvalidComponents, Text, split, text_of
from ..percent.decode import decode_octets
from ..percent.hosts.domains import labels
from ..percent.hosts.labels import u_label
from ..text.drawing import named

__all__ = ["iri_to_uri", "uri_to_iri"]

# What Unicode calls Bidi_Control (PropList.txt): no IRI holds them (RFC 3987 section 4.1).
_BIDI_CONTROL = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def iri_to_uri(text: Text, *, idna: bool = False) -> str:
    """The URI that an IRI, or a relative IRI reference, maps to.

    Each character that is not ASCII becomes its octets in UTF-8, percent-encoded; all else stays,
    and a URI is its own. With ``idna``, the labels of the host become A-labels instead: that is
    for schemes whose hosts are domain names. No label is mapped to another name in silence.

    Errors: InvalidComponents, with the span of each thing that no IRI holds, or that has no
    A-label but of another name; TypeError. Cost: O(n). Source: RFC 3987 sections 3.1 and 4.1.

    >>> iri_to_uri("http://www.example.org/red%09ros\u00e9#red")
    'http://www.example.org/red%09ros%C3%A9#red'
    >>> iri_to_uri("http://r\u00e9sum\u00e9.example.org", idna=True)
    'http://xn--rsum-bpad.example.org'
    """
    text = text_of(text, "an IRI")
    written: list[str] = []
    starts: list[int] = []  # where in the text each character of what is written comes from
    faults: list[Fault] = []
    spans = divided(text)
    at = 0
    for component, (start, end) in spans.items():
        pieces = [*_mapped(text, at, start, "")]
        literal = component == "host" and text.startswith("[", start)
        if component == "host" and idna and not literal:
            pieces += _host(text, start, end, faults)
        else:
            pieces += _mapped(text, start, end, "" if literal else component)
        for origin, piece in pieces:
            written.append(piece)
            starts += [origin] * len(piece)
        at = end
    uri = "".join(written)
    try:
        split(uri)
    except InvalidComponents as error:
        faults += (_moved(fault, text, starts) for fault in error.faults)
    if faults:
        # The escapes of one character can be blamed one by one: they are one fault of the IRI.
        told = sorted(dict.fromkeys(faults), key=lambda fault: fault.start)
        raise InvalidComponents(tuple(told), "IRI-reference")
    return uri


def uri_to_iri(text: Text, *, idna: bool = False) -> str:
    """The IRI that a URI, or a relative reference, can be written as.

    Escapes become the characters that they stand for, but those of ``%``, of reserved characters
    and of ASCII that no URI holds, those that are not UTF-8, and those of what is not fit for an
    IRI: control, format, space, private and unassigned characters. With ``idna``, A-labels of the
    host become the labels that they stand for.

    Errors: InvalidComponents, for what is no URI reference; TypeError. Cost: O(n).
    Source: RFC 3987 sections 3.2, 4.1 and 6.1.

    >>> uri_to_iri("http://www.example.org/D%C3%BCrst%FC%2F%e2%80%ae")
    'http://www.example.org/D\u00fcrst%FC%2F%E2%80%AE'
    >>> uri_to_iri("http://xn--99zt52a.example.org/", idna=True)
    'http://\u7d0d\u8c46.example.org/'
    """
    text = text_of(text, "a URI")
    split(text)
    written: list[str] = []
    at = 0
    for component, (start, end) in divided(text).items():
        found = text[start:end]
        if component == "host" and idna:
            found = ".".join(u_label(label.lower()) or label for label in found.split("."))
        written += text[at:start], _ESCAPES.sub(partial(_read, component=component), found)
        at = end
    return "".join(written)


_ESCAPES = re.compile("(?:%..)+", re.DOTALL)


def _mapped(text: str, start: int, end: int, component: str) -> Iterator[tuple[int, str]]:
    """Each character where it stands, and what it becomes; itself, where no IRI may have it."""
    for at in range(start, end):
        char = text[at]
        yield at, char if char.isascii() or not _may_stand(char, component) else _octets_of(char)


@lru_cache(4096)
def _octets_of(char: str) -> str:
    return percent_encoded(char)


@lru_cache(4096)
def _may_stand(char: str, component: str) -> bool:
    """Whether a character that is not ASCII may stand in a component (RFC 3987 section 2.2)."""
    if component in ("", "scheme", "port"):
        return False
    accepts = registry.load("rfc3987").accepts
    rules = ("ucschar", "iprivate") if component == "query" else ("ucschar",)
    return char not in _BIDI_CONTROL and any(accepts(rule, char) for rule in rules)


def _host(text: str, start: int, end: int, faults: list[Fault]) -> Iterator[tuple[int, str]]:
    """The labels of a host as A-labels."""
    host = text[start:end]
    for label in labels(host):
        low, high = start + label.start, start + label.end
        if label.error:
            faults.append(Fault("host", "ireg-name", low, high, f"no A-label: {label.error}"))
        if label.mapped is not None:
            words = f'as an A-label this is another name: write "{label.mapped}"'
            faults.append(Fault("host", "ireg-name", low, high, words))
        if label.made is None:
            yield from _mapped(text, low, high, "host")
        else:
            yield low, label.made
        if high < end:
            if text[high] != ".":
                words = f'{named(text[high])} divides labels here: write "."'
                faults.append(Fault("host", "ireg-name", high, high + 1, words))
            yield high, "."


def _moved(fault: Fault, text: str, starts: list[int]) -> Fault:
    """A fault of what was written, where it comes from in the text."""
    ends = [*starts, len(text)]
    start = ends[fault.start]
    end = start if fault.start == fault.end else ends[fault.end - 1] + 1
    message = fault.message
    if start < end and not text[start].isascii():
        what = "this" if fault.component == "userinfo" else named(text[start])
        message = f"{what} cannot stand here"
        if text[start] in _BIDI_CONTROL:
            message += ": it would reorder what is shown (RFC 3987 section 4.1)"
    return Fault(fault.component, fault.production, start, end, message)


def _read(match: re.Match[str], component: str) -> str:
    """Escapes side by side, read as far as they are UTF-8 for what may stand bare."""
    run = match[0]
    octets = decode_octets(run)
    shown: list[str] = []
    for piece in _octets.pieces(octets, "utf-8"):
        at = piece.start
        if piece.flaw is not None:
            shown.append(run[3 * at : 3 * piece.end].upper())
            continue
        for char in piece.text:
            end = at + len(char.encode())
            if char.isascii():
                fit = char in characters("unreserved")
                kept = run[3 * at : 3 * end]
            else:
                fit = category(char)[0] not in "CZ" and _may_stand(char, component)
                kept = run[3 * at : 3 * end].upper()
            shown.append(char if fit else kept)
            at = end
    return "".join(shown)
