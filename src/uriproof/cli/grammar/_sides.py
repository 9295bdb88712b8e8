"""What is compared: a rule of a grammar, or a pattern.

May import every other layer. Invariant: whatever cannot be read or compiled ends in one message
that names the side, and in exit code 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .._grammars import refusals, subject

if TYPE_CHECKING:
    from ...grammar.machine.automaton import Automaton
    from ...workbench.search import Language

__all__ = ["PATTERN", "Side", "read_side"]

PATTERN = "re:"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: as it was named, what that is, and what it accepts."""

    name: str
    grammar: str | None
    rule: str | None
    language: Language

    @property
    def automaton(self) -> Automaton:
        """Errors: GrammarLimit, where there is none."""
        found = self.language.automaton
        if found is None and self.language.compiled is not None:
            found = self.language.compiled.automaton(self.language.rule)
        assert found is not None  # noqa: S101 -- a side has one of the two
        return found

    def to_dict(self) -> dict[str, str | None]:
        return {"name": self.name, "grammar": self.grammar, "rule": self.rule}


def read_side(named: str, grammar: str) -> Side:
    """``RULE``, ``GRAMMAR``, ``GRAMMAR:RULE``, ``FILE.abnf:RULE``, or ``re:PATTERN``."""
    from ...text.drawing import visible
    from ...workbench.search import Language, language

    if named.startswith(PATTERN):
        from ...workbench.read_pattern import read_pattern

        with refusals():
            pattern = read_pattern(named.removeprefix(PATTERN))
            return Side(visible(named), None, None, Language(pattern))
    chosen, rule = subject(named, grammar)
    with refusals():
        made = language(chosen.compiled, rule)
    return Side(f"{chosen.name}:{rule}", chosen.name, rule, made)
