"""Any grammar has one verdict: the expression's, the automaton's, the exports', by brute force.

Some grammars are drawn at each run of the tests, hundreds by ``make check``; each is the same
every time.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache, partial
from itertools import islice
from typing import Any

import pytest
from lark import Lark
from lark.exceptions import LarkError
from random_grammars import (
    beginnings,
    grammar,
    grown,
    language,
    model_of,
    seeded,
    texts,
    written,
)
from test_exports_proofs import ANCHORS, exported

import uriproof
from uriproof.grammar.compile.read_regex import read_regex
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.errors import GrammarError, GrammarLimit
from uriproof.grammar.machine.nfa import Nfa
from uriproof.grammar.registry import compile_abnf
from uriproof.grammars import sample
from uriproof.workbench.export import export

pytestmark = pytest.mark.prove

LENGTH = 4
TEXTS = texts(LENGTH)
EACH = 50
LONG = 3_000
PLACES = 200
"""Places of a grammar that is small enough for its automaton to be, too."""

in_portions = pytest.mark.parametrize("portion", range(2))


@cache
def drawn(portion: int) -> list[tuple[str, Compiled, frozenset[str]]]:
    """The grammars of one portion, each with what it accepts."""
    found = []
    for seed in range(portion * EACH, (portion + 1) * EACH):
        text = grammar(seeded(seed))
        try:
            compiled = compile_abnf(text)
            start = compiled.start
            is_regular = compiled.regular(start)
        except GrammarError:
            continue  # rules that never end, which are reported as faults
        if is_regular and len(Nfa(compiled.model, start).symbols) > PLACES:
            continue
        found.append((text, compiled, language(compiled.model, compiled.start, LENGTH)))
    assert len(found) > EACH / 2
    return found


def matched(match: Any, among: list[str] = TEXTS) -> set[str]:
    return {text for text in among if match(text)}


@in_portions
def test_long_texts_take_no_time_to_speak_of(portion: int) -> None:
    """Nothing is gone over again and again: with an expression that did, this would not end."""
    random = seeded(portion)
    for abnf, compiled, accepted in drawn(portion):
        pattern = compiled.regex(compiled.start)
        if pattern is None:
            continue
        accepts = compiled.automaton(compiled.start).accepts
        for text in random.sample(sorted(accepted), min(2, len(accepted))):
            for long in (text * LONG, text * LONG + "!", f"{text}b" * LONG):
                assert bool(re.fullmatch(pattern, long)) is accepts(long), abnf


@pytest.mark.parametrize("target", sorted(ANCHORS))
@in_portions
def test_exports_say_the_same(portion: int, target: str) -> None:
    """Every target's text in Python's own reading, which knows possessive loops as they do."""
    told = 0
    for abnf, compiled, accepted in drawn(portion)[::4]:  # an expression is long looked for
        try:
            pattern = exported(compiled, compiled.start, target)
        except GrammarLimit:
            continue
        assert matched(re.compile(pattern).fullmatch) == accepted, (abnf, pattern)
        told += 1
    assert told


GROWN = 250
"""Grammars of a portion of the 2,000 that are grown."""
SHORT = [*texts(2), *texts(3)[31::4]]
"""All texts of up to two characters, and every fourth of three."""


@pytest.mark.parametrize("portion", range(2_000 // GROWN))
def test_grown_grammars_are_read_as_they_are_meant(portion: int) -> None:
    """Each of 2,000 grammars, written and read again, has the verdict of its elements.

    Checked for all: the verdict. For every tenth: the automaton's, and the first error, after the
    longest beginning of an accepted text. For every 200th: lark, the exported lark grammar, the
    exported expression, and the samples.
    """
    read = 0
    for seed in range(portion * GROWN, (portion + 1) * GROWN):
        elements = grown(seeded(f"grown {seed}"))
        model = model_of(elements)
        abnf = written(elements)
        try:
            own = uriproof.Grammar.from_abnf(abnf)
            rule = own["r0"]
        except GrammarError:
            continue  # rules that never end
        read += 1
        accepted = language(model, "r0", 3).intersection(SHORT)
        assert matched(rule.is_valid, SHORT) == accepted, abnf
        some = seeded(seed).sample(SHORT, 4) + sorted(accepted)[:3]
        if seed % 10 == 0:
            if own.compiled.regular("r0"):
                assert matched(own.automaton("r0").accepts, SHORT) == accepted, abnf
            assert first_errors_are_right(rule, some, beginnings(model, "r0", 3)), abnf
        if seed % 200 == 0:
            others_agree(own, accepted)
    assert read > GROWN / 2


def first_errors_are_right(rule: uriproof.Rule, some: list[str], begun: frozenset[str]) -> bool:
    for text in some:
        report = rule.check(text)
        assert report.ok is rule.is_valid(text)
        if not report.ok:
            first = report.violations[0]  # of a wrong word, its start
            viable = max(n for n in range(len(text) + 1) if text[:n] in begun)
            if not first.start <= viable <= first.end:
                return False
    return True


def others_agree(own: uriproof.Grammar, accepted: frozenset[str]) -> None:
    """Wherever there is an answer and no GrammarLimit."""
    few = SHORT[:31]
    with suppress(GrammarLimit):
        text = export(own.compiled, "r0", "lark")
        (call,) = re.findall(r"^// (Lark\(.*\))$", text, re.MULTILINE)
        exported = eval(call, {"Lark": Lark, "text": text})  # noqa: S307 -- our own
        for parser in (own.lark("r0"), exported):
            assert matched(partial(parsed, parser), few) == accepted.intersection(few), text
    with suppress(GrammarLimit):
        assert matched(re.compile(export(own.compiled, "r0", "regex")).fullmatch, SHORT) == accepted
    drawn = list(islice(sample("r0", own), 20))
    assert drawn
    assert all(map(own["r0"].is_valid, drawn))


def parsed(parser: Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except LarkError:
        return False
    return True


def test_a_pattern_that_loses_a_match_is_refused() -> None:
    read_regex("(?:x(?:bc|a*+))*+d")
    with pytest.raises(GrammarLimit):
        read_regex("(?:x(?:a*+|bc))*+d")
