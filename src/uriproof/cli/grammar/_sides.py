"""What is compared: a rule of a grammar, or a pattern.

May import every other layer. Invariant: whatever cannot be read or compiled ends in one message
that names the side, and in exit code 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .._grammars import refusals, subject

if TYPE_CHECKING:
    from ...grammar.automaton import Automaton

__all__ = ["PATTERN", "Side", "read_side"]

PATTERN = "re:"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: as it was named, what that is, and what it accepts."""

    name: str
    grammar: str | None
    rule: str | None
    automaton: Automaton

    def to_dict(self) -> dict[str, str | None]:
        return {"name": self.name, "grammar": self.grammar, "rule": self.rule}


def read_side(named: str, grammar: str) -> Side:
    """``RULE``, ``GRAMMAR``, ``GRAMMAR:RULE``, ``FILE.abnf:RULE``, or ``re:PATTERN``."""
    from ...drawing import visible
    from ...grammar.errors import GrammarLimit

    if named.startswith(PATTERN):
        from ...grammar.read_pattern import read_pattern

        with refusals():
            return Side(visible(named), None, None, read_pattern(named.removeprefix(PATTERN)))
    chosen, rule = subject(named, grammar)
    with refusals():
        try:
            return Side(f"{chosen.name}:{rule}", chosen.name, rule, chosen.automaton(rule))
        except GrammarLimit as error:
            raise click.UsageError(f"{chosen.name}:{rule}: {error}") from error
