"""Expressions printed for engines other than Python's.

Owns how an expression is spelled: escapes, classes, loops, counts. Imports the algebra of
expressions. Invariant: the pattern matches, as a whole, the texts of the expression, except those
with code points that the engine's texts cannot hold (``lacks``); it has nothing that another engine
might read differently: no class is negated, no name such as ``\\d`` stands for a class, and every
character but letters, digits and ASCII punctuation is written as an escape.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...grammar.charset import EMPTY, Ranges
from ...grammar.compile.ambiguity import committed
from ...grammar.compile.rx import (
    NOTHING,
    Alt,
    Rep,
    Rx,
    Seq,
    Set,
    choice,
    deterministic,
    first,
    without,
)
from ...grammar.compile.to_regex import escaped, members, quantifier
from ...grammar.errors import GrammarLimit
from ...limits import MAX_PATTERN

SURROGATES: Ranges = ((0xD800, 0xDFFF),)
"""Code points that no UTF-8 text holds (RFC 3629 §3)."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one engine spells expressions."""

    name: str
    point: Callable[[int], str]
    """The escape of a code point that does not stand for itself."""
    head: str
    tail: str
    outside: str = r"\^$.|?*+()[]{}#"
    """ASCII punctuation that needs a backslash outside of classes."""
    inside: str = r"\^[]-&~#|"
    """ASCII punctuation that takes a backslash within a class."""
    possessive: bool = False
    """True if the engine backtracks, unless an expression says not to."""
    unrolled: bool = False
    """True if a loop over a single class costs far less than one over alternatives."""
    lacks: Ranges = EMPTY
    """Code points that the engine's texts cannot hold."""
    most: int | None = None
    """The maximum count of a repetition."""
    nested: int | None = None
    """The maximum product of nested counts."""
    group: str = ""
    """The start of a group with a name, such as ``(?<{}>``; empty if there are none."""

    def write(self, rx: Rx) -> str:
        """The pattern of an expression, anchored. Errors: GrammarLimit."""
        held = without(rx, self.lacks) if self.lacks else rx
        if held is None:
            raise GrammarLimit(f"no text that {self.name} can hold is accepted by this rule")
        return self.head + _Printer(self).write(held, NOTHING) + self.tail

    def spell(self, rx: Rx) -> str:
        """The pattern of an expression without anchors: for a part of one."""
        return _Printer(self).write(rx, NOTHING)


class _Printer:
    """One printing: the dialect, and the product of the counts around the current part."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._product = 1

    def write(self, rx: Rx, rest: Rx) -> str:
        """The text; ``rest`` describes (or includes) the texts that can come after a match."""
        match rx:
            case Set(ranges):
                return self.members(ranges)
            case Seq(items):
                out: list[str] = []
                for item in reversed(items):
                    text = self.write(item, rest)
                    out.append(f"(?:{text})" if isinstance(item, Alt) else text)
                    rest = Seq((item, rest))
                return "".join(reversed(out))
            case Alt(items):
                return "|".join(self.write(i, rest) for i in items)
            case Rep(item, least, most):
                return self._loop(rx, item, least, most, rest)

    def _loop(self, rx: Rep, item: Rx, least: int, most: int | None, rest: Rx) -> str:
        decided = deterministic(rx, first(rest))
        possessive = self._dialect.possessive and (
            decided or (most is None and not isinstance(item, Set) and committed(item, rest))
        )
        mark = "+" if possessive else ""
        if self._dialect.unrolled and decided and most is None and least <= 1:
            match item:
                case Alt((Set(ranges), *tail)):
                    return self._unrolled(ranges, choice(tail), least, mark, rest)
        after = rest if most == 1 else Seq((Rep(item, 0, most), rest))
        before, self._product = self._product, self._product * max(least, most or 1)
        self._check()
        inner = self.write(item, after)
        self._product = before
        if not isinstance(item, Set):
            inner = f"(?:{inner})"
        return self._counted(inner, least, most, mark)

    def _unrolled(self, ranges: Ranges, other: Rx, least: int, mark: str, rest: Rx) -> str:
        """``set* ( other set* )*``: runs of the set at full speed, the rest at its places."""
        one = self.members(ranges)
        run = f"{one}*{mark}"
        again = Rep(choice((Set(ranges), other)), 0, None)
        others = self.write(other, Seq((again, rest)))
        each = f"(?:{others})" if isinstance(other, Alt) else others
        loop = f"{run}(?:{each}{run})*{mark}"
        return loop if least == 0 else f"(?:{one}|{others}){loop}"

    def _check(self) -> None:
        bound = self._dialect.nested
        if bound is not None and self._product > bound:
            raise GrammarLimit(
                f"{self._dialect.name} allows no repetitions, one inside another, whose counts "
                f"multiply to more than {bound}"
            )

    def _counted(self, inner: str, least: int, most: int | None, mark: str) -> str:
        """The quantified text, in several pieces if a count is more than the engine accepts."""
        bound = self._dialect.most
        if bound is not None and (rounds := max(least, most or 0)) > bound:
            if len(inner) * (rounds // bound) > MAX_PATTERN:
                raise GrammarLimit(f"the pattern has more than {MAX_PATTERN:,} characters")
            pieces: list[str] = []
            fixed, left = least, None if most is None else most - least
            while fixed:
                step = min(fixed, bound)
                pieces.append(self._counted(inner, step, step, mark))
                fixed -= step
            if left is None:
                pieces.append(self._counted(inner, 0, None, mark))
            while left:
                step = min(left, bound)
                pieces.append(self._counted(inner, 0, step, mark))
                left -= step
            return "".join(pieces)
        if least == most:  # with one way to go, there is nothing to give back
            return inner if most == 1 else inner + quantifier(least, most)
        return inner + quantifier(least, most) + mark

    def members(self, ranges: Ranges) -> str:
        """A set as a class, or as a bare character if it has only one."""
        dialect = self._dialect
        (low, high), *more = ranges
        if low == high and not more:
            return escaped(low, dialect.outside, dialect.point)
        spelled = members(ranges, lambda point: escaped(point, dialect.inside, dialect.point))
        return f"[{spelled}]"


def braces(point: int) -> str:
    r"""``\x{…}``, as RE2, PCRE2, Java and Rust read it.

    >>> braces(0x1F600)
    '\\x{1F600}'
    """
    return f"\\x{{{point:X}}}"
