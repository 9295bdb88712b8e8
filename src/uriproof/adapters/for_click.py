"""Click and Typer: the type of a parameter.

Owns it. Imports click and the public face. Invariant: a value stays the very string that came
in, and an error is an error of usage, with nothing of the text but the blamed characters.
"""

from __future__ import annotations

from typing import Any

import click

from ..rule import Rule, as_rule, check_bounded

__all__ = ["URIType"]


class URIType(click.ParamType):  # type: ignore[type-arg]  # older ones take none
    """A type of options and arguments: ``@click.option("--url", type=URIType())``.

    Errors: click's BadParameter, when a text is converted, with ``Report.summary``. Cost: O(n).

    >>> URIType("port").convert("8o80", None, None)
    Traceback (most recent call last):
    ...
    click.exceptions.BadParameter: not a valid port: port 1: U+006F LATIN SMALL LETTER O is not \
allowed here in the port; expected DIGIT
    """

    def __init__(self, rule: str | Rule = "URI") -> None:
        self.rule = as_rule(rule)
        self.name = self.rule.name

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        if not isinstance(value, str):
            self.fail(f"must be text, not {type(value).__name__}", param, ctx)
        if not self.rule.is_valid(value):
            self.fail(check_bounded(self.rule, value).summary, param, ctx)
        return value
