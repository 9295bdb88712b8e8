"""Where the keys of a TOML file are, which its reader in the standard library does not say.

Owns the lines of keys and tables. Imports the standard library. Invariant: a guess at worst, never
an error: a key that is not found is on the line of the nearest table around it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["Key", "line_of", "lines"]

Key = tuple[str | int, ...]
"""The names, and the numbers within arrays of tables, that lead to a value."""

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\s\"'-]+?)\s*\]\]?\s*(?:#.*)?$")
_ASSIGNED = re.compile(r"\s*([\w-]+(?:\s*\.\s*[\w-]+)*)\s*=")


def lines(text: str) -> dict[Key, int]:
    """The line, from 1, of each key and each table. Cost: O(n).

    >>> lines('a = 1\\n[[b]]\\nc = 2\\n')[("b", 0, "c")]
    3
    """
    found: dict[Key, int] = {(): 1}
    counts: dict[Key, int] = {}
    table: Key = ()
    quote = ""
    for number, line in enumerate(text.split("\n"), 1):
        if quote:
            quote = "" if quote in line else quote
            continue
        header = _HEADER.match(line)
        if header:
            table = ()
            names = [name.strip(" \t\"'") for name in header[2].split(".")]
            for i, name in enumerate(names):
                table = (*table, name)
                last = i == len(names) - 1
                if last and header[1] == "[[":
                    counts[table] = counts.get(table, -1) + 1
                if table in counts:
                    found.setdefault(table, number)
                    table = (*table, counts[table])
            found.setdefault(table, number)
            continue
        assigned = _ASSIGNED.match(line)
        if assigned:
            key: Key = (*table, *(name.strip() for name in assigned[1].split(".")))
            found.setdefault(key, number)
        for mark in ('"""', "'''"):
            if line.count(mark) % 2:
                quote = mark
    return found


def line_of(known: Mapping[Key, int], key: Key) -> int:
    """The line of a key, or of the nearest table around it."""
    while key not in known:
        key = key[:-1]
    return known[key]
