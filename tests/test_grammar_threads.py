"""Any number of threads may use any part of a grammar at once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Barrier

import pytest

from uriproof.grammar import charset, registry
from uriproof.grammar.charset import Alphabet
from uriproof.grammar.compiled import Compiled

pytestmark = pytest.mark.prove

THREADS = 8
ROUNDS = 4
ABNF = """
list = item *( "," item ) [ ";" rest ]
item = 1*ALPHA / 1*DIGIT / nested
nested = "<" *( ALPHA / %xE9-FF ) ">"
rest = *( "x" ( *"a" / "b" "c" ) )
circle = "(" circle ")" / item
"""
TEXTS = ("ab,12,<é>;xbcxaa", "ab,12,<é>;xbd", "", "a" * 40, "<é")
RULES = ("list", "item", "nested", "rest")


@pytest.fixture(autouse=True)
def _switching_all_the_time() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def everything(grammar: Compiled) -> list[object]:
    """What a grammar says of the texts, by each of its machines."""
    found: list[object] = [grammar.accepts(rule, text) for rule in RULES for text in TEXTS]
    found += [grammar.automaton(rule).accepts(text) for rule in RULES for text in TEXTS]
    found += [len(grammar.trace(rule).distances) for rule in RULES]
    found += [grammar.furthest("circle", text) is None for text in ("((a))", "((a)", "x<")]
    found += [grammar.alternatives(rule) for rule in RULES]
    found += [grammar.regular("circle"), grammar.traceable("circle"), grammar.regex("rest")]
    return found


def at_once(grammar: Compiled) -> list[list[object]]:
    start = Barrier(THREADS)

    def use(_: int) -> list[object]:
        start.wait()
        return everything(grammar)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(use, range(THREADS)))


def test_ones_own_grammar() -> None:
    expected = everything(registry.compile_abnf(ABNF))
    for _ in range(ROUNDS):
        assert at_once(registry.compile_abnf(ABNF)) == [expected] * THREADS


def test_machines_are_made_once_to_whoever_asks() -> None:
    for _ in range(ROUNDS):
        grammar = registry.compile_abnf(ABNF)
        start = Barrier(THREADS)

        def ask(_: int, grammar: Compiled = grammar, start: Barrier = start) -> tuple[int, ...]:
            start.wait()
            made = grammar.matcher("list"), grammar.automaton("list"), grammar.trace("list")
            return tuple(map(id, (*made, grammar.recognizer("circle"))))

        with ThreadPoolExecutor(THREADS) as pool:
            assert len(set(pool.map(ask, range(THREADS)))) == 1


def test_a_bundled_grammar_for_ascii_and_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("http://a/b", "http://a/\u00e9", "http://a b/", "\ud800", "http://\u4f8b/?\ue000")
    load = registry.load.__wrapped__
    for _ in range(ROUNDS):
        monkeypatch.setattr(registry, "load", cache(load))
        start = Barrier(THREADS)

        def use(_: int, start: Barrier = start) -> list[bool]:
            start.wait()
            return [registry.load("rfc3987").accepts("IRI", text) for text in texts]

        with ThreadPoolExecutor(THREADS) as pool:
            assert (
                list(pool.map(use, range(THREADS))) == [[True, True, False, False, True]] * THREADS
            )


def test_an_alphabet_that_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """More characters than are remembered, from every thread at the same time."""
    monkeypatch.setattr(charset, "MAX_REMEMBERED", 20)
    sets = [((0x61, 0x7A),), ((0x100, 0x2FF),)]
    texts = ["".join(map(chr, range(first, first + 120))) for first in range(0, 960, 60)]
    wanted = [[Alphabet(sets).of(char) for char in text] for text in texts]
    alphabet = Alphabet(sets)
    start = Barrier(THREADS)

    def encode(number: int) -> bool:
        start.wait()
        return all(
            alphabet.encode(texts[at]) == wanted[at] and alphabet.of(texts[at][0]) == wanted[at][0]
            for turn in range(30)
            for at in [(turn + number) % len(texts)]
        )

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(encode, range(THREADS)))
