"""Hypothesis strategies out of a grammar: test data for anybody's parser, with the truth attached.

Owns the drawing of texts, from an automaton or the rule itself. Imports Hypothesis (extra
``hypothesis``) and the public face. Invariant: what ``valid`` draws, the rule accepts; what
``near_misses`` draws differs from such a text by one character, and says itself whether the rule
accepts it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..extras import needs
from ..grammar.charset import Ranges, minus
from ..grammar.errors import GrammarLimit
from ..grammar.machine.automaton import DEAD
from ..rule import Grammar
from ..workbench.describe import facts
from ..workbench.samples import Derivations

with needs("hypothesis"):
    from hypothesis import strategies as st

__all__ = ["Probe", "near_misses", "valid"]


@dataclass(frozen=True, slots=True)
class Probe:
    """A text, and whether the rule accepts it."""

    text: str
    valid: bool


def valid(
    rule: str | None = None, grammar: str | Grammar = "rfc3986", max_length: int = 40
) -> st.SearchStrategy[str]:
    """Texts that a rule accepts (by default the grammar's start rule).

    A random walk through the rule's automaton that heads for the nearest end after ``max_length``
    characters; shorter walks, and characters that come first in their class, are simpler. For a
    rule without an automaton, a recursive one, a random derivation of that length at most.

    Errors: UnknownRule, UnknownGrammar. Cost: O(length) a text.

    >>> from uriproof import is_valid
    >>> from hypothesis import given
    >>> given(valid("host"))(lambda text: None if is_valid(text, "host") else 1 / 0)()
    """
    loaded, name = _subject(rule, grammar)
    try:
        automaton = loaded.automaton(name)
    except GrammarLimit:
        drawing = Derivations(facts(loaded.compiled))
        randoms = st.randoms(use_true_random=False)
        return st.tuples(randoms, st.integers(0, max_length)).map(lambda d: drawing.text(name, *d))
    distance = automaton.distances()

    @st.composite
    def walk(draw: st.DrawFn) -> str:
        text: list[str] = []
        state = 0
        while True:
            moves = [(c, t) for c, t in enumerate(automaton.rows[state]) if t != DEAD]
            if len(text) >= max_length:
                moves = [(c, t) for c, t in moves if distance[t] < distance[state]]
            ends = state in automaton.accepting
            if not moves or (ends and (len(text) >= max_length or not draw(st.booleans()))):
                return "".join(text)
            class_, state = draw(st.sampled_from(moves))
            text.append(draw(_member(automaton.alphabet.ranges(class_))))

    return walk()


def near_misses(
    rule: str | None = None, grammar: str | Grammar = "rfc3986", max_length: int = 40
) -> st.SearchStrategy[Probe]:
    """Texts one character away from a valid one: put in, left out, or put for another.

    Most are not valid any more; ``Probe.valid`` says which are. Errors and cost as ``valid``.
    """
    loaded, name = _subject(rule, grammar)
    alphabet = loaded.compiled.alphabet
    known = [alphabet.ranges(c) for c in range(1, alphabet.size)]
    others = minus(((0, 0x10FFFF),), tuple(sorted(r for ranges in known for r in ranges)))
    characters = st.one_of(*(_member(ranges) for ranges in (*known, others) if ranges))

    texts = valid(name, loaded, max_length)

    @st.composite
    def edited(draw: st.DrawFn) -> Probe:
        text = draw(texts)
        at = draw(st.integers(0, len(text)))
        edit = draw(st.sampled_from(("leave out", "put in", "replace")))
        new = "" if edit == "leave out" else draw(characters)
        text = text[:at] + new + text[at + (edit != "put in") :]
        return Probe(text, loaded[name].is_valid(text))

    return edited()


def _subject(rule: str | None, grammar: str | Grammar) -> tuple[Grammar, str]:
    loaded = Grammar.load(grammar) if isinstance(grammar, str) else grammar
    return loaded, loaded.start if rule is None else loaded.rule_name(rule)


def _member(ranges: Ranges) -> st.SearchStrategy[str]:
    """A code point of a set, including lone surrogates if the set has them."""
    return st.one_of(*(st.integers(low, high).map(chr) for low, high in ranges))
