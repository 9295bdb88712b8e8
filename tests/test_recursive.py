"""Grammars that are not regular: verdict, first violation, tree, and what is not offered."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_grammars import grown, language, model_of, seeded
from test_derive import is_a_derivation
from tiers import bound, quick

import uriproof
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.derive.broken import explain
from uriproof.grammar.derive.chart import chart_of, reader_of
from uriproof.grammar.derive.forest import tree_of
from uriproof.grammar.errors import GrammarLimit
from uriproof.grammar.read.check_model import unproductive
from uriproof.grammar.registry import compile_abnf, load
from uriproof.limits import MAX_READING_STEPS, STEPS_PER_CHARACTER

NESTED = 'n = "(" n ")" / "x"'
SUM = 'e = e "+" t / t\nt = t "*" f / f\nf = "(" e ")" / 1*DIGIT'
COMMENT = 'c = "(" *( text / c ) ")"\ntext = ALPHA / " "'  # RFC 9110 §5.6.5


@pytest.mark.parametrize(
    ("abnf", "text", "offset", "expected", "path"),
    [
        (NESTED, "((x)", 4, ('")"',), ("n",)),
        (NESTED, "(y", 1, ('"("', '"x"'), ("n",)),
        (NESTED, "x)", 1, (), ("n",)),
        (NESTED, "", 0, ('"x"',), ("n",)),
        (SUM, "1+", 2, ("DIGIT",), ("e", "t", "f")),
        (SUM, "(1", 2, ('")"',), ("e", "t", "f")),
        (SUM, "(1x", 2, ("DIGIT", '"*"', '"+"', '")"'), ("e", "t", "f")),
        (SUM, "1)", 1, ("DIGIT", '"*"', '"+"'), ("e", "t", "f")),
        (COMMENT, "(a(b)", 5, ('")"',), ("c",)),
        (COMMENT, "(a1)", 2, ("text", '"("', '")"'), ("c",)),
        ('u = "<" *( pct / u ) ">"\npct = "%" 2HEXDIG', "<<%4", 4, ("HEXDIG",), ("u", "pct")),
        ('a = "http" a "x" / "y"', "htt", 3, ('"http"',), ("a",)),
    ],
)
def test_where_and_why_a_text_goes_wrong(
    abnf: str, text: str, offset: int, expected: tuple[str, ...], path: tuple[str, ...]
) -> None:
    compiled = compile_abnf(abnf)
    assert compiled.furthest(compiled.start, text) == (offset, expected, path)


def test_an_escape_sequence_is_blamed_whole() -> None:
    abnf = 'c = "(" *( ALPHA / pct-encoded / c ) ")"\npct-encoded = "%" HEXDIG HEXDIG'
    found = compile_abnf(abnf).furthest("c", "((a%4z))")
    assert found == (3, ("HEXDIG", "HEXDIG"), ("c", "pct-encoded"))
    (violation,) = uriproof.Grammar.from_abnf(abnf).rule().check("((a%4z))").violations
    assert (violation.kind, violation.start, violation.end) == ("bad-escape", 3, 4)


def test_a_report_and_a_tree() -> None:
    rule = uriproof.Grammar.from_abnf(SUM).rule()
    (violation,) = rule.check("1+*2").violations
    assert (violation.start, violation.end, violation.kind) == (2, 3, "illegal")
    assert (violation.production, violation.rule) == ("f", 'f = "(" e ")" / 1*DIGIT')
    assert violation.expected == ('"("', "DIGIT")
    tree = rule.parse("1+(2)")
    names = sorted(str(node.data) for node in tree.iter_subtrees())
    assert names == ["DIGIT"] * 2 + ["e"] * 3 + ["f"] * 3 + ["t"] * 3
    with pytest.raises(uriproof.InvalidURI):
        rule.parse("1+(2")


def test_what_is_not_offered_is_said() -> None:
    grammar = uriproof.Grammar.from_abnf(SUM)
    with pytest.raises(GrammarLimit) as limit:
        grammar.automaton()
    assert "e has no automaton, because it is not regular" in str(limit.value)
    assert "is_valid, check, parse and explain work" in str(limit.value)
    compiled = compile_abnf(SUM)
    assert compiled.lark("e")
    for refused in (compiled.automaton, compiled.trace):
        with pytest.raises(GrammarLimit, match="not regular"):
            refused("e")
    assert compiled.regex("e") is None
    assert not compiled.traceable("e")


def test_regular_rules_of_such_a_grammar_keep_everything() -> None:
    compiled = compile_abnf('doc = "<" *( item / doc ) ">"\nitem = 1*DIGIT *( "," 1*DIGIT )')
    assert [compiled.regular(name) for name in ("doc", "item", "DIGIT")] == [False, True, True]
    assert compiled.regex("item") is not None
    assert compiled.automaton("item").accepts("1,22")
    assert compiled.traceable("item")
    assert compiled.lark("item")
    assert compiled.accepts("doc", "<1,2<3>>")


@pytest.mark.prove
def test_a_list_that_ends_in_itself_takes_linear_work() -> None:
    """Recursion at the very end of a rule that is inside another circle."""
    compiled = compile_abnf('n = "(" l ")"\nl = "x" l / n l / ""')
    text = "(" + "x" * 10_000 + ")"
    assert compiled.accepts("n", text)
    assert compiled.furthest("n", text[:-1]) == (10_001, ('")"',), ("n",))


@pytest.mark.parametrize(("abnf", "text"), [('e = e "+" e / "x"', "x" + "+x" * 3_000)])
@pytest.mark.prove
def test_work_is_bounded(abnf: str, text: str) -> None:
    grammar = uriproof.Grammar.from_abnf(abnf)
    rule = grammar.rule()
    for verb in (rule.is_valid, rule.check, rule.parse):
        with pytest.raises(GrammarLimit, match=f"{MAX_READING_STEPS:,} steps"):
            verb(text)


@given(st.text(st.sampled_from("http:/@[]1.%a?# "), max_size=24))
def test_the_recognizer_agrees_with_the_automaton_where_there_is_one(text: str) -> None:
    compiled = load("rfc3986")
    for rule in ("URI-reference", "authority"):
        # That which charts calls every rule, so that the stack is used.
        recognizer = reader_of(compiled, rule).recognizer
        assert recognizer.accepts(text) is compiled.accepts(rule, text)


@pytest.mark.parametrize("seed", quick(range(60), 8))
def test_random_grammars_against_their_definition(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Left-recursive, mutually recursive, ambiguous ones, and such as come back reading nothing."""
    random = seeded(seed)
    rules = grown(random)
    if list(unproductive(rules, rules)):
        return
    monkeypatch.setattr("random_grammars.ALPHABET", "ab")
    model = model_of(rules)
    compiled = Compiled(model=model)
    accepts = language(model, "r0", 6)
    texts = ["".join(chars) for n in range(7) for chars in product("ab", repeat=n)]
    for text in texts:
        furthest = compiled.furthest("r0", text)
        assert compiled.accepts("r0", text) is (furthest is None) is (text in accepts), text
    accepted = [text for text in texts if text in accepts]
    for text in random.sample(accepted, min(len(accepted), 15)):
        tree = compiled.tree("r0", text)
        assert tree is not None
        assert "".join(tree.scan_values(lambda _: True)) == text
    for text in random.sample(texts, 15):
        furthest, found = compiled.furthest("r0", text), explain(compiled, "r0", text)
        is_a_derivation(found)
        if furthest is not None:
            assert furthest.offset == found.viable
            assert bool(found.following) is bool(furthest.expected)


