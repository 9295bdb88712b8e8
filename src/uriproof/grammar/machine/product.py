"""Two automata in step: which texts one, the other, or both accept.

Owns the walk over pairs of states. Imports the automata and the order of characters. Invariant:
each pair is met by a shortest text that leads to it, and of those the most readable one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise
from typing import Protocol, TypeAlias

from ..charset import Alphabet, union
from ..errors import GrammarLimit
from ..model import MAX_CODE_POINT
from ..work import spend
from .automaton import DEAD, Automaton
from .readable import rank, sample

Pair: TypeAlias = tuple[int, int]


class Machine(Protocol):
    """An automaton, or what can be read as one."""

    @property
    def alphabet(self) -> Alphabet: ...

    @property
    def rows(self) -> Rows: ...

    @property
    def accepting(self) -> Container[int]: ...


class Rows(Protocol):
    """Per state, its row."""

    def __getitem__(self, state: int, /) -> Sequence[int]: ...


def difference(a: Automaton, b: Automaton, contained: bool = False) -> str | None:
    """The shortest text that one accepts and the other does not; None if there is none.

    With ``contained``, the shortest text that ``a`` accepts and ``b`` does not. The automata can
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
    with its class in either. A breadth-first walk that tries them in this order finds the shortest
    and most readable text for each pair. ``most`` bounds the pairs, and with them the time.
    """

    def __init__(self, a: Machine, b: Machine, most: int | None = None) -> None:
        self.a = a
        self.b = b
        self._most = most
        self.columns = _columns(a, b)
        self.depth: dict[Pair, int] = {(0, 0): 0}
        self._came: dict[Pair, tuple[Pair, int]] = {}

    def moves(self, pair: Pair) -> Iterator[tuple[int, Pair]]:
        """Each column with a move for at least one side, and the pair of its targets."""
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
            spend(len(self.columns))
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


def _columns(a: Machine, b: Machine) -> list[tuple[str, int, int]]:
    """For each pair of classes that some state treats otherwise: a character, and both classes.

    The most readable character is first.
    """
    to_a, to_b = alike(a), alike(b)
    found: dict[Pair, list[tuple[int, int]]] = {}
    starts = sorted({*a.alphabet.starts, *b.alphabet.starts})
    for low, high in pairwise([*starts, MAX_CODE_POINT + 1]):
        char = chr(low)
        pair = to_a[a.alphabet.of(char)], to_b[b.alphabet.of(char)]
        found.setdefault(pair, []).append((low, high - 1))
    rows = [(sample(union(tuple(pieces))), *pair) for pair, pieces in found.items()]
    return sorted(rows, key=lambda row: rank(row[0]))


def alike(automaton: Machine) -> Sequence[int]:
    """Per class, the first class that every state treats alike, as far as they are known."""
    if not isinstance(automaton, Automaton):
        return range(automaton.alphabet.size)
    first: dict[tuple[int, ...], int] = {}
    columns = zip(*automaton.rows, strict=True)
    return [first.setdefault(column, class_) for class_, column in enumerate(columns)]
