"""Finders: the URLs of a text, one file per file format.

Owns the choice of a finder for a file. A module of this package without a leading underscore is a
finder, and has what ``Finder`` lists; nothing else needs editing. May import ``lint.found`` and
the helpers whose names start with an underscore. Invariant: a finder takes any text, however
broken, in linear time, and yields what it found in text order, disjoint.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from ..found import Found

__all__ = ["FALLBACK", "Finder", "finder", "finders", "named"]

FALLBACK = "plain"


class Finder(Protocol):
    """What the module of a format has.

    ``SUFFIXES`` end the names of its files, in lower case (".md", ".blade.php"); ``NAMES`` are
    whole names ("Makefile", "requirements.txt"). ``ANCHORS`` are texts of which a file must hold
    at least one to hold a URL; an empty tuple means that any file may.
    """

    SUFFIXES: tuple[str, ...]
    NAMES: tuple[str, ...]
    ANCHORS: tuple[str, ...]

    def find(self, text: str, name: str) -> Iterator[Found]: ...


@cache
def finders() -> dict[str, Finder]:
    """Every finder by the name of its format.

    >>> "plain" in finders()
    True
    """
    names = (module.name for module in iter_modules(__path__) if module.name[0] != "_")
    return {name: cast("Finder", import_module(f"{__name__}.{name}")) for name in sorted(names)}


@cache
def _by_ending() -> dict[str, str]:
    """The format of each suffix and of each whole name."""
    endings: dict[str, str] = {}
    for name, finder_ in finders().items():
        for ending in (*finder_.SUFFIXES, *finder_.NAMES):
            first = endings.setdefault(ending, name)
            if first != name:
                raise ValueError(f"{first} and {name} both find in {ending}")
    return endings


def named(file: str) -> str:
    """The name of the format of a file, by its name alone; the longest suffix that is known wins.

    >>> named("docs/README.txt"), named("x.unheard-of")
    ('plain', 'plain')
    """
    endings = _by_ending()
    base = file.rpartition("/")[2]
    if base in endings:
        return endings[base]
    lower = base.lower()
    at = lower.find(".")
    while at >= 0:
        if lower[at:] in endings:
            return endings[lower[at:]]
        at = lower.find(".", at + 1)
    return FALLBACK


def finder(file: str) -> Finder:
    """The finder for a file, by its name."""
    return finders()[named(file)]
