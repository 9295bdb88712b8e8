"""The tree of a text as lark makes trees: the derivation that is meant, without characters' rules.

Owns the trees of rules that no parser of lark's reads fast enough, or at any depth. Imports the
derivations, and lark where a tree is made. Invariant: the tokens of a tree, joined, are the text;
every node is named as the rule is; the way through the grammar is the one that ``explain`` shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..spelling import identifier
from .chart import Chart, Kind, chart_of
from .forest import Forest

if TYPE_CHECKING:
    from lark import Tree

    from ..compiled import Compiled


def to_tree(compiled: Compiled, rule: str, text: str) -> Tree[Any]:
    """The tree of a text that the rule derives; a rule of characters alone is one token.

    Cost: O(n) where one reading is left at each character. Errors: GrammarLimit, for a text with
    too many readings; ValueError for one that the rule does not derive.

    >>> from uriproof.grammar.registry import load
    >>> to_tree(load("rfc3986"), "path-absolute", "/a")
    Tree('path-absolute', [Token('"/"', '/'), Tree('segment-nz', [Token('SEGMENT_NZ', 'a')])])
    """
    chart = chart_of(compiled, rule, text)
    if not chart.reading.accepted:
        raise ValueError(f"rule {rule} does not derive this text")
    return tree_of(chart)


def tree_of(chart: Chart) -> Tree[Any]:
    """The tree of a text that was read and accepted."""
    from lark import Token, Tree

    forest, leaves = Forest(chart), chart.leaves
    top: list[Any] = []
    stack = [((chart.root, 0, len(chart.text)), top)]
    while stack:
        (slot, start, end), around = stack.pop()
        chart.reading.spend()
        if slot.kind is Kind.RULE:
            inside: list[Any] = []
            around.append(Tree(slot.owner, inside))
            around = inside
            if slot.owner in leaves:
                if end > start:
                    token = identifier(slot.owner).upper()
                    around.append(Token(token, chart.text[start:end]))
                continue
        elif slot.kind is Kind.TERMINAL:
            if end > start:
                around.append(Token(str(slot.element), chart.text[start:end]))
            continue
        stack += ((span, around) for span in reversed(forest.parts((slot, start, end))))
    whole: Tree[Any] = top[0]
    return whole
