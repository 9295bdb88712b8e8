"""Labels of a host that are not ASCII: made into A-labels, and which of them are fit to be shown.

Owns the two ways between a label and its A-label. May import the grammars and its siblings.
Invariant: a label that is made holds nothing but unreserved characters, and one that is shown
makes the A-label that it came from; no label longer than the DNS allows is read, for Punycode
takes quadratic time.

The A-labels are those of IDNA 2003 (RFC 3490), which is what the standard library has.
"""

from __future__ import annotations

from unicodedata import category, is_normalized, name, normalize
from urllib.parse import unquote

from .characters import characters

__all__ = ["DEVIATIONS", "a_label", "scripts", "shown_label", "u_label"]

LONGEST = 63
"""RFC 1035 section 2.3.4."""

DEVIATIONS = frozenset("\u00df\u03c2\u200c\u200d")
"""Deviation characters (UTS #46 section 1.4): IDNA 2003 maps them away, IDNA 2008 keeps them."""

# Scripts that are written in one label together (UTS #39 section 5.2), without Latin: in a host
# name, a kana beside Latin letters passes for a slash.
_TOGETHER = (
    frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}),
    frozenset({"CJK", "HANGUL"}),
    frozenset({"CJK", "BOPOMOFO"}),
)
_LETTERS = frozenset({"Ll", "Lo", "Lm"})
_MARKS = frozenset({"Mn", "Mc"})
# Letters of Latin that pass for others: dotless i, kra, n with apostrophe, long s.
_LATIN_LOOK_ALIKES = frozenset("\u0131\u0138\u0149\u017f")
_LATIN_EXTENDED_A = 0x017F


def a_label(label: str) -> str | None:
    """The A-label of a label, or None if the label is ASCII and needs none.

    Escapes in the label are taken for the UTF-8 that they are (RFC 3986 section 3.2.2).

    Errors: ValueError, whose text says why there is none. Cost: O(n), for n up to 63.

    >>> a_label("B\\u00fccher"), a_label("b%C3%BCcher"), a_label("books")
    ('xn--bcher-kva', 'xn--bcher-kva', None)
    """
    from encodings.idna import ToASCII, dots

    try:
        plain = unquote(label, errors="strict")
    except UnicodeDecodeError:
        plain = label
    if plain.isascii() or (plain == label and label.isascii()):
        return None
    if len(plain) > LONGEST:
        raise ValueError(f"the label is longer than {LONGEST} characters (RFC 1035 section 2.3.4)")
    if dots.search(plain):
        raise ValueError("an escape in the label stands for a dot")
    try:
        made = ToASCII(plain).decode("ascii")
    except UnicodeError as error:
        raise ValueError(str(error) or "IDNA 2003 does not allow it") from error
    if "." in made or not characters("unreserved").issuperset(made):
        raise ValueError("name preparation (RFC 3491) makes a delimiter of a character in it")
    return made


def u_label(label: str) -> str | None:
    """What an A-label stands for; None if it is none, or would not make the same A-label again.

    >>> u_label("xn--bcher-kva"), u_label("xn--a"), u_label("books")
    ('b\u00fccher', None, None)
    """
    from encodings.idna import ToUnicode

    if len(label) > LONGEST or not label.startswith("xn--"):
        return None
    try:
        plain = ToUnicode(label)
        return plain if plain != label and a_label(plain) == label else None
    except ValueError:
        return None


def shown_label(plain: str, top: str) -> bool:
    """Whether a label that is not ASCII is fit to be shown: nobody takes it for another one.

    Its letters are lower-case, composed and of one script (or those that Japanese, Chinese or
    Korean are written with). Latin ones are those of Western and Central Europe. Scripts beside
    Latin, Han, kana, bopomofo and Hangul are shown only under a top-level label (``top``) of the
    same script, for whole words of them look like Latin.

    >>> shown_label("b\\u00fccher", "de"), shown_label("\\u0430\\u0440\\u0440\\u04cf\\u0435", "com")
    (True, False)
    """
    if len(plain) > LONGEST or not is_normalized("NFC", plain) or plain != plain.casefold():
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
    if found == {"LATIN"}:
        return all(_is_plain_latin(char) for char in plain)
    if any(found <= together for together in _TOGETHER):
        return True
    return len(found) == 1 and "LATIN" not in found and found == scripts(top)


def _is_plain_latin(char: str) -> bool:
    return ord(char) <= _LATIN_EXTENDED_A and char not in _LATIN_LOOK_ALIKES


def scripts(text: str) -> frozenset[str]:
    """The scripts of the letters in a text, by the first word of each letter's name.

    The standard library has no table of the Script property; a letter's name starts with its
    script, but for Han ideographs ("CJK").

    >>> sorted(scripts("\\u0430pple-1"))
    ['CYRILLIC', 'LATIN']
    """
    return frozenset(name(c, "UNNAMED").split()[0] for c in text if category(c).startswith("L"))
