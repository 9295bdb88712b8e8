"""How the languages of bundled grammars relate to each other, and to ABNF out of their RFCs.

Owns the comparison, by automata: no text is left out, and a difference is shown by the shortest
text that tells the two apart. Imports the registry. ``tests/tables/languages.toml`` has the claims.
"""

from __future__ import annotations

import re

import pytest
from tables import rows

from uriproof.grammar import registry
from uriproof.grammar.machine.automaton import Automaton
from uriproof.grammar.machine.product import difference

pytestmark = pytest.mark.prove

THEMES = ("iris", "zones", "history", "templates", "forms", "schemes", "clients")


def language(spelled: str) -> Automaton:
    """That of ``grammar:rule``, or of the first rule of a text, over the rules of a grammar."""
    if named := re.fullmatch(r"([\w-]+):([\w-]+)", spelled):
        return registry.load(named[1]).automaton(named[2])
    imports, bar, abnf = spelled.rpartition(" | ")
    compiled = registry.compile_abnf(f"; imports: {imports if bar else 'rfc3986'}\n{abnf}")
    return compiled.automaton(next(iter(compiled.model.rules)))


@pytest.mark.parametrize(
    ("a", "b", "only_a", "only_b"), [row for theme in THEMES for row in rows("languages", theme)]
)
def test_what_only_one_of_two_languages_has(
    a: str, b: str, only_a: str | None, only_b: str | None
) -> None:
    one, other = language(a), language(b)
    assert difference(one, other, contained=True) == only_a
    if only_b != "*":
        assert difference(other, one, contained=True) == only_b
