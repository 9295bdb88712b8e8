"""Targets that take a rule as it is written, whether it is regular or not.

Owns lark's grammar, with the comment that says how to load it, and the drawing. Imports the lark
grammars and the diagrams, when they are asked for. Invariant: the line in the comment loads the
grammar as it was tried; a picture stands alone: it brings its style, and links nowhere.
"""

from __future__ import annotations

from ...grammar.compiled import Compiled
from ._engines import Target


def _lark(compiled: Compiled, rule: str) -> str:
    """The grammar with a comment that says how to load it.

    Errors: GrammarLimit. Cost: that of the automaton, and of lark on some thousand texts.
    """
    from ...grammar.compile.lark_parser import WAYS, lark_grammar
    from ...grammar.compile.to_lark import rule_identifier

    text, way = lark_grammar(compiled, rule)
    options = ", ".join(f'{name}="{value}"' for name, value in WAYS[way].items())
    head = [
        f"// {compiled.name} {rule}",
        f'// Lark(text, start="{rule_identifier(rule)}", {options}, maybe_placeholders=False)',
    ]
    return "\n".join([*head, "", text])


def _railroad_svg(compiled: Compiled, rule: str) -> str:
    """The diagram of the rule itself, its references as boxes. Cost: bounded."""
    from ..railroad import to_railroad_svg

    return to_railroad_svg(compiled.model, rule, links=False)


LARK = Target(
    "lark, the Python parser",
    """\
The comment in its first lines says how to load it. Rules have the names that Python can
spell: lower case, "_" for "-". Where LALR(1) is enough, it is linear in the text: leaves are
terminals that look ahead. Else Earley reads it, slowly, and may show another reading than the first
alternative; a leaf that no terminal can read is marked by a comment.""",
    _lark,
)
RAILROAD_SVG = Target(
    "a railroad diagram, as SVG",
    """\
For a page or a picture viewer: one SVG element with its own style, light or dark as the
reader's screen is, without scripts and links. The first alternative is on the straight line. Takes
grammars that are not regular, too; of a rule too large, a box says how much is not shown.""",
    _railroad_svg,
)
