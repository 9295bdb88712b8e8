"""The errors of a grammar, and of the name of a rule or a grammar.

Owns the exceptions of the ``grammar`` package. Imports the standard library and ``text``.
Invariant: a ``GrammarError`` carries every fault of its text, in the order of the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from ..errors import UriproofError
from ..text.columns import ELLIPSIS
from ..text.drawing import draw, visible
from ..text.names import did_you_mean

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

_STEPS = 12
"""Rules of a way that a message names."""

_SHOWN = 12
"""Faults of one text that a message tells of, and draws; all of them are in ``faults``."""


class Fault(NamedTuple):
    """One error in a grammar's text.

    ``line`` and ``column`` count from 1, in code points; ``length`` is the number of code points
    of ``source_line`` that it covers, and is 0 if something is missing.
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
        # Both quote a file; what an ellipsis leaves out stays left out.
        return "\n".join([ELLIPSIS.join(map(visible, head.split(ELLIPSIS))), *drawn])


class GrammarError(UriproofError, ValueError):
    """A grammar that cannot be used; ``faults`` holds all that is wrong, in source order.

    ``str(error)`` gives for each fault its place, cause and message, and draws the line; of very
    many it gives the first.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        shown = [str(fault) for fault in self.faults[:_SHOWN]]
        if len(self.faults) > _SHOWN:
            shown.append(f"… and {len(self.faults) - _SHOWN:,} more errors")
        return "\n".join(shown)


class UnusableRule(GrammarError):
    """A rule that leads to one which nothing defines, or which never ends.

    ``way`` are the rules that lead there, from the rule itself on. Other rules of the grammar can
    be used.
    """

    def __init__(self, way: Iterable[str], faults: Iterable[Fault]) -> None:
        super().__init__(faults)
        self.way: tuple[str, ...] = tuple(way)
        self.args: tuple[Any, ...] = (self.way, self.faults)

    @property
    def rule(self) -> str:
        return self.way[0]

    def __str__(self) -> str:
        way = list(self.way)
        if len(way) > _STEPS:
            way[_STEPS // 2 : -_STEPS // 2] = ["…"]
        leads = f": {' → '.join(way)}" if len(way) > 1 else ""
        return f"rule {self.rule} cannot be used{leads}\n{super().__str__()}"


class UnknownRule(UriproofError, LookupError):
    """No rule has that name in the grammar.

    >>> str(UnknownRule("URL", ["URI", "port"], "rfc3986"))
    "no rule 'URL' in grammar rfc3986; did you mean URI?"
    """

    def __init__(
        self,
        name: str,
        known: Iterable[str],
        grammar: str,
        elsewhere: str | None = None,
        bundled: bool = False,
    ) -> None:
        """``elsewhere`` is another bundled grammar that starts with a rule of that name."""
        self.name = name
        self.known: tuple[str, ...] = tuple(known)
        self.grammar = grammar
        self.elsewhere = elsewhere
        self._bundled = bundled
        super().__init__(name, self.known, grammar, elsewhere, bundled)

    def __str__(self) -> str:
        end = f"; the grammar {self.elsewhere} has it" if self.elsewhere else ""
        listed = f"uriproof grammar show -g {self.grammar}" + ".abnf" * (not self._bundled)
        end = end or did_you_mean(self.name, self.known, listed=listed)
        return f"no rule {self.name!r} in grammar {self.grammar}{end}"


class UnknownGrammar(UriproofError, LookupError):
    """No bundled grammar has that name.

    >>> str(UnknownGrammar("zzz", ["rfc3986", "rfc5234"]))
    "no grammar 'zzz'; use rfc3986 or rfc5234"
    """

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known: tuple[str, ...] = tuple(known)
        super().__init__(name, self.known)

    def __str__(self) -> str:
        end = did_you_mean(self.name, self.known, listed="uriproof grammar list")
        return f"no grammar {self.name!r}{end}"


class GrammarLimit(UriproofError, ValueError):
    """A correct grammar that exceeds a limit of the compilers; says which."""
