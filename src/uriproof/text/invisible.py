"""Characters that are invisible or change the direction of text, and where they are legitimate.

Owns their list (RFC 3987 §4.1; Unicode, Default_Ignorable_Code_Point). Imports idna to judge a
joiner. Invariant: silent on joiners if a script or an emoji has them.
"""

BIDI_CONTROLS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""The characters that change directions (Unicode, Bidi_Control; UAX #9 §2): no IRI has them."""
# Letters, marks and reserved code points that have no shape, and the blank pattern of Braille.
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0"
    "\ufff0\ufff1\ufff2\ufff3\ufff4\ufff5\ufff6\ufff7\ufff8"
)
_TAGS = range(0xE0000, 0xE1000)  # and variation selectors, and reserved characters among them
_VARIATIONS = frozenset(
    map(chr, (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
_VARIED = frozenset({"So", "Sm", "Sk", "Lo"})  # emoji, symbols, ideographs, Mongolian letters
_KEYS = frozenset("0123456789#*")  # of keycaps (UTS #51 §1.4.6)
# Emoji that Unicode counts as a letter or as punctuation: "i" for information, "!!", "!?", a wave.
_SIGNS = frozenset("\u2139\u203c\u2049\u3030")
INVISIBLE = _BLANK | _VARIATIONS
"""The characters that leave no mark, though they are letters, marks or symbols, or reserved."""

# Format characters that are seen (Unicode, Prepended_Concatenation_Mark and the like).
_SEEN = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
_JOINERS = frozenset("\u200c\u200d")
_NEAR = 16  # characters on either side that decide on a joiner or a tag
_FLAG = "\U0001f3f4"  # before the tags of a flag (UTS #51, Annex C)


def hides(text: str) -> bool:
    """Whether a character of a text might be one of these, at a first look. Cost: O(n).

    >>> hides("caf\u00e9"), hides("caf\u00e9\u200b")
    (False, True)
    """
    return not (text.isprintable() and INVISIBLE.isdisjoint(text))


def is_meant(text: str, at: int) -> bool:
    """Whether a joiner, a tag or a variation selector is where writing has it (RFC 5892 Appendix A,
    UTS #51)."""
    from unicodedata import category

    char, before = text[at], text[max(at - _NEAR, 0) : at]
    if char in _VARIATIONS:
        return before[-1:] in _KEYS | _SIGNS or category(before[-1:] or "a") in _VARIED
    if char in _JOINERS:
        import idna

        if category(before.rstrip("\ufe0f")[-1:] or "a") in {"So", "Sk"}:
            return True
        try:
            return idna.valid_contextj(before + text[at : at + _NEAR], len(before))
        except ValueError:
            return False
    return "\U000e0020" <= char <= "\U000e007f" and _FLAG in before


def reason(char: str) -> str:
    """The problem of a character that is invisible, or changes the look of others; else empty."""
    from unicodedata import category

    kind = category(char)
    if char in BIDI_CONTROLS:
        return "changes the direction of the displayed text"
    if kind in {"Zl", "Zp"} or char == "\x85":
        return "ends a line for some software"
    if kind == "Cc":
        return "is a control character: decoded, it affects terminals and logs"
    if (kind == "Cf" and char not in _SEEN) or char in INVISIBLE or ord(char) in _TAGS:
        return "is invisible"
    return ""


def hidden(text: str, at: int) -> str:
    r"""The problem of a character that does not look like what it is, at its place: as ``reason``,
    and other blanks than a space. "" if there is none.

    >>> hidden("a b", 1), hidden("a\u00a0b", 1), hidden("\u2764\ufe0f", 1)
    ('', 'is not an ordinary space', '')
    >>> hidden("\u2139\ufe0f", 1), hidden("a\ufe0f", 1)
    ('', 'is invisible')
    """
    from unicodedata import category

    if text[at] == " " or (not text[at].isascii() and is_meant(text, at)):
        return ""
    return "is not an ordinary space" if category(text[at]) == "Zs" else reason(text[at])
