"""What the texts of a column are validated against, for every engine alike.

Owns ``ColumnRule``. Imports the public face, and the exports lazily. Invariant: where ``pattern``
gives an expression, it accepts exactly what ``is_valid`` accepts, of all texts that the engine can
hold; where no expression of the engine can say that, it gives None, and texts go through Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..api import Grammar
from ..arguments import flags, strings, strings_or_none, wrong
from ..grammar.compiled import Compiled
from ..grammar.remember import per_grammar
from ..report import Report

if TYPE_CHECKING:
    from ..workbench.export._dividing import Divider

__all__ = ["COMPONENTS", "ColumnRule"]

COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
"""The components of a URI, in text order (RFC 3986 §3, §3.2), of which a column can be divided."""


@dataclass(frozen=True, slots=True)
class ColumnRule:
    """A rule of a grammar, and what else ``is_valid`` may be asked for.

    It can be pickled, so that other processes and machines validate against the same.

    Errors, when it is made: UnknownRule, UnknownGrammar; ValueError for scheme rules of another
    grammar; TypeError.

    >>> ColumnRule("port").pattern("re2"), ColumnRule(scheme_rules=True).pattern("re2")
    ('\\\\A(?:[0-9]*)\\\\z', None)
    """

    rule: str = "URI"
    grammar: str | Grammar = "rfc3986"
    query: str | None = None
    scheme_rules: bool = False

    def __post_init__(self) -> None:
        strings(rule=self.rule)
        strings_or_none(query=self.query)
        flags(scheme_rules=self.scheme_rules)
        if not isinstance(self.grammar, str | Grammar):
            raise wrong("grammar", self.grammar, "a str or a Grammar")
        object.__setattr__(self, "rule", self.loaded.rule_name(self.rule))
        self.is_valid("")  # names the query grammar, or the scheme rules, that cannot be had

    @property
    def loaded(self) -> Grammar:
        """The grammar itself."""
        return Grammar.load(self.grammar) if isinstance(self.grammar, str) else self.grammar

    def is_valid(self, text: str) -> bool:
        """The verdict of ``uriproof.is_valid``. Cost: O(n)."""
        return self.loaded.is_valid(
            text, self.rule, query=self.query, scheme_rules=self.scheme_rules
        )

    def are_valid(self, texts: Iterable[str]) -> Iterator[bool]:
        """``is_valid`` of each text, in order."""
        return self.loaded.are_valid(
            texts, self.rule, query=self.query, scheme_rules=self.scheme_rules
        )

    def check(self, text: str) -> Report:
        """The report of ``uriproof.check``. Cost: O(n)."""
        return self.loaded.check(text, self.rule, query=self.query, scheme_rules=self.scheme_rules)

    def pattern(self, to: str) -> str | None:
        """The whole verdict as an expression of an engine: ``re2``, ``rust``, ``java``.

        None where one expression cannot say it: with scheme rules or a query grammar, for a rule
        that is not regular, or one beyond what the engine can express. Cost: made once.
        """
        if self.query is not None or self.scheme_rules:
            return None
        return _exported(self.loaded.compiled, self.rule, to)

    def dividers(self, to: str) -> tuple[Divider, ...]:
        """The expressions of an engine that divide a valid text; none for a rule without them."""
        return _dividers(self.loaded.compiled, self.rule, to)


@per_grammar
def _exported(compiled: Compiled, rule: str, to: str) -> str | None:
    from ..grammar.errors import GrammarLimit
    from ..workbench.export import export

    try:
        return export(compiled, rule, to)
    except GrammarLimit:
        return None


@per_grammar
def _dividers(compiled: Compiled, rule: str, to: str) -> tuple[Divider, ...]:
    from ..grammar.errors import GrammarLimit
    from ..workbench.export import dividers

    try:
        return dividers(compiled, rule, to)
    except GrammarLimit:
        return ()
