r"""Columns of a terminal: how many a text takes, cut to fit, and its colors.

Owns the visible form of each character and its width. Imports ``invisible``, ``patterns``, and the
standard library when a text is not ASCII. Invariant: no character of a visible form can move the
cursor, reorder the line or hide, and no visible form gives a command to what keeps a log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .invisible import INVISIBLE
from .patterns import lazy

ELLIPSIS = "…"
"""Stands for omitted text; URIs cannot hold one, and in other texts it is drawn escaped."""

OCTETS = {chr(0xDC00 + octet): octet for octet in range(0x80, 0x100)}
"""The octets that are not UTF-8, by the code points that stand for them in a text (PEP 383)."""

_MOST_MARKS = 3  # combining characters drawn on one base; more would climb into other lines
_MARKS = frozenset({"Mn", "Me"})

# Unassigned, private, surrogate, control, format characters and every space but U+0020: they have
# no glyph, or none that one can tell from another (Unicode Standard, table 4-4).
_NO_GLYPH = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})

# Conjoining vowels and finals of Hangul, which take no column of their own, and the ellipsis, which
# here means omitted text.
_UNCLEAR = INVISIBLE.union(ELLIPSIS, map(chr, (*range(0x1160, 0x1200), *range(0xD7B0, 0xD800))))

# Right-to-left characters make a terminal reorder the line, and then no caret is where it
# should be (Unicode Standard Annex 9, table 4).
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


# Texts that the log of a CI system is searched for: logging commands of Azure Pipelines, TeamCity,
# and old ones of GitHub anywhere in a line; new ones of GitHub, and groups of Buildkite, at the
# start of a line, where a file's name can be. (Those of GitLab have an escape and a carriage
# return.)
_COMMAND = lazy(
    r"(?<=#)#(?=(?:vso|teamcity)?\[)|\A\s*+:(?=:[a-z-]{4,}+[ :])"
    r"|\A(?:-(?=-- )|\+(?=\+\+ )|~(?=~~ ))",
    re.IGNORECASE,
)


def command_signs(text: str) -> frozenset[int]:
    """The offsets of characters without which no CI system takes a part of a text for a command.

    They are always shown as escapes, in a log or not: a text looks the same everywhere, such texts
    are rare and stay readable, and nobody has to know which variables tell a CI system.

    >>> sorted(command_signs("##vso[task.prependpath]/x ##[error]")), command_signs("## [a]")
    ([1, 27], frozenset())
    """
    if "##" not in text and not text.lstrip().startswith(("::", "---", "+++", "~~~")):
        return _NONE
    return frozenset(match.end() - 1 for match in _COMMAND.finditer(text))


_NONE: frozenset[int] = frozenset()


def cells(text: str) -> Iterator[tuple[str, int]]:
    """For each code point its visible form and the terminal columns that this takes. Cost: O(n)."""
    broken = command_signs(text)
    if not broken and text.isascii() and text.isprintable():
        for char in text:
            yield char, 1
        return
    import unicodedata

    marks = _MOST_MARKS  # there is no base to draw a mark on
    for at, char in enumerate(text):
        if at in broken:
            marks = 0
            yield f"\\x{ord(char):02x}", 4
        elif " " <= char <= "~":
            marks = 0
            yield char, 1
        if " " <= char <= "~":
            continue
        category = unicodedata.category(char)
        is_mark = category in _MARKS
        if (
            category in _NO_GLYPH
            or (is_mark and marks == _MOST_MARKS)
            or unicodedata.bidirectional(char) in _RIGHT_TO_LEFT
            or char in _UNCLEAR
        ):
            marks = _MOST_MARKS
            escaped = char.encode("unicode_escape").decode("ascii")
            if char in OCTETS:
                escaped = f"\\x{OCTETS[char]:02X}"
            yield escaped, len(escaped)
        else:
            marks = marks + 1 if is_mark else 0
            yield char, width(char)


def columns(text: str) -> list[int]:
    r"""The terminal column of each code point in ``visible(text)``, and that after the last.

    A combining character is in the column after its base, and takes none. Cost: O(n).

    >>> columns("a\n\u4e2db")
    [0, 1, 3, 5, 6]
    """
    found = [0]
    for _, taken in cells(text):
        found.append(found[-1] + taken)
    return found


def width(text: str) -> int:
    r"""The columns that a visible text takes. Cost: O(n).

    >>> width("host"), width("\u6f22"), width("…")
    (4, 2, 1)
    """
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(c) in _MARKS else 2 if east_asian_width(c) in {"W", "F"} else 1 for c in text
    )


def cut(text: str, room: int, ellipsis: str = ELLIPSIS) -> str:
    """The visible text, or as much of its start as fits into this many columns, and an ellipsis.

    >>> cut("relative-part", 9)
    'relative…'
    """
    if width(text) <= room:
        return text
    kept = text[: max(room - len(ellipsis), 0)]
    while kept and width(kept) > room - len(ellipsis):
        kept = kept[:-1]
    return (kept + ellipsis)[: max(room, 1)]


def paint(text: str, color: str, on: bool = True) -> str:
    r"""The text in a color, such as "31;1" (ECMA-48 §8.3.117), if that is on; blanks stay bare.

    >>> paint("a", "32"), paint("a", "32", on=False)
    ('\x1b[32ma\x1b[0m', 'a')
    """
    return f"\x1b[{color}m{text}\x1b[0m" if on and text.strip() else text
