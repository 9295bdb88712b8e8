"""What can be wrong with a grammar, and with the name of a rule or a grammar.

Owns the exceptions of the ``grammar`` package and the words "did you mean". Imports the standard
library and ``drawing``. Invariant: a ``GrammarError`` carries every
fault of its text, in the order of the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from ..text.drawing import draw

__all__ = [
    "Cause",
    "Fault",
    "GrammarError",
    "GrammarLimit",
    "UnknownGrammar",
    "UnknownRule",
    "UnusableRule",
    "did_you_mean",
    "near",
]

Cause = Literal[
    "syntax",
    "undefined",
    "redefinition",
    "unreachable",
    "left-recursion",
    "recursion",
    "empty",
    "header",
]

_LISTED = 40
_STEPS = 12
"""Rules of a way that a message names."""

_TOLD = 100
"""Faults of one text that a message tells of, and draws; all of them are in ``faults``."""


def near(name: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The names in ``known`` that ``name`` may stand for, nearest first; case does not count.

    Cost: O(len(known)) comparisons of short strings.

    >>> near("URL", ["scheme", "URI", "port"])
    ('URI',)
    """
    from difflib import get_close_matches

    spelled: dict[str, str] = {}
    for candidate in known:
        spelled.setdefault(candidate.lower(), candidate)
    folded = name.lower()
    found = get_close_matches(folded, spelled, n=most, cutoff=0.6)
    return tuple(spelled[candidate] for candidate in found)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The near names as the end of a message, or nothing where there are none.

    >>> did_you_mean("segment-n", ["segment", "segment-nz", "host"])
    '; did you mean segment-nz or segment?'
    """
    *others, last = near(name, known) or [""]
    if not last:
        return ""
    return f"; did you mean {', '.join(others)}{' or ' if others else ''}{last}?"


def _listed(known: tuple[str, ...]) -> str:
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    return (", ".join(known[:_LISTED]) or "none") + more


class Fault(NamedTuple):
    """One thing wrong with a grammar's text.

    ``line`` and ``column`` count from 1, in code points; ``length`` is the number of code points
    of ``source_line`` that are meant, and is 0 where something is missing.
    """

    file: str
    line: int
    column: int
    cause: Cause
    message: str
    source_line: str
    length: int

    def __str__(self) -> str:
        start = self.column - 1
        drawn = draw(self.source_line, [(start, start + self.length)])
        head = f"{self.file}:{self.line}:{self.column}: {self.cause}: {self.message}"
        return "\n".join([head, *drawn])


class GrammarError(ValueError):
    """A grammar that cannot be used; ``faults`` holds all that is wrong, in source order.

    ``str(error)`` gives for each fault its place, cause and message, and draws the line; of very
    many it gives the first.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        told = [str(fault) for fault in self.faults[:_TOLD]]
        if len(self.faults) > _TOLD:
            told.append(f"… and {len(self.faults) - _TOLD:,} more faults")
        return "\n".join(told)


class UnusableRule(GrammarError):
    """A rule that leads to one which nothing defines, or which never ends.

    ``way`` are the rules that lead there, from the rule itself on. Other rules of the grammar can
    be used.
    """

    def __init__(self, way: Iterable[str], faults: Iterable[Fault]) -> None:
        super().__init__(faults)
        self.way = tuple(way)
        self.args = (self.way, self.faults)

    @property
    def rule(self) -> str:
        return self.way[0]

    def __str__(self) -> str:
        way = list(self.way)
        if len(way) > _STEPS:
            way[_STEPS // 2 : -_STEPS // 2] = ["…"]
        leads = f": {' → '.join(way)}" if len(way) > 1 else ""
        return f"rule {self.rule} cannot be used{leads}\n{super().__str__()}"


class UnknownRule(LookupError):
    """No rule has that name in the grammar.

    >>> str(UnknownRule("URL", ["URI", "port"], "rfc3986"))
    "no rule 'URL' in grammar rfc3986; did you mean URI?"
    """

    def __init__(self, name: str, known: Iterable[str], grammar: str) -> None:
        self.name = name
        self.known = tuple(known)
        self.grammar = grammar
        super().__init__(name, self.known, grammar)

    def __str__(self) -> str:
        end = _elsewhere(self.name, self.grammar) or did_you_mean(self.name, self.known)
        end = end or f"; its rules are {_listed(self.known)}"
        return f"no rule {self.name!r} in grammar {self.grammar}{end}"


def _elsewhere(rule: str, grammar: str) -> str:
    """Which other bundled grammar starts with a rule of that name. Cost: reads all, once."""
    from . import registry

    if grammar not in registry.names():
        return ""
    for name in registry.names():
        if rule in registry.load(name).model.starts:
            return f"; the grammar {name} has it"
    return ""


class UnknownGrammar(LookupError):
    """No bundled grammar has that name.

    >>> str(UnknownGrammar("zzz", ["rfc3986", "rfc5234"]))
    "no grammar 'zzz'; the grammars are rfc3986, rfc5234"
    """

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)
        super().__init__(name, self.known)

    def __str__(self) -> str:
        end = did_you_mean(self.name, self.known) or f"; the grammars are {_listed(self.known)}"
        return f"no grammar {self.name!r}{end}"


class GrammarLimit(ValueError):
    """A grammar, correct as it is, that is beyond what can be compiled; says which bound."""