def _steps(compiled: Compiled, text: str) -> int:
    """The steps that it takes to read a text and to make its tree."""
    chart = chart_of(compiled, compiled.start, text)
    assert tree_of(chart).data == compiled.start
    return MAX_READING_STEPS + STEPS_PER_CHARACTER * len(text) - chart.reading.steps


@pytest.mark.prove
@pytest.mark.parametrize(
    ("abnf", "text"),
    [
        (NESTED, lambda n: "(" * n + "x" + ")" * n),
        ('l = "x" l / n\nn = "(" l ")" / ""', lambda n: "x" * n),
        ('n = *( 1*"a" / "(" n ")" )', lambda n: "(" + "a" * n + ")"),
        (SUM, lambda n: "+".join("1" * n)),
        (
            "rfc8259",
            lambda n: json.dumps([{"id": 1, "x": {"y": [None, 1.5e10]}}] * (n // 8), indent=2),
        ),
    ],
)
@bound("size", 8, 40)
def test_a_tree_takes_linear_work(abnf: str, text: Callable[[int], str], size: int) -> None:
    compiled = compile_abnf(abnf) if "=" in abnf else load(abnf)
    steps = [_steps(compiled, text(n)) for n in (size, 10 * size, 100 * size)]
    assert steps[1] <= 12 * steps[0]
    assert steps[2] <= 12 * steps[1]


def test_an_automaton_that_takes_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    abnf = "r = 1*( a / b )\na = 1*DIGIT *( %s )\nb = 1*ALPHA"
    monkeypatch.setattr("uriproof.grammar.compiled.STEPS_AT_ONCE", 10)
    compiled = compile_abnf(abnf % '"-" 3ALPHA "!"')
    monkeypatch.setattr(Compiled, "regex", lambda self, rule: None)
    assert compiled.accepts("r", "1-abc!")
    assert not compiled.accepts("r", "1-ab!")
    assert not compiled.traceable("r")
    assert [v.start for v in uriproof.Grammar(compiled)["r"].check("1-ab!").violations] == [4]
    assert compiled.automaton("r").accepts("1-abc!")
