"""Patterns of paths, as the configuration has them.

Owns their meaning; .gitignore is not read here. Imports the standard library alone. Invariant: a
pattern that matches a folder matches all that is in it.

A pattern without a slash matches the name of a file or folder anywhere; one with a slash, the path
from the folder of the configuration. ``*`` and ``?`` stay within a name, ``**`` does not, ``[…]``
is one character of a set, and ``{a,b}`` is either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

__all__ = ["matcher", "translated"]


@lru_cache(maxsize=256)
def _compiled(patterns: tuple[str, ...]) -> Callable[[str], object]:
    return re.compile("|".join(map(translated, patterns)) or "(?!)").match


def matcher(patterns: Iterable[str]) -> Callable[[str], object]:
    """Something true for a path, with slashes, that one of the patterns matches.

    Cost: O(length of the path) for patterns as people write them.

    >>> match = matcher(["*.min.js", "docs/**/old", "build/"])
    >>> [bool(match(p)) for p in ("a/b.min.js", "docs/a/old/x.md", "docs/old", "src/build/x", "b")]
    [True, True, True, True, False]
    """
    return _compiled(tuple(patterns))


def translated(pattern: str) -> str:
    """The expression of a pattern. Errors: none; what is not closed stands for itself.

    >>> bool(re.match(translated("x.{md,rst}"), "a/x.rst")), bool(re.match(translated("x"), "xy"))
    (True, False)
    """
    anywhere = "/" not in pattern.rstrip("/")
    pattern = pattern.removeprefix("./").strip("/")
    pieces = ["(?s:.*/)?" if anywhere else ""]
    at = depth = 0
    while at < len(pattern):
        char = pattern[at]
        if pattern.startswith("**/", at):
            pieces.append("(?:[^/]+/)*")
            at += 3
            continue
        if pattern.startswith("**", at):
            pieces.append("(?s:.*)")
            at += 2
            continue
        close = pattern.find("]", at + 2) if char == "[" else -1
        if close > 0:
            pieces.append(_set(pattern[at + 1 : close]))
            at = close + 1
            continue
        if char == "{" and "}" in pattern[at:]:
            depth += 1
            pieces.append("(?:")
        elif char == "}" and depth:
            depth -= 1
            pieces.append(")")
        elif char == "," and depth:
            pieces.append("|")
        else:
            pieces.append({"*": "[^/]*", "?": "[^/]"}.get(char) or re.escape(char))
        at += 1
    end = ")" * depth + r"(?:/(?s:.*))?\Z"
    return "".join(pieces) + end


def _set(inside: str) -> str:
    """The expression of what stands in brackets; a range that runs down stands for itself."""
    no = "^" if inside[0] in "!^" else ""
    members = "".join(c if c == "-" else re.escape(c) for c in inside[len(no) :])
    try:
        return re.compile(f"[{no}{members}]").pattern
    except re.error:
        return re.escape(f"[{inside}]")
