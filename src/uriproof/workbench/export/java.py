"""Java's own expressions.

Owns this target. Imports the dialects. Invariant: see ``Dialect``.
"""

from __future__ import annotations

from ...grammar.compiled import Compiled
from ._dialect import Dialect, braces
from ._expression import linear

TITLE = "Java, java.util.regex"
NOTE = """Anchored by itself; matches() and find() say the same. No flags; in source, double every
backslash. Texts are read by code points; a lone surrogate is one. Java backtracks; matching is
linear in the text all the same. Loops that never need to give back are possessive, so that the
stack does not grow with the text; where a group is repeated that may have to (host names with a
final dot, as RFC 2396 has them), it does: bound the length of such texts to some thousands."""

DIALECT = Dialect(
    name="Java",
    point=braces,
    head=r"\A(?:",
    tail=r")\z",
    possessive=True,
    unrolled=True,
    group="(?<{}>",
    in_names="x",
)


def export(compiled: Compiled, rule: str) -> str:
    """The pattern of a rule. Errors: GrammarLimit. Cost: the size of the rule, flattened."""
    return DIALECT.write(linear(compiled, rule))
