"""Scripts: which writing systems a text uses, and whether they belong together.

Owns the Script_Extensions (UAX #24) of a text. Imports only the table. Invariant: this is the one
place that decides it, for display and for advice.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

# UTS #39 section 5.1: writing systems of several scripts. A Han character can be part of
# Japanese, Korean, or Chinese with bopomofo.
_WRITING_SYSTEMS = {
    "Han": ("Japanese", "Korean", "Chinese"),
    "Hiragana": ("Japanese",),
    "Katakana": ("Japanese",),
    "Hangul": ("Korean",),
    "Bopomofo": ("Chinese",),
}
_SYSTEMS = frozenset({"Japanese", "Korean", "Chinese"})


def scripts(text: str) -> frozenset[str]:
    """The scripts that a text is written in, by their names in Unicode; as few as explain it.

    Characters that all scripts share (digits, punctuation, most marks) have none. One that several
    scripts share adds its first one only if none of them is there already.

    Errors: none. Cost: O(n). Source: UAX #24, Script_Extensions.

    >>> [sorted(scripts(text)) for text in ("\\u0430pple-1", "\\u65e5\\u30fc", "a\\u02b0")]
    [['Cyrillic', 'Latin'], ['Han'], ['Latin']]
    """
    known = {_extensions(char) for char in text}
    found = {script for several in known if len(several) == 1 for script in several}
    for several in sorted(known, key=len):
        if several and not any(_augmented(frozenset([s])) & _augmented(several) for s in found):
            found.add(several[0])
    return frozenset(found)


def is_single_script(text: str) -> bool:
    """Whether one script, or one writing system of several, has all characters of the text.

    Cost: O(n). Source: UTS #39 section 5.1, the resolved script set.

    >>> is_single_script("\\u65e5\\u672c\\u306e\\u30ce"), is_single_script("\\u65e5a")
    (True, False)
    """
    return _resolved(text, but="") is None or bool(_resolved(text, but=""))


def is_highly_restrictive(text: str) -> bool:
    """Whether a text is of a single script, or of Latin and Japanese, Chinese or Korean.

    Cost: O(n). Source: UTS #39 section 5.2, "Highly Restrictive".

    >>> is_highly_restrictive("\\u65e5a"), is_highly_restrictive("\\u0430pple")
    (True, False)
    """
    if is_single_script(text):
        return True
    return bool((_resolved(text, but="Latin") or frozenset()) & _SYSTEMS)


def _resolved(text: str, but: str) -> frozenset[str] | None:
    """The scripts that all characters share, ignoring those of one script; None if that is all."""
    common: frozenset[str] | None = None
    for char in set(text):
        several = _extensions(char)
        if several and but not in several:
            common = _augmented(several) if common is None else common & _augmented(several)
    return common


@lru_cache(4096)
def _extensions(char: str) -> tuple[str, ...]:
    """Script_Extensions of a character, in the order of the table; none for all scripts."""
    table = _table()
    names: str = table.NAMES[table.SETS[bisect_right(table.STARTS, ord(char)) - 1]]
    return tuple(names.split())


@cache
def _table() -> Any:
    return import_module("uriproof._generated.unicode_scripts")


@lru_cache(1024)
def _augmented(several: tuple[str, ...] | frozenset[str]) -> frozenset[str]:
    """With the writing systems that the scripts belong to."""
    return frozenset(several).union(*(_WRITING_SYSTEMS.get(script, ()) for script in several))
