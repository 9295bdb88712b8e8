"""Python's ``re``.

Owns this target. Imports the printer of expressions. Invariant: the text is the expression that the
package itself matches with, wherever it matches with one.
"""

from __future__ import annotations

from ...grammar.charset import EMPTY
from ...grammar.compile.to_regex import print_regex
from ...grammar.compiled import Compiled
from ._dialect import Dialect
from ._expression import linear

TITLE = "Python 3.11 or later, the module re"
NOTE = """For re.fullmatch; no flags. It has no anchors of its own: with re.match or re.search it
also finds beginnings and middles, and "$" would let a final line feed pass. Linear in the text: a
loop that is decided by its next character is possessive, which Python knows since 3.11."""

_BYTE, _BMP = 0xFF, 0xFFFF


def escape(point: int) -> str:
    r"""A code point, as Python reads it in a pattern.

    >>> escape(0x20), escape(0xFFFD), escape(0x1F600)
    ('\\x20', '\\uFFFD', '\\U0001F600')
    """
    if point <= _BYTE:
        return f"\\x{point:02X}"
    return f"\\u{point:04X}" if point <= _BMP else f"\\U{point:08X}"


# Of expressions with groups; those without are the ones that the package matches with.
DIALECT = Dialect(
    name="Python",
    point=escape,
    head="",
    tail="",
    possessive=True,
    unrolled=True,
    group="(?P<{}>",
)


def export(compiled: Compiled, rule: str) -> str:
    """The expression of a rule. Errors: GrammarLimit. Cost: the size of the rule, flattened."""
    own = compiled.regex(rule)
    return print_regex(linear(compiled, rule), EMPTY) if own is None else own
