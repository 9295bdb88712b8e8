"""Display: a URI for people to read.

Owns which escapes are shown decoded. May import ``drawing``, the grammars and its siblings.
Invariant: except for isolates and a password, percent-encoding the displayed text makes the URI
that it was made from, with escapes normalized (RFC 3986 section 6.2.2); displayed text
cannot hide anything, move the cursor, reorder its surroundings, or pass for a delimiter or for
another host.
"""

from __future__ import annotations

import codecs
from contextlib import suppress
from functools import lru_cache
from unicodedata import bidirectional, category, normalize
from urllib.parse import unquote

from ..arguments import strings
from ..grammar import registry
from ..grammar.schemes import SPECIAL
from ..limits import LONGEST_NAME
from ..report import InvalidURI, Report, Violation, spliced
from ..text.drawing import visible
from ..text.invisible import reason
from ..text.passwords import masked, passwords
from ..validate.examine import components_of
from ..validate.octets import encoded_beyond_ascii, percent_encoded
from ..validate.plan import plan_of
from ..validate.report import make_report
from .characters import (
    GRAMMAR,
    characters,
    decodable,
    keep_dots,
    rewritten,
    spelled,
    spellings,
)
from .errors import known
from .hosts.labels import RIGHT_TO_LEFT, labels, shown_label, u_label

ISOLATES = "\u2068", "\u2069"
"""The characters around right-to-left text: FIRST STRONG ISOLATE, and its end (UAX #9 section 2.3).
URIs cannot hold them, and no step of cleaning removes them."""

# Characters that look like / : ? # % ! or \\ and keep their form under NFKC; others
# are found by their NFKC form (UTS #39, confusables).
_LOOK_ALIKES = frozenset(
    "\u01c3\u02d0\u0337\u0338\u0589\u1803\u1809\u2044\u2052\u205a\u2215\u2216\u2236\u2571\u2572"
    "\u266f\u29f5\u29f8\u29f9\u2cc6\ua4fd\ua778\ua789"
)
_MOST_MARKS = 2  # combining marks shown on one letter


def display(
    text: str, *, idna: bool = False, password: bool = False, encoding: str = "utf-8"
) -> str:
    """The URI in readable form: escapes are decoded if that is safe.

    Decoded are unreserved characters, the other ASCII characters that URIs cannot hold, and visible
    characters in ``encoding``. Not decoded are reserved characters and ``%``, control, format and
    invisible characters, lookalikes of delimiters, a space at an end or next to another, a
    backslash where browsers read a slash, dots that would be a dot-segment (``%2e%2e``), and all
    but unreserved characters in the userinfo. A password is masked, unless ``password`` is set.
    Labels of the host, always in UTF-8, are decoded if they cannot be confused, and if the host is
    not too long for a name; with ``idna``, this applies to its A-labels, and its escapes stay.
    Right-to-left text is enclosed in ``ISOLATES``, so that it does not reorder its surroundings.

    A text that is not yet a URI or a relative reference is percent-encoded first, so that a
    displayed text can be displayed again; with ``idna``, labels of its host become A-labels.

    Errors: InvalidURI, if that is not enough to make it one; UnknownEncoding, TypeError. Cost:
    O(n). Source: RFC 3986 sections 2.4, 3.2.1 and 7.6, RFC 3987 sections 3.2 and 4.1.

    >>> display("http://example.com/admin/login?name=Helen%20%C3%98deg%C3%A5rd&gender=%26")
    'http://example.com/admin/login?name=Helen \u00d8deg\u00e5rd&gender=%26'
    >>> display("ftp://me:secret@h/%2F%00%E2%80%AE%C3"), display("/%E9", encoding="latin-1")
    ('ftp://me:******@h/%2F%00%E2%80%AE%C3', '/\u00e9')
    """
    encoding = codecs.lookup(known(encoding)).name
    strings(text=text)
    if not registry.load(GRAMMAR).accepts("URI-reference", text):
        text = text.translate(_NO_ISOLATES)  # our own, of a text that was shown before
        text = _as_uri(text, idna, encoding)
    components = components_of(plan_of(registry.load(GRAMMAR), "URI-reference"), text)
    hidden = (
        () if password else [*passwords(text, {n: (c.start, c.end) for n, c in components.items()})]
    )
    scheme = components["scheme"].text.lower() if "scheme" in components else ""
    shown: list[str] = []
    at = 0
    for component, _, start, end, found in components.values():
        shown.append(masked(text[at:start], hidden, at))  # delimiters are part of some
        at = end
        found = masked(found, hidden, start)  # noqa: PLW2901 -- the same component
        if component == "host":
            shown.append(_host(found, idna))
        elif component == "userinfo":
            shown.append(rewritten(found, spelled()[1]))
        elif "%" in found:
            kept = {"\\"} if component == "path" and scheme in SPECIAL else set()
            kept |= characters("unreserved") - decodable(scheme, component, found)
            ends = (start == 0, end == len(text))
            read = _readable(found, kept, *ends, encoding)
            shown.append(_isolated(keep_dots(found, read) if component == "path" else read))
        else:
            shown.append(found)
    return "".join([*shown, text[at:]])


