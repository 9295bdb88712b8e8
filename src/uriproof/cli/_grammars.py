"""Grammars and rules as they are named on the command line.

May import every other layer. Invariant: an error in a grammar, a file or a name ends in one message
that says what is wrong, where and what to do, and in exit code 2.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ..rule import GENERIC
from ._group import Refused, files
from ._inputs import read_text
from ._options import flag, value

if TYPE_CHECKING:
    from .. import Grammar, Rule


def _grammar_names(ctx: click.Context, parameter: click.Parameter, word: str) -> list[Any]:
    """Completions of the name of a grammar."""
    from ..grammar import registry

    found = [name for name in registry.names() if name.startswith(word)]
    return found or files(ctx, parameter, word)


def _rule_names(ctx: click.Context, _: click.Parameter, word: str) -> list[str]:
    """Completions of the name of a rule in the grammar that is named before it."""
    try:
        return [name for name in load(ctx.params["grammar"]).rules if name.startswith(word)]
    except click.ClickException:
        return []


grammar_option = value(
    "-g --grammar NAME|FILE.abnf",
    "Bundled grammar or ABNF file.",
    default=GENERIC,
    shell_complete=_grammar_names,
)
rule_option = value(
    "-r --rule RULE",
    "Production to validate the texts against.  [default: URI, or the start rule of --grammar]",
    shell_complete=_rule_names,
)


def rule_options(command: Any) -> Any:
    """The options of the rule that texts are validated against."""
    command = flag("--schemes", "Also apply scheme-specific rules.")(command)
    command = value("--query NAME", "Also validate the query against this grammar.")(command)
    return rule_option(grammar_option(command))


@contextmanager
def refusals() -> Iterator[None]:
    """Turns errors of the package about grammars and names into those of the command line."""
    try:
        yield
    except (LookupError, ValueError) as error:
        raise Refused(str(error)) from error


def load(grammar: str) -> Grammar:
    """A bundled grammar by name, or the user's own from a file."""
    from .. import Grammar

    with refusals():
        if not _is_file(grammar):
            return Grammar.load(grammar)
        name = os.path.basename(grammar).removesuffix(".abnf")
        return Grammar.from_abnf(read_text(grammar), name=name, file=grammar)


def rule_of(rule: str | None, grammar: str, query: str | None, schemes: bool) -> Rule:
    """The rule that texts are validated against, by the values of ``rule_options``."""
    from .. import Rule

    home = load(grammar)
    with refusals():
        name = home.start if rule is None else rule
        return Rule(name, grammar=home, query=query, schemes=schemes)


def subject(named: str, grammar: str = GENERIC) -> tuple[Grammar, str]:
    """The grammar and rule named by ``RULE``, ``GRAMMAR``, ``GRAMMAR:RULE`` or ``FILE.abnf:RULE``.

    A single name is a rule of ``grammar`` if it has one of that name, otherwise a grammar, which
    stands for its first start rule.
    """
    head, colon, rule = named.rpartition(":")
    if colon:
        chosen = load(head)
        with refusals():
            return chosen, chosen.rule_name(rule)
    from ..grammar import registry

    chosen = load(grammar)
    with refusals():
        if _is_file(named) or (named in registry.names() and named not in chosen.rules):
            chosen = load(named)
            return chosen, chosen.start
        return chosen, chosen.rule_name(named)


def chosen(rule: str | None, grammar: str) -> tuple[Grammar, str]:
    """The ``subject`` of a rule, or without one the first start rule of the grammar."""
    if rule is not None:
        return subject(rule, grammar)
    found = load(grammar)
    with refusals():
        return found, found.start


def _is_file(name: str) -> bool:
    if name.endswith(".abnf") or os.sep in name:
        return True
    from ..grammar import registry

    return name not in registry.names() and os.path.isfile(name)
