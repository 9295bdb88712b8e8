"""PCRE2, the library of many programs.

Owns this target. Imports the dialects. Invariant: see ``Dialect``.
"""

from __future__ import annotations

from ...grammar.compiled import Compiled
from ._dialect import SURROGATES, Dialect, braces
from ._expression import linear

TITLE = "PCRE2: PHP, R, grep -P, nginx, MariaDB"
NOTE = """Anchored by itself. It starts with (*UTF), which the program may forbid (PCRE2_NEVER_UTF);
where it sets PCRE2_UTF, as the flag u of PHP does, that start may be left out. Texts are UTF-8:
lone surrogates are left out. PCRE2 backtracks; matching is linear in the text all the same. Loops
that never need to give back are possessive; where a group is repeated that may have to, a long text
can reach a program's own limit (the JIT stack, PCRE2_ERROR_JIT_STACKLIMIT). A count is at most
65535."""

DIALECT = Dialect(
    name="PCRE2",
    point=braces,
    head=r"(*UTF)\A(?:",
    tail=r")\z",
    possessive=True,
    unrolled=True,
    lacks=SURROGATES,
    most=65535,
    group="(?<{}>",
)


def export(compiled: Compiled, rule: str) -> str:
    """The pattern of a rule. Errors: GrammarLimit. Cost: the size of the rule, flattened."""
    return DIALECT.write(linear(compiled, rule))
