"""argparse: the type of an argument.

Owns it. Imports the standard library and the public face. Invariant: a value stays the very
string that came in, and an error is an error of usage, with nothing of the text but the blamed
characters.
"""

from __future__ import annotations

from argparse import ArgumentTypeError

from ..rule import Rule, as_rule, check_bounded

__all__ = ["URIType"]


class URIType:
    """A type of arguments: ``parser.add_argument("--url", type=URIType())``.

    Errors, of a call: ArgumentTypeError, with ``Report.summary``. Cost: O(n).

    >>> URIType()("http://h/")
    'http://h/'
    """

    def __init__(self, rule: str | Rule = "URI") -> None:
        self.rule = as_rule(rule)

    def __call__(self, text: str) -> str:
        if not self.rule.is_valid(text):
            raise ArgumentTypeError(check_bounded(self.rule, text).summary)
        return text

    def __repr__(self) -> str:
        return self.rule.name
