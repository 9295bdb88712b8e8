"""Near misses: texts that are refused, one edit away from texts that are accepted.

Owns the breaking of samples. Imports them, the automata and the recognizer. Invariant: the rule
refuses each miss, and each says what was done to which accepted text to make it one; the same
rule and seed give the same misses, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Literal, get_args

from ..grammar.charset import Ranges, union
from ..grammar.errors import GrammarLimit
from ..grammar.machine.automaton import DEAD
from ..grammar.machine.readable import members
from ..grammar.machine.sample import member
from ..grammar.work import spend
from .derived import drawn

if TYPE_CHECKING:
    from ..grammar.compiled import Compiled

TRIES = 10_000
"""Edits in a row that give no miss, before the search is given up."""

_EDIT = 20
"""Steps of work of one edit, beside those for each character."""

Way = Literal["illegal", "missing", "bad-escape"]


@dataclass(frozen=True, slots=True)
class Edit:
    """What was done to an accepted text: at ``offset``, ``removed`` gave way to ``inserted``.

    ``way`` says what for: ``illegal``, a character that is not allowed there was put in;
    ``missing``, one was left out; ``bad-escape``, an escape sequence was broken. ``of`` is the
    accepted text; offsets are code points in it and in the miss alike.
    """

    way: Way
    offset: int
    removed: str
    inserted: str
    of: str


@dataclass(frozen=True, slots=True)
class Miss:
    """A text that is not accepted, one edit away from one that is."""

    text: str
    edit: Edit


def misses(
    compiled: Compiled,
    rule: str,
    *,
    seed: int = 0,
    least: int | None = None,
    most: int | None = None,
    readable: bool = True,
    ways: tuple[Way, ...] = get_args(Way),
    within: Callable[[str], tuple[int, int] | None] | None = None,
) -> Iterator[Miss]:
    """Near misses, infinitely many: samples with one edit, which the rule is known to refuse.

    ``rule`` is in its canonical spelling; lengths are those of the samples. ``ways`` are the
    kinds of edit to choose from; ``within`` tells, for a sample, between which offsets to edit
    it, or None to pass it over.

    Errors: as ``samples``; ValueError once ``TRIES`` edits in a row gave no miss.
    Cost: as ``samples``, and O(length) for each try.

    >>> from uriproof.grammar.registry import load
    >>> next(misses(load("rfc3986"), "scheme", seed=3, ways=("illegal",))).edit.way
    'illegal'
    """
    escape = _escape(compiled)
    if escape is None:
        ways = tuple(way for way in ways if way != "bad-escape")
        if not ways:
            raise ValueError(f"grammar {compiled.name} has no escape sequences to break")
    texts = drawn(compiled, rule, seed=seed, least=least, most=most, readable=readable)
    random = Random(f"misses {seed}")  # noqa: S311 -- test data, which must be the same every time
    mutator = _Mutator(compiled, rule, escape, readable, random)
    tries = TRIES
    while tries:
        tries -= 1
        of = next(texts)
        span = (0, len(of)) if within is None else within(of)
        spend(_EDIT + len(of))
        edit = span and mutator.edit(of, random.choice(ways), *span)
        if edit:
            text = of[: edit.offset] + edit.inserted + of[edit.offset + len(edit.removed) :]
            if not compiled.accepts(rule, text):
                tries = TRIES
                yield Miss(text, edit)
    raise ValueError(f"no near miss of {rule} was found in {TRIES:,} edits in a row")


def _escape(compiled: Compiled) -> str | None:
    """The character that starts an escape sequence of the grammar: in RFC 3986, the percent."""
    name = compiled.model.escape
    if name is None:
        return None
    return compiled.alphabet.sample(min(compiled.recognizer(name).following("")))


class _Mutator:
    """Random edits that may make a text invalid."""

    def __init__(
        self,
        compiled: Compiled,
        rule: str,
        escape: str | None,
        readable: bool,
        random: Random,
    ) -> None:
        self._escape = escape
        self._readable = readable
        self._random = random
        alphabet = compiled.alphabet
        self._sets = [alphabet.ranges(c) for c in range(alphabet.size)]
        self._illegal: dict[frozenset[int], Ranges] = {}
        self._following: Callable[[str], frozenset[int]]
        try:
            self._automaton = compiled.automaton(rule)
            self._following = self._moves
        except GrammarLimit:
            self._following = compiled.recognizer(rule).following

    def edit(self, of: str, way: Way, start: int, end: int) -> Edit | None:
        """An edit of the text between two offsets; None where it has no place for one."""
        random = self._random
        match way:
            case "missing":
                at = random.randint(start, max(start, end - 1))
                return Edit(way, at, of[at], "", of) if at < end else None
            case "illegal":
                at = random.randint(start, end)
                inserted = self._illegal_character(of[:at])
                removed = of[at : at + random.randint(0, 1)] if at < end else ""
                return Edit(way, at, removed, inserted, of) if inserted else None
            case "bad-escape":
                places = [i for i in range(start, end) if of[i] == self._escape]
                if not places:
                    return Edit(way, random.randint(start, end), "", self._escape or "", of)
                at = random.choice(places) + 1
                while at < end and random.random() < 1 / 2:
                    at += 1
                removed = of[at : at + 1] if at < end else ""
                inserted = self._illegal_character(of[:at]) if random.random() < 1 / 2 else ""
                return Edit(way, at, removed, inserted, of) if removed or inserted else None

    def _moves(self, text: str) -> frozenset[int]:
        state = 0
        for class_ in self._automaton.alphabet.encode(text):
            state = self._automaton.rows[state][class_]
        row = self._automaton.rows[state]
        return frozenset(class_ for class_, target in enumerate(row) if target != DEAD)

    def _illegal_character(self, before: str) -> str:
        """A character that is not allowed after a text; nothing where all can."""
        following = self._following(before)
        if following not in self._illegal:
            some = [ranges for c, ranges in enumerate(self._sets) if c not in following]
            self._illegal[following] = union(*some)
        ranges = self._illegal[following]
        if not ranges:
            return ""
        if self._readable:
            others = "".join(c for c in " é€" if any(lo <= ord(c) <= hi for lo, hi in ranges))
            return self._random.choice(members(ranges) + others)
        size = sum(high - low + 1 for low, high in ranges)
        return member(ranges, self._random.randrange(size))
