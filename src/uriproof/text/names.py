"""Misspelled names: the known ones that are near, and the words "did you mean"; lists in sentences.

Owns these. Imports the standard library alone, difflib when it is called. Invariant: the nearest
name comes first, and case does not count.
"""

from __future__ import annotations

from collections.abc import Iterable


def near(name: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The names in ``known`` that ``name`` may stand for, nearest first; case does not count.

    Cost: O(len(known)) comparisons of short strings.

    >>> near("URL", ["scheme", "URI", "port"])
    ('URI',)
    """
    from difflib import get_close_matches

    spelled: dict[str, str] = {}
    for candidate in known:
        spelled.setdefault(candidate.lower(), candidate)
    found = get_close_matches(name[:80].lower(), spelled, n=most, cutoff=0.6)
    return tuple(spelled[candidate] for candidate in found)


def did_you_mean(name: str, known: Iterable[str], most: int = 3) -> str:
    """The near names as the end of a message, or nothing where there are none.

    >>> did_you_mean("segment-n", ["segment", "segment-nz", "host"])
    '; did you mean segment-nz or segment?'
    """
    found = near(name, known, most)
    return f"; did you mean {or_list(found)}?" if found else ""


def or_list(words: Iterable[str]) -> str:
    """Words as a list in a sentence.

    >>> or_list("abc"), or_list("a"), or_list([])
    ('a, b or c', 'a', '')
    """
    return _list(words, "or")


def and_list(words: Iterable[str]) -> str:
    """Words as a list in a sentence.

    >>> and_list("abc"), and_list("a"), and_list([])
    ('a, b and c', 'a', '')
    """
    return _list(words, "and")


def _list(words: Iterable[str], conjunction: str) -> str:
    *others, last = [*words] or [""]
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def joined(sentence: str, rest: str | None) -> str:
    """A sentence that goes on with what to do.

    >>> joined("A space is not allowed in a path.", "write %20")
    'A space is not allowed in a path; write %20.'
    """
    between = ": " if "; " in sentence else "; "
    return f"{sentence.removesuffix('.')}{between}{rest.removesuffix('.')}." if rest else sentence
