"""A violation as the hints see it, and what a hint says.

Owns the two values, and how far a hint looks. Imports the grammars. Invariant: what is looked at
around a violation has a fixed bound.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ...grammar.compiled import Compiled
from ...grammar.registry import load
from ..recovery import Blame

WINDOW = 200
"""How many characters a hint looks at before and after what is blamed."""


class Hint(NamedTuple):
    """What was probably meant; ``instead`` is true where that rules the fix out.

    Percent-encoding a character fixes a URI that was meant to hold it. Where something else may
    be meant, such as white space that is no part of the URI, there is no safe fix.
    """

    words: str
    instead: bool = False


@cache
def _delimiters() -> str:
    """The characters that end an authority (RFC 3986 §3.2), out of the dividing grammar."""
    accepts = load("rfc3986-split").matcher("authority")
    return "".join(char for char in map(chr, range(0x80)) if not accepts(char))


class Place(NamedTuple):
    """A violation in its text, as the hints see it."""

    grammar: Compiled
    text: str
    component: str
    blame: Blame

    @property
    def found(self) -> str:
        """The blamed characters, or the first of them."""
        return self.text[self.blame.start : min(self.blame.end, self.blame.start + WINDOW)]

    def before(self, most: int = WINDOW) -> str:
        return self.text[max(self.blame.start - most, 0) : self.blame.start]

    def after(self, most: int = WINDOW) -> str:
        return self.text[self.blame.end : self.blame.end + most]

    def delimiter(self, at: int) -> int:
        """Where the next delimiter after an authority stands, in a window; -1 where none does."""
        ends = [e for m in _delimiters() if (e := self.text.find(m, at, at + WINDOW)) >= 0]
        return min(ends, default=-1)

    def accepts(self, rule: str, text: str) -> bool:
        """Whether the grammar has a rule that accepts a text."""
        return rule in self.grammar.model.rules and self.grammar.accepts(rule, text)
