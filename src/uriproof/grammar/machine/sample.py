"""Texts made from an automaton: ones that use every transition, random ones, and neighbors.

Owns the making of test data from grammars. Imports the automata and the order of characters.
Invariant: the same automaton and seed give the same texts, in the same order, and all but the
neighbors are accepted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from itertools import accumulate
from math import isqrt
from random import Random

from ...limits import MAX_LISTED, MAX_SAMPLE_BITS, MAX_SAMPLE_CELLS
from ..charset import Ranges, union
from ..errors import GrammarLimit
from ..work import spend
from .automaton import DEAD, Automaton
from .readable import members, rank, sample

_LOT = 32  # bits of one lot: any bias is far below what a test could see

SPREAD = 24
"""How much longer than the shortest text the longest one is by default."""


def cover(automaton: Automaton) -> Iterator[str]:
    """Accepted texts that together make every move of the automaton, each as short as can be.

    >>> from uriproof.grammar.registry import load
    >>> list(cover(load("rfc3986").automaton("pct-encoded")))[:2]
    ['%00', '%10']
    """
    before, after = prefixes(automaton), suffixes(automaton)
    seen = set()
    if 0 in automaton.accepting:
        seen.add("")
        yield ""
    for state, row in enumerate(automaton.rows):
        for class_, target in enumerate(row):
            if target != DEAD:
                text = before[state] + automaton.alphabet.sample(class_) + after[target]
                if text not in seen:
                    seen.add(text)
                    yield text


def neighbors(text: str, automaton: Automaton, random: Random, count: int) -> Iterator[str]:
    """Texts one edit away: one character left out, put in or put for another.

    At most ``count`` edits, drawn by ``random``; whether a neighbor is accepted is not known.
    """
    spend(automaton.alphabet.size)
    characters = automaton.alphabet.samples()
    for _ in range(count):
        at = random.randint(0, len(text))
        cut = random.choice((0, 1, 1))
        new = random.choice(["", *characters]) if cut else random.choice(characters)
        yield text[:at] + new + text[at + cut :]


def samples(
    automaton: Automaton,
    *,
    seed: int = 0,
    least: int | None = None,
    most: int | None = None,
    readable: bool = True,
) -> Iterator[str]:
    """Random accepted texts: infinitely many, with repetition.

    Their lengths, in code points, are drawn evenly from the existing ones from ``least`` to
    ``most``; by default, from the shortest to ``SPREAD`` more. With ``readable``, each move from a
    state is as likely as the square root of the number of ways that lead from there to an end at
    that length, whether one delimiter or many letters lead there; of these a readable one is taken,
    often a letter: so that all parts of the grammar turn up. Without it each text of that length is
    equally likely, lone surrogates and all: most are made of the characters of which there are
    most.

    Errors: ValueError if there is no such text; GrammarLimit. Cost: O(states * length) numbers
    before the first text, O(length) for each.

    >>> from uriproof.grammar.registry import load
    >>> port = load("rfc3986").automaton("port")
    >>> drawn = samples(port, seed=1, least=2, most=4)
    >>> [next(drawn) for _ in range(4)]
    ['80', '76', '48', '767']
    """
    table = _Table(automaton, readable)
    lengths = table.lengths(least, most)
    random = Random(seed)  # noqa: S311 -- test data, which must be the same every time

    def draw() -> Iterator[str]:
        while True:
            yield table.text(random, random.choice(lengths))

    return draw()


def listed(
    automaton: Automaton,
    *,
    least: int | None = None,
    most: int | None = None,
    readable: bool = True,
) -> list[str]:
    """All texts that ``samples`` can draw, if they have ``MAX_LISTED`` characters at most; or none.

    >>> from uriproof.grammar.registry import load
    >>> "".join(sorted(listed(load("rfc3986").automaton("sub-delims"))))
    "!$&'()*+,;="
    """
    table = _Table(automaton, readable)
    return table.every(table.lengths(least, most))


class _Table:
    """How many ways lead on from each state in each number of steps, to draw by them."""

    def __init__(self, automaton: Automaton, readable: bool) -> None:
        self._automaton = automaton
        self._readable = readable
        sets = [automaton.alphabet.ranges(c) for c in range(automaton.alphabet.size)]
        self._moves: list[list[tuple[int, Ranges, int]]] = []
        self._sources: list[list[tuple[int, int]]] = [[] for _ in automaton.rows]
        for state, row in enumerate(automaton.rows):
            by_target: dict[int, list[Ranges]] = {}
            for class_, target in enumerate(row):
                if target != DEAD and sets[class_]:
                    by_target.setdefault(target, []).append(sets[class_])
            moves = []
            for target, some in by_target.items():
                ranges = union(*some)
                weight = 1 if readable else sum(high - low + 1 for low, high in ranges)
                moves.append((target, ranges, weight))
                self._sources[target].append((state, weight))
            self._moves.append(moves)
        self._ways: list[dict[int, int]] = [dict.fromkeys(sorted(automaton.accepting), 1)]
        self._cells = self._bits = 0
        self._choices: dict[tuple[int, int], tuple[list[int], list[tuple[int, Ranges]]]] = {}
        self._texts: dict[Ranges, str] = {}

    def lengths(self, least: int | None, most: int | None) -> list[int]:
        """The lengths that texts have between the two. Errors: ValueError, GrammarLimit."""
        shortest = self._automaton.distances()[0]
        if shortest > len(self._automaton.rows):
            raise ValueError("the rule accepts no text at all, so there is none to draw")
        low = shortest if least is None else max(least, 0)
        high = max(low, shortest) + SPREAD if most is None else most
        found = [n for n in range(low, high + 1) if n >= shortest and 0 in self._ways_in(n)]
        if not found:
            raise ValueError(
                f"no accepted text has from {low:,} to {high:,} characters;"
                f" the shortest has {shortest:,}"
            )
        return found

    def _ways_in(self, steps: int) -> dict[int, int]:
        """Per state, the number of ways to an end in exactly so many steps, if there are any."""
        while len(self._ways) <= steps:
            now: dict[int, int] = {}
            for target, ways in self._ways[-1].items():
                for state, weight in self._sources[target]:
                    now[state] = now.get(state, 0) + ways * weight
            self._ways.append(now)
            self._cells += len(now)
            spend(2 * len(now))
            self._bits += sum(n.bit_length() for n in now.values())
            if self._cells > MAX_SAMPLE_CELLS or self._bits > MAX_SAMPLE_BITS:
                raise GrammarLimit(
                    f"to draw texts of {steps:,} characters needs more than"
                    f" {MAX_SAMPLE_CELLS:,} numbers, or {MAX_SAMPLE_BITS // 8_000_000} MB"
                )
        return self._ways[steps]

    def text(self, random: Random, length: int) -> str:
        """One of the texts of a length that there is."""
        text: list[str] = []
        state = 0
        number = 0 if self._readable else random.randrange(self._ways_in(length)[0])
        for left in range(length, 0, -1):
            bounds, moves = self._choice(state, left)
            if self._readable:
                lot = random.getrandbits(_LOT) * bounds[-1] >> _LOT
                state, ranges = moves[bisect_right(bounds, lot)]
                some = self._texts.get(ranges) or self._texts.setdefault(ranges, spread(ranges))
                text.append(some[int(random.random() * len(some))])
                continue
            at = bisect_right(bounds, number)
            if at:
                number -= bounds[at - 1]
            state, ranges = moves[at]
            # The rest of the number is for the character, and then for the rest of the text.
            nth, number = divmod(number, self._ways[left - 1][state])
            text.append(member(ranges, nth))
        return "".join(text)

    def every(self, lengths: list[int]) -> list[str]:
        """All texts of some lengths, or none if they are too many."""
        if sum(self._ways_in(length)[0] for length in lengths) * lengths[-1] > MAX_LISTED:
            return []
        found: list[str] = []
        stack = [(0, length, "") for length in lengths[::-1]]
        while stack and len(found) * lengths[-1] <= MAX_LISTED:
            state, more, text = stack.pop()
            if not more:
                found.append(text)
                continue
            for target, ranges, _ in self._moves[state]:
                if target in self._ways[more - 1]:
                    some = spread(ranges) if self._readable else _all(ranges)
                    stack += [(target, more - 1, text + c) for c in dict.fromkeys(some)]
        return [] if stack else found

    def _choice(self, state: int, left: int) -> tuple[list[int], list[tuple[int, Ranges]]]:
        key = state, left
        made = self._choices.get(key)
        if made is None:
            ways = self._ways[left - 1]
            open_ = [move for move in self._moves[state] if move[0] in ways]
            weights = [ways[target] * weight for target, _, weight in open_]
            # Between a walk that takes any move, and so runs into a loop that is never left, and
            # one that only counts, and so prefers where most ways are: addresses in brackets.
            bounds = list(accumulate(map(isqrt, weights) if self._readable else weights))
            made = self._choices[key] = bounds, [(t, ranges) for t, ranges, _ in open_]
        return made


def _all(ranges: Ranges) -> str:
    return "".join(chr(point) for low, high in ranges for point in range(low, high + 1))


def spread(ranges: Ranges) -> str:
    """Readable members of a set, in a number that makes every other one a letter or a digit."""
    some = members(ranges)
    plain = "".join(c for c in some if c.isalnum())
    others = len(some) - len(plain)
    return some + plain * (others // len(plain) if plain else 0)


def member(ranges: Ranges, number: int) -> str:
    """The code point of a set with this many smaller ones in it.

    >>> member(((48, 57), (97, 102)), 10)
    'a'
    """
    for low, high in ranges:
        if number <= high - low:
            return chr(low + number)
        number -= high - low + 1
    raise IndexError(number)


def prefixes(automaton: Automaton) -> list[str]:
    """Per state, a shortest text that leads to it."""
    found: dict[int, str] = {0: ""}
    queue = deque([0])
    while queue:
        state = queue.popleft()
        for class_, target in enumerate(automaton.rows[state]):
            if target != DEAD and target not in found:
                found[target] = found[state] + automaton.alphabet.sample(class_)
                queue.append(target)
    return [found[state] for state in range(len(automaton.rows))]


def suffixes(automaton: Automaton, readable: bool = False) -> list[str]:
    """Per state, a shortest text that leads from it to an accepting state: the most readable one,
    or one that is found sooner."""
    distance = automaton.distances()
    alphabet = automaton.alphabet
    found: dict[int, str] = {}
    for state in sorted(range(len(automaton.rows)), key=lambda s: distance[s]):
        ways = [
            (sample(alphabet.ranges(class_)) if readable else alphabet.sample(class_), target)
            for class_, target in enumerate(automaton.rows[state])
            if target != DEAD and distance[target] == distance[state] - 1
        ]
        if readable:
            ways.sort(key=lambda way: rank(way[0]))
        char, target = ways[0] if ways else ("", state)
        found[state] = char + found.get(target, "")
    return [found[state] for state in range(len(automaton.rows))]
