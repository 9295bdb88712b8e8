"""Pieces of a component, and texts that are short enough to stand in a message.

Owns what several advice rules need of strings. Imports ``report`` and ``drawing``. Invariant:
offsets are code points of the whole text.
"""

from collections.abc import Iterator

from ..drawing import visible
from ..report import Component

_LONG = 40


def pieces(component: Component, separator: str) -> Iterator[tuple[int, str]]:
    """Where each piece between separators starts in the whole text, and the piece.

    >>> list(pieces(Component("path", "path", 8, 12, "/a/b"), "/"))
    [(8, ''), (9, 'a'), (11, 'b')]
    """
    at = component.start
    for piece in component.text.split(separator):
        yield at, piece
        at += len(piece) + len(separator)


def shown(text: str) -> str:
    """The text in quotation marks, without surprises, and not long.

    >>> shown("a" * 50)
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"'
    """
    return f'"{visible(text[:_LONG])}{"…" if len(text) > _LONG else ""}"'
