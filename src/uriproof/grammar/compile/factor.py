"""Alternatives that begin alike, read together.

Owns the factoring of expressions. Imports their algebra. Invariant: the language stays the same;
the build proves each result nevertheless.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...limits import MAX_FACTORED
from ..charset import EMPTY, Alphabet, Ranges, union
from ..work import TooMuchWork, at_most, spend
from .rx import NOTHING, Alt, Rep, Rx, Seq, Set, choice, deterministic, repeat, sequence

LONGER = 2
"""Times as many parts as before that a factored expression may have."""


def factored(rx: Rx) -> Rx:
    """Alternatives of bounded length that the next character does not tell apart, by beginnings.

    An IPv6 address has nine forms (RFC 3986 §3.2.2), of which most begin with the same groups: so
    the groups are read once, and not once for each form. Alternatives that end in the same
    alternatives (``ls32``) share that end. Source of the beginnings: V. Antimirov, "Partial
    derivatives of regular expressions", Theoretical Computer Science 155, 1996.
    """
    if not isinstance(rx, Alt) or not _finite(rx) or deterministic(rx, EMPTY):
        return rx
    try:
        with at_most(MAX_FACTORED):
            made = choice(_by_end(rx.items))
    except TooMuchWork:
        return rx
    return made if _size(made) <= LONGER * _size(rx) else rx


def _by_end(items: tuple[Rx, ...]) -> Iterator[Rx]:
    """The alternatives, those with the same end as one; all as one if there is no such end."""
    starts: dict[Rx, list[Rx]] = {}
    for item in items:
        *start, last = item.items if isinstance(item, Seq) else (item,)
        starts.setdefault(last if isinstance(last, Alt) else NOTHING, []).append(
            sequence(start) if isinstance(last, Alt) else item
        )
    if len(starts) == 1:
        yield _together(items)
        return
    others = starts.pop(NOTHING, [])
    yield from (sequence((_together(ways), end)) for end, ways in starts.items())
    yield from others


def _together(ways: Iterable[Rx]) -> Rx:
    """One expression for several, read by their first characters."""
    kept = tuple(dict.fromkeys(ways))
    known = kept[0] if len(kept) == 1 else _counted(kept)
    if known is not None:
        return known
    rests: dict[Rx, list[Rx]] = {}
    for way in kept:
        for head, rest in _beginnings((way,)):
            rests.setdefault(head, []).append(rest)
    apart: dict[tuple[Rx, ...], Ranges] = {}
    sets = {head.ranges: rests.pop(head) for head in [*rests] if isinstance(head, Set)}
    alphabet = Alphabet(sets)
    for number in range(alphabet.size):
        after = [r for own, found in sets.items() if number in alphabet.classes(own) for r in found]
        key = tuple(dict.fromkeys(after))
        apart[key] = union(apart.get(key, EMPTY), alphabet.ranges(number))
    apart.pop((), None)
    return choice(
        sequence((head, _together(found)))
        for head, found in (*((Set(r), k) for k, r in apart.items()), *rests.items())
    )


def _counted(ways: tuple[Rx, ...]) -> Rx | None:
    """``2*5x`` for ``2x / 3x / 4x / 5x``; None if the alternatives are not such a row."""
    longest = max((way for way in ways if way != NOTHING), key=_size)
    one, most = longest, 1
    if isinstance(longest, Rep) and longest.least == longest.most:
        one, most = longest.item, longest.least
    least = most - len(ways) + 1
    whole = least >= 0 and all(repeat(one, n, n) in ways for n in range(least, most + 1))
    return repeat(one, least, most) if whole else None


def _beginnings(items: tuple[Rx, ...]) -> Iterator[tuple[Rx, Rx]]:
    """What a sequence can begin with, a set or a run of one, and what comes after it."""
    spend(1)
    if not items:
        yield NOTHING, NOTHING
        return
    rest = items[1:]
    match items[0]:
        case Set() as head:
            yield head, sequence(rest)
        case Seq(inner):
            yield from _beginnings((*inner, *rest))
        case Alt(ways):
            for way in ways:
                yield from _beginnings((way, *rest))
        case Rep(item, least, most):
            if least == 0:
                yield from _beginnings(rest)
            if isinstance(item, Set):
                yield repeat(item, max(least, 1), most), sequence(rest)
            else:
                assert most is not None  # noqa: S101 -- only what is finite is factored
                again = repeat(item, max(least - 1, 0), most - 1)
                yield from _beginnings((item, again, *rest))


def _finite(rx: Rx) -> bool:
    """Whether no text of the expression is longer than some length."""
    return all(map(_finite, _parts(rx))) and not (isinstance(rx, Rep) and rx.most is None)


def _size(rx: Rx) -> int:
    return 1 + sum(map(_size, _parts(rx)))


def _parts(rx: Rx) -> tuple[Rx, ...]:
    match rx:
        case Set():
            return ()
        case Rep(item):
            return (item,)
        case Seq(items) | Alt(items):
            return items
