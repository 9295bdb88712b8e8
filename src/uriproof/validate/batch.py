"""Verdicts on many texts: the matcher called from C, in constant memory.

Owns the loops over texts. Imports the standard library alone. Invariant: the verdicts are those of
the matcher, in the order of the texts, and at most ``CHUNK`` texts are held at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import length_hint, truth
from typing import Any

CHUNK = 256
"""Texts taken at a time: enough to forget the cost of taking them, few enough for any memory."""


def verdicts(match: Callable[[str], Any], texts: Iterable[str]) -> Iterator[bool]:
    """One verdict per text; ``match`` gives something false for a text that it refuses."""
    return map(truth, map(match, texts))


def find_invalid(match: Callable[[str], Any], texts: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The texts that ``match`` gives something false for, each with its number, from 0.

    >>> list(find_invalid(str.isdigit, ["1", "x", "2"]))
    [(1, 'x')]
    """
    source = iter(texts)
    number = 0
    while chunk := list(islice(source, CHUNK)):
        rest = iter(chunk)
        matches = map(match, rest)
        while not all(matches):  # stops after the text that is refused; `rest` knows how far
            at = len(chunk) - length_hint(rest) - 1
            yield number + at, chunk[at]
        number += len(chunk)
