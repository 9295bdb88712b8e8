"""The signs of ABNF in some productions, each in words.

Owns the words for the signs (RFC 5234 §2 to §4, RFC 7405). Imports the text of lessons. Invariant:
every sign of the productions is explained once, in the order of a course; none that is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .prose import pieces

__all__ = ["EVERY", "legend"]

EVERY = 'a = b / "c" *d 1*e *4f 2g [ h ] ( i ) %x31-39 0<j> ; k'
"""A text with every sign, for someone who writes."""

_TOKENS = re.compile(
    r"""
      "(?P<quoted>[^"]*)" | ;(?P<comment>.*) | (?P<nothing>0<[^>]*>) | <[^>]*>
    | %x(?P<low>[0-9A-Fa-f]+) (?:-(?P<high>[0-9A-Fa-f]+))? | [A-Za-z][A-Za-z0-9-]*
    | (?P<least>[0-9]*)\*(?P<most>[0-9]*) | (?P<count>[0-9]+) | (?P<sign>[=/(\[])
    """,
    re.VERBOSE,
)

_ORDER = '=/"*1[(%0;'
"""The first characters of the signs, in the order in which lesson 0 explains them."""

_SIGNS = {
    "=": ("=", "is defined as"),
    "/": ("/", "or: one of the alternatives"),
    "[": ("[ … ]", "may be left out"),
    "(": ("( … )", "a group: what belongs together"),
}


def legend(rules: Iterable[str]) -> list[dict[str, Any]]:
    """The signs in the text of some rules: ``sign`` as it is written, and ``words``. Cost: O(n).

    >>> [one["sign"] for one in legend(['scheme = ALPHA *( ALPHA / "+" )'])]
    ['=', '/', '"+"', '*', '( … )']
    """
    found: dict[str, tuple[str, str]] = {}
    for rule in rules:
        for token in _TOKENS.finditer(rule):
            if (known := _explained(token)) is not None:
                found.setdefault(known[0], known)
    kinds = {sign: (_rank(sign), at) for at, sign in enumerate(found)}
    most: dict[int, int] = {}
    shown = []
    for sign in sorted(found, key=kinds.__getitem__):
        rank = kinds[sign][0]
        most[rank] = most.get(rank, 0) + 1
        if most[rank] <= _EACH:
            shown.append({"sign": sign, "words": pieces(found[sign][1])})
    return shown


_EACH = 2
"""Examples of one sign: of quoted characters alone there can be dozens."""


def _rank(sign: str) -> int:
    first = "1" if sign[0].isdigit() and not sign.startswith("0<") else sign[0]
    return _ORDER.index(first)


def _explained(token: re.Match[str]) -> tuple[str, str] | None:
    if (quoted := token["quoted"]) is not None:
        more = ", in upper or lower case" if any(map(str.isalpha, quoted)) else ""
        what = "these characters" if len(quoted) > 1 else "this character"
        return f'"{quoted}"', f"{what}{more}"
    if token["comment"] is not None:
        return "; …", "a comment, up to the end of the line"
    if token["nothing"]:
        return token["nothing"], "zero times: nothing at all"
    if low := token["low"]:
        if token["high"]:
            low, high = (_character(number) for number in (low, token["high"]))
            return token[0], f"one character from {low} to {high}"
        return token[0], f"the character {_character(low)}"
    if token["sign"]:
        return _SIGNS[token["sign"]]
    if count := token["count"]:
        return f"{count}…", f"exactly {_times(count)}"
    if token["least"] is None:
        return None
    least, most = token["least"], token["most"]
    if not least and not most:
        return "*", "any number of times, or not at all"
    if not least:
        return f"*{most}", f"at most {_times(most)}"
    return token[0], f"from {least} to {_times(most)}" if most else f"at least {_times(least)}"


def _times(count: str) -> str:
    return "once" if count == "1" else f"{count} times"


def _character(number: str) -> str:
    """A character, or its number if it has no shape, as in ``%x00``."""
    point = int(number, 16)
    char = chr(point) if point < 0x110000 else ""  # noqa: PLR2004 -- the end of Unicode
    shown = char.isprintable() and char.strip() and char != "`"
    return f"`{char}`" if shown else f"number {point:,}"
