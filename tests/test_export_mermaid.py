"""Grammars as Mermaid's railroad diagrams: the same rules, in the notation that Mermaid reads."""

from __future__ import annotations

import pytest
from tiers import FEW_GRAMMARS, quick

from uriproof import Grammar, GrammarLimit, export
from uriproof.grammar import registry
from uriproof.grammar.machine.product import difference
from uriproof.grammar.registry import compile_abnf, load

REGULAR = [name for name in registry.names() if load(name).regular(load(name).start)]


def rules(text: str) -> str:
    """The rules of a diagram as ABNF: one a line, each without the semicolon that ends it."""
    first, *lines = text.splitlines()
    assert first == "railroad-abnf-beta"
    assert all(line.endswith(" ;") for line in lines)
    return "\n".join(["; imports:", *(line.removesuffix(" ;") for line in lines)])


@pytest.mark.parametrize("name", quick(REGULAR, among=FEW_GRAMMARS))
def test_the_rules_are_the_grammars(name: str) -> None:
    rule = load(name).start
    drawn = compile_abnf(rules(export(rule, "mermaid", name)))
    assert difference(drawn.automaton(rule), load(name).automaton(rule)) is None


def test_what_is_written() -> None:
    grammar = Grammar.from_abnf(
        'a = %s"Ab" / 2( b / %d13.10 ) [ *3b ] / 0<b>\nb = "x;" / ( a ) "%"\n', name="own"
    )
    assert export("a", "mermaid", grammar) == (
        'railroad-abnf-beta\na = %x41.62 / 2( b / %x0D.0A ) [ *3b ] / "" ;\nb = "x;" / a "%" ;\n'
    )


def test_names_that_mermaid_takes_for_something_else() -> None:
    with pytest.raises(GrammarLimit, match="the name of rule title-x"):
        export("a", "mermaid", Grammar.from_abnf('a = title-x\ntitle-x = "b"'))
