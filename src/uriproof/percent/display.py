"""Display: a URI for people to read.

Owns which escapes are shown as the characters that they stand for. May import ``drawing``, the
grammars and its siblings. Invariant: ``clean`` makes of what is shown the URI that it was shown
for, its escapes normalised (RFC 3986 section 6.2.2); nothing shown can hide, move the cursor,
reorder the line, or pass for a delimiter or for another host.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from unicodedata import category, normalize

from ..arguments import flags, strings
from ..drawing import visible
from ..grammar import registry
from .characters import characters
from .clean import SPECIAL, clean, divided, is_escape, percent_encoded
from .labels import shown_label, u_label

__all__ = ["display"]

# Characters that look like / : ? # % ! or \\ and keep their form under NFKC; those that do not
# keep it are found by what they become (UTS #39, confusables).
_LOOK_ALIKES = frozenset(
    "\u01c3\u02d0\u0337\u0338\u0589\u1803\u1809\u2044\u2052\u205a\u2215\u2216\u2236\u2571\u2572"
    "\u266f\u29f5\u29f8\u29f9\u2cc6\ua4fd\ua778\ua789"
)
_MOST_MARKS = 2  # combining marks shown on one letter
_LEADS = ((0x80, 1), (0xC0, 1), (0xE0, 2), (0xF0, 3), (0xF8, 4))  # RFC 3629 section 3


def display(text: str, *, idna: bool = False) -> str:
    """The URI as people may read it: escapes are shown as characters where that is safe.

    Shown are unreserved characters, the other ASCII characters that no URI holds, and what is
    UTF-8 for a character that can be seen. Not shown are reserved characters and ``%``, control,
    format, invisible and right-to-left characters, what looks like a delimiter, a space at an end
    or beside another, a backslash where browsers read a slash, and anything but unreserved
    characters in the userinfo. Labels of the host are shown that nobody takes for others; with
    ``idna``, it is the A-labels of the host that are shown so, and its escapes stay.

    What is not yet a URI or a relative reference is cleaned first; cleaning what is shown gives
    the same text again (with ``idna``, cleaning by the step ``idna``).

    Errors: NotCleaned, TypeError. Cost: O(n). Source: RFC 3986 sections 2.4 and 7.6, RFC 3987
    section 3.2.

    >>> display("http://example.com/admin/login?name=Helen%20%C3%98deg%C3%A5rd&gender=%26")
    'http://example.com/admin/login?name=Helen \u00d8deg\u00e5rd&gender=%26'
    >>> display("http://h/%2F%00%E2%80%AE%C3"), display("http://xn--bcher-kva.de/", idna=True)
    ('http://h/%2F%00%E2%80%AE%C3', 'http://b\u00fccher.de/')
    """
    strings(text=text)
    flags(idna=idna)
    if not registry.load("rfc3986").accepts("URI-reference", text):
        text = clean(text, "URI-reference", advanced=("idna",) if idna else ())
    if "%" not in text and not idna:
        return text
    spans = divided(text)
    special = text[slice(*spans.get("scheme", (0, 0)))].lower() in SPECIAL
    shown: list[str] = []
    at = 0
    for component, (start, end) in spans.items():
        shown.append(text[at:start])
        found, at = text[start:end], end
        if component == "host":
            shown.append(_host(found, idna))
        elif component == "userinfo":
            shown.append(_plain(found))
        elif "%" in found:
            kept = {"\\"} if component == "path" and special else set()
            ends = (start == 0, end == len(text))
            shown.append(_readable(found, kept, *ends))
        else:
            shown.append(found)
    return "".join([*shown, text[at:]])


def _plain(text: str) -> str:
    """A text with its escapes normalised (RFC 3986 sections 6.2.2.1 and 6.2.2.2)."""
    return "".join(
        _unreserved(piece) or (piece.upper() if "%" in piece else piece) for piece in _pieces(text)
    )


def _host(host: str, idna: bool) -> str:
    if host.startswith("["):
        return host
    labels = host.split(".")
    plain = [_plain(label) for label in labels]
    if idna:
        read = [u_label(label) or label for label in plain]
    else:
        read = ["".join(_character(p) or p for p in _pieces(label)) for label in plain]
    top = next((label for label in reversed(read) if label), "")
    fit = [
        r if not r.isascii() and visible(r) == r and shown_label(r, top) else p
        for r, p in zip(read, plain, strict=True)
    ]
    return ".".join(fit)


def _readable(text: str, kept: set[str], first: bool, last: bool) -> str:
    """A path, query or fragment. ``first`` and ``last``: whether it starts, ends the URI."""
    pieces = list(_pieces(text))
    shown: list[str] = []
    marks = 0
    before = "" if first else "/"  # the character that this one is seen beside
    for number, piece in enumerate(pieces, 1):
        char = _unreserved(piece) or _character(piece) or ""
        if char in kept or (
            char == " " and (before in ("", " ") or (last and number == len(pieces)))
        ):
            char = ""
        elif category(char or "a")[0] == "M":
            marks += 1
            if not before.isalpha() or marks > _MOST_MARKS:
                char = ""
        else:
            before, marks = char or piece[0], 0
        shown.append(char or piece.upper() if "%" in piece else piece)
    return "".join(shown)


def _seen(char: str) -> bool:
    """Whether a character has a glyph of its own and leaves the line in order."""
    base = "a" if category(char)[0] == "M" else ""
    return visible(base + char) == base + char


def _pieces(text: str) -> Iterator[str]:
    """The characters of a text, but the escapes that are one character of UTF-8 as one piece."""
    at = 0
    while at < len(text):
        if text[at] != "%":
            end = text.find("%", at)
            end = len(text) if end < 0 else end
            yield from text[at:end]
            at = end
            continue
        count = _octets(text[at : at + 3])
        piece = text[at : at + 3 * count]
        if count > 1 and _decoded(piece) is None:
            piece = text[at : at + 3]
        yield piece
        at += len(piece)


def _octets(triplet: str) -> int:
    """How many octets the character has that starts with this one; 1 if none does."""
    lead = int(triplet[1:], 16)
    return next((count for limit, count in _LEADS if lead < limit), 1)


@lru_cache(4096)
def _decoded(piece: str) -> str | None:
    """The character that escapes stand for; None if they are not UTF-8 for one."""
    if len(piece) % 3 or not all(is_escape(piece[i : i + 3]) for i in range(0, len(piece), 3)):
        return None
    try:
        char = bytes.fromhex(piece.replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return None
    return char if len(char) == 1 else None


def _unreserved(piece: str) -> str | None:
    """The unreserved character that an escape stands for (RFC 3986 section 2.3)."""
    char = _decoded(piece)
    return char if char in characters("unreserved") else None


@lru_cache(4096)
def _character(piece: str) -> str | None:
    """The character that escapes stand for, if it is fit to be shown and is encoded again."""
    char = _decoded(piece)
    if char is None or char == "%" or char in characters("reserved") | characters("unreserved"):
        return None
    if registry.load("rfc3986").accepts("URI-reference", char) or not _seen(char):
        return None
    if char.isascii():
        return char
    delimiting = characters("reserved") | {"%", "\\", ".", " "}
    if char in _LOOK_ALIKES or not delimiting.isdisjoint(normalize("NFKC", char)):
        return None
    # Lower-case digits are the same octets (section 6.2.2.1): shown, and encoded in upper case.
    return char if percent_encoded(char) == piece.upper() else None
