"""Characters that are invisible or change the direction of text, and where they are meant.

Owns which they are (RFC 3987 §4.1, Unicode). Imports idna, where a joiner is judged. Invariant:
silent on joiners where a script or an emoji has them.
"""

__all__ = ["hides", "is_meant", "reason"]

_DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_MARKS = frozenset("\u061c\u200e\u200f")  # UAX #9 §2.6
# Letters and marks that have no shape (Unicode, Default_Ignorable_Code_Point), and the blank
# pattern of Braille; variation selectors are no fault beside what they vary.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Format characters that are seen (Unicode, Prepended_Concatenation_Mark and the like).
_SEEN = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
_JOINERS = frozenset("\u200c\u200d")
_NEAR = 16  # characters on either side that decide on a joiner or a tag
_FLAG = "\U0001f3f4"  # before the tags of a flag (UTS #51, Annex C)


def hides(text: str) -> bool:
    """Whether some character of a text may be one of these, at a first look. Cost: O(n).

    >>> hides("caf\u00e9"), hides("caf\u00e9\u200b")
    (False, True)
    """
    return not (text.isprintable() and _BLANK.isdisjoint(text))


def is_meant(text: str, at: int) -> bool:
    """Whether a joiner or a tag stands where writing has it (RFC 5892 Appendix A, UTS #51)."""
    from unicodedata import category

    char, before = text[at], text[max(at - _NEAR, 0) : at]
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
    """What is wrong with a character that is not seen, or changes how others are; else nothing."""
    from unicodedata import bidirectional, category

    kind = category(char)
    if bidirectional(char) in _DIRECTIONS or char in _MARKS:
        return "changes the direction of what is displayed"
    if kind in {"Zl", "Zp"} or char == "\x85":
        return "ends a line for some software"
    if kind == "Cc":
        return "is a control character: decoded, it affects terminals and logs"
    if (kind == "Cf" and char not in _SEEN) or char in _BLANK:
        return "is invisible"
    return ""