def _as_uri(text: str, idna: bool, encoding: str) -> str:
    """A URI reference of a text that was typed, or shown before: all that is data is encoded.

    Errors: InvalidURI, for what is not data, such as a delimiter where there can be none.
    """
    if encoding == "utf-8" and not idna:
        with suppress(UnicodeError):  # most texts have nothing else to encode, and need no report
            written = encoded_beyond_ascii(text)
            if registry.load(GRAMMAR).accepts("URI-reference", written):
                return written
    report = make_report(registry.load(GRAMMAR), text, "URI-reference")
    host = report.components.get("host")
    if idna and host is not None and not host.text.isascii():
        names = [*labels(host.text)]
        if any(label.error for label in names):
            raise InvalidURI(report)
        made = ".".join([label.made or host.text[label.start : label.end] for label in names])
        text = f"{text[: host.start]}{made}{text[host.end :]}"
        report = make_report(registry.load(GRAMMAR), text, "URI-reference")
    found = report.violations
    return spliced(text, ((v.start, v.end, _written(v, report, encoding)) for v in found))


def _written(one: Violation, report: Report, encoding: str) -> str:
    """The characters of a violation, percent-encoded; a host is in UTF-8 (section 3.2.2)."""
    is_data = registry.load(GRAMMAR).accepts(one.production, "%00")
    if one.kind != "illegal" or not is_data or not characters("reserved").isdisjoint(one.found):
        raise InvalidURI(report)
    try:
        return percent_encoded(one.found, "utf-8" if one.component == "host" else encoding)
    except UnicodeError:
        raise InvalidURI(report) from None


_NO_ISOLATES = dict.fromkeys(map(ord, ISOLATES))


def _isolated(text: str) -> str:
    """A text with isolates around parts with right-to-left characters, between delimiters."""
    if text.isascii() or not any(map(_is_right_to_left, text)):
        return text
    delimiters = characters("reserved") | {" "}
    pieces = [""]
    for char in text:
        if char in delimiters:
            pieces += char, ""
        else:
            pieces[-1] += char
    first, last = ISOLATES
    return "".join(
        f"{first}{piece}{last}" if any(map(_is_right_to_left, piece)) else piece for piece in pieces
    )


def _is_right_to_left(char: str) -> bool:
    return bidirectional(char) in RIGHT_TO_LEFT


def _host(host: str, idna: bool) -> str:
    plain = rewritten(host, spelled()[1]).split(".")
    # A host that is too long for a name leads nowhere, so that nobody needs to read it.
    if host.startswith("[") or len(unquote(host)) > LONGEST_NAME + 1:
        return ".".join(plain)
    if idna:
        read = [u_label(label) or label for label in plain]
    else:
        read = ["".join(_character(*p) or p[0] for p in spellings(label)) for label in plain]
    top = next((label for label in reversed(read) if label), "")
    fit = [
        _isolated(r) if not r.isascii() and all(map(_seen, r)) and shown_label(r, top) else p
        for r, p in zip(read, plain, strict=True)
    ]
    return ".".join(fit)


def _readable(text: str, kept: set[str], first: bool, last: bool, encoding: str) -> str:
    """A path, query or fragment. ``first`` and ``last``: whether it starts, ends the URI."""
    pieces = list(spellings(text, encoding))
    shown: list[str] = []
    marks = 0
    before = "" if first else "/"  # the character before this one
    for number, (piece, read) in enumerate(pieces, 1):
        known = spelled()[1].get(piece[1:], "")
        char = known if len(known) == 1 else _character(piece, read, encoding)
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
    """Whether a character has a glyph of its own, and leaves the line in order if isolated."""
    if reason(char):
        return False
    if _is_right_to_left(char):
        return category(char)[0] not in "CZ"
    base = "a" if category(char)[0] == "M" else ""
    return visible(base + char) == base + char


@lru_cache(4096)
def _character(piece: str, char: str, encoding: str = "utf-8") -> str:
    """The character of escapes, if it is safe to show and cleaning encodes it again."""
    if len(char) != 1 or char == piece:
        return ""
    if char == "%" or char in characters("reserved") | characters("unreserved"):
        return ""
    if registry.load(GRAMMAR).accepts("URI-reference", char) or not _seen(char):
        return ""
    delimiting = characters("reserved") | {"%", "\\", ".", " "}
    if not char.isascii() and (
        char in _LOOK_ALIKES or not delimiting.isdisjoint(normalize("NFKC", char))
    ):
        return ""
    # Lower-case digits are the same octets (section 6.2.2.1): shown, and encoded in upper case.
    return char if percent_encoded(char, encoding) == piece.upper() else ""
