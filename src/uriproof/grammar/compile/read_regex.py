"""From a regular expression's text back to an automaton: the proof that it is right.

Owns the reading of the expressions that the build writes, and the places of any expression;
people's patterns are read by ``read_pattern``, on top of this. Imports the automata and the
character sets. Invariant: it reads the text with the standard library's own parser, so that a
mistake in printing an expression cannot hide in reading it; and it refuses what it cannot prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..charset import ANY, Ranges, minus, overlap, union
from ..errors import GrammarLimit
from ..machine.automaton import Automaton, from_nfa
from ..machine.nfa import NfaStates, alphabet_for


class PatternStates(NfaStates):
    """An expression as places, and its parts that never give back."""

    def __init__(self) -> None:
        super().__init__()
        self.committed: list[tuple[int, set[int], Any]] = []
        self._within = 0  # how many parts that never give back are being read
        self._eager: list[Any] = []  # such parts that leave before they must

    def read(self, ops: Any, after: int) -> int:
        """The place where a match of the parsed operations starts, leading to ``after``.

        Errors: GrammarLimit.
        """
        for op, arg in reversed(list(ops)):
            name = str(op)
            if name in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
                after = self.add(self.set_of(name, op, arg), (after,))
            elif name == "SUBPATTERN":
                after = self.read_group(arg, after)
            elif name == "ATOMIC_GROUP":
                after = self._committed(partial(self.read, arg), after, arg)
            elif name == "BRANCH":
                after = self.add(None, tuple(self.read(o, after) for o in arg[1]))
            elif name in ("MAX_REPEAT", "MIN_REPEAT"):
                if self._within and (name == "MIN_REPEAT" or _may_read_nothing(arg)):
                    self._eager.append(arg)
                after = self._loop(arg, after)
            elif name == "POSSESSIVE_REPEAT":
                if _may_read_nothing(arg):
                    self._eager.append(arg)
                after = self._committed(partial(self._loop, arg), after, arg)
            else:
                after = self.read_other(name, arg, after)
        return after

    def set_of(self, name: str, op: Any, arg: Any) -> Ranges:
        """The characters of an operation that reads one; ``.`` is any, as with DOTALL."""
        del op
        return set_of(name, arg)

    def read_group(self, arg: Any, after: int) -> int:
        _, on, off, ops = arg
        if on or off:
            raise GrammarLimit("a group with flags is not among the forms that the build writes")
        return self.read(ops, after)

    def read_other(self, name: str, arg: Any, after: int) -> int:
        """An operation that is not a matter of sets, groups and repetitions."""
        raise GrammarLimit(f"{name} is not regular")

    def _loop(self, bounds: Any, after: int) -> int:
        least, most, ops = bounds
        unbounded = str(most) == "MAXREPEAT"
        return self.repeat(
            lambda end: self.read(ops, end), int(least), None if unbounded else int(most), after
        )

    def _committed(self, build: Callable[[int], int], after: int, arg: Any) -> int:
        """A part that never gives back: remembered, to prove that it would never need to."""
        exit_ = self.add(None, (after,))
        low = len(self.symbols)
        self._within += 1
        entry = build(exit_)
        self._within -= 1
        self.committed.append((entry, set(range(low, len(self.symbols))), arg))
        return entry

    def unsafe(self) -> Iterator[Any]:
        """The committed parts, as parsed, that are not decided by their next character.

        Wherever such a part is being read, a place inside it and another place, inside or after it,
        that can be reached at the same point must never read the same code point; and continuing
        inside must be tried before leaving. Then there is only one way to continue or to leave, and
        committing to it loses nothing. A lazy loop leaves first, and so might one with an empty
        round, because ``re`` ends it there.
        """
        yield from self._eager
        for entry, inside, arg in self.committed:
            sources = {
                entry,
                *(self.transitions[p][0] for p in inside if self.symbols[p] is not None),
            }
            if any(self._undecided(source, inside) for source in sources):
                yield arg

    def _undecided(self, source: int, inside: set[int]) -> bool:
        within: Ranges = ()
        after: Ranges = ()
        left = False
        for place in self.closure([source]):
            reads = self.symbols[place] or ()
            if overlap(within, reads) or (place in inside and (left or overlap(after, reads))):
                return True
            if place in inside:
                within = union(within, reads)
            else:
                after = union(after, reads)
                left = True
        return False


def _may_read_nothing(bounds: Any) -> bool:
    """True for a loop of several rounds, each of which can be empty."""
    _, most, ops = bounds
    return bool(most > 1 and ops.getwidth()[0] == 0)


def set_of(name: str, arg: Any) -> Ranges:
    """The code points that a parsed operation reads, letter by letter. Errors: GrammarLimit."""
    if name == "ANY":
        return ANY
    if name == "LITERAL":
        return ((arg, arg),)
    if name == "NOT_LITERAL":
        return minus(ANY, ((arg, arg),))
    found: list[tuple[int, int]] = []
    negate = False
    for op, value in arg:
        match str(op):
            case "NEGATE":
                negate = True
            case "LITERAL":
                found.append((value, value))
            case "RANGE":
                found.append(tuple(value))
            case other:
                raise GrammarLimit(f"{other} in a character class is not supported")
    ranges = union(tuple(found))
    return minus(ANY, ranges) if negate else ranges


def read_regex(pattern: str) -> Automaton:
    """The automaton of what ``re.fullmatch`` accepts for a pattern (flags: DOTALL, no others).

    For expressions of the build: strict, so that nothing else passes for one. See ``read_pattern``
    for people's patterns.

    Errors: GrammarLimit for constructs that are not regular (lookaround, back references, anchors),
    and for a possessive or atomic part that could give up a match that giving back would find.

    >>> read_regex("(?:[a-c]*+:)?d").accepts("abc:d")
    True
    """
    places = _read(pattern)
    if any(True for _ in places.unsafe()):
        raise GrammarLimit("a possessive part might give up a match that giving back would find")
    return from_nfa(places, alphabet_for(places))


def _read(pattern: str) -> PatternStates:
    from re import _parser  # the library's own parser; it has no public door

    parsed = _parser.parse(pattern)
    if parsed.state.flags & ~_parser.SRE_FLAG_UNICODE:
        raise GrammarLimit("flags are not among the forms that the build writes")
    places = PatternStates()
    places.start = places.read(parsed, 0)
    return places
