"""Trees: what each part of a text is, by the name of its rule.

Owns the lark parsers. Imports the grammars; lark when the first tree is asked for. Invariant: the
tokens of a tree, joined, are the text that was parsed, and every node is named as the rule is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..grammar.compile.to_lark import LALR, leaves_of, rule_identifier
from ..grammar.compiled import Compiled
from ..grammar.model import Alternation, RuleRef
from ..grammar.remember import per_grammar

QUERY = "query"

MAX_CHOICES, MAX_DEPTH = 50, 10
"""Alternatives that are tried one after the other, and rounds of such: each needs a machine of its
own. No bundled grammar has half as many; beyond, the recognizer reads all of them at once."""

if TYPE_CHECKING:
    from lark import Lark, Tree


def parse(grammar: Compiled, text: str, rule: str, query: Compiled | None = None) -> Tree[Any]:
    """The tree of a text that the rule accepts; its query, if asked, as that grammar's tree."""
    tree = _tree(grammar, text, rule)
    if query is not None:
        for node in tree.iter_subtrees():
            if node.data == QUERY:
                inner = "".join(map(str, node.scan_values(lambda _: True)))
                node.children = _tree(query, inner, query.start).children
                break
    return tree


def parse_if_valid(grammar: Compiled, text: str, rule: str) -> Tree[Any] | None:
    """The tree of a text, None if the rule does not derive it; for a rule that is not regular.

    The verdict costs most of what a tree costs: the text is read once.
    """
    if _parser(grammar, rule) is not None:
        return _tree(grammar, text, rule) if grammar.accepts(rule, text) else None
    from ..grammar.derive.chart import chart_of
    from ..grammar.derive.forest import tree_of

    chart = chart_of(grammar, rule, text)
    return tree_of(chart) if chart.reading.accepted else None


def _tree(grammar: Compiled, text: str, rule: str, depth: int = 0) -> Tree[Any]:
    """The tree of a text.

    The first alternative that accepts (RFC 3986 §3: first match wins), LALR(1) if that
    suffices: O(n), and else the recognizer. Errors: GrammarLimit, for a
    text with too many readings.
    """
    from lark import Tree
    from lark.exceptions import LarkError

    element = grammar.rule(rule).element
    whole = rule in leaves_of(grammar) or not grammar.regular(rule)
    items = element.items if isinstance(element, Alternation) and not whole else ()
    names = [item.name for item in items if isinstance(item, RuleRef)]
    if len(names) == len(items) <= MAX_CHOICES and depth < MAX_DEPTH:
        for name in names:
            if grammar.accepts(name, text):
                return Tree(rule, [_tree(grammar, text, name, depth + 1)])
    parser = _parser(grammar, rule)
    if parser is not None:
        try:
            return parser.parse(text, start=rule_identifier(rule))
        except LarkError:
            pass  # a good text that needs more than one terminal of lookahead
    from ..grammar.derive.forest import to_tree

    return to_tree(grammar, rule, text)


@per_grammar
def _parser(grammar: Compiled, rule: str) -> Lark | None:
    """The parser of a rule, or None if the grammar is ambiguous to LALR(1)."""
    from lark import Tree
    from lark.exceptions import LarkError

    from ..grammar.compile.lark_parser import WAYS, lark_of
    from ..grammar.errors import GrammarLimit

    names = {rule_identifier(name): name for name in grammar.model.rules}

    def node(name: str, children: list[Any]) -> Tree[Any]:
        return Tree(names.get(name, name), children)

    try:
        return lark_of(
            grammar.lark(rule),
            start=rule_identifier(rule),
            keep_all_tokens=True,
            tree_class=node,
            **WAYS[LALR],
        )
    except (LarkError, GrammarLimit):
        return None
