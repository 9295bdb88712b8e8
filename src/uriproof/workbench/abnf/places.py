"""Where in a rule's text its alternatives and repetitions stand.

Owns the way from the pieces of a rule to what a remark can point at. Imports the reader of
elements. Invariant: every stretch of pieces that comes out has its brackets matched, so that it
can be read as an element by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ...grammar.model import NumVal
from ...grammar.read.atom import Bounds, read_bounds, read_number
from ...grammar.read.elements import Piece

Stretch: TypeAlias = list[Piece]


@dataclass(frozen=True, slots=True)
class Repeated:
    """A repetition: its bounds, the pieces that are repeated, and all of its pieces."""

    bounds: Bounds
    inner: Stretch
    whole: Stretch


@dataclass(slots=True)
class Places:
    """What stands where in one definition.

    ``alternatives`` are those of the whole right-hand side, ``inner`` those of each group or
    option in it that has several; ``prose`` are the prose values.
    """

    alternatives: list[Stretch] = field(default_factory=list)
    inner: list[list[Stretch]] = field(default_factory=list)
    repeated: list[Repeated] = field(default_factory=list)
    prose: list[Piece] = field(default_factory=list)
    numbers: list[tuple[Piece, NumVal]] = field(default_factory=list)


@dataclass(slots=True)
class _Open:
    """An open bracket: where it starts, with its repeat before it, and what is in it so far."""

    start: int
    bracket: int
    bounds: Bounds | None
    stretches: list[Stretch]


def places(given: list[Piece]) -> Places:
    """The places in the pieces of a right-hand side that has been read and has no faults.

    Cost: O(n).

    >>> from uriproof.grammar.read.elements import pieces
    >>> found = places(pieces('"a" / 2*( b / 3c )', 0))
    >>> len(found.alternatives), len(found.inner[0]), [r.bounds for r in found.repeated]
    (2, 2, [(3, 3), (2, None)])
    """
    found = Places()
    stack = [_Open(0, -1, None, [[]])]
    bounds: Bounds | None = None
    for index, piece in enumerate(given):
        text = piece.text
        if text in ("(", "["):
            start = index - 1 if bounds is not None else index
            stack.append(_Open(start, index, bounds, [[]]))
            bounds = None
        elif text in (")", "]"):
            closed = stack.pop()
            if len(closed.stretches) > 1:
                found.inner.append(closed.stretches)
            if closed.bounds is not None:
                inner, whole = given[closed.bracket : index + 1], given[closed.start : index + 1]
                found.repeated.append(Repeated(closed.bounds, inner, whole))
            stack[-1].stretches[-1] += given[closed.start : index + 1]
        elif text == "/":
            stack[-1].stretches.append([])
        else:
            bare = text.lstrip("0123456789*")
            repeat = read_bounds(text[: len(text) - len(bare)]) if bare != text else None
            if not bare:  # the bracket that it repeats comes next
                bounds = repeat
                continue
            element = Piece(bare, piece.end - len(bare), True)
            if repeat is not None:
                found.repeated.append(Repeated(repeat, [element], [piece]))
            if bare[0] == "<":
                found.prose.append(element)
            elif bare[0] == "%" and bare[1] not in "sSiI":
                found.numbers.append((piece, read_number(bare, 0)))
            stack[-1].stretches[-1].append(piece)
    found.alternatives = stack[0].stretches
    return found
