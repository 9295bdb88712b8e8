"""Texts to check: walks through a production's automaton, and walks with something wrong."""

from __future__ import annotations

from hypothesis import strategies as st

from uriproof.grammar import registry
from uriproof.grammar.automaton import DEAD, Automaton
from uriproof.grammar.compiled import Compiled

RFC3986 = registry.load("rfc3986")

INTERESTING = ["%", "%4", "%zz", "[", "]", "[::1]", "#", "?", "/", "//", ":", "@", " ", "é", "\n"]
CHARACTERS = st.one_of(
    st.sampled_from([*INTERESTING, "\\", "{", "\0", "\ud800", "1.2.3.4", "::", "v1.", "&", "="]),
    st.characters(),
    st.characters(max_codepoint=0x7F),
)


def valid(grammar: Compiled, rule: str, most: int = 40) -> st.SearchStrategy[str]:
    """Texts that a rule accepts: walks that go for the nearest end after ``most`` steps."""
    automaton = grammar.automaton(rule)
    return st.lists(st.integers(0, 10**6), max_size=most).map(lambda n: _walk(automaton, n))


def _walk(automaton: Automaton, choices: list[int]) -> str:
    distance = automaton.distances()
    state, text = 0, []
    for choice in choices:
        moves = [(c, t) for c, t in enumerate(automaton.rows[state]) if t != DEAD]
        if not moves:
            break
        class_, state = moves[choice % len(moves)]
        text.append(_member(automaton, class_, choice))
    while distance[state]:
        row = automaton.rows[state]
        class_ = next(
            c for c, t in enumerate(row) if t != DEAD and distance[t] == distance[state] - 1
        )
        text.append(_member(automaton, class_, 0))
        state = row[class_]
    return "".join(text)


def _member(automaton: Automaton, class_: int, choice: int) -> str:
    ranges = automaton.alphabet.ranges(class_)
    low, high = ranges[choice % len(ranges)]
    return chr(low + choice % (high - low + 1))


@st.composite
def edited(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A text with up to four edits: characters put in, left out, or put for others."""
    text = draw(texts)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        cut = draw(st.integers(0, 2))
        text = text[:at] + draw(st.one_of(st.just(""), CHARACTERS)) + text[at + cut :]
    return text


def any_text(grammar: Compiled, rule: str) -> st.SearchStrategy[str]:
    """Valid texts, near misses, and anything at all."""
    return st.one_of(
        edited(valid(grammar, rule)), st.lists(CHARACTERS, max_size=20).map("".join), st.text()
    )
