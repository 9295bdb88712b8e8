"""Expressions without references, and the algebra that simplifies them.

Owns the expressions between a production and its printed forms. Imports the character sets.
Invariant: every simplification keeps the language; the build proves each result nevertheless.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, TypeGuard

from ...limits import MAX_COUNT, MAX_WAYS
from ..charset import EMPTY, Ranges, minus, overlap, union
from ..work import spend


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


def sequence(parts: Iterable[Rx]) -> Rx:
    """Concatenation, flattened, with what two parts share read once."""
    items: list[Rx] = []
    for part in parts:
        for item in part.items if isinstance(part, Seq) else (part,):
            items.append(item)
            while len(items) > 1 and ((shared := _share(items[-2], items[-1])) is not None):
                items[-2:] = shared.items if isinstance(shared, Seq) else (shared,)
    spend(len(items))
    return items[0] if len(items) == 1 else Seq(tuple(items))


def _share(a: Rx, b: Rx) -> Rx | None:
    """``[ *u s ] ( A / *r )`` with r within u, so that the common characters are read once.

    It is ``*r [ [ d *u ] s ( A / *r ) ] / A``, d being u without r: userinfo before a host, which
    cannot be told apart until an "@" comes or does not (RFC 3986 §3.2). None if this does not
    apply.
    """
    if not (isinstance(a, Rep) and (a.least, a.most) == (0, 1) and isinstance(a.item, Seq)):
        return None
    if not (isinstance(b, Alt) and len(b.items) == 2):  # noqa: PLR2004 -- A / *r
        return None
    (outer, *separator), (other, inner) = a.item.items, b.items
    if not (_is_loop(outer) and _is_loop(inner)) or overlap(first(other), first(outer)):
        return None
    wide, narrow = _head(outer), _head(inner)
    if _rest(outer) != _rest(inner) or minus(narrow, wide):
        return None
    more = minus(wide, narrow)
    further = repeat(Seq((Set(more), outer)), 0, 1) if more else NOTHING
    return choice((sequence((inner, repeat(sequence((further, *separator, b)), 0, 1))), other))


def _is_loop(rx: Rx) -> TypeGuard[Rep]:
    """True for ``*x`` if x is a set, or a set and longer alternatives."""
    return (
        isinstance(rx, Rep)
        and (rx.least, rx.most) == (0, None)
        and isinstance(rx.item.items[0] if isinstance(rx.item, Alt) else rx.item, Set)
    )


def _head(loop: Rep) -> Ranges:
    head = loop.item.items[0] if isinstance(loop.item, Alt) else loop.item
    return head.ranges if isinstance(head, Set) else EMPTY


def _rest(loop: Rep) -> tuple[Rx, ...]:
    return loop.item.items[1:] if isinstance(loop.item, Alt) else ()


def choice(parts: Iterable[Rx]) -> Rx:
    """Alternation, flattened, its sets merged into one, an empty alternative made an option.

    An alternative that can be empty comes last: an engine that commits to the first alternative
    that fits would otherwise never come to those after it.
    """
    sets: list[Ranges] = []
    others: dict[Rx, None] = {}
    for part in parts:
        for item in part.items if isinstance(part, Alt) else (part,):
            if isinstance(item, Set):
                sets.append(item.ranges)
            else:
                others[item] = None
    spend(len(sets) + len(others))
    ranges = union(*sets)
    items: list[Rx] = [Set(ranges)] if ranges else []
    items += sorted((o for o in others if o != NOTHING), key=nullable)
    if not items:
        return NOTHING
    result = items[0] if len(items) == 1 else Alt(tuple(items))
    return repeat(result, 0, 1) if NOTHING in others and not nullable(result) else result


def repeat(item: Rx, least: int, most: int | None) -> Rx:
    """Repetition, with rounds that read something if it is unbounded.

    ``(x y*)*`` is turned into ``[ x *(x / y) ]`` if x is one set.
    """
    if most == 0 or item == NOTHING:
        return NOTHING
    if (least, most) == (1, 1):
        return item
    if isinstance(item, Rep) and (item.least == 0 or (least == 0 and item.least == 1)):
        # [1*a], *( *a ), 2*3( *2a ): any number of a up to the product
        product = most and item.most and most * item.most
        if product is None or product <= MAX_COUNT:
            return repeat(item.item, 0, product)
    if most is None and nullable(item):
        return repeat(_round(item), 0, None)
    if (least, most) == (0, None) and isinstance(item, Seq):
        match item.items:
            case (Set() as x, Rep(item=y, least=0, most=None)) if not overlap(x.ranges, first(y)):
                return Rep(Seq((x, repeat(choice((y, x)), 0, None))), 0, 1)
    return Rep(item, least, most)


def _round(rx: Rx) -> Rx:
    """An expression with the same loop, of which no round is empty: a / b of ``*( *a [b] )``.

    The loop over it is in star normal form (A. Brüggemann-Klein, "Regular expressions into finite
    automata", Theoretical Computer Science 120, 1993): without it a loop has many ways to read a
    text.
    """
    match rx:
        case Alt(items):
            return choice(_round(i) for i in items)
        case Seq(items) if nullable(rx):
            return choice(_round(i) for i in items)
        case Rep(item) if nullable(rx):
            return _round(item)
        case _:
            return rx


def without(rx: Rx, gone: Ranges) -> Rx | None:
    """The expression for texts without some code points; None if no text is left."""
    match rx:
        case Set(ranges):
            left = minus(ranges, gone)
            return Set(left) if left else None
        case Seq(items):
            parts = [without(i, gone) for i in items]
            return None if None in parts else sequence(p for p in parts if p is not None)
        case Alt(items):
            kept = [k for k in (without(i, gone) for i in items) if k is not None]
            return choice(kept) if kept else None
        case Rep(item, least, most):
            inner = without(item, gone)
            if inner is None:
                return NOTHING if least == 0 else None
            return repeat(inner, least, most)


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


def onward(rx: Rx, follow: Ranges) -> Ranges:
    """The code points that can come next in the expression, and then ``follow``."""
    return union(first(rx), follow) if nullable(rx) else first(rx)


def deterministic(rx: Rx, follow: Ranges) -> bool:
    """True when each next character, without looking further, decides how to continue.

    ``follow`` holds the characters that can come after a match of the expression. If this is true,
    an engine can commit to its first choice in every part: to the first alternative that fits and
    to the longest run of a loop. For of the matches at a place that are followed by the end or by
    one of ``follow``, which alone can be part of a whole match, there is at most one, and it is the
    first choice. By induction on the expression:

    - a sequence: each part is followed by what the rest can start with, and the rest's follow
      if it is nullable; so each part is taken as it must be;
    - alternatives: no two start with the same character, and none with one of ``follow`` if one
    can be empty; so the next character leaves one, and those before it do not fit. Only the
    last can be empty: an earlier one would fit, with nothing, before its turn;
    - a loop: no round is empty, and none starts with a character that can follow the loop; so while
    another round can start, the loop cannot end, and vice versa. The text that can follow a
    round is that of a further round, or ``follow``.

    This is the condition LL(1), except for the order of alternatives. If no match is followed by a
    possible next character, nothing is lost by committing to any.
    """
    match rx:
        case Set():
            return True
        case Seq(items):
            spend(len(items))
            for item in reversed(items):
                if not deterministic(item, follow):
                    return False
                follow = onward(item, follow)
            return True
        case Alt(items):
            seen: Ranges = follow if nullable(rx) else EMPTY
            for item in items:
                spend(1 + len(seen))
                if overlap(seen, first(item)) or not deterministic(item, follow):
                    return False
                seen = union(seen, first(item))
            return not any(nullable(i) for i in items[:-1])
        case Rep(item, least, most):
            if nullable(item):
                return False
            if most is not None and least == most:
                after = union(first(item), follow)
                return deterministic(item, after)
            return not overlap(first(item), follow) and deterministic(
                item, follow if most == 1 else union(first(item), follow)
            )


def fails_in_place(rx: Rx) -> bool:
    """True when a match that fails has read nothing since its last loop or alternative began.

    For deterministic expressions. Python before 3.11.5 continues from the wrong place after a round
    of a possessive group that fails later than that: ``(?:ab?c)*+`` takes all of ``aca``.
    """
    match rx:
        case Set():
            return True
        case Seq(items):
            failing = [i for i, item in enumerate(items) if not nullable(item)]
            if failing and failing[-1] > 0:
                return all(isinstance(item, Set) for item in items[: failing[-1] + 1])
            return not failing or fails_in_place(items[0])
        case Alt(items):
            return all(map(fails_in_place, items))
        case Rep(item, least, _):
            return least == 0 or isinstance(item, Set) or (least == 1 and fails_in_place(item))


def bounded(rx: Rx) -> bool:
    """True when matching is linear in the text: no loop can be backtracked into without a bound."""
    return _ways(rx, EMPTY) < MAX_WAYS


def _ways(rx: Rx, follow: Ranges) -> int:
    """The maximum number of times that a text is read again to match, up to ``MAX_WAYS``."""
    if deterministic(rx, follow):
        return 1
    match rx:
        case Set():
            return 1
        case Seq(items):
            product = 1
            spend(len(items))
            for item in reversed(items):
                product *= _ways(item, follow)
                follow = onward(item, follow)
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
