"""Characters in an order for people: a letter says more than a control character.

Owns that order and the choice of characters to show for a set. Imports the character sets.
Invariant: it never leaves a set: a representative of a set is a member of it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from ..charset import Ranges, both, minus, union

# From the most readable to hiding or breaking: a name, a number, punctuation, a space, letters
# that most fonts have, ideographs, then all others, unassigned and controls, and last lone
# surrogates, which are not characters at all (Unicode Standard, D71 to D73).
_SURROGATES: Ranges = ((0xD800, 0xDFFF),)
_CONTROLS: Ranges = ((0x00, 0x1F), (0x7F, 0x9F))
_LETTERS: Ranges = ((0x61, 0x7A),)
_PRINTABLE: Ranges = ((0x21, 0x7E),)
_BANDS: tuple[Ranges, ...] = (
    _LETTERS,
    ((0x41, 0x5A),),
    ((0x30, 0x39),),
    _PRINTABLE,
    ((0x20, 0x20),),
    ((0xE0, 0xF6), (0xF8, 0xFF)),  # Latin letters with accents
    ((0xC0, 0xD6), (0xD8, 0xDE)),
    ((0x3B1, 0x3C9), (0x430, 0x44F)),  # Greek, Cyrillic
    ((0x4E00, 0x9FA5),),  # ideographs
    ((0xA1, 0xAC), (0xAE, 0x17F)),
)
_LAST: tuple[Ranges, ...] = (_CONTROLS, _SURROGATES)
_MOST_NAMED = 64  # members of a band that represent it: enough to vary, few to keep


def rank(char: str) -> tuple[int, int]:
    """The position of a character in the order: its band, and its code point.

    >>> sorted("\\n/Z9 aé", key=rank)
    ['a', 'Z', '9', '/', ' ', 'é', '\\n']
    """
    point = ord(char)
    for number, band in enumerate(_BANDS):
        if any(low <= point <= high for low, high in band):
            return number, point
    for number, band in enumerate(_LAST, len(_BANDS) + 1):
        if any(low <= point <= high for low, high in band):
            return number, point
    return len(_BANDS), point


def order(text: str) -> tuple[int, list[tuple[int, int]]]:
    """A key that sorts texts: the shortest first, and of those the most readable."""
    return len(text), [rank(char) for char in text]


@lru_cache(maxsize=4096)
def sample(ranges: Ranges) -> str:
    """The most readable character of a set that is not empty.

    >>> sample(((0x00, 0x2F), (0x41, 0x7F))), sample(((0x00, 0x1F),))
    ('a', '\\x00')
    """
    left = ranges
    for band in _BANDS:
        found = both(left, band)
        if found:
            return chr(found[0][0])
        left = minus(left, band)
    for kept in (minus(left, union(*_LAST)), minus(left, _SURROGATES), left):
        if kept:
            return chr(kept[0][0])
    raise ValueError("an empty set has no characters")


@lru_cache(maxsize=4096)
def members(ranges: Ranges) -> str:
    """Representatives of a set: those of printable ASCII, or some of its best band.

    At most 94; none only for the empty set.

    >>> members(((0x30, 0x39), (0x80, 0x10FFFF))), len(members(((0x80, 0x10FFFF),)))
    ('0123456789', 31)
    """
    for bands in (_PRINTABLE, *_BANDS[4:]):
        found = both(ranges, bands)
        if found:
            points = chain.from_iterable(range(low, high + 1) for low, high in found)
            some = sorted((chr(p) for p, _ in zip(points, range(94), strict=False)), key=rank)
            return "".join(some if bands == _PRINTABLE else some[:_MOST_NAMED])
    others = minus(ranges, union(*_LAST)) or minus(ranges, _SURROGATES) or ranges
    points = chain.from_iterable(range(low, high + 1) for low, high in others)
    return "".join(chr(p) for p, _ in zip(points, range(_MOST_NAMED), strict=False))
