"""The sets of characters that articles print, next to those of the grammars.

Owns the comparison; the printed sets are data. Imports the grammars and the audit of encoders.
Invariant: only the grammars decide which characters are allowed where.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from uriproof.grammar import registry
from uriproof.percent.characters import ASCII, GRAMMAR, characters

from .coders import CONTROLS, PLAIN, read_data

__all__ = ["MARKS", "Claim", "Delimiters", "claims", "delimiters"]

MARKS = tuple(c for c in ASCII if c not in CONTROLS | PLAIN)
"""The ASCII characters on which encoders differ: the space and the punctuation."""


class Claim(NamedTuple):
    """A set that an article prints, next to that of the grammar, without letters and digits.

    ``rule`` says in words which set of ``grammar`` that is: a production, or all characters that
    are in none of some.
    """

    title: str
    source: str
    rule: str
    grammar: str
    printed: frozenset[str]
    admitted: frozenset[str]

    @property
    def too_many(self) -> tuple[str, ...]:
        """Printed, though the production does not admit them."""
        return tuple(sorted(self.printed - self.admitted))

    @property
    def missing(self) -> tuple[str, ...]:
        """Not printed, though the production admits them."""
        return tuple(sorted(self.admitted - self.printed))


class Delimiters(NamedTuple):
    """One row of the delimiter tables: the places of reserved characters as data.

    ``printed`` is the article's row, or None if it has no such row.
    """

    component: str
    productions: tuple[str, ...]
    allowed: frozenset[str]
    printed: frozenset[str] | None

    def differs(self, char: str) -> bool:
        """Whether the article prints something else for this character."""
        return self.printed is not None and (char in self.printed) != (char in self.allowed)


@cache
def claims() -> tuple[Claim, ...]:
    """The sets that the articles print, compared with the grammar.

    >>> [c.too_many for c in claims() if c.title == "General delimiters"]
    [('%',)]
    """
    return tuple(_claim(entry) for entry in _data()["claim"])


def _claim(entry: dict[str, Any]) -> Claim:
    whole = frozenset(MARKS)
    printed = frozenset(entry["set"] if "set" in entry else whole - set(entry["but"]))
    if entry.get("controls"):
        whole, printed = whole | CONTROLS, printed | CONTROLS
    grammar = entry.get("grammar", GRAMMAR)
    rules, more = entry.get("none_of", [entry.get("rule")]), entry.get("with", "")
    admitted = frozenset(more).union(*(characters(rule, grammar) for rule in rules))
    words = " ".join([*rules, *more])
    if "none_of" in entry:
        admitted, words = whole - admitted, f"none of {words}"
    return Claim(entry["title"], entry["source"], words, grammar, printed, admitted - PLAIN)


@cache
def delimiters() -> tuple[Delimiters, ...]:
    """The places of each reserved character as data, by component, next to the printed ones.

    The rows of the article, and then those of the single productions.

    >>> [(row.component, char) for row in delimiters() for char in ":/?#[]@" if row.differs(char)]
    [('authority', ':')]
    """
    several = {"authority": ("userinfo", "reg-name"), "path": ("segment",)}
    names = ("scheme", "authority", "path", "query", "fragment")
    single = ("userinfo", "reg-name", "port", "segment-nz-nc", "segment")
    printed = _data()["printed"]
    rows = [_row(name, several.get(name, (name,)), printed) for name in names]
    return (*rows, *(_row(rule, (rule,), {}) for rule in single))


def _row(name: str, rules: tuple[str, ...], printed: dict[str, dict[str, str]]) -> Delimiters:
    accepts = registry.load(GRAMMAR).accepts
    places = [(rule, before) for rule in rules for before in ("", "a")]
    reserved = characters("reserved")
    within = frozenset(c for c in reserved if any(accepts(r, b + c) for r, b in places))
    tables = {kind: table[name] for kind, table in printed.items() if name in table}
    if not tables:
        return Delimiters(name, rules, within, None)
    # A row that is missing in a table is not printed, and not a difference.
    absent = [characters(kind) & within for kind in printed if kind not in tables]
    return Delimiters(name, rules, within, frozenset("".join(tables.values())).union(*absent))


@cache
def _data() -> dict[str, Any]:
    return read_data("encoders")
