"""A derivation as a lark tree.

Owns the trees of rules that no parser of lark's reads fast enough, or at any depth. Imports the
derivation, and lark where a tree is made. Invariant: the tokens of a tree, joined, are the text
that was derived, and every node is named as the rule is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .derive import Derivation
from .model import Model
from .spelling import identifier
from .to_lark import terminal_rules

if TYPE_CHECKING:
    from lark import Tree

__all__ = ["to_tree"]


def to_tree(derivation: Derivation, model: Model) -> Tree[Any]:
    """The tree of a text that was derived whole; a rule of characters alone is one token.

    Cost: O(size of the derivation).

    >>> from uriproof.grammar.derive import explain
    >>> from uriproof.grammar.registry import load
    >>> grammar = load("rfc3986")
    >>> to_tree(explain(grammar, "path-absolute", "/a"), grammar.model)
    Tree('path-absolute', [Token('"/"', '/'), Tree('segment-nz', [Token('SEGMENT_NZ', 'a')])])
    """
    from lark import Token, Tree

    leaves = terminal_rules(model)
    top: Tree[Any] = Tree("", [])
    made: list[Tree[Any] | None] = []  # for each node its tree, or None where it is in a token
    for node in derivation.nodes:
        outer = made[node.parent] if node.parent >= 0 else top
        tree: Tree[Any] | None = None
        if outer is not None:
            found = derivation.text[node.start : node.end]
            if not node.is_rule:
                outer.children.append(Token(node.name, found))
            else:
                tree = Tree(node.name, [])
                outer.children.append(tree)
                if node.name in leaves:
                    if found:
                        tree.children.append(Token(identifier(node.name).upper(), found))
                    tree = None
        made.append(tree)
    whole: Tree[Any] = top.children[0]
    return whole
