"""A grammar for lark, the parser.

Owns the choice of lark's parser. Imports the lark grammars; lark itself, to try them. Invariant:
LALR(1) is chosen only where lark takes the grammar and decides a sample of texts, good and bad, as
the automaton does; Earley takes what is left.
"""

from __future__ import annotations

from itertools import islice
from random import Random

from ..compiled import Compiled
from ..errors import GrammarLimit
from ..sample import cover, neighbours
from ..to_lark import rule_identifier, to_lark

TITLE = "lark, the Python parser"
NOTE = """The comment in its first lines says how to load it. Rules have the names that Python can
spell: lower case, "_" for "-". Where LALR(1) is enough, it is linear in the text: leaves are
terminals that look ahead. Else Earley reads one character at a time, and slowly; it takes grammars
that are not regular, too."""

SEED = 3986
TEXTS = 2_000


def export(compiled: Compiled, rule: str) -> str:
    """The grammar with a comment that says how to load it.

    Errors: GrammarLimit. Cost: that of the automaton, and of lark on some thousand texts.
    """
    start = rule_identifier(rule)
    fast = _lalr(compiled, rule)
    text = fast or to_lark(compiled.model, [rule], lookahead=False)
    options = 'parser="lalr"' if fast else 'parser="earley", lexer="dynamic_complete"'
    head = [
        f"// {compiled.name} {rule}",
        f'// Lark(text, start="{start}", {options}, maybe_placeholders=False)',
    ]
    return "\n".join([*head, "", text])


def _lalr(compiled: Compiled, rule: str) -> str | None:
    """The grammar for LALR(1), or None where that would not decide as the automaton does."""
    from lark import Lark
    from lark.exceptions import LarkError, UnexpectedInput

    try:
        text = to_lark(compiled.model, [rule], lookahead=True)
        machine = compiled.automaton(rule)
        parser = Lark(text, start=rule_identifier(rule), parser="lalr", maybe_placeholders=False)
    except (GrammarLimit, LarkError):
        return None
    random = Random(SEED)  # noqa: S311 -- texts to try, not secrets
    for good in islice(cover(machine), TEXTS):
        for probe in (good, *neighbours(good, machine, random, 2)):
            try:
                parser.parse(probe)
            except UnexpectedInput:
                accepted = False
            else:
                accepted = True
            if accepted is not machine.accepts(probe):
                return None
    return text
