"""ECMAScript: JavaScript and TypeScript.

Owns this target. Imports the dialects. Invariant: see ``Dialect``.
"""

from __future__ import annotations

from ...grammar.compiled import Compiled
from ._dialect import Dialect
from ._expression import linear

TITLE = "ECMAScript (JavaScript, TypeScript)"
NOTE = """For new RegExp(pattern, "u") or "v", and test(). Anchored by itself: no flag m. The
attribute pattern of HTML takes it as it is. Code points above U+FFFF need the flag u or v; a lone
surrogate is a code point. ECMAScript backtracks, and has neither possessive loops nor atomic
groups: where the next character decides each loop, matching is linear in the text; in the rest of
the pattern a text is gone over again a bounded number of times, whatever its length. Engines keep
a note for each round of a loop over longer alternatives (pct-encoded): bound the length of texts
from strangers, as V8 gives up on a text with some millions of them."""

# With the flag u a backslash may stand before these alone (ECMA-262 §22.2.1, IdentityEscape), and
# within a class before "-" too; with the flag v they need it (ClassSetSyntaxCharacter).
OUTSIDE = r"^$\.*+?()[]{}|/"
INSIDE = r"^\()[]{}|/-"

_BYTE, _BMP = 0xFF, 0xFFFF


def escape(point: int) -> str:
    r"""A code point, as a pattern with the flag u reads it.

    >>> escape(0x20), escape(0xFFFD), escape(0x1F600)
    ('\\x20', '\\uFFFD', '\\u{1F600}')
    """
    if point <= _BYTE:
        return f"\\x{point:02X}"
    return f"\\u{point:04X}" if point <= _BMP else f"\\u{{{point:X}}}"


DIALECT = Dialect(
    name="ECMAScript",
    point=escape,
    head="^(?:",
    tail=")$",
    outside=OUTSIDE,
    inside=INSIDE,
    unrolled=True,
    group="(?<{}>",
)


def export(compiled: Compiled, rule: str) -> str:
    """The pattern of a rule. Errors: GrammarLimit. Cost: the size of the rule, flattened."""
    return DIALECT.write(linear(compiled, rule))
