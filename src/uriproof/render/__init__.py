"""Renderers: reports in, text out, one file per output format.

Owns the values that every renderer is given, and finds the renderers: a module ``as_NAME`` of
this package with a function ``render(entries, style)`` is the format NAME; nothing else needs
editing. May import ``report`` and ``drawing``. Invariant: a renderer yields pieces of output
while it reads entries, holds one report at a time, and adds nothing about what it has not read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..report import Report
from ..text.drawing import WIDTH

__all__ = ["Entry", "Place", "Renderer", "Style", "formats", "renderer"]


class Place(NamedTuple):
    """Where a text was read: a file, as the user named it, and a line, counted from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Entry(NamedTuple):
    """One report to render; ``place`` is None for a text given by itself, as an argument."""

    report: Report
    place: Place | None = None


class Style(NamedTuple):
    """How output should look; ``advice`` is shown with texts ``alone``, with every one, or not.

    ``width`` is in terminal columns. Only formats for people heed ``colour`` and ``width``.
    """

    colour: bool = False
    width: int = WIDTH
    advice: bool | None = None

    def advises(self, entry: Entry) -> bool:
        """Whether this entry's advice is wanted: unless told, where someone looks closely."""
        if self.advice is None:
            return entry.place is None or not entry.report.ok
        return self.advice


Renderer = Callable[[Iterable[Entry], Style], Iterator[str]]


def formats() -> tuple[str, ...]:
    """The names of all formats.

    >>> formats()
    ('json', 'text')
    """
    found = {name.partition(".")[0] for folder in __path__ for name in os.listdir(folder)}
    return tuple(sorted(name[3:] for name in found if name.startswith("as_")))


def renderer(name: str) -> Renderer:
    """The renderer of a format that ``formats`` lists. Errors: ModuleNotFoundError."""
    from importlib import import_module

    render: Renderer = import_module(f"{__name__}.as_{name}").render
    return render
