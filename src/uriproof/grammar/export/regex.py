"""Python's ``re``.

Owns this target. Imports the printer of expressions. Invariant: the text is the expression that the
package itself matches with, wherever it matches with one.
"""

from __future__ import annotations

from ..charset import EMPTY
from ..compiled import Compiled
from ..to_regex import print_regex
from ._expression import linear

TITLE = "Python 3.11 or later, the module re"
NOTE = """For re.fullmatch; no flags. It has no anchors of its own: with re.match or re.search it
also finds beginnings and middles, and "$" would let a final line feed pass. Linear in the text: a
loop that is decided by its next character is possessive, which Python knows since 3.11."""


def export(compiled: Compiled, rule: str) -> str:
    """The expression of a rule. Errors: GrammarLimit. Cost: the size of the rule, flattened."""
    own = compiled.regex(rule)
    return print_regex(linear(compiled, rule), EMPTY) if own is None else own
