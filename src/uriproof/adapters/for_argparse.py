"""argparse: the type of an argument.

Owns it. Imports the standard library and ``matches``. Invariant: a value stays the very
string that came in, and an error is an error of usage, with nothing of the text but the blamed
characters.
"""

from __future__ import annotations

from argparse import ArgumentTypeError

from ..matches import Matches

__all__ = ["URIType"]


class URIType:
    """A type of arguments: ``parser.add_argument("--url", type=URIType())``.

    Errors, of a call: ArgumentTypeError, with ``Report.summary``. Cost: O(n).

    >>> URIType()("http://h/")
    'http://h/'
    """

    def __init__(self, matches: Matches | None = None) -> None:
        self.matches = matches or Matches()

    def __call__(self, text: str) -> str:
        if not self.matches.is_valid(text):
            raise ArgumentTypeError(self.matches.check(text).summary)
        return text

    def __repr__(self) -> str:
        return self.matches.rule
