"""Data of schemes such as tel and data, and percent signs.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from ..grammar import registry
from ._form import Correction, Seen, accepts, form

_ESCAPE = 3  # characters of a percent-encoded octet
_BASE64 = ";base64"
_NUMBERS = frozenset({"tel", "sms", "mms", "callto", "facetime", "fax"})
"""Schemes of telephone numbers; the first has a grammar, and the others have the same numbers."""


def _scheme(seen: Seen) -> str:
    """The scheme of a text that has an opaque path, in lower case; empty if it has none."""
    scheme, colon, rest = seen.text.partition(":")
    return scheme.lower() if colon and rest[:1] != "/" and accepts("scheme", scheme) else ""


def _space(seen: Seen) -> bool:
    """Whether white space is among what is wrong."""
    return any(one.found.isspace() for one in seen.report.violations)


def _without_space(seen: Seen, start: int, end: int) -> Correction | None:
    """The text without white space in ``[start, end)``; None if there is none."""
    spaces = [(at, at + 1, "") for at in range(start, end) if seen.text[at].isspace()]
    return seen.edited(spaces) if spaces else None


def _path(seen: Seen) -> tuple[int, int]:
    """Where an opaque path starts and ends: before a query and a fragment."""
    found = seen.report.components.get("path")
    return (found.start, found.end) if found is not None else (0, 0)


def _header(seen: Seen) -> str | None:
    """All before the data of a ``data`` URI (RFC 2397 §3); None for other texts."""
    if _scheme(seen) != "data":
        return None
    header, comma, _ = seen.text.partition(",")
    return header if comma else None


@form("space-in-base64", "Base64 data in a URI has no white space.")
def space_in_base64(seen: Seen) -> Correction | None:
    """Base64 as programs write it: in lines. White space is not a part of it (RFC 4648 §3.3)."""
    header = _header(seen)
    if header is None or not "".join(header.split()).lower().endswith(_BASE64):
        return None
    return _without_space(seen, 0, len(seen.text)) if _space(seen) else None


@form("bad-base64", "The data has a character that base64 does not have.")
def not_base64(seen: Seen) -> Correction | None:
    """What base64 cannot have, encoded or not (RFC 4648 §4), in the data of a ``data`` URI."""
    header, first = _header(seen), seen.first
    if header is None or not header.lower().endswith(_BASE64) or first is None:
        return None
    data = seen.text[len(header) :].partition("#")[0]  # a fragment is not part of the data
    span = len(header), len(header) + len(data)
    if first.kind != "illegal" or not span[0] < first.start < span[1]:
        return None
    return Correction(spans=(span,))


@form("no-comma-before-data", 'The "," before the data is missing.')
def no_comma(seen: Seen) -> Correction | None:
    """``data:hello world``: the data start after a comma (RFC 2397 §3)."""
    if _scheme(seen) != "data" or "," in seen.text or not _space(seen):
        return None
    start, _ = _path(seen)
    if ";" in seen.text:  # there is a media type, and only its writer knows where it ends
        return Correction()
    return Correction((f"{seen.text[:start]},{seen.text[start:]}",))


@form("space-in-media-type", "The media type in a data URI has no white space.")
def space_in_media_type(seen: Seen) -> Correction | None:
    """``data:text/plain; charset=utf-8,a``: a header of HTTP may have that space."""
    header = _header(seen)
    if header is None or '"' in header:
        return None
    return _without_space(seen, 0, len(header)) if _space(seen) else None


@form("space-in-number", "A telephone number in a URI has no spaces.")
def space_in_number(seen: Seen) -> Correction | None:
    """``tel:+1 (555) 123-4567``: a space is not a visual separator (RFC 3966 §5.1.1)."""
    if _scheme(seen) not in _NUMBERS or not _space(seen):
        return None
    start, end = _path(seen)
    found = _without_space(seen, start, end)
    numbers = "".join(seen.text[start:end].partition(";")[0].split()).split(",")
    words = _are_beside(str.isalpha, seen.text[start:end])
    if found is not None and (words or not all(map(_is_number, numbers))):
        return found._replace(texts=())
    return found


def _is_number(text: str) -> bool:
    """Whether a text is a telephone number; a local one needs no context here."""
    telephone = registry.load("rfc3966")
    rules = ("global-number-digits", "local-number-digits")
    return any(telephone.accepts(rule, text) for rule in rules)


@form("space-in-urn", "A URN has no spaces.")
def space_in_urn(seen: Seen) -> Correction | None:
    """``urn:isbn:0 345 33135 8``: no space between words, which could be encoded (RFC 8141 §2)."""
    if _scheme(seen) != "urn" or not _space(seen):
        return None
    start, end = _path(seen)
    if _are_beside(str.isalpha, seen.text[start:end]):
        return None
    found = _without_space(seen, start, end)
    words = seen.text[start:end].split()
    if found is None or len(words) < 2 or ":" in words[0]:  # noqa: PLR2004
        return found
    # "urn:isbn 0345": a colon ends the namespace.
    meant = seen.replaced(start, end, f"{words[0]}:{''.join(words[1:])}")
    return found._replace(texts=meant.texts)


def _are_beside(kind: Callable[[str], bool], text: str) -> bool:
    """Whether white space separates two characters of a kind, so that it has a meaning."""
    return any(kind(before[-1]) and kind(after[0]) for before, after in pairwise(text.split()))


@form("space-in-opaque", 'The scheme "{}" allows no white space.')
def space_in_opaque(seen: Seen) -> Correction | None:
    """``geo:48.2, 16.3``: white space that the scheme does not even allow encoded."""
    scheme = _scheme(seen)
    rule = registry.schemes().get(scheme)
    if rule is None or not _space(seen):
        return None
    start, end = _path(seen)
    words, accepts = seen.text[start:end].split(), registry.load(rule[0]).accepts
    packed, encoded = (f"{scheme}:{between.join(words)}" for between in ("", "%20"))
    if accepts(rule[1], encoded) or not accepts(rule[1], packed):
        return None
    found = _without_space(seen, start, end)
    if found is not None and _are_beside(str.isdecimal, seen.text[start:end]):
        found = found._replace(texts=())
    return None if found is None else found._replace(about=scheme)


# Percent signs


@form("doubled-percent", 'The "%" is doubled.', any_rule=True)
def doubled_percent(seen: Seen) -> Correction | None:
    """``%%20``: as batch files and format strings write ``%20``."""
    text = seen.text
    starts = [one.start for one in seen.report.violations if one.kind == "bad-escape"]
    doubled = [at for at in starts if accepts("pct-encoded", text[at + 1 : at + 1 + _ESCAPE])]
    if not doubled:
        return None
    # "100%%20off" may be a percent sign and a space.
    if any(_ends_number(text[max(at - _ESCAPE, 0) : at]) for at in doubled):
        return None
    return seen.edited((at, at + 1, "") for at in doubled)


def _ends_number(text: str) -> bool:
    """Whether the last character of a text is a digit, and not one of an escape."""
    return text[-1:].isdecimal() and not accepts("pct-encoded", text)
