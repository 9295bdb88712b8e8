"""The option ``--accept``: which characters may come out of what is decoded.

May import nothing but click. Invariant: what cannot be read as a set of characters is
invalid usage.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..text.patterns import lazy
from . import _click as click

__all__ = ["accept_option"]

_KINDS: dict[str, Callable[[str], bool]] = {
    "ascii": str.isascii,
    "printable": str.isprintable,
    "alphanumeric": str.isalnum,
}
_RANGE = lazy(r"U\+(?P<first>[0-9A-F]{4,6})(?:-U\+(?P<last>[0-9A-F]{4,6}))?", re.I | re.A)


def _read(
    _: click.Context, __: click.Parameter, given: tuple[str, ...]
) -> Callable[[str], bool] | None:
    """A test for the characters that all the options accept."""
    tests = [_KINDS.get(words) or _ranges(words) for words in given]
    return (lambda char: all(test(char) for test in tests)) if tests else None


def _ranges(words: str) -> Callable[[str], bool]:
    found: list[tuple[int, int]] = []
    for part in words.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match is None:
            kinds = ", ".join(_KINDS)
            raise click.BadParameter(
                f"{words!r}: give one of {kinds}, or code points such as U+0020-U+007E,U+00E9"
            )
        first = int(match["first"], 16)
        found.append((first, int(match["last"] or match["first"], 16)))
    return lambda char: any(first <= ord(char) <= last for first, last in found)


def accept_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option, for a command that decodes."""
    return click.option(
        "--accept",
        multiple=True,
        metavar="CHARACTERS",
        callback=_read,
        help="Characters that may be decoded: ascii, printable, alphanumeric, or code points "
        "(U+0020-U+007E,U+00E9). Repeated: only those in all of them.",
    )(command)
