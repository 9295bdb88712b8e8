"""One shape of tree, whichever parser makes it; ``docs/teach/lark.md`` describes it.

Owns the comparison of all ways to a tree: lark's LALR(1), the recognizer, and what ``parse``
joins of these. Imports the random grammars. Invariant: two ways give the same nodes, the
same tokens, of the same types, at the same places.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import LarkError
from random_grammars import grammar, seeded, texts
from strategies import own_rules
from tables import rows
from tiers import quick

import uriproof
from uriproof import grammars
from uriproof.grammar import registry
from uriproof.grammar.compile import lark_parser
from uriproof.grammar.compile.lark_parser import decided, tree_parser
from uriproof.grammar.compile.to_lark import rule_identifier
from uriproof.grammar.derive.broken import explain
from uriproof.grammar.errors import GrammarError, GrammarLimit
from uriproof.limits import STEPS_AT_ONCE

LENGTH = 200
"""Characters of a text that is tried."""
FEW = 3
"""Texts of a rule."""


def shape(tree: Any) -> Any:
    """A tree as plain values, with names as lark spells them, and places."""
    if isinstance(tree, Token):
        begin = tree.start_pos, tree.line, tree.column
        return tree.type, str(tree), begin, (tree.end_pos, tree.end_line, tree.end_column)
    return rule_identifier(str(tree.data)), [shape(child) for child in tree.children]


def one_shape(own: uriproof.Grammar, rule: str, fast: Lark | None, text: str) -> None:
    """Every parser of the rule makes the tree of the recognizer, or none."""
    expected = shape(own.compiled.tree(rule, text))
    assert shape(own[rule].parse(text)) == expected, text
    if fast is not None:
        try:
            found = fast.parse(text)
        except LarkError:
            return  # it needs more than one terminal of lookahead
        assert shape(found) == expected, text


def fast_parser(own: uriproof.Grammar, rule: str) -> Lark | None:
    try:
        return tree_parser(own.compiled, rule, own.compiled.lark(rule))
    except (LarkError, GrammarLimit):
        return None


def drawn(own: uriproof.Grammar, rule: str, most: int = FEW) -> Iterator[str]:
    found = islice(grammars.sample(rule, own, seed=2), 5 * most)
    return islice((text for text in found if len(text) <= LENGTH), most)


@pytest.mark.parametrize("name", quick(registry.names(), among=["key-value"]))
def test_every_bundled_grammar_has_one_tree(name: str) -> None:
    """By its start rules, and by every fourth of the others: lark takes long to make a parser.

    Of RFC 3986 by all; rules that are imported are tried in the grammar that they come from.
    """
    own = uriproof.Grammar.load(name)
    rules = own_rules(own.compiled)
    tried = rules if name == "rfc3986" else {*own.compiled.model.starts, *rules[::4]}
    for rule in filter(tried.__contains__, rules):
        fast = fast_parser(own, rule)
        for text in drawn(own, rule):
            one_shape(own, rule, fast, text)


@pytest.mark.parametrize(
    ("rule", "text"),
    quick(rows("trees", "one-tree-of-rfc-3986"), 3),
)
def test_one_tree_of_rfc_3986(rule: str, text: str) -> None:
    own = uriproof.Grammar.load("rfc3986")
    one_shape(own, rule, fast_parser(own, rule), text)


@pytest.mark.parametrize(
    ("abnf", "text", "tokens"),
    rows("trees", "the-type-of-a-token-is-its-rule-or-its-literal"),
)
def test_the_type_of_a_token_is_its_rule_or_its_literal(abnf: str, text: str, tokens: str) -> None:
    own = uriproof.Grammar.from_abnf(abnf)
    one_shape(own, "r", fast_parser(own, "r"), text)
    assert " ".join(f"{t.type}={t}" for t in own["r"].parse(text).scan_values(bool)) == tokens


@pytest.mark.parametrize(
    ("abnf", "text", "tree"),
    rows("trees", "a-rule-that-is-empty"),
)
def test_a_rule_that_is_empty(abnf: str, text: str, tree: str) -> None:
    """It is there, without a token, wherever an option, a sequence or a choice can hold it."""

    def drawing(node: Any) -> str:
        if isinstance(node, Token):
            return str(node.type)
        return f"{node.data}({' '.join(map(drawing, node.children))})"

    own = uriproof.Grammar.from_abnf(abnf)
    one_shape(own, "r", fast_parser(own, "r"), text)
    assert drawing(own["r"].parse(text)) == tree


def test_the_places_of_tokens() -> None:
    """Lines and columns are lark's; a line feed begins a line."""
    text = "3\r\nabc\r\n"
    found = [
        (token.start_pos, token.end_pos, token.line, token.column, token.end_line, token.end_column)
        for token in uriproof.Grammar.load("rfc9112")["chunk"].parse(text).scan_values(bool)
    ]
    assert found == [
        *((0, 1, 1, 1, 1, 2), (1, 3, 1, 2, 2, 1)),
        *((3, 6, 2, 1, 2, 4), (6, 8, 2, 4, 3, 1)),
    ]
    own = uriproof.Grammar.from_abnf("r = 1*x y\nx = %x00-40\ny = %x41-5A")
    one_shape(own, "r", fast_parser(own, "r"), "1\n2A")


