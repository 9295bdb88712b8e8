"""Any number of threads may use any part of the library at once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from random import Random

import pytest
from tiers import quick

import uriproof
from uriproof.grammar import registry
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.registry import compile_abnf
from uriproof.validate.report import make_report

THREADS = 6
ROUNDS = 4
each_seed = pytest.mark.parametrize("seed", quick(range(ROUNDS)))
PIECES = [
    *("http://", "ldap:", "//", "a", "b c", "%41", "%zz", "%4", "[::1]", "[g::h]", "[::256.1.1.1]"),
    *("é", "😀", "\\", "{x}", ":80", ":8o", "?a=1&b", "&&", "#f#", "1", "@", "\u00df", "\ud800"),
]
OWN = 'pairs = pair *( "," pair )\npair = 2DIGIT ":" 1*ALPHA\n'


@pytest.fixture
def switching() -> Iterator[None]:
    """Threads that take turns as often as the interpreter can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def texts(seed: int, count: int) -> list[str]:
    random = Random(seed)  # noqa: S311 -- texts to try
    return ["".join(random.choices(PIECES, k=random.randint(1, 7))) for _ in range(count)]


def fresh(name: str) -> Compiled:
    """A grammar that nothing has used yet: what is made on first use is what threads race for."""
    return registry.load.__wrapped__(name)


def together(work: Callable[[int], None]) -> None:
    """The same work in all threads, from the same moment; the first error is raised."""
    errors: list[BaseException] = []
    start = threading.Barrier(THREADS)

    def run(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@pytest.mark.parametrize("name", quick(["key-value", "rfc3986", "rfc3987", "rfc3966"], 2))
@each_seed
@pytest.mark.usefixtures("switching")
def test_reports_of_many_threads_are_those_of_one(name: str, seed: int) -> None:
    checked = texts(seed, 30)
    grammar = fresh(name)
    rule = grammar.start
    schemes = name == "rfc3986"
    alone = [str(make_report(grammar, text, rule, schemes=schemes).to_dict()) for text in checked]
    raced = fresh(name)
    assert raced is not grammar

    def work(number: int) -> None:
        order = list(range(len(checked)))
        Random(number).shuffle(order)  # noqa: S311 -- an order
        for i in order:
            assert str(make_report(raced, checked[i], rule, schemes=schemes).to_dict()) == alone[i]

    together(work)
    # Nothing wrong is left behind for a single thread either.
    assert [str(make_report(raced, t, rule, schemes=schemes).to_dict()) for t in checked] == alone


@each_seed
@pytest.mark.usefixtures("switching")
def test_a_grammar_of_ones_own(seed: int) -> None:
    checked = ["12:ab,34:c", "1:a", "12;a,34:b", "", *texts(seed, 20)]
    alone = [
        make_report(compile_abnf(OWN, name="own"), text, "pairs").violations for text in checked
    ]
    raced = compile_abnf(OWN, name="own")

    def work(_number: int) -> None:
        for text, wanted in zip(checked, alone, strict=True):
            assert make_report(raced, text, "pairs").violations == wanted
            assert raced.accepts("pairs", text) is not bool(wanted)

    together(work)


@pytest.mark.usefixtures("switching")
def test_the_verbs_together() -> None:
    checked = texts(7, 30)
    wanted = [uriproof.is_valid(text, "URI-reference") for text in checked]

    def work(_number: int) -> None:
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
