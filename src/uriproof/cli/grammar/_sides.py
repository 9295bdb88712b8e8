"""The two sides of a comparison, and the words for its result.

May import every other layer. Invariant: whatever cannot be read or compiled ends in one message
that names the side, and in exit code 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...text.drawing import draw, visible
from .._grammars import refusals, subject

if TYPE_CHECKING:
    from ...grammar.machine.automaton import Automaton
    from ...workbench.compare import Relation, Witness
    from ...workbench.search import Language

PATTERN = "re:"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: a rule of a grammar, or a pattern."""

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


def relation_words(relation: Relation, empty: bool) -> Iterator[str]:
    """The relation in a sentence; ``empty`` where neither side accepts any text."""
    match relation:
        case "equal":
            yield "Equal: neither accepts any text." if empty else "Equal: the same texts, exactly."
        case "contained":
            yield "A is contained in B: B accepts all that A does, and more."
        case "contains":
            yield "A contains B: A accepts all that B does, and more."
        case "overlapping":
            yield "They overlap: each accepts texts that the other does not."
        case "disjoint":
            yield "Disjoint: no text is accepted by both."


def witnesses(side: str, other: str, found: tuple[Witness, ...]) -> Iterator[str]:
    """Each text that one side alone accepts, with a mark where the other one stops."""
    if not found:
        return
    yield ""
    yield f"only {side} accepts, with a mark where {other} stops:"
    for witness in found:
        for line in drawn(witness.text, witness.stops):
            yield f"  {line}"


def drawn(text: str, stops: int | None = None) -> list[str]:
    """A text in its visible form; an empty one as words."""
    if not text:
        return ["(the empty text)"]
    if stops is None:
        return draw(text, [])
    return draw(text, [(stops, stops + (stops < len(text)))])
