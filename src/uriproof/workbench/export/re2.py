"""RE2, and Go's regexp, which reads the same syntax.

Owns this target. Imports the dialects. Invariant: see ``Dialect``.
"""

from __future__ import annotations

from ...grammar.compiled import Compiled
from ._dialect import SURROGATES, Dialect, braces
from ._expression import plain

TITLE = "RE2 and Go's package regexp"
NOTE = """Anchored by itself; full match and partial match say the same. No flags; the text is
UTF-8 (not the option latin1). Lone surrogates, which UTF-8 does not hold, are left out. Linear in
the text: RE2 never backtracks. A count is at most 1000, and so is the product of counts inside
each other. A large pattern may need more than RE2's 8 MiB (max_mem)."""

DIALECT = Dialect(
    name="RE2",
    point=braces,
    head=r"\A(?:",
    tail=r")\z",
    lacks=SURROGATES,
    most=1000,
    nested=1000,
    group="(?P<{}>",
    backtracks=False,
)


def export(compiled: Compiled, rule: str) -> str:
    """The pattern of a rule. Errors: GrammarLimit. Cost: the size of the rule, flattened."""
    return DIALECT.write(plain(compiled, rule))
