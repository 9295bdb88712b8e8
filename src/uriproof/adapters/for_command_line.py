"""Click, Typer and argparse: the type of a parameter.

Owns it. Imports click, argparse and the public face. Invariant: a value stays the very string that
came in, and an error is an error of usage, with nothing of the text but the blamed characters.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Any

import click

from ..rule import Rule, as_rule, check_bounded

__all__ = ["URIType"]


class URIType(click.ParamType):  # type: ignore[type-arg]  # older ones take none
    """A type of options and arguments, of Click and of argparse.

    ``@click.option("--url", type=URIType())``, ``parser.add_argument("--url", type=URIType())``.

    Errors, when a text is converted: one that is click's BadParameter and the ArgumentTypeError of
    argparse, with ``Report.summary``. Cost: O(n).

    >>> try:
    ...     URIType("port")("8 80")
    ... except click.BadParameter as error:
    ...     print(error)
    not a valid port: port 1: A port has digits only.
    """

    def __init__(self, rule: str | Rule = "URI") -> None:
        self.rule: Rule = as_rule(rule)
        self.name: str = self.rule.name

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        if not isinstance(value, str):
            raise _Refused(f"must be text, not {type(value).__name__}", ctx, param)
        if not self.rule.is_valid(value):
            raise _Refused(check_bounded(self.rule, value).summary, ctx, param)
        return value


class _Refused(click.BadParameter, ArgumentTypeError):
    """Each of the two shows only errors of its own as errors of usage."""
