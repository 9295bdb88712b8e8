"""Words of sentences: near names for misspelled ones, lists, numbers of things, causes of errors.

Owns these. Imports only the standard library, difflib when it is called. Invariant: the nearest
name comes first, and case is ignored.
"""

from __future__ import annotations

from collections.abc import Iterable

_FEW = 5
"""Names that an error lists at most."""


def near(name: str, known: Iterable[str], limit: int = 3, likeness: float = 0.6) -> tuple[str, ...]:
    """The names in ``known`` that ``name`` might stand for, nearest first; ignores case.

    Cost: O(len(known)) comparisons of short strings.

    >>> near("URL", ["scheme", "URI", "port"])
    ('URI',)
    """
    from difflib import get_close_matches

    spelled: dict[str, str] = {}
    for candidate in known:
        spelled.setdefault(candidate.lower(), candidate)
    found = get_close_matches(name[:80].lower(), spelled, n=limit, cutoff=likeness)
    return tuple(spelled[candidate] for candidate in found)


def did_you_mean(name: str, known: Iterable[str], limit: int = 3, *, listed: str = "") -> str:
    """The end of a message about an unknown name: the near names, if there are any.

    Otherwise the known ones if they are few, or else the command ``listed`` that lists them.

    >>> did_you_mean("segment-n", ["segment", "segment-nz", "host"])
    '; did you mean segment-nz or segment?'
    >>> did_you_mean("x", "abcdefgh", listed="uriproof explain")
    '; to list them, run: uriproof explain'
    """
    known = [*known]
    if found := near(name, known, limit):
        return f"; did you mean {or_list(found)}?"
    if not listed or not known:
        return ""
    return f"; use {or_list(known)}" if len(known) <= _FEW else f"; to list them, run: {listed}"


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


def some(number: int, what: str) -> str:
    """A number of things.

    >>> some(1, "row"), some(1_000, "row")
    ('1 row', '1,000 rows')
    """
    return f"{number:,} {what}{'s' * (number != 1)}"


def cause(error: Exception) -> str:
    """What went wrong, in the words of the system if it says so, without the file's name."""
    return str(getattr(error, "strerror", None) or error)


def joined(sentence: str, rest: str | None) -> str:
    """A sentence that goes on with what to do.

    >>> joined("A space is not allowed in a path.", "write %20")
    'A space is not allowed in a path; write %20.'
    """
    between = ": " if "; " in sentence else "; "
    return f"{sentence.removesuffix('.')}{between}{rest.removesuffix('.')}." if rest else sentence
