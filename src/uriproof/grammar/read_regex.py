"""From a regular expression's text back to an automaton: the proof that it says what it should.

Owns the reading of Python's expressions, as far as they describe regular languages. Imports the
automata and the character sets. Invariant: it reads the text with the standard library's own
parser, so that a mistake in printing an expression cannot hide in reading it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from .automaton import Automaton, Places, from_nfa
from .charset import ANY, Alphabet, Ranges, minus, overlap, union
from .errors import GrammarLimit


class _Pattern(Places):
    """An expression as places, and the parts of it that never give back."""

    def __init__(self, pattern: str) -> None:
        from re import _parser  # the library's own parser; it has no public door

        super().__init__()
        self.committed: list[tuple[int, set[int]]] = []
        self.start = self._read(_parser.parse(pattern), 0)

    def _read(self, ops: Any, after: int) -> int:
        """The place where a match of the parsed operations starts, going on to ``after``."""
        for op, arg in reversed(list(ops)):
            name = str(op)
            if name in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
                after = self.add(_set_of(name, arg), (after,))
            elif name == "SUBPATTERN":
                after = self._read(arg[3], after)
            elif name == "ATOMIC_GROUP":
                after = self._committed(partial(self._read, arg), after)
            elif name == "BRANCH":
                after = self.add(None, tuple(self._read(o, after) for o in arg[1]))
            elif name in ("MAX_REPEAT", "MIN_REPEAT"):
                after = self._loop(arg, after)
            elif name == "POSSESSIVE_REPEAT":
                after = self._committed(partial(self._loop, arg), after)
            else:
                raise GrammarLimit(f"{name} is outside what a regular language can say")
        return after

    def _loop(self, bounds: Any, after: int) -> int:
        least, most, ops = bounds
        unbounded = str(most) == "MAXREPEAT"
        return self.repeat(
            lambda end: self._read(ops, end), int(least), None if unbounded else int(most), after
        )

    def _committed(self, build: Callable[[int], int], after: int) -> int:
        """A part that never gives back: remembered, to prove that it would never need to."""
        exit_ = self.add(None, (after,))
        low = len(self.reads)
        entry = build(exit_)
        self.committed.append((entry, set(range(low, len(self.reads)))))
        return entry

    def unsafe(self) -> bool:
        """True unless every committed part is decided by its next character at every place.

        Wherever such a part is being read, a place inside it and another place, inside or after
        it, that can be reached at the same point must never read the same code point. Then there
        is one way only to go on or to leave, and committing to it gives nothing away.
        """
        for entry, inside in self.committed:
            sources = {entry, *(self.then[p][0] for p in inside if self.reads[p] is not None)}
            for source in sources:
                within: Ranges = ()
                after: Ranges = ()
                for place in self.closure([source]):
                    reads = self.reads[place] or ()
                    if overlap(within, reads) or (place in inside and overlap(after, reads)):
                        return True
                    if place in inside:
                        within = union(within, reads)
                    else:
                        after = union(after, reads)
        return False


def _set_of(name: str, arg: Any) -> Ranges:
    if name == "ANY":
        return ANY
    if name == "LITERAL":
        return ((arg, arg),)
    if name == "NOT_LITERAL":
        return minus(ANY, ((arg, arg),))
    ranges: Ranges = ()
    negate = False
    for op, value in arg:
        match str(op):
            case "NEGATE":
                negate = True
            case "LITERAL":
                ranges = union(ranges, ((value, value),))
            case "RANGE":
                ranges = union(ranges, (value,))
            case other:
                raise GrammarLimit(f"{other} in a character class is not supported")
    return minus(ANY, ranges) if negate else ranges


def read_regex(pattern: str) -> Automaton:
    """The automaton of what ``re.fullmatch`` accepts for a pattern (flags: DOTALL, no others).

    Errors: GrammarLimit for what is not regular (lookaround, back references, anchors), and for
    a possessive or atomic part that could give up a match that giving back would find.

    >>> read_regex("(?:[a-c]*+:)?d").accepts("abc:d")
    True
    """
    places = _Pattern(pattern)
    if places.unsafe():
        raise GrammarLimit("a possessive part may give up a match that giving back would find")
    return from_nfa(places, Alphabet([r for r in places.reads if r is not None]))
