"""Texts of a rule, drawn at random, and near misses: texts one edit away that it refuses.

Owns random derivations of bounded length, for recursive rules, and the breaking of samples. Imports
the model, the automata, the recognizer and the order of characters. Invariant: each text is one
that the rule derives, no longer than requested, and drawing ends for every rule that derives
anything; the rule rejects each miss, which has the accepted text and the edit that made it; the
same rule and seed give the same texts, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..grammar.charset import Ranges, of_char, union
from ..grammar.derive.recognizer import Unfolded
from ..grammar.errors import GrammarLimit
from ..grammar.machine.automaton import DEAD
from ..grammar.machine.first_sets import Facts
from ..grammar.machine.product import Machine
from ..grammar.machine.readable import members
from ..grammar.machine.sample import SPREAD, listed, member, samples, spread
from ..grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    NumVal,
    Repetition,
    RuleRef,
    children,
)
from ..grammar.work import TooMuchWork, at_most, spend
from ..limits import MAX_DERIVED, STEPS_AT_ONCE
from .describe import facts

if TYPE_CHECKING:
    from ..grammar.compiled import Compiled

TRIES = 2_000
"""Texts drawn in a row that are too short, before the search is given up."""

FREE = 20
"""Choices for each character asked for; beyond that each is for what ends soonest."""


RECURSIVE = 8
"""The factor of room that a loop gives to items that can nest."""

_CHOICE = 5
"""Steps of work of one choice."""


class Derivations:
    """The rules of a grammar, ready to draw texts from.

    >>> from uriproof.grammar.registry import compile_abnf
    >>> nested = Derivations(facts(compile_abnf('n = "(" n ")" / "x"')))
    >>> nested.least("n"), {nested.text("n", Random(seed), 6) for seed in range(40)} > {"x", "(x)"}
    (1, True)
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._rules = facts.model.rules
        self._growths: dict[str, int] = {}
        for group in facts.groups:
            if facts.ring(group[0]):
                self._growths.update(dict.fromkeys(group, RECURSIVE))
            else:
                self._growths[group[0]] = self._growth(self._rules[group[0]].element)

    def least(self, rule: str) -> int:
        """The length of the shortest text of a rule.

        Errors: GrammarLimit, if it has none, or none of up to ``MAX_DERIVED`` code points.
        """
        if rule not in self._facts.shortest:
            raise GrammarLimit(f"rule {rule} never ends, so that it derives no text")
        length = self._facts.shortest[rule].length
        if length > MAX_DERIVED:
            raise GrammarLimit(f"a text of {rule} has more than {MAX_DERIVED:,} characters")
        return length

    def text(self, rule: str, random: Random, length: int, readable: bool = True) -> str:
        """A text of a rule, of at most this many code points, or else a shortest one.

        Errors: GrammarLimit, for a rule without texts. Cost: O(length * largest rule).
        """
        length = max(length, self.least(rule))
        out: list[str] = []
        stack: list[tuple[Element, int]] = [(RuleRef(rule), length)]
        left = FREE * (length + 1)
        while stack:
            element, most = stack.pop()
            left -= 1
            if left <= 0 and (shortest := self._facts.shortest_of(element).text) is not None:
                out.append(shortest)
                continue
            if left < -FREE * MAX_DERIVED:
                raise GrammarLimit(f"a text of {rule} takes too many choices")
            match element:
                case RuleRef(name):
                    stack.append((self._rules[name].element, most))
                case CharVal() | NumVal():
                    out.append(_terminal(element, random, readable))
                case Concatenation(items):
                    shares = self._shares(items, most, random)
                    stack += reversed(list(zip(items, shares, strict=True)))
                case Alternation(items):
                    fit = [item for item in items if self._size(item) <= most]
                    weights = [1 + min(self._growth(item), most // 2) for item in fit]
                    stack.append((random.choices(fit, weights)[0], most))
                case Repetition(item, least, _):
                    rounds = self._rounds(element, most, random) if left > 0 else least
                    if not self._size(item):
                        rounds = min(rounds, most + 1)  # further rounds are empty
                    shares = self._shares((item,) * rounds, most, random)
                    stack += reversed([(item, share) for share in shares])
        spend(_CHOICE * (FREE * (length + 1) - left))
        return "".join(out)

    def _rounds(self, element: Repetition, most: int, random: Random) -> int:
        """A number of rounds with room: few if each has room for much."""
        once = self._size(element.item)
        if once > most:
            return element.least
        room = most // max(once, 1) if element.most is None else element.most
        room = min(room, most // once if once else max(element.least, most))
        if room <= element.least:
            return element.least
        if element.most == 1:
            return int(random.random() < 3 / 4)
        if element.most is None and self._growth(element.item) == RECURSIVE:
            room = min(room, element.least + 4)
        return random.randint(element.least, room)

    def _shares(self, items: tuple[Element, ...], most: int, random: Random) -> list[int]:
        """The room of each item: its minimum, and a random share of the rest.

        Most goes to items that can nest, or a text would be long only because of its white space.
        """
        shares = [*map(self._size, items)]
        over = max(most - sum(shares), 0)
        lots = [self._growth(item) * random.random() for item in items]
        total = sum(lots)
        if total:
            shares = [n + int(over * lot / total) for n, lot in zip(shares, lots, strict=True)]
        return shares

    def _growth(self, element: Element) -> int:
        """How much room an element is given: none of one length, most if it leads to itself."""
        match element:
            case RuleRef(name):
                return self._growths[name]
            case CharVal() | NumVal():
                return 0
            case Repetition(_, least, most) if least != most:
                return max(1, self._growth(element.item)) if most != 0 else 0
            case _:
                return max(map(self._growth, children(element)), default=0)

    def _size(self, element: Element) -> int:
        return self._facts.shortest_of(element).length


def _terminal(element: CharVal | NumVal, random: Random, readable: bool) -> str:
    if isinstance(element, NumVal):
        if not element.is_range:
            return "".join(map(chr, element.points))
        return _character(((element.points[0], element.points[1]),), random, readable)
    if element.case_sensitive or readable:
        return element.text
    return "".join(_character(of_char(c, False), random, False) for c in element.text)


def _character(ranges: Ranges, random: Random, readable: bool) -> str:
    if readable:
        return random.choice(spread(ranges))
    return _any(ranges, random)


def _any(ranges: Ranges, random: Random) -> str:
    return member(ranges, random.randrange(sum(high - low + 1 for low, high in ranges)))


def derived(
    known: Facts,
    rule: str,
    *,
    seed: int = 0,
    least: int | None = None,
    most: int | None = None,
    readable: bool = True,
) -> Iterator[str]:
    """Random texts of a rule: infinitely many, with repetition.

    Each has room for a number of code points that is drawn evenly from ``least`` to ``most``: by
    default, from the shortest to ``SPREAD`` more. Errors: GrammarLimit, for a rule without texts;
    ValueError if there is none so short, or in ``TRIES`` draws none so long.

    >>> from uriproof.grammar.registry import compile_abnf
    >>> nested = facts(compile_abnf('n = "(" n ")" / "x"'))
    >>> next(derived(nested, "n", seed=1, least=5, most=7))
    '((x))'
    """
    drawing = Derivations(known)
    shortest = drawing.least(rule)
    low = shortest if least is None else max(least, 0)
    high = max(low, shortest) + SPREAD if most is None else most
    if high < shortest:
        raise ValueError(
            f"no accepted text has from {low:,} to {high:,} characters;"
            f" the shortest has {shortest:,}"
        )
    random = Random(seed)  # noqa: S311 -- test data, which must be the same every time

    def draw() -> Iterator[str]:
        tries = TRIES
        while tries:
            text = drawing.text(rule, random, random.randint(max(low, shortest), high), readable)
            tries -= 1
            if len(text) >= low:
                tries = TRIES
                yield text
        raise ValueError(f"no text of {rule} from {low:,} characters was drawn in {TRIES:,} tries")

    return draw()


def drawn(compiled: Compiled, rule: str, **options: Any) -> Iterator[str]:
    """Texts of a rule, as ``sample.samples`` draws them if there is an automaton, else these.

    ``options`` are ``seed``, ``least``, ``most`` and ``readable``. Errors: those of the two.
    """
    machine = compiled.at_once(rule)
    if machine is None:
        return derived(facts(compiled), rule, **options)
    return samples(machine, **options)


def distinct(compiled: Compiled, rule: str, **options: Any) -> Iterator[str]:
    """``drawn``; but if the language is finite, each text once, and then the end.

    If its texts have more than ``MAX_LISTED`` characters, or it has no automaton, it ends when
    ``TRIES`` draws in a row bring no new text, or as many as half a second allows.

    >>> from uriproof.grammar.registry import compile_abnf
    >>> sorted(distinct(compile_abnf('r = [ "0" / "1" ] "2"'), "r"))
    ['02', '12', '2']
    """
    texts = drawn(compiled, rule, **options)
    if facts(compiled).greatest[rule] is None:
        return texts
    machine = compiled.at_once(rule)
    known = {name: value for name, value in options.items() if name != "seed"}
    every = [] if machine is None else listed(machine, **known)

    def each_once() -> Iterator[str]:
        seen: dict[str | None, None] = {None: None}
        for text in (
            islice(texts, 4 * len(every)) if every else iter(partial(_new, texts, seen), None)
        ):
            if text not in seen:
                seen[text] = None
                yield text
        yield from (text for text in every if text not in seen)

    return each_once()


def _new(texts: Iterator[str], seen: Container[str | None]) -> str | None:
    """A text that was not drawn before; None if none is found."""
    try:
        with at_most(STEPS_AT_ONCE):
            return next((text for text in islice(texts, TRIES) if text not in seen), None)
    except TooMuchWork:
        return None


# Near misses

EDITS = 10_000
"""Edits in a row that give no miss, before the search is given up."""

_EDIT = 20
"""Steps of work of one edit, in addition to those for each character."""

Way = Literal["illegal", "missing", "bad-escape"]


@dataclass(frozen=True, slots=True)
class Edit:
    """The edit of an accepted text: at ``offset``, ``inserted`` replaced ``removed``.

    ``way`` is its purpose: ``illegal`` inserts a character that is not allowed there; ``missing``
    removes one; ``bad-escape`` breaks an escape sequence. ``of`` is the accepted text; offsets are
    code points both in it and in the miss.
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

    Errors: as ``samples``; ValueError once ``EDITS`` edits in a row gave no miss.
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
    tries = EDITS
    while tries:
        tries -= 1
        of = next(texts)
        span = (0, len(of)) if within is None else within(of)
        spend(_EDIT + len(of))
        edit = span and mutator.edit(of, random.choice(ways), *span)
        if edit:
            text = of[: edit.offset] + edit.inserted + of[edit.offset + len(edit.removed) :]
            if not compiled.accepts(rule, text):
                tries = EDITS
                yield Miss(text, edit)
    raise ValueError(f"no near miss of {rule} was found in {EDITS:,} edits in a row")


def _escape(compiled: Compiled) -> str | None:
    """The character that starts an escape sequence of the grammar: in RFC 3986, the percent."""
    name = compiled.model.escape
    if name is None:
        return None
    return chr(facts(compiled).first[name][0][0])


def _following(machine: Machine, text: str) -> frozenset[int]:
    """The classes that can come after a text that is the beginning of a valid one."""
    state = 0
    for class_ in machine.alphabet.encode(text):
        state = machine.rows[state][class_]
    return frozenset(class_ for class_, to in enumerate(machine.rows[state]) if to != DEAD)


class _Mutator:
    """Random edits that might make a text invalid."""

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
        self._compiled, self._rule = compiled, rule

    def edit(self, of: str, way: Way, start: int, end: int) -> Edit | None:
        """An edit of the text between two offsets; None if it has no place for one."""
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

    def _illegal_character(self, before: str) -> str:
        """A character that is not allowed after a text; empty if all are."""
        machine = self._compiled.at_once(self._rule)
        # Of a recognizer, the states of one text are not those of another: none are kept.
        unfolded = machine or Unfolded(self._compiled.recognizer(self._rule))
        following = _following(unfolded, before)
        if following not in self._illegal:
            some = [ranges for c, ranges in enumerate(self._sets) if c not in following]
            self._illegal[following] = union(*some)
        ranges = self._illegal[following]
        if not ranges:
            return ""
        if self._readable:
            others = "".join(c for c in " é€" if any(lo <= ord(c) <= hi for lo, hi in ranges))
            return self._random.choice(members(ranges) + others)
        return _any(ranges, self._random)
