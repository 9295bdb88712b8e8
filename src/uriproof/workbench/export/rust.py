"""Rust's crate regex.

Owns this target. Imports the dialects. Invariant: see ``Dialect``.
"""

from __future__ import annotations

from ...grammar.compiled import Compiled
from ._dialect import SURROGATES, Dialect, braces
from ._expression import plain

TITLE = "Rust, the crate regex"
NOTE = """Anchored by itself: for Regex::is_match. No flags. Texts are UTF-8, so that lone
surrogates are left out. Linear in the text: the crate never backtracks. A large pattern may need
more than the 10 MiB that it allows a compiled one (RegexBuilder::size_limit)."""

DIALECT = Dialect(
    name="Rust",
    point=braces,
    head=r"\A(?:",
    tail=r")\z",
    lacks=SURROGATES,
    group="(?P<{}>",
    backtracks=False,
)


def export(compiled: Compiled, rule: str) -> str:
    """The pattern of a rule. Errors: GrammarLimit. Cost: the size of the rule, flattened."""
    return DIALECT.write(plain(compiled, rule))
