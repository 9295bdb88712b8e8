"""Where a URL that nothing delimits ends beyond ASCII: punctuation, particles, symbols.

Owns that typography. Imports the grammar's expressions in ``find._uri``. Invariant: what is
looked at around a character is bounded.

RFC 3987 §2.2 allows nearly all of these characters in an IRI; what ends one in running text is how
people write.
"""

from __future__ import annotations

from ...text.patterns import lazy
from ._uri import AUTHORITY

__all__ = ["ends_url"]

# Particles that are written without a space after a name, in Japanese and in Korean.
_SYMBOLS = lazy(r"[^\w\s\x00-\x7f]{1,20}(?=\.?\w)")
_JOINING = ("Sc", "So", "Mn")
_KANA = frozenset("をはがにでのとへもやかより")
# A word that the punctuation of a sentence follows: the sentence goes on after the URL.
_SENTENCE = lazy(
    r"[\u3005-\u9fff\uac00-\ud7af]++["
    r"\u3002\uff0c\u3001\uff01\uff1f\uff1b\uff1a\u300d\u300f\uff09\u3011\u300b]"
)
_HANGUL = lazy(r"[가-힣]++")
_PARTICLES = frozenset(
    (
        *("를", "을", "은", "는", "이", "가", "에", "에서", "에서는", "로", "으로", "와", "과"),
        *("의", "도", "만", "부터", "까지", "입니다", "이다", "라고", "에는"),
    )
)


def ends_url(text: str, first: int, body: int, at: int, limit: int) -> bool:
    """Whether a character beyond ASCII ends a URL: what is no letter, mark or number does, and
    letters do in languages that put no space between a URL and a word."""
    char = text[at]
    if _cjk(char):
        if first and _cjk(text[first - 1]):
            return True
        ascii_before = text[at - 1].isascii()
        match = AUTHORITY.match(text, body, at) if ascii_before else None
        if match and match.end() == at and text[at - 1].isalnum():
            return True
        if ascii_before and (char in _KANA or _SENTENCE.match(text, at, limit)):
            return True
        match = _HANGUL.match(text, at, limit) if ascii_before else None
        if match and match[0] in _PARTICLES:
            return True
    if char.isalnum() or char >= "\U0001f000":
        return False
    from unicodedata import category

    if category(char)[0] == "M":
        return False
    if char in "\u200b\u200c\u200d\u2060\ufeff\u00ad":  # copied along, or a joiner in a word
        before = text[at - 1].isalnum() or category(text[at - 1])[0] == "M"
        return not (before and text[at + 1 : at + 2].isalnum())
    # A symbol, or a dash that joins: of the URL if it goes on after it.
    joins = at == body or text[at - 1].isalnum() or not text[at - 1].isascii()
    symbols = _SYMBOLS.match(text, at, limit) if joins else None
    return symbols is None or any(
        ("\u2500" <= c <= "\u25ff" or category(c) not in _JOINING) and c != "\u2013"
        for c in symbols[0]
    )


def _cjk(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" or "豈" <= char <= "\ufaff"
