"""Mermaid's railroad diagrams, which Markdown on many sites shows as drawings.

Owns this target. Imports the model. Invariant: rules keep their names, structure and order; what is
written is read by Mermaid's own parser of ABNF.
"""

from __future__ import annotations

import re

from ...grammar.compiled import Compiled
from ...grammar.errors import GrammarLimit
from ...grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    NumVal,
    Repetition,
    RuleRef,
)
from ._rules import MAX_TEXT, reachable

TITLE = "Mermaid, a railroad diagram (from 11.16 on)"
NOTE = """For a block of Markdown that is marked as mermaid, or for mermaid.render. Mermaid draws
railroad diagrams of ABNF from version 11.16 on, and calls them beta. It has no comments there, no
case-sensitive strings, which are written as numbers, and no rules whose names start with title,
accTitle or accDescr. Takes grammars that are not regular, too."""

_DIRECTIVE = re.compile(r"title|accTitle|accDescr")


def export(compiled: Compiled, rule: str) -> str:
    """The rule and all below it. Errors: GrammarLimit. Cost: the size of what is written."""
    lines = ["railroad-abnf-beta"]
    size = 0
    for found in reachable(compiled.model, rule):
        if _DIRECTIVE.match(found.name):
            raise GrammarLimit(
                f"Mermaid takes the name of rule {found.name} for a line that says its title"
            )
        body = _body(found.element, found.name)
        size += len(body)
        if size > MAX_TEXT:
            raise GrammarLimit(f"rule {rule} is too large to be drawn")
        lines.append(f"{found.name} = {body} ;")
    return "\n".join(lines) + "\n"


def _body(element: Element, rule: str) -> str:
    try:
        return _write(element)
    except RecursionError:
        raise GrammarLimit(f"rule {rule} is nested too deeply to be written") from None


def _write(element: Element) -> str:
    match element:
        case CharVal(text, sensitive):
            exact = sensitive and text.lower() != text.upper()
            return str(NumVal(tuple(map(ord, text)))) if exact else f'"{text}"'
        case RuleRef() | NumVal():
            return str(element)
        case Concatenation(items):
            return " ".join(_grouped(item, Alternation) for item in items) or '""'
        case Alternation(items):
            return " / ".join(map(_write, items))
        case Repetition(_, _, 0):
            return '""'
        case Repetition(item, 0, 1):
            return f"[ {_write(item)} ]"
        case Repetition(item, least, most):
            inner = _grouped(item, Alternation, Concatenation, Repetition)
            counts = str(least) if least == most else f"{least or ''}*{most or ''}"
            return counts + inner


def _grouped(element: Element, *kinds: type) -> str:
    text = _write(element)
    return f"( {text} )" if isinstance(element, kinds) else text
