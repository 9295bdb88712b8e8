"""What is said of places in a text, as lines below its drawing: one layout for all that say it.

Owns that layout. Imports its siblings. Invariant: no fact takes more than three lines of the given
width, and nothing is shown but in its visible form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .columns import ELLIPSIS, paint
from .drawing import visible

MARGIN = 2
BOLD, DIM = "1", "2"

_SOURCES = 67
"""The column of what stands at the right, if the sentences leave room before it."""
_MOST_LINES = 2
"""Of a sentence; the third line is for what else would stand at the right."""
_MOST_PLACES = 3
"""Places listed before one sentence; more are marked in the drawing alone."""


class Fact(NamedTuple):
    """A sentence about places: what it is about, where, what specifies it, and lines below it."""

    label: str
    place: str
    words: str
    source: str = ""
    below: tuple[str, ...] = ()
    color: str = BOLD


def span(start: int, end: int) -> str:
    """Offsets in code points, half-open as everywhere; one number if it is one character.

    >>> span(3, 3), span(3, 4), span(3, 5)
    ('3', '3', '3-5')
    """
    return f"{start}-{end}" if end > start + 1 else f"{start}"


def places(spans: Sequence[tuple[int, int]]) -> str:
    """The places of one sentence.

    >>> places([(1, 2), (4, 5), (8, 9), (9, 10)])
    '1, 4, 8, …'
    """
    shown = [span(*one) for one in spans[:_MOST_PLACES]]
    return ", ".join([*shown, *[ELLIPSIS] * (len(spans) > _MOST_PLACES)])


def lay_out(facts: Iterable[Fact], width: int, color: bool = False) -> list[str]:
    """The facts as lines: label, place, sentence, and at the right where that is specified.

    >>> facts = [Fact("host", "10", "A space is not allowed."), Fact("port", "9", "No digits.")]
    >>> print("\\n".join(lay_out(facts, 80)))
      host  10  A space is not allowed.
      port   9  No digits.
    """
    rows = list(facts)
    label = max((len(row.label) for row in rows), default=0)
    place = max((len(row.place) for row in rows), default=0)
    indent = MARGIN + label + 2 + place + 2 * bool(place)
    sentences = [wrapped(row.words, max(width - indent, MARGIN * 10)) for row in rows]
    column = _column(rows, [indent + len(one[-1]) + 2 for one in sentences], width)
    lines: list[str] = []
    for row, sentence in zip(rows, sentences, strict=True):
        gutter = paint(row.label, row.color, color) + " " * (label - len(row.label) + 2)
        head = f"{' ' * MARGIN}{gutter}{row.place:>{place}}{'  ' * bool(place)}"
        source = paint(row.source, DIM, color)
        end = indent + len(sentence[-1])
        start = max(column, end + 2)
        if start + len(row.source) <= width:
            sentence[-1] += " " * (start - end) + source
        else:
            sentence.append(source)
        first, *below = *sentence, *row.below
        lines += head + first, *(" " * indent + line for line in below if line)
    return [line.rstrip() for line in lines]


def _column(rows: Sequence[Fact], ends: Sequence[int], width: int) -> int:
    """The column of what stands at the right: the least that has room for all that can have it."""
    sources = max((len(row.source) for row in rows), default=0)
    fitting = (end for end in ends if end + sources <= width)
    return max(min(_SOURCES, width - sources), *fitting, 0)


def wrapped(words: str, width: int) -> list[str]:
    """A sentence as one line, or two; what is longer ends with an ellipsis."""
    words = ELLIPSIS.join(map(visible, words.split(ELLIPSIS)))  # one of our own stays
    if len(words) <= width:
        return [words]
    from textwrap import wrap

    return wrap(words, width, break_on_hyphens=False, max_lines=_MOST_LINES, placeholder=ELLIPSIS)
