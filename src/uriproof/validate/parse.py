"""Trees: what each part of a text is, by the name of its rule.

Owns the lark parsers. Imports the grammars; lark when the first tree is asked for. Invariant: the
tokens of a tree, joined, are the text that was parsed, and every node is named as the rule is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..grammar.compile.to_lark import rule_identifier
from ..grammar.compiled import Compiled
from ..grammar.remember import per_grammar

QUERY = "query"

if TYPE_CHECKING:
    from lark import Lark, Tree


def parse(
    grammar: Compiled, text: str, rule: str, query: Compiled | None = None, known: bool = True
) -> Tree[Any] | None:
    """The tree of a text; its query, if asked, as that grammar's tree. None if it is not ``known``
    that the rule accepts the text, and it does not.

    The verdict of the recognizer costs most of what its tree costs: the text is read once.
    """
    if not known and (_parser(grammar, rule) is None or not grammar.accepts(rule, text)):
        return grammar.tree(rule, text)
    tree: Tree[Any] = _tree(grammar, text, rule)
    if query is not None:
        for node in tree.iter_subtrees():
            if node.data == QUERY:
                tokens = list(node.scan_values(bool))
                inner = _tree(query, "".join(tokens), query.start)
                if tokens:
                    _move(inner, tokens[0])
                node.children = inner.children
                break
    return tree


def _move(tree: Tree[Any], to: Any) -> None:
    """Make the places of a tree's tokens those in the whole text; ``to`` is a token at its start.

    Column and line are counted from 1, and only the first line begins elsewhere.
    """
    from lark import Token

    for node in tree.iter_subtrees():
        for token in node.children:
            if isinstance(token, Token):
                moved: Any = token
                moved.column += (to.column - 1) * (moved.line == 1)
                moved.end_column += (to.column - 1) * (moved.end_line == 1)
                moved.line += to.line - 1
                moved.end_line += to.line - 1
                moved.start_pos += to.start_pos
                moved.end_pos += to.start_pos


def _tree(grammar: Compiled, text: str, rule: str) -> Any:
    """The tree of a text: LALR(1) if that suffices, O(n), and else the recognizer.

    Errors: GrammarLimit, for a text with too many readings.
    """
    from lark.exceptions import LarkError

    parser = _parser(grammar, rule)
    if parser is not None:
        try:
            return parser.parse(text, start=rule_identifier(rule))
        except LarkError:
            pass  # a good text that needs more than one terminal of lookahead
    return grammar.tree(rule, text)


@per_grammar
def _parser(grammar: Compiled, rule: str) -> Lark | None:
    """The parser of a rule of a bundled grammar, of which the tests compare the trees; else None.

    Of several readings LALR(1) can take another than is meant: only a trial shows whether it does.
    """
    from lark.exceptions import LarkError

    from ..grammar.compile.lark_parser import tree_parser
    from ..grammar.errors import GrammarLimit

    if not grammar.unlimited:
        return None
    try:
        return tree_parser(grammar, rule, grammar.lark(rule))
    except (LarkError, GrammarLimit):
        return None
