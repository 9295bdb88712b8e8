"""The form of a leaf as a terminal of lark: one expression, or several if it is long.

Owns the right-hand sides of terminals. Imports the model and the algebra of expressions. Invariant:
a terminal matches the texts of its rule, except for the empty text, which no terminal of lark's can
match; and it is read in linear time, or refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from ...limits import MAX_LOOPS
from ..charset import ANY, Ranges, minus, union
from ..errors import GrammarLimit
from ..model import (
    MAX_CODE_POINT,
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    Repetition,
    RuleRef,
)
from ..spelling import identifier
from .ambiguity import is_exponential
from .rx import (
    NOTHING,
    Alt,
    Rep,
    Rx,
    Seq,
    Set,
    bounded,
    choice,
    deterministic,
    first,
    nullable,
    onward,
    repeat,
    sequence,
)
from .to_regex import expression, expression_of, members, quantifier

WIDTH = 70
"""Characters of an expression that is not taken apart."""

NAMED = 30
"""Characters of an expression that gets a name if it does not fit in one with others."""


_ASCII = 0x7F
_LINE_FEED = 0x0A
_CASE = ord("a") - ord("A")


class Terminals:
    """The terminals of one lark grammar, and the helpers that the long ones are written with.

    ``taken`` tells whether a rule has a terminal of its own name, which looks ahead.
    """

    def __init__(self, model: Model, taken: Callable[[str], bool]) -> None:
        self._model = model
        self._taken = taken
        self.helpers: dict[str, tuple[str, list[str]]] = {}
        """For each terminal that is used only in others: its rule, and its alternatives."""

    def body(self, name: str, follow: Ranges) -> list[str]:
        """The alternatives of a terminal. Errors: GrammarLimit.

        ``follow`` holds the characters that can come after it.
        """
        filled = self._filled(name)
        if filled is None:
            return []
        element = self._model.rules[name].element
        match element:
            case Repetition(item, 0, most):
                element = Repetition(item, 1, most)
        short = _short(filled, follow)
        if len(short) <= WIDTH or nullable(self._rx(element)):
            return [short]
        return self._write(element, follow)

    def is_forced(self, name: str, follow: Ranges) -> bool:
        """True if each next character tells whether a text of the leaf continues."""
        filled = self._filled(name)
        return filled is None or deterministic(filled, follow)

    def is_readable(self, name: str) -> bool:
        """True if a terminal reads the texts of the leaf, in linear time."""
        try:
            self._filled(name)
        except GrammarLimit:
            return False
        return True

    def _filled(self, name: str) -> Rx | None:
        """An expression of a leaf's texts but the empty one; None for no other. Errors: as body."""
        filled = nonempty(_proper(expression(self._model, name)))
        if filled is None or bounded(filled):
            return filled
        if _loops(filled) > MAX_LOOPS or is_exponential(filled):
            raise GrammarLimit(f"a terminal of rule {name} could take exponential time")
        return filled

    def _rx(self, element: Element) -> Rx:
        return _proper(expression_of(self._model, element))

    def _write(
        self, element: Element, follow: Ranges, loop: bool = False, named: bool = False
    ) -> list[str]:
        """The alternatives of an element, short ones; ``loop``: of one that is repeated."""
        rx = self._rx(element)
        short = _short(rx, follow)
        if isinstance(rx, Set) and not isinstance(element, RuleRef) and len(short) > WIDTH:
            return list(_pieces(rx.ranges))
        if len(short) <= WIDTH and not named:
            return [short]
        match element:
            case CharVal(text) if text.lower() == text.upper():
                return [quoted(text)]
            case RuleRef(name):
                return [self._helper(name)]
            case Concatenation(items):
                return [" ".join(self._in_turn(items, follow))]
            case Alternation():
                return self._either(element, follow, loop)
            case Repetition(item, least, most) if deterministic(rx, follow):
                runs = most is None and least <= 1
                inner = self._write(item, union(first(self._rx(item)), follow), runs)
                return [grouped(inner) + times(least, most)]
            case _:
                return [short]

    def _in_turn(self, items: tuple[Element, ...], follow: Ranges) -> Iterator[str]:
        """The parts of a concatenation, as many in one expression as there is room for."""
        follows: list[Ranges] = []
        for item in reversed(items):
            follows.insert(0, follow)
            follow = onward(self._rx(item), follow)
        start = 0
        while start < len(items):
            if self._has_name(items[start]):
                yield grouped(self._write(items[start], follows[start], named=True))
                start += 1
                continue
            end = start + 1
            while (
                end < len(items)
                and not self._has_name(items[end])
                and self._fits(items[start : end + 1], follows[end])
            ):
                end += 1
            part = items[start] if end == start + 1 else Concatenation(items[start:end])
            yield grouped(self._write(part, follows[end - 1], named=end == start + 1))
            start = end

    def _has_name(self, item: Element) -> bool:
        """True for an element that is better named than repeated: a dec-octet."""
        return isinstance(item, RuleRef) and len(_short(self._rx(item), ANY)) > NAMED

    def _fits(self, items: tuple[Element, ...], follow: Ranges) -> bool:
        return len(_short(self._rx(Concatenation(items)), follow)) <= WIDTH

    def _either(self, element: Element, follow: Ranges, loop: bool) -> list[str]:
        """The alternatives, their ASCII characters in one set, runs of it at once in a loop."""
        sets: list[Ranges] = []
        others: list[str] = []
        for item in self._alternatives(element):
            rx = self._rx(item)
            if isinstance(rx, Set) and rx.ranges and rx.ranges[-1][1] <= _ASCII:
                sets.append(rx.ranges)
            else:
                others += self._write(item, follow)
        if sets:
            others.insert(0, literal(print_class(union(*sets)) + ("++" if loop else "")))
        return list(dict.fromkeys(others))

    def _alternatives(self, element: Element) -> Iterator[Element]:
        """The alternatives; of sets with characters in and beyond ASCII, the named parts."""
        match element:
            case Alternation(items):
                for item in items:
                    yield from self._alternatives(item)
                return
            case RuleRef(name):
                rx = self._rx(element)
                if isinstance(rx, Set) and rx.ranges[0][0] <= _ASCII < rx.ranges[-1][1]:
                    inner = self._model.rules[name].element
                    if isinstance(inner, Alternation):
                        yield from self._alternatives(inner)
                        return
        yield element

    def _helper(self, name: str) -> str:
        """The terminal that stands for a rule within other terminals."""
        own = ("_" if self._taken(name) else "") + identifier(name).upper()
        if own not in self.helpers:
            alternatives: list[str] = []
            self.helpers[own] = name, alternatives  # its place: before those that it needs itself
            alternatives += self._write(self._model.rules[name].element, ANY)
        return own


