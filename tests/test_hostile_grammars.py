"""Grammars made to hurt: a clear error or an answer, in bounded work, never a crash.

What is refused is given to the command, which says in words what is wrong, or too much.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from commands import Run

import uriproof
from uriproof.grammar.registry import load
from uriproof.workbench.abnf.lint import lint_abnf

pytestmark = pytest.mark.prove


@cache
def remarks_are_made(abnf: str) -> bool:
    """Whether a grammar is linted, whatever it holds."""
    faults, remarks = lint_abnf(abnf, name="g", file="g", resolve=lambda n: load(n).model)
    return all(str(one) for one in (*faults, *remarks))


def rules(count: int, body: Callable[[int], str]) -> str:
    return "".join(f"r{i} = {body(i)}\n" for i in range(count))


MANY = 1_500
"""Rules: more than Python calls functions in each other (1,000), so that no reader may."""

LAUGHS = rules(40, lambda i: f"r{i + 1} r{i + 1}") + 'r40 = "a"\n'
DEEP = rules(MANY, lambda i: f'"{i % 10}" [ r{i + 1} ]') + f'r{MANY} = "a"\n'
CHAIN = rules(MANY, lambda i: f"r{i + 1}") + f'r{MANY} = "a"\n'
FLAT = (
    "; starts: all\nall = "
    + " / ".join(f"r{i}" for i in range(MANY))
    + "\n"
    + rules(MANY, lambda i: f'"{i}" *DIGIT')
)
CIRCLE = rules(MANY, lambda i: f'"(" r{(i + 1) % MANY} ")" / "{i}"')

VERDICTS = [
    ("loops", 'a = *(*("a"))', "a" * 3_000 + "b", False, [3_000]),
    ("loops in loops", 'a = *( *( *( "a" / "a" ) *"b" ) )', "ab" * 2_000 + "c", False, [4_000]),
    ("counts", 'a = 1000*2000( "a" / "bc" )', "abc" * 600, True, []),
    ("counts", 'a = 1000*2000( "a" / "bc" )', "abc" * 400 + "d", False, [1_200, 1_201]),
    ("alike", 'a = *( "a" / "aa" / "aaa" ) "b"', "a" * 5_000, False, [5_000]),
    ("many rules in a row", FLAT, "123x", False, [3]),
    ("many rules in each other", DEEP, "0123b", False, [4]),
    ("many rules in a chain", CHAIN, "ab", False, [1]),
    ("many rules in a circle", CIRCLE, "((2)", False, [4]),
    ("states", 'a = *("a" / "b") "a" 20("a" / "b")', "ab" * 300 + "a", True, []),
    ("states", 'a = *("a" / "b") "a" 20("a" / "b")', "ab" * 300 + "c", False, [600]),
    ("nesting", 'a = "(" a ")" / "x"', "(" * 10_000 + "x" + ")" * 10_000, True, []),
    ("nesting", 'a = "(" a ")" / "x"', "(" * 10_000 + "x" + ")" * 9_000, False, [19_001]),
    ("surrogates", "a = 1*%xD800-DFFF", "\ud800\udfff", True, []),
    ("surrogates", "a = 1*%xD800-DFFF", "\ud800a", False, [1]),
    ("laughs", LAUGHS, "a" * 50, False, [50]),
]


@pytest.mark.parametrize(("name", "abnf", "text", "ok", "blamed"), VERDICTS)
def test_what_can_be_decided_is(
    name: str, abnf: str, text: str, ok: bool, blamed: list[int]
) -> None:
    rule = uriproof.Grammar.from_abnf(abnf).rule()
    assert rule.is_valid(text) is ok, name
    assert [v.start for v in rule.check(text).violations][:5] == blamed
    if ok:
        assert rule.parse(text).data == rule.name
    else:
        with pytest.raises(uriproof.InvalidURI):
            rule.parse(text)
    assert remarks_are_made(abnf)


REFUSED = [
    ("deep groups", "a = " + "(" * 100_000 + '"a"' + ")" * 100_000, "nested more than 50 deep"),
    ("long name", "a" * 200_000 + ' = "x"', "more than 1000 characters"),
    ("nothing", "\n" * 100_000, "no rule was found in this text"),
    ("10 MB of rules", rules(400_000, lambda i: f'"{i}" "x"'), "a grammar is read up to 1,000,000"),
    ("10 MB of comments", "; c\n" * 2_500_000, "a grammar is read up to 1,000,000"),
    ("10 MB of one line", 'a = "' + "x" * 10_000_000 + '"', "a grammar is read up to 1,000,000"),
    ("undefined", rules(2 * MANY, lambda i: f"s{i}"), "no rule is named s0"),
    ("no syntax", "= = =\n" * 20_000, "a rule's name is expected here"),
    ("zeros", "\x00 " * 100_000, "a rule's name is expected here"),
    ("laughs", rules(40, lambda i: f"[ r{i + 1} ] [ r{i + 1} ]") + 'r40 = "a"\n', "steps"),
    # The classes of characters would take time and memory quadratic in the ranges.
    (
        "ranges that cut each other",
        "a = " + " / ".join(f"%x{i:X}-{0x10FFFF - i:X}" for i in range(1, 1_500)),
        "2,000,000 pieces",
    ),
]


@pytest.mark.parametrize(("name", "abnf", "words"), REFUSED)
def test_what_is_wrong_is_said(run: Run, tmp_path: Path, name: str, abnf: str, words: str) -> None:
    """By the command, whose words are those of the error that ``from_abnf`` raises."""
    grammar = tmp_path / "hostile.abnf"
    grammar.write_text(abnf, "utf-8")
    done = run("check", "--grammar", str(grammar), "a" * 50)
    assert done.code == 2
    assert words in " ".join(done.err.split()), name


def test_many_sets_that_do_not_touch() -> None:
    abnf = "a = " + " / ".join(f"%x{2 * i:X}" for i in range(1_500))
    assert not uriproof.Grammar.from_abnf(abnf).rule().is_valid("\x02\x03")


def test_a_grammar_that_hides_what_it_is(run: Run, tmp_path: Path) -> None:
    """Control characters of a grammar do not reach the terminal."""
    grammar = tmp_path / "hostile.abnf"
    grammar.write_text('a = "\x1b[31m"\n\x1b]0;x\x07 = b\n', "utf-8")
    done = run("check", "--grammar", str(grammar), "x")
    assert done.code == 2
    assert not set("\x1b\x07").intersection(done.out + done.err)
