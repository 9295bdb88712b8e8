"""Click, Typer and argparse: the type of a parameter.

Owns it. Imports click, argparse and the public face; it looks for Typer among what is loaded.
Invariant: a value stays the very string that came in, and an error is an error of usage, with
nothing of the text but the blamed characters.
"""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from typing import Any

import click

from ..rule import Rule, as_rule, check_bounded

__all__ = ["URIType"]


class URIType(click.ParamType):  # type: ignore[type-arg]  # older ones take none
    """A type of options and arguments, of Click, Typer and argparse.

    ``@click.option("--url", type=URIType())``, ``parser.add_argument("--url", type=URIType())``,
    ``Annotated[str, typer.Option(parser=URIType())]``.

    Errors, when a text is converted: one that is the BadParameter of Click and of Typer and the
    ArgumentTypeError of argparse, with ``Report.summary``. Cost: O(n).

    >>> try:
    ...     URIType("port")("8 80")
    ... except click.BadParameter as error:
    ...     print(error)
    not a valid port: port 1: A port has digits only.
    """

    def __init__(self, rule: str | Rule = "URI") -> None:
        self.rule: Rule = as_rule(rule)
        self.name = self.__name__ = self.rule.name  # as older ones of Typer call a function

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        if not isinstance(value, str):
            raise _refused(f"must be text, not {type(value).__name__}", ctx, param)
        if not self.rule.is_valid(value):
            raise _refused(check_bounded(self.rule, value).summary, ctx, param)
        return value


def _refused(message: str, ctx: Any, param: Any) -> Exception:
    """Each of the three shows only errors of its own as errors of usage.

    Typer has a Click of its own, and both show a parameter in their own way; only Click names it.
    """
    of_typer = getattr(sys.modules.get("typer"), "BadParameter", click.BadParameter)
    first = of_typer if param is None else click.BadParameter
    kinds = dict.fromkeys((first, click.BadParameter, ArgumentTypeError))
    made: Exception = type("Refused", tuple(kinds), {})(message, ctx, param)
    return made