def _loops(rx: Rx) -> int:
    """The maximum of unbounded loops that one text can go through, including inner ones."""
    match rx:
        case Seq(items):
            return sum(map(_loops, items))
        case Alt(items):
            return max(map(_loops, items))
        case Rep(item, _, most):
            return _loops(item) + (most is None)
        case _:
            return 0


def _short(rx: Rx, follow: Ranges) -> str:
    """One expression that can be placed next to others."""
    text = print_compact(rx, follow)
    return literal(f"(?:{text})" if isinstance(rx, Alt) else text)


def nonempty(rx: Rx) -> Rx | None:
    """The same expression without the empty text; None if nothing else is left."""
    match rx:
        case Set():
            return rx
        case Rep(item, least, most):
            inner = nonempty(item)
            if inner is None:
                return None
            return Rep(inner, max(least, 1) if inner == item else 1, most) if most != 1 else inner
        case Alt(items):
            kept = [k for k in map(nonempty, items) if k is not None]
            return choice(kept) if kept else None
        case Seq(items):
            if not nullable(rx):
                return rx
            ways: list[Rx] = []
            for i, item in enumerate(items):
                head = nonempty(item)
                if head is not None:
                    ways.append(sequence((head, *items[i + 1 :])))
            return choice(ways) if ways else None


def _proper(rx: Rx) -> Rx:
    """The same expression, without loops around elements that can be empty."""
    match rx:
        case Seq(items):
            return sequence(map(_proper, items))
        case Alt(items):
            return choice(map(_proper, items))
        case Rep(item, least, most):
            item = _proper(item)
            if most == 1 or not nullable(item):
                return repeat(item, least, most)
            inner = nonempty(item)
            return NOTHING if inner is None else repeat(inner, 0, most)
        case _:
            return rx


def print_compact(rx: Rx, follow: Ranges) -> str:
    """An expression in readable form; ``follow`` holds the characters that can come after a match.

    A loop is possessive if the next character decides (see ``to_regex``), so that nothing is read
    twice.
    """
    match rx:
        case Set(ranges):
            return print_class(ranges)
        case Seq(items):
            follows: list[Ranges] = []
            for item in reversed(items):
                follows.insert(0, follow)
                follow = onward(item, follow)
            return _print_sequence(list(zip(items, follows, strict=True)))
        case Alt(items):
            return "|".join(print_compact(i, follow) for i in items)
        case Rep(item, least, most):
            possessive = "+" if deterministic(rx, follow) else ""
            after = follow if most == 1 else union(first(item), follow)
            inner = print_compact(item, after)
            if not isinstance(item, Set):
                head = item.items[0] if isinstance(item, Alt) else None
                if possessive and most is None and least <= 1 and isinstance(head, Set):
                    run = print_class(head.ranges)
                    inner = f"{run}++{inner.removeprefix(run)}"
                inner = f"(?:{inner})"
            return inner + quantifier(least, most) + ("" if least == most else possessive)


