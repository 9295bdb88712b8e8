"""Patterns of paths, as the configuration has them.

Owns their meaning; .gitignore is not read here. Imports only the standard library. Invariant: a
pattern that matches a folder matches everything in it; for any patterns and path, the time is that
of reading one of them once for each hundred or so characters of the others.

A pattern without a slash matches the name of a file or folder anywhere; one with a slash, the path
from the folder of the configuration. ``*`` and ``?`` stay within a name, ``**`` does not, ``[…]``
is one character of a set, and ``{a,b}`` is either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial

from ...limits import LONGEST_GLOB

_REMEMBERED = 40_000_000
"""Bits of states that are remembered, which are five megabytes; hostile paths make many."""

# The parts of a pattern, other than tests of one character.
_STAR, _ALL, _FOLDERS, _IN_FOLDER, _END = "*", "**", "**/", "/", ""
_Piece = str | Callable[[str], object]


@lru_cache(maxsize=256)
def _compiled(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    return _Patterns(patterns).match


def matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Whether one of the patterns matches a path, which has slashes.

    Braces in a pattern that is ``too_large`` stand for themselves. Cost: O(length of the path)
    steps, each of which takes as long as reading a bit for each character of the patterns.

    >>> match = matcher(["*.min.js", "docs/**/old", "build/", "x.{md,rst}"])
    >>> [match(p) for p in ("a/b.min.js", "docs/a/old/x.md", "docs/old", "src/build/x", "a/x.rst")]
    [True, True, True, True, True]
    >>> match("b"), match("x.mdx")
    (False, False)
    """
    return _compiled(tuple(patterns))


def too_large(pattern: str) -> bool:
    """Whether a pattern, or what its braces stand for, is longer than any path.

    >>> too_large("*.{md,rst}"), too_large("{a,b}" * 20), too_large("{" * 3_000 + "}")
    (False, True, False)
    """
    return len(pattern) > LONGEST_GLOB or _pieces(pattern) is None


class _Patterns:
    """Patterns as one automaton that is in many places at once; a number has a bit for each.

    Each character that is read leads to the next place; a star stays in its place, or is passed.
    """

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self._tests: list[tuple[int, Callable[[str], object]]] = []
        self._start = self._anywhere = self._ends = self._size = 0
        self._of: dict[str, int] = dict.fromkeys((_STAR, _ALL, _FOLDERS, _IN_FOLDER), 0)
        for pattern in patterns:
            anywhere = "/" not in pattern.rstrip("/")
            for pieces in _pieces(pattern) or [[_equals(char) for char in pattern]]:
                self._start |= 1 << self._size
                self._anywhere |= anywhere << self._size
                for piece in (*pieces, _END):
                    self._add(piece)
        self._start = self._passed(self._start)
        remember = lru_cache(max(_REMEMBERED // (self._size + 1), 16))
        self._step, self._mask = remember(self._read), remember(self._admitting)

    def _add(self, piece: _Piece) -> None:
        bit = 1 << self._size
        self._size += 1
        if piece == _END:
            self._ends |= bit
        elif not isinstance(piece, str):
            self._tests.append((bit, piece))
        else:
            self._of[piece] |= bit
            if piece == _FOLDERS:
                self._add(_IN_FOLDER)

    def match(self, path: str) -> bool:
        here = self._start
        for char in path:
            if char == "/" and here & self._ends:
                return True
            here = self._step(here, char)
        return bool(here & self._ends)

    def _admitting(self, char: str) -> int:
        """All places whose test a character passes."""
        return sum(bit for bit, test in self._tests if test(char))

    def _read(self, here: int, char: str) -> int:
        """All places that are reached by reading a character."""
        of = self._of
        there = (here & self._mask(char)) << 1 | here & of[_ALL]
        if char == "/":
            there |= (here & of[_IN_FOLDER]) >> 1 | self._anywhere
        else:
            there |= here & (of[_STAR] | of[_IN_FOLDER]) | (here & of[_FOLDERS]) << 1
        return self._passed(there)

    def _passed(self, here: int) -> int:
        """All places that are reached without reading."""
        stars, folders = self._of[_STAR] | self._of[_ALL], self._of[_FOLDERS]
        while more := ((here & stars) << 1 | (here & folders) << 2) & ~here:
            here |= more
        return here


def _pieces(pattern: str) -> list[list[_Piece]] | None:
    """The patterns without braces; None if they are longer than ``LONGEST_GLOB``.

    An unclosed brace stands for itself.
    """
    pattern = pattern.removeprefix("./").strip("/")
    last = pattern.rfind("}")
    now: list[list[_Piece]] = [[]]
    open_: list[tuple[list[list[_Piece]], list[list[_Piece]]]] = []  # before a brace, and in it
    at = 0

    def closed() -> None:
        before, either = open_.pop()
        either += now
        one, other = sum(map(len, before)) + len(before), sum(map(len, either)) + len(either)
        if one * len(either) + other * len(before) > LONGEST_GLOB * 2:
            raise OverflowError
        now[:] = [[*a, *b] for a in before for b in either]

    def add(*pieces: _Piece) -> None:
        for one in now:
            for piece in pieces:
                if not (one and isinstance(piece, str) and one[-1] in (piece, _ALL)):
                    one.append(piece)

    try:
        while at < len(pattern):
            char = pattern[at]
            close = pattern.find("]", at + 2) if char == "[" else -1
            if pattern.startswith("**/", at):
                add(_FOLDERS)
                at += 2
            elif pattern.startswith("**", at):
                add(_ALL)
                at += 1
            elif close > 0:
                add(*_set(pattern[at + 1 : close]))
                at = close
            elif char == "{" and at < last:
                open_.append(([*now], []))
                now = [[]]
            elif char == "}" and open_:
                closed()
            elif char == "," and open_:
                open_[-1][1].extend(now)
                now = [[]]
            elif char == "*":
                add(_STAR)
            else:
                add(_within if char == "?" else _equals(char))
            at += 1
            if sum(map(len, now)) > LONGEST_GLOB:
                return None
        while open_:
            closed()
    except OverflowError:
        return None
    return now


def _within(char: str) -> bool:
    return char != "/"


def _equals(char: str) -> Callable[[str], object]:
    return partial(str.__eq__, char)


def _set(inside: str) -> list[_Piece]:
    """The test of the characters in brackets; a range that runs down stands for itself."""
    no = "^" if inside[0] in "!^" else ""
    members = "".join(c if c == "-" else re.escape(c) for c in inside[len(no) :])
    try:
        return [re.compile(f"[{no}{members}]").match]
    except re.error:
        return [_equals(char) for char in f"[{inside}]"]
