"""Any number of threads may use any part of the library, and of a grammar, at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from typing import TypeVar

import pytest

import uriproof
from uriproof.grammar import charset, registry
from uriproof.grammar.charset import Alphabet
from uriproof.grammar.compiled import Compiled
from uriproof.validate.report import make_report

pytestmark = pytest.mark.prove

Answer = TypeVar("Answer")
THREADS = 8
each_seed = pytest.mark.parametrize("seed", range(2))
PIECES = [
    *("http://", "ldap:", "//", "a", "b c", "%41", "%zz", "%4", "[::1]", "[g::h]", "[::256.1.1.1]"),
    *("é", "😀", "\\", "{x}", ":80", ":8o", "?a=1&b", "&&", "#f#", "1", "@", "\u00df", "\ud800"),
]
ABNF = """
list = item *( "," item ) [ ";" rest ]
item = 1*ALPHA / 1*DIGIT / nested
nested = "<" *( ALPHA / %xE9-FF ) ">"
rest = *( "x" ( *"a" / "b" "c" ) )
circle = "(" circle ")" / item
"""


@pytest.fixture(autouse=True)
def _switching_all_the_time() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(work: Callable[[int], Answer]) -> list[Answer]:
    """The same work in all threads, from the same moment; the first error is raised."""
    start = Barrier(THREADS)

    def run(number: int) -> Answer:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def texts(seed: int, count: int) -> list[str]:
    random = Random(seed)  # noqa: S311 -- texts to try
    return ["".join(random.choices(PIECES, k=random.randint(1, 7))) for _ in range(count)]


@pytest.mark.parametrize("name", ["key-value", "rfc3986", "rfc3987"])
@each_seed
def test_reports_of_many_threads_are_those_of_one(name: str, seed: int) -> None:
    """Of a grammar that nothing has used yet: what is made on first use is what they race for."""
    checked = texts(seed, 30)
    fresh = registry.load.__wrapped__

    def reports(grammar: Compiled, order: list[int]) -> list[str]:
        found = dict.fromkeys(range(len(checked)), "")
        for i in order:
            report = make_report(grammar, checked[i], grammar.start, schemes=name == "rfc3986")
            found[i] = str(report.to_dict())
        return list(found.values())

    in_order = list(range(len(checked)))
    alone, raced = reports(fresh(name), in_order), fresh(name)

    def work(number: int) -> list[str]:
        return reports(raced, Random(number).sample(in_order, len(in_order)))  # noqa: S311

    assert together(work) == [alone] * THREADS
    assert reports(raced, in_order) == alone  # nothing wrong is left behind


def test_the_verbs_together() -> None:
    checked = texts(7, 30)
    wanted = [uriproof.is_valid(text, "URI-reference") for text in checked]

    def work(_: int) -> None:
        for text, ok in zip(checked, wanted, strict=True):
            assert uriproof.is_valid(text, "URI-reference") is ok
            report = uriproof.check(text, "URI-reference")
            assert report.ok is ok
            assert report.components
            assert isinstance(report.advice, tuple)
            if ok:
                tree = uriproof.parse(text, "URI-reference")
                assert "".join(map(str, tree.scan_values(lambda _: True))) == text

    together(work)


def everything(grammar: Compiled) -> list[object]:
    """What a grammar says of some texts, by each of its machines."""
    rules = ("list", "item", "nested", "rest")
    tried = ("ab,12,<é>;xbcxaa", "ab,12,<é>;xbd", "", "a" * 40, "<é")
    found: list[object] = [grammar.accepts(rule, text) for rule in rules for text in tried]
    found += [grammar.automaton(rule).accepts(text) for rule in rules for text in tried]
    found += [len(grammar.trace(rule).distances) for rule in rules]
    found += [grammar.furthest("circle", text) is None for text in ("((a))", "((a)", "x<")]
    found += [grammar.alternatives(rule) for rule in rules]
    found += [grammar.regular("circle"), grammar.traceable("circle"), grammar.regex("rest")]
    found += [make_report(grammar, text, "list").violations for text in tried]
    return found


@each_seed
def test_machines_of_ones_own_grammar_are_made_once_to_whoever_asks(seed: int) -> None:
    expected = everything(registry.compile_abnf(ABNF))
    grammar = registry.compile_abnf(ABNF)
    assert together(lambda _: everything(grammar)) == [expected] * THREADS
    made = registry.compile_abnf(ABNF)

    def ask(_: int) -> tuple[int, ...]:
        machines = made.matcher("list"), made.automaton("list"), made.trace("list")
        return tuple(map(id, (*machines, made.recognizer("circle"))))

    assert len(set(together(ask))) == 1


def test_an_alphabet_that_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """More characters than are remembered, from every thread at the same time."""
    monkeypatch.setattr(charset, "MAX_REMEMBERED", 20)
    sets = [((0x61, 0x7A),), ((0x100, 0x2FF),)]
    runs = ["".join(map(chr, range(first, first + 120))) for first in range(0, 960, 60)]
    wanted = [[Alphabet(sets).of(char) for char in run] for run in runs]
    alphabet = Alphabet(sets)

    def encode(number: int) -> bool:
        return all(
            alphabet.encode(runs[at]) == wanted[at] and alphabet.of(runs[at][0]) == wanted[at][0]
            for turn in range(30)
            for at in [(turn + number) % len(runs)]
        )

    assert all(together(encode))
