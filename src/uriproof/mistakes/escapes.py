"""Texts as JSON, JavaScript or HTML write them, or escaped twice.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from sys import maxunicode

from ..limits import LONGEST_ENTITY
from ..report import spliced
from ..text.patterns import lazy
from ._form import Correction, Seen, accepts, are_hex, form
from ._starts import is_known, is_uri

_ESCAPE = lazy(
    r"""\\(?:(?P<slashes>/)|(?P<quotation_marks>["'`])|(?P<backslashes>\\)|(?P<break>[nrt])"""
    r"""|(?P<character>u\{[^}]{1,7}\}?|u[^{].{3}|x[^{].))""",
    re.DOTALL,
)
"""What JSON and JavaScript escape in a URI (RFC 8259 §7, ECMA-262 §12.9.4), by its kind."""
_SURE = frozenset({"slashes", "quotation_marks", "character"})
_BREAKS = {"n": "\n", "r": "\r", "t": "\t"}
_OCTET, _UNIT = 2, 4  # hexadecimal digits


# JSON and JavaScript


@form("escaped-json", "The {} are escaped as in JSON.")
def json(seen: Seen) -> Correction | None:
    r"""``http:\/\/h\/``, ``\"http://h/\"``, ``http:\\/\\/h`` (RFC 8259 §7)."""
    read = _read(seen.text)
    if read is None:
        return None
    kinds = {one.lastgroup for one in read}
    for kind in ("slashes", "quotation_marks"):
        if kind in kinds:
            return _edited(seen, read, kind.replace("_", " "))
    if kinds != {"backslashes"}:
        return None
    found = _edited(seen, read, "backslashes")
    again = _read(found.texts[0]) if len(read) > 1 else None  # escaped twice
    escaped = again is not None and _SURE.issuperset(one.lastgroup for one in again)
    return found if escaped else None


@form("escaped-javascript", '"{}" is a JavaScript escape.')
def javascript(seen: Seen) -> Correction | None:
    r"""``http://h/caf\u00e9``, ``http://h/a\x3fb``, ``http://h/\n`` (ECMA-262 §12.9.4)."""
    windows = seen.text.startswith("\\\\") or seen.text[1:3] == ":\\"
    escapes = None if windows else _read(seen.text)
    if escapes is None:
        return None
    kinds = {one.lastgroup for one in escapes}
    at = escapes[0].start()
    shown = escapes[0][0] if escapes[0].lastgroup in ("character", "break") else "\\u"
    found = _edited(seen, escapes, "\\u" if "@" in seen.text[at:] else shown)
    at_end = found.texts[0].rstrip() == seen.text[:at]
    if "character" not in kinds and not (kinds == {"break"} and at_end and is_uri(seen.text)):
        return None
    return found


def _read(text: str) -> list[re.Match[str]] | None:
    """The escapes of JavaScript in a text; None without a backslash, or if what one begins is not
    an escape that people mean to write in a URI."""
    escapes: list[re.Match[str]] = []
    start = text.find("\\")
    while start >= 0:
        found = _ESCAPE.match(text, start)
        if found is None or _meant(found) is None:
            return None
        escapes.append(found)
        start = text.find("\\", found.end())
    return escapes or None


def _edited(seen: Seen, escapes: list[re.Match[str]], about: str) -> Correction:
    """The text as JavaScript reads it."""
    found = seen.edited(((one.start(), one.end(), _meant(one) or "") for one in escapes), about)
    return found._replace(texts=(_joined(found.texts[0]),))


def _meant(escape: re.Match[str]) -> str | None:
    r"""What an escape stands for; None if that is no character, as of ``\u{110000}``."""
    written = escape[escape.lastgroup or 0]
    if escape.lastgroup != "character":
        return _BREAKS.get(written, written)
    digits = written[2:].removesuffix("}") if written[1] == "{" else written[1:]
    code = int(digits, 16) if are_hex(digits) else maxunicode + 1
    return chr(code) if code <= maxunicode else None


def _joined(text: str) -> str:
    """The text with the two halves of a character beyond U+FFFF as one (RFC 8259 §7)."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@form(
    "escaped-punctuation",
    "The backslashes are escapes of Markdown, a shell or a regular expression.",
)
def punctuation(seen: Seen) -> Correction | None:
    r"""``http://h/a\_b``, ``http://h/\?a\=1``, ``https:\/\/h\.org``: only before punctuation."""
    start, *pieces = seen.text.split("\\")
    if not pieces or not accepts("scheme", start.partition(":")[0]) or ":" not in start:
        return None
    if not all(piece[:1].isascii() and _is_punctuation(piece[:1]) for piece in pieces):
        return None
    if any(piece[0] == "(" for piece in pieces) and "\\)" not in seen.text:
        return None  # a placeholder of Swift
    path = seen.report.components.get("path")
    if path and len(start) < path.start and not accepts("unreserved", pieces[0][0]):
        return None  # an attack: browsers connect to the host before the backslash
    return seen.edited((at, at + 1, "") for at, char in enumerate(seen.text) if char == "\\")


def _is_punctuation(char: str) -> bool:
    return char == " " or (char.isprintable() and bool(char) and not char.isalnum())


# Percent-encoding


@form("escaped-uri", "The delimiters of the URI are percent-encoded.")
def whole(seen: Seen) -> Correction | None:
    """``http%3A%2F%2Fh%2Fa``, ``https%3A//h/``: delimiters encoded as if they were data."""
    first, text = seen.first, seen.text
    at = text.find("%")
    if first is None or first.component != "scheme" or not is_known(text[: max(at, 0)]):
        return None
    end = at + 1
    while text.startswith("25", end):
        end += 2
    if text[end : end + 2].upper() != "3A":
        return None
    if any(char in text for char in ":?#=&"):  # the rest is as it should be
        return Correction((f"{text[:at]}:{text[end + 2 :]}",))
    return Correction((_decoded(text),))


def _decoded(text: str) -> str:
    """The text with what need not be encoded in a URI decoded once."""
    start, *pieces = text.split("%")
    made = [start]
    for piece in pieces:
        octet = piece[:_OCTET]
        char = chr(int(octet, 16)) if accepts("pct-encoded", f"%{octet}") else ""
        bare = char == "%" or accepts("reserved", char) or accepts("unreserved", char)
        made += (char, piece[_OCTET:]) if bare else ("%", piece)
    return "".join(made)


@form("escaped-percent-u", '"{}" is an old JavaScript escape.', any_rule=True)
def percent_u(seen: Seen) -> Correction | None:
    """``http://h/caf%u00e9``: what the function escape of JavaScript makes (ECMA-262 B.2.1.1)."""
    start, *pieces = seen.text.replace("%U", "%u").split("%u")
    at, edits = len(start), list[tuple[int, int, str]]()
    for piece in pieces:
        unit = piece[:_UNIT]
        if len(unit) == _UNIT and are_hex(unit):
            char = chr(int(unit, 16))  # one that could be a delimiter stays encoded
            bare = not char.isascii() or accepts("unreserved", char)
            edits.append((at, at + 2 + _UNIT, char if bare else f"%{ord(char):02X}"))
        at += 2 + len(piece)
    if not edits:
        return None
    at, end, _ = edits[0]
    found = seen.edited(edits, "%u" if "@" in seen.text else f"%u{seen.text[at + 2 : end]}")
    return found._replace(texts=(_joined(found.texts[0]),))


# HTML


@form("escaped-html", '"{}" is an HTML entity.')
def html(seen: Seen) -> Correction | None:
    """``&lt;http://h/&gt;``, ``http&#58;//h/``."""
    found = list(_entities(seen.text))
    if not found:
        return None
    of_amp = all(char == "&" for _, _, char in found)
    spans = tuple([(start, end) for start, end, _ in found]) if of_amp else None
    start, end, _ = found[0]
    return Correction((spliced(seen.text, found),), seen.text[start:end], spans)


@form("html-entity", '"{}" is escaped for HTML; write "&".')
def html_entity(seen: Seen) -> Correction | None:
    """``?a=1&amp;b=2``: where the advice of this code says that it is."""
    advice = seen.report.advice
    found = sorted({(one.start, one.end, "&") for one in advice if one.code == "html-entity"})
    if not found:
        return None
    start, end, _ = found[0]
    return Correction((spliced(seen.text, found),), seen.text[start:end])


def _entities(text: str) -> Iterator[tuple[int, int, str]]:
    """Where entities of HTML stand that end in a semicolon, and the characters that they are."""
    at = text.find("&")
    if at < 0 or ";" not in text:
        return
    from html import unescape
    from html.entities import html5

    while at >= 0:
        end = text.find(";", at, at + LONGEST_ENTITY) + 1
        name = text[at:end]
        number = name[1:2] == "#" and unescape(name) != name
        if name[1:] in html5 or number:
            yield at, end, unescape(name)
        at = text.find("&", at + 1)
