"""Marks that people put around a URI: quotation marks and brackets, and what they are called.

Owns which they are, and what closes each. Imports nothing. Invariant: marks are of one character.
"""

from __future__ import annotations

_PAIRED = "\"\" '' `` \u201c\u201d \u201e\u201c \u2018\u2019 \u201a\u2018 \u00ab\u00bb \u2039\u203a"
_OTHERS = (
    "\u201d\u201d \u201e\u201d \u2019\u2019 \u201a\u2019 \u00bb\u00ab \u203a\u2039 \u201c\u201c"
)
_CORNERS = "\u300c\u300d \u300e\u300f ** __"


def _table(pairs: str) -> dict[str, str]:
    """What closes each opening mark."""
    found: dict[str, str] = {}
    for pair in pairs.split():
        found[pair[0]] = found.get(pair[0], "") + pair[1]
    return found


QUOTES = _table(f"{_PAIRED} {_OTHERS} {_CORNERS}")
BRACKETS = _table("<> () [] {} \uff1c\uff1e \uff08\uff09 \u3010\u3011 \u300a\u300b")
OPENING = frozenset((*QUOTES, *BRACKETS))
CLOSING = frozenset("".join((*QUOTES.values(), *BRACKETS.values())))
PUNCTUATION = ".,;:!?"
"""What a sentence has after a URI."""

_NAMES = (
    ("asterisk", "*"),
    ("underscore", "_"),
    ("backtick", "`"),
    ("angle bracket", "<>"),
    ("square bracket", "[]"),
    ("parenthesis", "()"),
    ("brace", "{}"),
)


def name(mark: str) -> str:
    """What a mark is called."""
    for found, marks in _NAMES:
        if mark in marks:
            return found
    return "bracket" if BRACKETS.get(mark) or mark in BRACKETS.values() else "quotation mark"


def plural(mark: str) -> str:
    """What a mark and the one that closes it are called."""
    found = name(mark)
    return "parentheses" if found == "parenthesis" else f"{found}s"


def closing(text: str, at: int) -> int:
    """Where the bracket closes that opens at a place; the end of the text if it does not."""
    opener, depth = text[at], 0
    for end in range(at, len(text)):
        depth += (text[end] == opener) - (text[end] in BRACKETS[opener])
        if depth == 0:
            return end
    return len(text)


def quoted(opener: str, text: str) -> str:
    """What stands before the mark that closes what was opened before the text."""
    closers = QUOTES.get(opener) or BRACKETS[opener]
    return text[: min([at for c in closers if (at := text.find(c)) >= 0], default=len(text))]
