"""Click and Typer: the type of a parameter.

Owns it. Imports click and ``matches``. Invariant: a value stays the very string that came
in, and an error is an error of usage, with nothing of the text but the blamed characters.
"""

from __future__ import annotations

from typing import Any

import click

from ..matches import Matches

__all__ = ["URIType"]


class URIType(click.ParamType):  # type: ignore[type-arg]  # older ones take none
    """A type of options and arguments: ``@click.option("--url", type=URIType())``.

    Errors: click's BadParameter, when a text is converted, with ``Report.summary``. Cost: O(n).

    >>> URIType(Matches("port")).convert("8o80", None, None)
    Traceback (most recent call last):
    ...
    click.exceptions.BadParameter: not a valid port: port 1: U+006F LATIN SMALL LETTER O is not \
allowed here in the port; expected DIGIT
    """

    def __init__(self, matches: Matches | None = None) -> None:
        self.matches = matches or Matches()
        self.name = self.matches.rule

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        if not isinstance(value, str):
            self.fail(f"must be text, not {type(value).__name__}", param, ctx)
        if not self.matches.is_valid(value):
            self.fail(self.matches.check(value).summary, param, ctx)
        return value
