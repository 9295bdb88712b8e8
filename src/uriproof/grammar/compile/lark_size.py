"""How much lark makes of a grammar before it can read anything.

Owns the bound on it. Imports the model. Invariant: what is counted is what lark 1 does: it
multiplies options, alternatives in groups and small counts out, so that ``( a / b ) [ c ] 2*3d``
becomes 8 productions, and of each production looks at every pair of symbols, with all between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..errors import GrammarLimit
from ..graph import strongly_connected
from ..model import Alternation, Concatenation, Element, Repetition, uses

MAX_COST = 5_000_000
"""Units of some 0.2 µs, measured on grammars of 30 to 8,000 productions: a second."""

PASS = 30
"""Units of a symbol in a pass over all productions, of which the depth of the rules is the number.
"""

PRODUCTION = 300
"""Units of making one production, beside what its symbols cost."""

PASSES = 3
"""Times that all pairs of symbols are looked at, until the sets of characters stay the same."""

BREAK = 50
FACTOR = 5
"""lark writes counts below the one as that many symbols in a row; greater ones as rules of rules,
of which each repeats at the most the other's number."""

_Size = tuple[int, int]
"""Productions, and the symbols of the longest of them."""


def require_small(elements: Mapping[str, Element], is_optional: Callable[[Element], bool]) -> None:
    """Errors: GrammarLimit, for rules that lark would take more than a second or two to prepare.

    ``elements`` are the right-hand sides of the rules that are no terminals; ``is_optional`` tells
    of what an option is written as one: what may be empty itself need not be left out besides.
    """
    sizes = _Sizes(is_optional)
    for element in elements.values():
        sizes.note(*sizes.of(element))
    if sizes.cost + PASS * sizes.symbols * _depth(elements) > MAX_COST:
        raise GrammarLimit(
            "lark would multiply the options, groups and counts of this grammar out to more than"
            " it can prepare in a second or two; is_valid, check, parse and explain work"
        )


class _Sizes:
    """What lark makes of elements: ``cost`` and ``symbols`` of all productions so far."""

    def __init__(self, is_optional: Callable[[Element], bool]) -> None:
        self._is_optional = is_optional
        self.cost = self.symbols = 0

    def note(self, productions: int, length: int) -> None:
        """Count the productions of one rule."""
        pairs = length * length + length**3 // 6
        self.cost = min(self.cost + productions * (PRODUCTION + PASSES * pairs), MAX_COST + 1)
        self.symbols = min(self.symbols + productions * length, MAX_COST + 1)

    def of(self, element: Element) -> _Size:
        """The size of an element where it stands; rules that lark adds for it are counted."""
        match element:
            case Concatenation(items):
                number, length = 1, 0
                for item in items:
                    more, longer = self.of(item)
                    number, length = _capped(number * more, length + longer)
                return number, length
            case Alternation(items):
                return _either(self.of(item) for item in items)
            case Repetition(_, _, 0):
                return 1, 0
            case Repetition(item, least, most):
                return self._repeated(item, least, most)
            case _:
                return 1, 1

    def _repeated(self, item: Element, least: int, most: int | None) -> _Size:
        number, length = self.of(item)
        if (least, most) == (0, 1):
            return number + self._is_optional(item), length
        if most is None:
            self.note(2 * number, length + 1)
            if least <= 1:
                return 2 - least, 1
            more, longer = self._repeated(item, least, least)
            return 2 * more, longer + 1
        if most < BREAK:
            ways = sum(number**n for n in range(least, most + 1))
            return _capped(ways, most * length)
        for _ in range(2 * most.bit_length()):
            self.note(*_capped(FACTOR * number**FACTOR, FACTOR * length))
        return 1, 2


def _either(sizes: Iterable[_Size]) -> _Size:
    number = length = 0
    for more, longer in sizes:
        number, length = _capped(number + more, max(length, longer))
    return number, length


def _capped(number: int, length: int) -> _Size:
    return min(number, MAX_COST), min(length, MAX_COST)


def _depth(elements: Mapping[str, Element]) -> int:
    """The rules on the longest way through the grammar: what is known of the last comes up one
    rule a pass."""
    used = {name: [n for n in uses(e) if n in elements] for name, e in elements.items()}
    depth: dict[str, int] = {}
    for group in strongly_connected(used, used.__getitem__):
        below = max((depth.get(inner, 0) for name in group for inner in used[name]), default=0)
        depth.update(dict.fromkeys(group, below + len(group)))
    return max(depth.values(), default=0)
