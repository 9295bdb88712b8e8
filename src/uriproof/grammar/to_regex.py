"""From a production to a regular expression that decides it at C speed.

Owns the shape of the generated expressions. Imports the model and the character sets. Invariant:
the expression matches a whole text (``fullmatch``) exactly when the production does, and a loop
is possessive only where no character that can continue it can also follow it, so that giving
back could never help; ``read_regex`` proves both afterwards, from the text of the expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from .charset import ANY, EMPTY, Ranges, minus, of_terminal, overlap, union
from .errors import GrammarLimit
from .model import (
    MAX_CODE_POINT,
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
)

MAX_NODES = 200_000
MAX_WAYS = 100_000


@dataclass(frozen=True, slots=True)
class Set:
    """One code point of a set."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Seq:
    """Parts one after the other; none at all matches nothing, the empty text."""

    items: tuple[Rx, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """One of several parts."""

    items: tuple[Rx, ...]


@dataclass(frozen=True, slots=True)
class Rep:
    """A part repeated; ``most`` None is unbounded."""

    item: Rx
    least: int
    most: int | None


Rx: TypeAlias = Set | Seq | Alt | Rep
NOTHING = Seq(())
Alternatives: TypeAlias = Callable[[str], tuple[str, ...]]


def to_regex(model: Model, rule: str, alternatives: Alternatives | None = None) -> str:
    """The expression of a rule, for ``re.fullmatch`` of Python 3.11 or later.

    ``alternatives`` tells, for a rule, those of its alternatives that are not contained in
    others, where the rule may be read as these alone.

    Errors: GrammarLimit when the rule refers to itself or the expression would be enormous.
    Cost: the size of the rule with all references replaced.
    """
    return print_regex(expression(model, rule, alternatives), EMPTY)


def expression(model: Model, rule: str, alternatives: Alternatives | None = None) -> Rx:
    """The rule as an expression without references, simplified."""
    try:
        return _Converter(model, alternatives).rule(rule, ())
    except RecursionError:
        raise GrammarLimit(f"rule {rule} is nested too deeply to be compiled") from None


class _Converter:
    """One conversion: what it may still spend, and what it knows already."""

    def __init__(self, model: Model, alternatives: Alternatives | None) -> None:
        self._model = model
        self._alternatives = alternatives
        self._budget = MAX_NODES
        self._known: dict[str, Rx] = {}

    def rule(self, name: str, path: tuple[str, ...]) -> Rx:
        if name in path:
            raise GrammarLimit(f"rule {name} refers to itself")
        known = self._known.get(name)
        if known is None:
            path = (*path, name)
            kept = self._alternatives(name) if self._alternatives else (name,)
            if kept == (name,):
                known = self._element(self._model.rules[name].element, path)
            else:
                known = choice(self.rule(k, path) for k in kept)
            self._known[name] = known
        return known

    def _element(self, element: Element, path: tuple[str, ...]) -> Rx:
        self._budget -= 1
        if self._budget < 0:
            raise GrammarLimit(f"rule {path[0]} is too large for a regular expression")
        match element:
            case RuleRef(name):
                return self.rule(name, path)
            case CharVal() | NumVal():
                return sequence(Set(ranges) for ranges in of_terminal(element))
            case Concatenation(items):
                return sequence(self._element(i, path) for i in items)
            case Alternation(items):
                return choice(self._element(i, path) for i in items)
            case Repetition(item, least, most):
                return repeat(self._element(item, path), least, most)


def sequence(parts: Iterable[Rx]) -> Rx:
    """Concatenation, flattened, with neighbouring loops merged where that is the same set."""
    items: list[Rx] = []
    for part in parts:
        for item in part.items if isinstance(part, Seq) else (part,):
            items.append(item)
            while len(items) > 1 and (merged := _merge(items[-2], items[-1])) is not None:
                items[-2:] = merged.items if isinstance(merged, Seq) else (merged,)
    return items[0] if len(items) == 1 else Seq(tuple(items))


def _merge(a: Rx, b: Rx) -> Rx | None:
    """One loop for ``y* (x y*)*``, and ``y`` with that loop for ``1*y (x y*)*``.

    b arrives as ``[ x *(x / y) ]`` or as it was; both are read. None where this does not apply.
    """
    if not (isinstance(a, Rep) and a.most is None and a.least <= 1):
        return None
    loop = _separated(b)
    if loop is None or loop[1] != a.item:
        return None
    both = repeat(choice((a.item, loop[0])), 0, None)
    return both if a.least == 0 else Seq((a.item, both))


def _separated(b: Rx) -> tuple[Rx, Rx] | None:
    """The x and y of ``(x y*)*``, which ``repeat`` has turned into ``[ x *(y / x) ]``."""
    if isinstance(b, Rep) and (b.least, b.most) == (0, 1) and isinstance(b.item, Seq):
        match b.item.items:
            case (x, Rep(item=inner, least=0, most=None)):
                rest = _without(inner, x)
                if rest is not None:
                    return x, rest
    return None


def _without(both: Rx, x: Rx) -> Rx | None:
    """What is left of an alternation when the set x, disjoint from the rest, is taken out."""
    if not isinstance(x, Set):
        return None
    items = both.items if isinstance(both, Alt) else (both,)
    head = items[0]
    if not isinstance(head, Set) or minus(x.ranges, head.ranges):
        return None
    left = minus(head.ranges, x.ranges)
    return choice((*((Set(left),) if left else ()), *items[1:]))


def choice(parts: Iterable[Rx]) -> Rx:
    """Alternation, flattened, its sets merged into one, an empty alternative made an option."""
    ranges: Ranges = EMPTY
    others: list[Rx] = []
    for part in parts:
        for item in part.items if isinstance(part, Alt) else (part,):
            if isinstance(item, Set):
                ranges = union(ranges, item.ranges)
            elif item not in others:
                others.append(item)
    items: list[Rx] = [Set(ranges)] if ranges else []
    items += [o for o in others if o != NOTHING]
    if not items:
        return NOTHING
    result = items[0] if len(items) == 1 else _factored(tuple(items))
    return repeat(result, 0, 1) if NOTHING in others and not nullable(result) else result


def _factored(items: tuple[Rx, ...]) -> Rx:
    """Alternatives, neighbours with the same first part sharing it."""
    out: list[Rx] = []
    for item in items:
        last = out[-1] if out else None
        head = item.items[0] if isinstance(item, Seq) else item
        last_head = last.items[0] if isinstance(last, Seq) and last.items else last
        if last is not None and head == last_head and isinstance(head, Set):
            tails = [Seq(x.items[1:]) if isinstance(x, Seq) else NOTHING for x in (last, item)]
            out[-1] = sequence((head, choice(_single(t) for t in tails)))
        else:
            out.append(item)
    return out[0] if len(out) == 1 else Alt(tuple(out))


def _single(seq: Seq) -> Rx:
    return seq.items[0] if len(seq.items) == 1 else seq


def repeat(item: Rx, least: int, most: int | None) -> Rx:
    """Repetition, with ``(x y*)*`` turned into ``[ x *(x / y) ]`` where x is one set."""
    if most == 0 or item == NOTHING:
        return NOTHING
    if (least, most) == (1, 1):
        return item
    if isinstance(item, Rep) and least == 0 and item.least <= 1:
        if most == 1 and (item.least == 0 or item.most is None):  # [*a], [1*a], [[a]]
            return repeat(item.item, 0, item.most)
        if most is None and item.most in (1, None):  # *( *a ), *( 1*a ), *[a]
            return repeat(item.item, 0, None)
    if (least, most) == (0, None) and isinstance(item, Seq):
        match item.items:
            case (Set() as x, Rep(item=y, least=0, most=None)) if not overlap(x.ranges, first(y)):
                return Rep(Seq((x, repeat(choice((y, x)), 0, None))), 0, 1)
    return Rep(item, least, most)


@lru_cache(maxsize=100_000)
def nullable(rx: Rx) -> bool:
    """True when the expression matches the empty text."""
    match rx:
        case Set():
            return False
        case Seq(items):
            return all(nullable(i) for i in items)
        case Alt(items):
            return any(nullable(i) for i in items)
        case Rep(item, least, _):
            return least == 0 or nullable(item)


@lru_cache(maxsize=100_000)
def first(rx: Rx) -> Ranges:
    """The code points that a match can start with."""
    match rx:
        case Set(ranges):
            return ranges
        case Seq(items):
            found: Ranges = EMPTY
            for item in items:
                found = union(found, first(item))
                if not nullable(item):
                    break
            return found
        case Alt(items):
            return union(*(first(i) for i in items))
        case Rep(item, _, _):
            return first(item)


def deterministic(rx: Rx, follow: Ranges) -> bool:
    """True when each next character, without looking further, decides how to go on.

    ``follow`` holds the characters that can stand after a match of the expression.
    """
    match rx:
        case Set():
            return True
        case Seq(items):
            for item in reversed(items):
                if not deterministic(item, follow):
                    return False
                follow = union(first(item), follow) if nullable(item) else first(item)
            return True
        case Alt(items):
            seen: Ranges = follow if nullable(rx) else EMPTY
            for item in items:
                if overlap(seen, first(item)) or not deterministic(item, follow):
                    return False
                seen = union(seen, first(item))
            return sum(nullable(i) for i in items) <= 1
        case Rep(item, least, most):
            if nullable(item):
                return False
            if most is not None and least == most:
                after = union(first(item), follow)
                return deterministic(item, after)
            return not overlap(first(item), follow) and deterministic(
                item, follow if most == 1 else union(first(item), follow)
            )


def bounded(rx: Rx) -> bool:
    """True when matching is linear in the text: no loop can be backtracked into without end."""
    return _ways(rx, EMPTY) < MAX_WAYS


def _ways(rx: Rx, follow: Ranges) -> int:
    """How many times, at the most, a text is gone over again to match, up to ``MAX_WAYS``."""
    if deterministic(rx, follow):
        return 1
    match rx:
        case Set():
            return 1
        case Seq(items):
            product = 1
            for item in reversed(items):
                product *= _ways(item, follow)
                follow = union(first(item), follow) if nullable(item) else first(item)
            return min(product, MAX_WAYS)
        case Alt(items):
            return min(sum(_ways(i, follow) for i in items), MAX_WAYS)
        case Rep(item, least, most):
            if most is None:
                return MAX_WAYS
            once = _ways(item, follow if most == 1 else union(first(item), follow))
            if once > 1 and most > 1:
                return MAX_WAYS
            return min(most - least + 1 if most > 1 else 1 + once, MAX_WAYS)


def to_captures(model: Model, rule: str) -> tuple[str, tuple[str, ...]]:
    """The expression of a rule that divides a text, and the rules that its groups stand for.

    Every rule that the rule's own right-hand side mentions becomes a group. Nothing in it is
    possessive: the longest repetition wins only as far as the rest still fits.
    """
    names: list[str] = []

    def write(element: Element) -> str:
        match element:
            case RuleRef(name):
                names.append(name)
                return f"({print_regex(expression(model, name), ANY)})"
            case Concatenation(items):
                return "".join(write(i) for i in items)
            case Alternation(items):
                return f"(?:{'|'.join(write(i) for i in items)})"
            case Repetition(item, 0, 1):
                return f"(?:{write(item)})?"
            case CharVal() | NumVal():
                return "".join(print_set(r) for r in of_terminal(element))
            case Repetition():
                raise GrammarLimit(f"rule {rule} repeats a part, and so cannot divide a text")

    return write(model.rules[rule].element), tuple(names)


def print_regex(rx: Rx, follow: Ranges) -> str:
    """The expression as text; ``follow`` holds the characters that can stand after a match."""
    match rx:
        case Set(ranges):
            return print_set(ranges)
        case Seq(items):
            out: list[str] = []
            for item in reversed(items):
                out.append(_group(item, follow) if isinstance(item, Alt) else print_regex(item, follow))
                follow = union(first(item), follow) if nullable(item) else first(item)
            return "".join(reversed(out))
        case Alt(items):
            return "|".join(print_regex(i, follow) for i in items)
        case Rep(item, least, most):
            return _loop(rx, item, least, most, follow)


def _group(rx: Rx, follow: Ranges) -> str:
    return f"(?:{print_regex(rx, follow)})"


def _loop(rx: Rep, item: Rx, least: int, most: int | None, follow: Ranges) -> str:
    possessive = "+" if deterministic(rx, follow) else ""
    if possessive and most is None and least <= 1 and isinstance(item, Alt):
        # Unrolled: runs of the set at full speed, the longer alternatives only where they occur.
        head, *tail = item.items
        if isinstance(head, Set) and tail:
            run = print_set(head.ranges) + "*+"
            rest = print_regex(choice(tail), union(head.ranges, follow, first(item)))
            body = f"(?:{rest}){run}" if len(tail) > 1 else rest + run
            loop = f"{run}(?:{body})*+"
            if least == 0:
                return loop
            once = f"(?:{print_set(head.ranges)}|{rest})"
            return once + loop
    after = follow if most == 1 else union(first(item), follow)
    inner = print_regex(item, after)
    if not isinstance(item, Set):
        inner = f"(?:{inner})"
    return inner + _quantifier(least, most) + ("" if least == most else possessive)


def _quantifier(least: int, most: int | None) -> str:
    match least, most:
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case 0, 1:
            return "?"
        case _:
            if least == most:
                return f"{{{least}}}"
            return f"{{{least},{'' if most is None else most}}}"


def print_set(ranges: Ranges) -> str:
    """A set as a character class, or as a bare character where it is one."""
    if not ranges:
        return r"[^\x00-\U0010ffff]"
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _char(ranges[0][0])
    others = minus(ANY, ranges)
    if ranges[-1][1] == MAX_CODE_POINT and others:
        return f"[^{_members(others)}]"
    return f"[{_members(ranges)}]"


def _members(ranges: Ranges) -> str:
    return "".join(
        _char(low) + ("" if low == high else ("" if high == low + 1 else "-") + _char(high))
        for low, high in ranges
    )


def _char(point: int) -> str:
    char = chr(point)
    if char.isascii() and char.isalnum():
        return char
    if 0x21 <= point <= 0x7E:
        return "\\" + char if char in r"\^$.|?*+()[]{}-&~#" else char
    if point <= 0xFF:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"
