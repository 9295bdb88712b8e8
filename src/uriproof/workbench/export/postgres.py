"""PostgreSQL's advanced regular expressions.

Owns this target. Imports the dialects. Invariant: see ``Dialect``.
"""

from __future__ import annotations

from ...grammar.compiled import Compiled
from ._dialect import SURROGATES, Dialect
from ._expression import plain

TITLE = "PostgreSQL, the operator ~"
NOTE = """For text ~ 'pattern', in a CHECK constraint too; double each ' in the literal, and keep
standard_conforming_strings on, as it is since 9.1. An advanced regular expression (ARE), without
the options n, p and w, under which ^ and $ would match at lines. The database has to be UTF8 for
code points above U+007F. Texts hold no U+0000 and no surrogates, which are left out. Linear in the
text: without groups to capture it runs an automaton, which it makes as it goes and forgets when
it grows. A count is at most 255, longer ones are written as several."""

# Not \x: it takes as many hexadecimal digits as follow (PostgreSQL manual, 9.7.3.3).
_BMP = 0xFFFF

DIALECT = Dialect(
    name="PostgreSQL",
    point=lambda point: f"\\u{point:04X}" if point <= _BMP else f"\\U{point:08X}",
    head="^(?:",
    tail=")$",
    lacks=((0, 0), *SURROGATES),
    most=255,
)


def export(compiled: Compiled, rule: str) -> str:
    """The pattern of a rule. Errors: GrammarLimit. Cost: the size of the rule, flattened."""
    return DIALECT.write(plain(compiled, rule))
