"""Labels of a host that are not ASCII: made into A-labels, and which of them are fit to be shown.

Owns the two ways between a label and its A-label: UTS #46 maps (non-transitional), IDNA 2008
decides; both are the package ``idna``, which is loaded when a label needs it. May import the
grammars and its siblings. Invariant: a label that is made holds nothing but unreserved
characters, and one that is shown makes the A-label that it came from; no label longer than the
DNS allows is read, for Punycode takes quadratic time.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from unicodedata import bidirectional, category, decomposition, is_normalized, normalize
from urllib.parse import unquote

from ...limits import LONGEST_LABEL, LONGEST_NAME, MOST_COMPOSED
from ...text.drawing import named
from ..characters import characters
from .scripts import is_single_script, scripts

ACE_PREFIX = "xn--"
"""RFC 5890 section 2.3.2.1."""

LABEL = f"a label is longer than {LONGEST_LABEL} octets (RFC 1035 §2.3.4)"
NAME = f"a name is longer than {LONGEST_NAME} octets (RFC 1035 §2.3.4)"
"""Why there is no label, and no name."""

DEVIATIONS = frozenset("\u00df\u03c2\u200c\u200d")
"""Deviation characters (UTS #46 section 1.4): IDNA 2003 maps them away, IDNA 2008 keeps them."""

RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
"""Bidi classes of characters written from right to left (UAX #9, table 4)."""

# Scripts that are not mixed with Latin in one label: in a host name, a kana next to Latin letters
# passes for a slash.
_EAST_ASIAN = frozenset({"Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"})
_LETTERS = frozenset({"Ll", "Lo", "Lm"})
_MARKS = frozenset({"Mn", "Mc"})
# Letters of Latin that pass for others: dotless i, kra, n with apostrophe, long s.
_LATIN_LOOK_ALIKES = frozenset("\u0131\u0138\u0149\u017f")
_LATIN_EXTENDED_A = "\u017f"


@lru_cache(4096)
def mapping(char: str) -> tuple[str, str]:
    """What UTS #46 makes of a character, and why; "" if it stays, as with older software.

    Errors: ValueError, for a character that is not allowed in a name. Source: UTS #46 section 4,
    step 1.

    >>> mapping("\\u3002")
    ('.', 'U+3002 IDEOGRAPHIC FULL STOP separates labels, as a full stop does')
    """
    new = _remapped(char)
    if new == char and char not in DEVIATIONS:
        return new, ""
    return new, f"{named(char)} {_why(char, new)}"


def _why(char: str, new: str) -> str:
    if char == new:
        return "is kept, as IDNA 2008 has it; IDNA 2003 mapped it to another name"
    if not new:
        return "is left out"
    if new == ".":
        return "separates labels, as a full stop does"
    if decomposition(char).startswith(("<wide>", "<narrow>")):
        return "is written in its usual width"
    if new in (char.lower(), char.casefold()):
        return "is written in lower case"
    return "is replaced by the characters that it stands for"


def _remapped(text: str) -> str:
    """The mapping of UTS #46. Errors: ValueError, in words of our own."""
    import idna

    try:
        return idna.uts46_remap(text, std3_rules=False)
    except idna.IDNAError as error:
        for char in text:  # the message of idna quotes the text, which might hold anything
            try:
                idna.uts46_remap(char, std3_rules=False)
            except idna.IDNAError:
                raise ValueError(
                    f"{named(char)} is not allowed in a host name (UTS #46)"
                ) from error
        raise ValueError(str(error)) from error


def a_label(label: str) -> str | None:
    """The A-label of a label, or None if the label is ASCII and needs none.

    Escapes in the label are decoded as UTF-8 (RFC 3986 section 3.2.2). The mapped characters are
    listed by ``mappings``.

    Errors: ValueError, which says why there is no A-label. Cost: O(n), for n up to 252. Source: UTS
    #46 section 4.2, RFC 5891 section 4.

    >>> a_label("B\\u00fccher"), a_label("fa%C3%9F"), a_label("books")
    ('xn--bcher-kva', 'xn--fa-hia', None)
    """
    plain = _decoded(label)
    if plain.isascii():
        return None
    if len(plain) > LONGEST_LABEL * MOST_COMPOSED:
        raise ValueError(LABEL)
    mapped = _remapped(plain)
    if "." in mapped:
        raise ValueError("a character in the label stands for a dot")
    if not mapped:
        raise ValueError("nothing of the label is left by name preparation (UTS #46)")
    if mapped.isascii():
        if not characters("unreserved").issuperset(mapped):
            raise ValueError("name preparation (UTS #46) makes a delimiter of a character in it")
        if mapped.startswith(ACE_PREFIX) and u_label(mapped) is None:
            raise ValueError(f"the label starts with {ACE_PREFIX} but is not an A-label (RFC 5890)")
        return mapped
    if len(ACE_PREFIX + mapped) > LONGEST_LABEL:  # Punycode has a digit at least for each
        raise ValueError(LABEL)
    import idna

    try:
        return idna.alabel(mapped).decode("ascii")
    except idna.IDNAError as error:
        raise ValueError(_reason(error, mapped)) from error


class Label(NamedTuple):
    """The label at ``[start, end)`` of a host; the character after it, if any, is a dot.

    ``made`` is its A-label, or None if it needs none; ``mapped`` is the name of that A-label, if it
    differs from the written one in more than case; ``error`` says why there is no A-label.
    """

    start: int
    end: int
    made: str | None
    mapped: str | None = None
    error: str = ""


def labels(host: str) -> Iterator[Label]:
    """The labels of a registered name, divided at every character that is a dot there.

    All that is beyond the longest name is one label with an error, unless none needs an A-label.

    Errors: none. Cost: O(n). Source: RFC 3490 section 3.1; RFC 3986 section 3.2.2, for case.

    >>> [(label.made, label.mapped) for label in labels("B\u00fccher.de")]
    [('xn--bcher-kva', None), (None, None)]
    """
    from encodings.idna import dots

    at = octets = 0
    needed = not host.isascii()
    for text in dots.split(host):
        found = _label(text, at)
        needed = needed or found.made is not None or found.error != ""
        octets += len(found.made or _decoded(text)) + 1
        if needed and octets > LONGEST_NAME + (2 if not text else 1):  # a last dot is not counted
            yield Label(at, len(host), None, None, NAME)
            return
        yield found
        at = found.end + 1


def _label(text: str, at: int) -> Label:
    end = at + len(text)
    try:
        made = a_label(text)
    except ValueError as error:
        return Label(at, end, None, None, str(error))
    mapped = None
    if made is not None:
        mapped = u_label(made) or made
        if mapped == normalize("NFC", "".join(map(_lower, _decoded(text)))):
            mapped = None
    return Label(at, end, made, mapped)


def _lower(char: str) -> str:
    """A character in the case that names are in, which is upper case for Cherokee (UTS #46)."""
    folded = char.casefold()
    return folded if folded in (char, char.swapcase()) else char.lower()


def _decoded(label: str) -> str:
    """A label, percent-decoded if it is UTF-8."""
    try:
        return unquote(label, errors="strict")
    except UnicodeDecodeError:
        return label


def _reason(error: UnicodeError, label: str) -> str:
    """Why IDNA 2008 refuses a label; the message of idna counts from one, and quotes the label."""
    code, point = getattr(error, "code", None), getattr(error, "codepoint", None)
    if point is not None and code in ("disallowed_codepoint", "contextj", "contexto"):
        where = "" if code == "disallowed_codepoint" else " here"
        return f"IDNA 2008 does not allow {named(chr(point))}{where} (RFC 5892)"
    if str(code).startswith("bidi"):
        return "right-to-left characters and others are mixed in a way that confuses (RFC 5893)"
    return f"IDNA 2008: {error}".replace(repr(label), "the label")


def keeps_bidi_rule(labels: list[str]) -> bool:
    """Whether all labels of a name keep the Bidi rule, if one is right-to-left (RFC 5893)."""
    import idna

    if not any(bidirectional(char) in RIGHT_TO_LEFT for char in "".join(labels)):
        return True
    try:
        return all(idna.check_bidi(label, check_ltr=True) for label in labels if label)
    except idna.IDNAError:
        return False


def u_label(label: str) -> str | None:
    """The label that an A-label stands for; None if it is not valid, or does not round-trip.

    >>> u_label("xn--bcher-kva"), u_label("xn--a"), u_label("books")
    ('b\u00fccher', None, None)
    """
    if len(label) > LONGEST_LABEL or not label.startswith(ACE_PREFIX):
        return None
    import idna

    try:
        plain = idna.ulabel(label)
        return plain if a_label(plain) == label else None
    except ValueError:
        return None


def from_punycode(label: str) -> str | None:
    """What the text after ``xn--`` stands for, valid or not; None if that is nothing, or ASCII.

    >>> from_punycode("xn--n3h"), from_punycode("xn--a-")
    ('\u2603', None)
    """
    try:
        text = label[len(ACE_PREFIX) :].encode("ascii").decode("punycode")
        text.encode("utf-8")
    except UnicodeError:
        return None
    return None if text.isascii() else text


def shown_label(plain: str, top: str) -> bool:
    """Whether a label that is not ASCII is fit to be shown: nobody takes it for another one.

    Its letters are lower-case, composed and of one script (or those that Japanese, Chinese or
    Korean use together). Latin ones are those of Western and Central Europe. Other scripts than
    Latin, Han, kana, bopomofo and Hangul are shown only under a top-level label (``top``) of the
    same script, because whole words of them look like Latin.

    >>> shown_label("b\\u00fccher", "de"), shown_label("\\u0430\\u0440\\u0440\\u04cf\\u0435", "com")
    (True, False)
    """
    if len(plain) > LONGEST_LABEL or not is_normalized("NFC", plain) or plain != _folded(plain):
        return False
    previous = ""
    for char in plain:
        kind = category(char)
        if char.isascii():
            fit = char in characters("unreserved") and (char.isalnum() or char == "-")
        elif kind in _MARKS:
            fit = category(previous) in _LETTERS | _MARKS if previous else False
        else:
            fit = kind in _LETTERS and normalize("NFKC", char) == char
        if not fit:
            return False
        previous = char
    found = scripts(plain)
    if found == {"Latin"}:
        return max(plain) <= _LATIN_EXTENDED_A and _LATIN_LOOK_ALIKES.isdisjoint(plain)
    if not is_single_script(plain):
        return False
    return found <= _EAST_ASIAN or ("Latin" not in found and found == scripts(top))


def _folded(plain: str) -> str:
    """Without differences of case; the deviation characters have none (UTS #46 section 1.4)."""
    return "".join(char if char in DEVIATIONS else char.casefold() for char in plain)
