"""What engines of columns have in common: the components, and the expressions that divide texts.

Owns both. Imports the public face, and the exports lazily. Invariant: where ``Rule.pattern`` gives
an expression, it accepts exactly what ``is_valid`` accepts, of all texts that the engine can hold;
where no expression of the engine can say that, it gives None, and texts go through Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..grammar.compiled import Compiled
from ..grammar.remember import per_grammar
from ..rule import Rule

if TYPE_CHECKING:
    from ..workbench.export._dividing import Divider

__all__ = ["COMPONENTS", "dividers"]

COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
"""The components of a URI, in text order (RFC 3986 §3, §3.2), of which a column can be divided."""


def dividers(rule: Rule, to: str) -> tuple[Divider, ...]:
    """The expressions of an engine that divide a valid text; none for a rule without them."""
    return _dividers(rule.grammar.compiled, rule.name, to)


@per_grammar
def _dividers(compiled: Compiled, rule: str, to: str) -> tuple[Divider, ...]:
    from ..grammar.errors import GrammarLimit
    from ..workbench.export import dividers

    try:
        return dividers(compiled, rule, to)
    except GrammarLimit:
        return ()
