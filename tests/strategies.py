"""Texts to check: walks through a production's automaton, and walks with something wrong."""

from __future__ import annotations

from hypothesis import strategies as st

from uriproof import Grammar
from uriproof.adapters import for_hypothesis
from uriproof.grammar import registry
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.machine.automaton import DEAD, Automaton

RFC3986 = registry.load("rfc3986")

INTERESTING = ["%", "%4", "%zz", "[", "]", "[::1]", "#", "?", "/", "//", ":", "@", " ", "é", "\n"]
CHARACTERS = st.one_of(
    st.sampled_from([*INTERESTING, "\\", "{", "\0", "\ud800", "1.2.3.4", "::", "v1.", "&", "="]),
    st.characters(),
    st.characters(max_codepoint=0x7F),
)


@st.composite
def edited(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A text with up to four edits: characters put in, left out, or put for others."""
    text = draw(texts)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        cut = draw(st.integers(0, 2))
        text = text[:at] + draw(st.one_of(st.just(""), CHARACTERS)) + text[at + cut :]
    return text


def own_rules(grammar: Compiled) -> list[str]:
    """Without those that it imports: what holds of them is proved in the grammar they are of."""
    return [name for name, rule in grammar.model.rules.items() if rule.grammar == grammar.name]


def any_text(grammar: Compiled, rule: str) -> st.SearchStrategy[str]:
    """Valid texts, near misses, and anything at all."""
    return st.one_of(
        edited(for_hypothesis.valid(rule, Grammar(grammar))),
        st.lists(CHARACTERS, max_size=20).map("".join),
        st.text(),
    )


def representatives(automaton: Automaton) -> list[str]:
    """One character for each way to be treated: no two of them lead everywhere to the same.

    The last one leads nowhere, from any state, if there is such a character.
    """
    columns: dict[tuple[int, ...], str] = {}
    for class_ in range(automaton.alphabet.size):
        if automaton.alphabet.ranges(class_):
            column = tuple(row[class_] for row in automaton.rows)
            columns.setdefault(column, automaton.alphabet.sample(class_))
    nowhere = tuple([DEAD] * len(automaton.rows))
    return sorted(columns.values(), key=lambda c: (c == columns.get(nowhere), c))
