"""Two automata in step: which texts one, the other, or both accept.

Owns the walk over pairs of states. Imports the automata and the order of characters. Invariant:
each pair is met by a shortest text that leads to it, and of those the most readable one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

from ..charset import Alphabet, Ranges, union
from ..errors import GrammarLimit
from ..model import MAX_CODE_POINT
from .automaton import DEAD, Automaton
from .readable import rank, sample

__all__ = ["Pair", "Product", "difference"]

Pair: TypeAlias = tuple[int, int]


def difference(a: Automaton, b: Automaton, contained: bool = False) -> str | None:
    """The shortest text that one accepts and the other does not; None if there is none.

    With ``contained``, the shortest text that ``a`` accepts and ``b`` does not. The automata may
    have different alphabets. Cost: O(product of the states).
    """
    product = Product(a, b)
    for pair in product.pairs(contained):
        in_a, in_b = pair[0] in a.accepting, pair[1] in b.accepting
        if in_a > in_b or (in_b > in_a and not contained):
            return product.text(pair)
    return None


class Product:
    """Two automata in step over the characters that they, together, tell apart.

    ``columns`` holds a character for each way to be treated by both, the most readable first,
    with its class in either; ``weights`` how many code points are treated so. A breadth-first
    walk that tries them in this order finds the shortest and most readable text for each pair.
    ``most`` bounds the pairs, and with them the time.
    """

    def __init__(self, a: Automaton, b: Automaton, most: int | None = None) -> None:
        self.a, self.b = a, b
        self._most = most
        self.columns: list[tuple[str, int, int]] = []
        self.weights: list[int] = []
        for char, class_a, class_b, ranges in sorted(_columns(a, b), key=lambda c: rank(c[0])):
            self.columns.append((char, class_a, class_b))
            self.weights.append(sum(high - low + 1 for low, high in ranges))
        self.depth: dict[Pair, int] = {(0, 0): 0}
        self._came: dict[Pair, tuple[Pair, int]] = {}

    def moves(self, pair: Pair) -> Iterator[tuple[int, Pair]]:
        """Each column that leads on for at least one side, and the pair that it leads to."""
        qa, qb = pair
        row_a = self.a.rows[qa] if qa != DEAD else None
        row_b = self.b.rows[qb] if qb != DEAD else None
        for column, (_, class_a, class_b) in enumerate(self.columns):
            ta = row_a[class_a] if row_a else DEAD
            tb = row_b[class_b] if row_b else DEAD
            if ta != DEAD or tb != DEAD:
                yield column, (ta, tb)

    def pairs(self, in_a: bool = False) -> Iterator[Pair]:
        """Each pair that some text leads to, by length and then in the order of the columns.

        With ``in_a``, only those that something which ``a`` accepts leads through. Errors:
        GrammarLimit.
        """
        queue = deque(self.depth)
        while queue:
            pair = queue.popleft()
            yield pair
            for column, target in self.moves(pair):
                if target not in self.depth and not (in_a and target[0] == DEAD):
                    if len(self.depth) == self._most:
                        raise GrammarLimit(
                            f"the two together need more than {self._most:,} states; compare"
                            " smaller rules, or parts of the pattern"
                        )
                    self.depth[target] = self.depth[pair] + 1
                    self._came[target] = pair, column
                    queue.append(target)

    def text(self, pair: Pair) -> str:
        """The shortest and most readable text that leads to a pair that was reached."""
        text: list[str] = []
        while pair in self._came:
            pair, column = self._came[pair]
            text.append(self.columns[column][0])
        return "".join(reversed(text))


def _columns(a: Automaton, b: Automaton) -> Iterator[tuple[str, int, int, Ranges]]:
    """For each way to be treated by both: a character, its class in either, all such ones."""
    cuts = sorted({*a.alphabet.starts, *b.alphabet.starts})
    ends = [high - 1 for _, high in pairwise([*cuts, MAX_CODE_POINT + 1])]
    known_a, known_b = _alike(a), _alike(b)
    found: dict[Pair, list[tuple[int, int]]] = {}
    at_a, at_b = _Reader(a.alphabet), _Reader(b.alphabet)
    for low, high in zip(cuts, ends, strict=True):
        key = known_a[at_a.of(low)], known_b[at_b.of(low)]
        found.setdefault(key, []).append((low, high))
    for (class_a, class_b), pieces in found.items():
        ranges = union(tuple(pieces))
        yield sample(ranges), class_a, class_b, ranges


def _alike(automaton: Automaton) -> list[int]:
    """Per class, the first class that every state treats alike."""
    first: dict[tuple[int, ...], int] = {}
    columns = zip(*automaton.rows, strict=True)
    return [first.setdefault(column, class_) for class_, column in enumerate(columns)]


class _Reader:
    """The classes of code points that are asked for in rising order."""

    def __init__(self, alphabet: Alphabet) -> None:
        self._alphabet = alphabet
        self._at = 0

    def of(self, point: int) -> int:
        starts = self._alphabet.starts
        while self._at + 1 < len(starts) and starts[self._at + 1] <= point:
            self._at += 1
        return self._alphabet.ids[self._at]
