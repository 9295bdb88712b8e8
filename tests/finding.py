"""What a finder finds in a text, for the tests of each, and the tables of what is to be found.

Owns ``lint/found``: a file of tables for each format, with the name of the file that a text is in,
unless a row begins with one.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tables import file_of

from uriproof.lint.engine.judge import Judge
from uriproof.lint.find import finder
from uriproof.lint.found import Found

FOLDER = Path(__file__).with_name("lint") / "found"
_JUDGE = Judge()


def found(name: str, text: str) -> list[Found]:
    """What is found in a file of a name."""
    return list(finder(name).find(text, name))


def urls(name: str, text: str) -> list[str]:
    return [one.text for one in found(name, text)]


def blamed(name: str, text: str) -> list[str]:
    """What is blamed, as it stands in the file."""
    return [
        text[one.offset(violation.start) : one.offset(violation.end)]
        for one in found(name, text)
        for violation in _JUDGE.violations(one)
    ]


def accepted(name: str, text: str) -> list[bool]:
    """Of each URL, whether it is accepted."""
    return [_JUDGE.accepts(one) for one in found(name, text)]


def in_order(text: str, ones: Iterable[Found]) -> int:
    """The end of the last of them: spans are disjoint, and what stands there is the URL."""
    at = 0
    for one in ones:
        assert at <= one.start <= one.end <= len(text)
        at = one.end
        if one.places:
            assert len(one.places) == len(one.text) + 1
            assert list(one.places) == sorted(one.places)
            assert (one.places[0], one.places[-1]) == (one.start, one.end)
        else:
            assert text[one.start : one.end] == one.text
        assert all(0 <= a < b <= len(one.text) for a, b in one.holes)
    return at


def rows(kind: str, width: int) -> list[tuple[Any, ...]]:
    """The rows of all formats: each the name of a file, a text, and what is expected of it."""
    every: list[tuple[Any, ...]] = []
    for path in sorted(FOLDER.glob("*.toml")):
        tables = file_of(path)
        for row in tables.get(kind, ()):
            values = row if isinstance(row, list) else [row]
            every.append(tuple(values) if len(values) == width else (tables["file"], *values))
    return every
