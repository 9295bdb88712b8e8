"""Two productions side by side: whether they accept the same texts, and if not, which they do not.

Owns the comparison of languages. Imports the automata and the order of characters. Invariant:
everything is decided exactly, from the two automata run in step; a witness is a shortest text of
its kind, and of those the most readable one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Literal

from ..errors import HasVerdict
from ..grammar.charset import Alphabet
from ..grammar.errors import GrammarLimit
from ..grammar.machine.automaton import DEAD, Automaton
from ..grammar.machine.product import Pair, Product
from ..grammar.machine.readable import order, rank, sample

Relation = Literal["equal", "contained", "contains", "overlapping", "disjoint"]

MAX_PAIRS = 200_000
"""States of two automata in step: beyond this a comparison would take minutes."""

MAX_LENGTH = 700
"""Characters up to which texts are counted: their number may then have 4,233 digits, and Python
writes no more than 4,300 (docs.python.org, "Integer string conversion length limitation")."""


@dataclass(frozen=True, slots=True)
class Comparison(HasVerdict):
    """How two languages, A and B, are related.

    ``relation`` is that of A to B: ``equal``; ``contained``, A's texts are B's, and B has more;
    ``contains``, the other way round; ``overlapping``, both have texts of their own and some in
    common; ``disjoint``, none in common. ``only_a``, ``only_b`` and ``both`` are shortest texts
    that only A, only B, and both accept; None where there is none at all.
    """

    _verdict = "equal"
    relation: Relation
    only_a: str | None
    only_b: str | None
    both: str | None

    @property
    def equal(self) -> bool:
        return self.relation == "equal"


@dataclass(frozen=True, slots=True)
class Witness:
    """A text that one side accepts and the other does not.

    ``stops`` is the offset, in code points, of the first character that the other side cannot
    take; the length of the text where it takes all of it, and wants more.
    """

    text: str
    stops: int


@dataclass(frozen=True, slots=True)
class Count:
    """How many texts of one length, in code points, A, B, and both accept."""

    length: int
    a: int
    b: int
    both: int


def compare(a: Automaton, b: Automaton) -> Comparison:
    """How what ``a`` accepts stands to what ``b`` accepts.

    The automata may have different alphabets. Errors: GrammarLimit. Cost: O(pairs of states that
    are reached, at most ``MAX_PAIRS``, times classes).

    >>> from uriproof.grammar.registry import load
    >>> rfc3986 = load("rfc3986")
    >>> compare(rfc3986.automaton("segment-nz"), rfc3986.automaton("segment"))
    Comparison(relation='contained', only_a=None, only_b='', both='a')
    """
    product = Product(a, b, MAX_PAIRS)
    found: dict[tuple[bool, bool], str] = {}
    for pair in product.pairs():
        sides = pair[0] in a.accepting, pair[1] in b.accepting
        if any(sides) and sides not in found:
            found[sides] = product.text(pair)
    only_a, only_b = found.get((True, False)), found.get((False, True))
    both = found.get((True, True))
    return Comparison(relation_of(only_a, only_b, both), only_a, only_b, both)


def relation_of(only_a: str | None, only_b: str | None, both: str | None) -> Relation:
    """How A stands to B, from the texts of each kind: None where there are none."""
    if only_a is None:
        return "equal" if only_b is None else "contained"
    if only_b is None:
        return "contains"
    return "disjoint" if both is None else "overlapping"


def kinds(a: Automaton, b: Automaton, most: int) -> tuple[Witness, ...]:
    """Up to ``most`` texts that ``a`` accepts and ``b`` does not, no two refused alike.

    Texts are refused alike when ``b`` stops in the same state while ``a`` goes on in the same
    state, over a character that ``b`` takes elsewhere or over one that it never takes. Of each
    kind a shortest text is given; the shortest kinds come first.

    Errors: GrammarLimit. Cost: as ``compare``, and O(length) for each kind.

    >>> from uriproof.grammar.registry import load
    >>> rfc3986 = load("rfc3986")
    >>> segment, nz_nc = rfc3986.automaton("segment"), rfc3986.automaton("segment-nz-nc")
    >>> [(w.text, w.stops) for w in kinds(segment, nz_nc, 9)]
    [('', 0), (':', 0), ('a:', 1)]
    """
    product = Product(a, b, MAX_PAIRS)
    steps, distance = _endings(a), a.distances()
    nowhere = tuple(all(row[c] == DEAD for row in b.rows) for c in range(b.alphabet.size))
    best: dict[Hashable, tuple[int, Pair, int, int]] = {}
    for pair in list(product.pairs()):
        qa, qb = pair
        if DEAD in pair:
            continue
        depth = product.depth[pair]
        if qa in a.accepting and qb not in b.accepting:
            best.setdefault(qb, (depth, pair, -1, DEAD))
        for column, (ta, tb) in product.moves(pair):
            if ta == DEAD or tb != DEAD:
                continue
            length = depth + 1 + distance[ta]
            kind = qb, ta, nowhere[product.columns[column][2]]
            if kind not in best or length < best[kind][0]:
                best[kind] = length, pair, column, ta
    shortest = sorted(best.values(), key=lambda entry: entry[0])
    # One more length than asked for, so that the order among equally long ones is by their text.
    limit = shortest[min(most, len(shortest)) - 1][0] if shortest and most > 0 else -1
    found: list[Witness] = []
    for length, pair, column, ta in shortest:
        if length > limit:
            break
        text = product.text(pair)
        stops = len(text)
        if column >= 0:
            text += product.columns[column][0]
            step = steps[ta]
            while step is not None:
                text += step[0]
                step = steps[step[1]]
        found.append(Witness(text, stops))
    return tuple(sorted(found, key=lambda w: order(w.text))[: max(most, 0)])


def counts(a: Automaton, b: Automaton, most: int) -> Iterator[Count]:
    """How many texts of each length from 0 to ``most`` the two accept, and both; exactly.

    A class weighs as many texts as it has code points, lone surrogates among them.

    Errors: GrammarLimit, also for ``most`` beyond ``MAX_LENGTH``. Cost: O(most * pairs * classes)
    additions of integers that grow with the length.

    >>> from uriproof.grammar.registry import load
    >>> port, segment = map(load("rfc3986").automaton, ("port", "segment"))
    >>> list(counts(port, segment, 1))[1]
    Count(length=1, a=10, b=79, both=10)
    """
    if most > MAX_LENGTH:
        raise GrammarLimit(f"texts are counted up to a length of {MAX_LENGTH:,}")
    product = Product(a, b, MAX_PAIRS)
    moves: dict[Pair, dict[Pair, int]] = {}
    for pair in product.pairs():
        row = moves[pair] = {}
        for column, target in product.moves(pair):
            row[target] = row.get(target, 0) + product.weights[column]
    now: dict[Pair, int] = {(0, 0): 1}
    for length in range(most + 1):
        in_a = {pair: ways for pair, ways in now.items() if pair[0] in a.accepting}
        in_b = sum(ways for pair, ways in now.items() if pair[1] in b.accepting)
        both = sum(ways for pair, ways in in_a.items() if pair[1] in b.accepting)
        yield Count(length, sum(in_a.values()), in_b, both)
        then: dict[Pair, int] = {}
        for pair, ways in now.items():
            for target, weight in moves[pair].items():
                then[target] = then.get(target, 0) + ways * weight
        now = then


def _endings(automaton: Automaton) -> list[tuple[str, int] | None]:
    """Per state, the first step of the shortest and most readable way to an end; None at an end."""
    distance = automaton.distances()
    best = _best_characters(automaton.alphabet)
    steps: list[tuple[str, int] | None] = []
    for row, left in zip(automaton.rows, distance, strict=True):
        ways = [
            (best[class_], target)
            for class_, target in enumerate(row)
            if target != DEAD and best[class_] and distance[target] == left - 1
        ]
        steps.append(min(ways, key=lambda way: rank(way[0]), default=None))
    return steps


def _best_characters(alphabet: Alphabet) -> list[str]:
    """Per class its most readable character; nothing for a class without any."""
    return [sample(ranges) if (ranges := alphabet.ranges(c)) else "" for c in range(alphabet.size)]
