"""A grammar for lark, the parser.

Owns the comment that says how to load the grammar. Imports the lark grammars and the choice of
lark's parser. Invariant: the line in the comment loads the grammar as it was tried.
"""

from __future__ import annotations

from ...grammar.compile.lark_parser import WAYS, lark_grammar
from ...grammar.compile.to_lark import rule_identifier
from ...grammar.compiled import Compiled

TITLE = "lark, the Python parser"
NOTE = """The comment in its first lines says how to load it. Rules have the names that Python can
spell: lower case, "_" for "-". Where LALR(1) is enough, it is linear in the text: leaves are
terminals that look ahead. Else Earley reads it, slowly, and may show another reading than the first
alternative; a leaf that no terminal can read is marked by a comment."""


def export(compiled: Compiled, rule: str) -> str:
    """The grammar with a comment that says how to load it.

    Errors: GrammarLimit. Cost: that of the automaton, and of lark on some thousand texts.
    """
    text, way = lark_grammar(compiled, rule)
    options = ", ".join(f'{name}="{value}"' for name, value in WAYS[way].items())
    head = [
        f"// {compiled.name} {rule}",
        f'// Lark(text, start="{rule_identifier(rule)}", {options}, maybe_placeholders=False)',
    ]
    return "\n".join([*head, "", text])
