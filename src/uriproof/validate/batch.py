"""Verdicts on many texts, in constant memory.

Owns the loops over texts. Imports ``arguments``. Invariant: the verdicts are those of the matcher,
in the order of the texts, and at most ``CHUNK`` texts are held at a time; what the caller's
iterable raises comes out as it is, after the verdicts on what it gave before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import length_hint
from typing import Any

from ..arguments import wrong

CHUNK = 256
"""Texts taken at a time: enough to forget the cost of taking them, few enough for any memory."""


def verdicts(match: Callable[[str], Any], texts: Iterable[str]) -> Iterator[bool]:
    """One verdict per text; ``match`` gives something false for a text that it refuses.

    Errors: TypeError, for what is no text, when its turn comes.
    """
    for text in texts:
        if not isinstance(text, str):
            raise _no_text(text)
        yield True if match(text) else False  # noqa: SIM210 -- a call of bool() takes longer


def find_invalid(match: Callable[[str], Any], texts: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The texts that ``match`` gives something false for, each with its number, from 0.

    Errors: as ``verdicts``.

    >>> list(find_invalid(str.isdigit, ["1", "x", "2"]))
    [(1, 'x')]
    """
    source = iter(texts)
    number = 0
    ended: Exception | None = None
    while ended is None:
        chunk: list[str] = []
        try:
            chunk += islice(source, CHUNK)  # keeps what came before an error
        except Exception as error:
            ended = error
        if not (chunk or ended):
            return
        other = next((i for i, text in enumerate(chunk) if not isinstance(text, str)), None)
        if other is not None:
            ended = _no_text(chunk[other])
            del chunk[other:]
        rest = iter(chunk)
        matches = map(match, rest)
        while not all(matches):  # stops after the text that is refused; `rest` knows how far
            at = len(chunk) - length_hint(rest) - 1
            yield number + at, chunk[at]
        number += len(chunk)
    raise ended


def _no_text(given: object) -> TypeError:
    return wrong("each text", given, "a str")