def _print_sequence(items: list[tuple[Rx, Ranges]]) -> str:
    out: list[str] = []
    for same, run in groupby(items, key=lambda pair: _folded(pair[0]) is not None):
        part = list(run)
        letters = "".join(_folded(rx) or "" for rx, _ in part)
        if same and sum(map(str.isalpha, letters)) > 1:
            out.append(either_case(letters))
            continue
        for rx, again in groupby(part, key=lambda pair: pair[0]):
            pairs = list(again)
            if not isinstance(rx, Set):
                texts = [print_compact(*pair) for pair in pairs]
                out += [f"(?:{t})" if isinstance(rx, Alt) else t for t in texts]
                continue
            text, count = print_class(rx.ranges), len(pairs)
            repeated = f"{text}{{{count}}}"
            out.append(repeated if len(repeated) < len(text) * count else text * count)
    return "".join(out)


def either_case(text: str) -> str:
    """An expression of a string whose letters can be of either case, in ASCII (RFC 5234 §2.3).

    Case is ignored among ASCII characters only: else U+212A KELVIN SIGN would be a "k".
    """
    if len(text) == 1:
        return f"[{text.upper()}{text.lower()}]"
    return f"(?ai:{''.join(map(_escaped, text.lower()))})"


def _folded(rx: Rx) -> str | None:
    """The small letter of a letter in either case, another character unchanged, or None."""
    match rx:
        case Set(((low, high),)) if low == high and low <= _ASCII and not chr(low).isalpha():
            return chr(low)
        case Set(((low, a), (high, b))) if low == a and high == b == low + _CASE:
            return chr(high) if chr(high).isascii() and chr(high).isalpha() else None
        case _:
            return None


def print_class(ranges: Ranges) -> str:
    """A set as a character class that escapes no more than it must."""
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _escaped(chr(ranges[0][0]))
    others = minus(ANY, ranges)
    if not others:
        return r"[\s\S]"
    if not ranges:
        return r"[^\s\S]"
    inverted = ranges[-1][1] == MAX_CODE_POINT
    if inverted:
        return f"[^{members(others, _member)}]"
    inside = any(low < _LINE_FEED < high for low, high in ranges)
    return f"[{members(ranges, _member)}{_code(_LINE_FEED) * inside}]"


def _member(point: int) -> str:
    return _escaped(chr(point), r"\]^-[")


def _escaped(char: str, special: str = r"\^$.|?*+()[]{}") -> str:
    if char.isascii() and char.isprintable() and char != " ":
        return "\\" + char if char in special else char
    return _code(ord(char))


def _code(point: int) -> str:
    if point == _LINE_FEED:
        return "\\n"  # by which lark sees that a terminal can have lines
    if point < 1 << 8:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 1 << 16 else f"\\U{point:08x}"


def _pieces(ranges: Ranges) -> Iterator[str]:
    """A set as sets that fit in a line each."""
    piece: Ranges = ()
    for one in ranges:
        if piece and len(members((*piece, one), _member)) > WIDTH:
            yield literal(f"[{members(piece, _member)}]")
            piece = ()
        piece = (*piece, one)
    yield literal(f"[{members(piece, _member)}]")


def literal(pattern: str) -> str:
    """An expression as lark writes it, between slashes."""
    return f"/{pattern.replace('/', chr(92) + '/')}/"


def lookahead_of(after: Ranges, at_end: bool) -> str:
    """The lookahead: one of the characters, or the end of the text."""
    choices = [print_class(after)] if after else []
    return f"(?={'|'.join([*choices, *([chr(92) + 'Z'] if at_end else [])])})"


def grouped(alternatives: list[str]) -> str:
    """Alternatives as one part of something longer."""
    return f"({' | '.join(alternatives)})" if len(alternatives) > 1 else alternatives[0]


def times(least: int, most: int | None) -> str:
    """A repetition as lark writes it."""
    match least, most:
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case 0, 1:
            return "?"
        case _:
            return f"~{least}" if least == most else f"~{least}..{most}"


def quoted(text: str) -> str:
    """A string of lark's, without a space in it that a line could be broken at."""
    plain = {"\\": r"\\", '"': r"\""}
    escaped = "".join(
        plain.get(c) or (c if c.isprintable() and c != " " else _code(ord(c))) for c in text
    )
    return f'"{escaped}"' if escaped else ""