def test_the_tokens_of_a_query_have_their_places_in_the_whole() -> None:
    text = "http://h/?a=1&b=2#c"
    tree = uriproof.parse(text, uriproof.Rule(query="key-value"))
    for token in tree.scan_values(bool):
        assert text[token.start_pos : token.end_pos] == token
        assert (token.column, token.end_column) == (token.start_pos + 1, token.end_pos + 1)


@pytest.mark.parametrize(
    ("abnf", "text", "data"), rows("trees", "lalr-takes-another-reading-than-is-meant")
)
def test_lalr_is_not_trusted_with_several_readings(abnf: str, text: str, data: str) -> None:
    own = uriproof.Grammar.from_abnf(abnf)
    fast = fast_parser(own, "r")
    assert fast is not None
    assert shape(fast.parse(text)) != shape(own.compiled.tree("r", text))
    assert " ".join(str(node.data) for node in own["r"].parse(text).iter_subtrees()) == data


@pytest.mark.parametrize("steps", [STEPS_AT_ONCE, 10])
def test_a_parser_is_given_if_a_trial_shows_it_right(
    monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """One that takes long to compare is not."""
    monkeypatch.setattr(lark_parser, "STEPS_AT_ONCE", steps)
    own = uriproof.Grammar.from_abnf('r = x "," x\nx = 1*DIGIT')
    assert decided(own.compiled, ("r",))[1] == ("r",) * (steps > 10)


def test_a_maker_of_nodes_of_ones_own() -> None:
    """Of a grammar with a high count, which lark writes as rules of rules."""
    own = uriproof.Grammar.from_abnf('r = 49*50( x "," )\nx = 1*DIGIT')

    class Own(Tree[Token]):
        pass

    assert type(own.lark("r", tree_class=Own).parse("12," * 49)) is Own


@pytest.mark.parametrize("seed", quick(range(60), 3))
def test_trees_of_random_grammars_have_one_shape(seed: int) -> None:
    """Of texts with one reading, by lark and by the recognizer."""
    try:
        own = uriproof.Grammar.from_abnf(grammar(seeded(seed)))
        compiled, rule = own.compiled, own.start
        valid = [t for t in seeded(seed).sample(texts(4), 200) if own[rule].is_valid(t)][:20]
        fast = fast_parser(own, rule)
    except (GrammarError, GrammarLimit):
        return
    for text in valid:
        if explain(compiled, rule, text).count == 1:
            one_shape(own, rule, fast, text)
