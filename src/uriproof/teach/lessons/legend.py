"""The signs of ABNF in some productions, each in words.

Owns the words for the signs (RFC 5234 §2 to §4, RFC 7405). Imports the text of lessons. Invariant:
every sign of the productions is explained, in the order of lesson 0; none that is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .prose import pieces

EVERY = 'a = b / "c" *d 1*e *4f 2g [ h ] ( i ) %x31-39 0<j> ; k'
"""A text with every sign, for someone who writes."""

# A sign that nothing closes ends with the text: to look for its end again from each sign would take
# a time that grows with the square of the text.
_TOKENS = re.compile(
    r"""
      (?P<defined>=) | (?P<either>/) | "(?P<quoted>[^"]*+)" | "[^"]*+
    | (?P<repeated>(?P<least>[0-9]*)\*(?P<most>[0-9]*)) | (?P<nothing>0<[^>]*+>?)
    | (?P<count>[0-9]+) | (?P<optional>\[) | (?P<group>\()
    | %x(?P<range>(?P<low>[0-9A-F]+)-(?P<high>[0-9A-F]+)) | %x(?P<number>[0-9A-F]+)
    | (?P<comment>;.*) | <[^>]*+>? | [A-Z][A-Z0-9-]*
    """,
    re.VERBOSE | re.IGNORECASE,
)

_SIGNS = {
    "defined": ("=", "is defined as"),
    "either": ("/", "or: one of the alternatives"),
    "quoted": ('"{quoted}"', "this text itself; letters in upper or lower case"),
    "repeated": ("{repeated}", "{times}"),
    "count": ("{count}…", "exactly {count} times"),
    "optional": ("[ … ]", "can be left out"),
    "group": ("( … )", "a group: what belongs together"),
    "range": ("%x{range}", "one character from {low} to {high}"),
    "number": ("%x{number}", "the character {number}"),
    "nothing": ("{nothing}", "zero times: nothing at all"),
    "comment": ("; …", "a comment, up to the end of the line"),
}
"""By the kind of token: the sign as it is shown, and its words."""

_EACH = {"quoted": 1, "repeated": 3, "count": 2, "range": 2, "number": 1}
"""Examples of one kind, of which there can be dozens."""


def legend(rules: Iterable[str]) -> list[dict[str, Any]]:
    """The signs in the text of some rules: ``sign`` as it is written, and ``words``. Cost: O(n).

    >>> [one["sign"] for one in legend(['scheme = ALPHA *( ALPHA / "+" )'])]
    ['=', '/', '"+"', '*', '( … )']
    """
    found: dict[str, dict[str, str]] = {kind: {} for kind in _SIGNS}
    for token in (token for rule in rules for token in _TOKENS.finditer(rule)):
        kind = next((kind for kind in _SIGNS if token[kind] is not None), None)
        if kind:
            given = {name: text or "" for name, text in token.groupdict().items()}
            shown = {name: _character(given[name]) for name in ("low", "high") if given[name]}
            if kind == "number":
                shown["number"] = _character(given["number"])
            sign, words = _SIGNS[kind]
            times = _times(given["least"], given["most"])
            found[kind][sign.format_map(given)] = words.format_map(
                {**given, **shown, "times": times}
            )
    return [
        {"sign": sign, "words": pieces(words)}
        for kind, signs in found.items()
        for sign, words in [*signs.items()][: _EACH.get(kind)]
    ]


def _times(least: str, most: str) -> str:
    if not most:
        return f"at least {_of(least)}" if least else "any number of times, or not at all"
    return f"from {least} to {_of(most)}" if least else f"at most {_of(most)}"


def _of(count: str) -> str:
    return "once" if count == "1" else f"{count} times"


def _character(number: str) -> str:
    """A character, or its number if it has no shape, as in ``%x00``."""
    char = chr(min(int(number, 16), 0x10FFFF))
    return f"`{char}`" if char.isprintable() and char not in " `" else f"number {number}"
